//! `hotdata_list_managed_databases` and `hotdata_create_managed_database`: the databases of the workspace, by their ids.

use crate::client::{Client, Transport};
use crate::error::{Code, Error, Result};
use crate::sql::{Column, TableName};
use crate::value::{Fields, Value};

use super::definition::{Annotations, Definition, array_schema, object_schema, string_schema};
use super::names::Names;
use super::table_text::{self, Caps, ToolText};

/// The most databases that are told.
const MOST_TOLD: usize = 100;
/// Of as many databases each, as the service lists them: the second shows whether there are more than are told.
const PAGES: usize = 2;
const DEFAULT_SCHEMA: &str = "public";
/// Where a database's own tables are unless its record says otherwise (contract, "no universal catalog name").
const DEFAULT_CATALOG: &str = "default";

/// For a tool that adds to the workspace.
const ADDS: Annotations = Annotations {
    read_only_hint: false,
    destructive_hint: false,
    idempotent_hint: false,
    open_world_hint: false,
};

pub(super) fn list_definition(names: &Names) -> Option<Definition> {
    let current = match &names.execute_sql {
        Some(sql) => format!(" current marks the one that {sql} queries."),
        None => String::new(),
    };
    let search = string_schema("Only those whose name holds this text.");
    Some(Definition {
        name: names.list_databases.clone()?,
        title: "List databases",
        description: format!(
            "List the databases of the workspace, newest first. Other tools take the id, never the name: names may \
             repeat.{current}"
        ),
        input_schema: object_schema([("search", search)], &[]),
        annotations: Annotations::READS,
    })
}

pub(super) fn create_definition(names: &Names) -> Option<Definition> {
    let mut description = String::from(
        "Create a database in the workspace and get its id. Each call makes another one, also under a name that is taken. \
         Its tables are empty until data is loaded",
    );
    match &names.load_table {
        Some(load) => description.push_str(&format!(" with {load}.")),
        None => description.push('.'),
    }
    if let Some(sql) = &names.execute_sql {
        description.push_str(&format!(" {sql} does not query it."));
    }
    let keys = object_schema(
        [("table", string_schema("")), ("columns", array_schema(string_schema(""), ""))],
        &["table", "columns"],
    );
    let arguments = [
        ("name", string_schema("A label.")),
        ("schema_name", string_schema("Of the tables; public unless given.")),
        (
            "tables",
            array_schema(string_schema(""), "Names of tables to declare; loading makes others."),
        ),
        (
            "keys",
            array_schema(keys, "The columns that tell a table's rows apart; fixed from then on."),
        ),
        ("expires_at", string_schema("When it is deleted: 24h, 7d or an RFC 3339 time.")),
    ];
    Some(Definition {
        name: names.create_database.clone()?,
        title: "Create a database",
        description,
        input_schema: object_schema(arguments, &[]),
        annotations: ADDS,
    })
}

pub(super) async fn list<T: Transport>(
    client: &Client<T>,
    database: &str,
    arguments: &Value,
    caps: Caps,
) -> Result<ToolText> {
    let fields = Fields::checked(arguments);
    let search = text(&fields, "search")?;
    let asked = client.databases(&Value::object([("search", search.into())]))?;
    let records = client.ask(asked.of_pages(PAGES)).await?.as_list().unwrap_or_default();
    listed(&records, database, search.is_some(), caps)
}

fn listed(records: &[Value], current: &str, searched: bool, caps: Caps) -> Result<ToolText> {
    let most = caps.rows.min(MOST_TOLD);
    let mut told = Vec::new();
    for record in records.iter().take(most) {
        let record = Fields::of_answer(record)?;
        let id = record.text("id")?;
        let catalog = record.text("defaultCatalog")?.filter(|catalog| *catalog != DEFAULT_CATALOG);
        told.push(Value::object([
            ("current", (id == Some(current)).then_some(true).into()),
            ("id", id.into()),
            ("name", record.text("name")?.into()),
            ("catalog", catalog.into()),
            ("created_at", record.text("createdAt")?.into()),
            ("expires_at", record.text("expiresAt")?.into()),
        ]));
    }
    let warning = match records.len() {
        0 if searched => Some("No database has a name that holds this text.".to_owned()),
        0 => Some("The workspace has no database.".to_owned()),
        found if found > most => Some(format!(
            "Only the {most} newest are shown and there are more; give `search` a part of the name."
        )),
        _ => None,
    };
    let told = [("databases", Value::List(told)), ("client_warning", warning.into())];
    Ok(table_text::value(&Value::object(told)))
}

pub(super) async fn create<T: Transport>(
    client: &Client<T>,
    names: &Names,
    arguments: &Value,
) -> Result<ToolText> {
    let (options, schema, tables) = asked(&Fields::checked(arguments))?;
    let made = client.ask(client.create_database(&options)?).await;
    made_text(made.map_err(|error| maybe_made(error, names))?, &schema, &tables)
}

/// The options of `createDatabase`, and the names of the schema and of the tables.
fn asked(fields: &Fields) -> Result<(Value, String, Vec<String>)> {
    let given_schema = text(fields, "schema_name")?;
    let schema = bare_name("schema_name", given_schema.unwrap_or(DEFAULT_SCHEMA))?;
    let mut tables = Vec::new();
    for table in fields.texts("tables")?.unwrap_or_default() {
        tables.push(bare_name("tables", &table)?);
    }
    let mut keys: Vec<Option<Value>> = Vec::new();
    keys.resize(tables.len(), None);
    for item in fields.items("keys", "")? {
        let item = Fields::checked(&item);
        let name = bare_name("table", item.required_text("table")?)?;
        let Some(at) = tables.iter().position(|table| *table == name) else {
            let why = format_args!("must be of tables that `tables` names, not of {name}");
            return Err(Error::argument("keys", why));
        };
        let mut columns = Vec::new();
        for column in item.texts("columns")?.unwrap_or_default() {
            columns.push(Column::parse("columns", &column)?.name().to_owned());
        }
        match keys.get_mut(at) {
            Some(key @ None) if !columns.is_empty() => *key = Some(Value::texts(&columns)),
            _ => {
                let why = format_args!("must name the columns of {name} once, and at least one");
                return Err(Error::argument("keys", why));
            }
        }
    }
    let mut declared = Vec::new();
    for (table, key) in tables.iter().zip(keys) {
        declared.push(Value::object([("name", table.into()), ("key", key.into())]));
    }
    let schemas = (given_schema.is_some() || !declared.is_empty()).then(|| {
        let tables = Value::List(declared);
        Value::List(vec![Value::object([("name", (&schema).into()), ("tables", tables)])])
    });
    let options = Value::object([
        ("name", text(fields, "name")?.into()),
        ("expiresAt", text(fields, "expires_at")?.into()),
        ("schemas", schemas.into()),
    ]);
    Ok((options, schema, tables))
}

/// An argument that a model may also leave empty.
fn text<'a>(fields: &Fields<'a>, name: &str) -> Result<Option<&'a str>> {
    Ok(fields.text(name)?.filter(|text| !text.trim().is_empty()))
}

fn made_text(made: Value, schema: &str, tables: &[String]) -> Result<ToolText> {
    let record = Fields::of_answer(&made)?;
    let catalog = record.text("defaultCatalog")?.unwrap_or(DEFAULT_CATALOG);
    let mut paths = Vec::new();
    for table in tables {
        paths.push(TableName::from_parts(catalog, schema, table)?.path());
    }
    let paths = (!paths.is_empty()).then(|| Value::texts(&paths));
    Ok(table_text::value(&Value::object([
        ("id", record.text("id")?.into()),
        ("name", record.text("name")?.into()),
        ("expires_at", record.text("expiresAt")?.into()),
        ("empty_tables", paths.into()),
    ])))
}

fn maybe_made(mut error: Error, names: &Names) -> Error {
    if error.code == Code::OutcomeUnknown
        && let Some(list) = &names.list_databases
    {
        let look = format!("Look with {list} whether it is there before you create it again.");
        error.hint = Some(look);
    }
    error
}

/// A schema's or a table's own name.
pub(super) fn bare_name(argument: &str, name: &str) -> Result<String> {
    let name = Column::parse(argument, name.trim())?.name().to_owned();
    if name.contains('.') {
        let why = format_args!("must be a name alone, not {name}: `schema_name` takes the schema");
        return Err(Error::argument(argument, why));
    }
    Ok(name)
}

/// Says where ids come from, by the tool of this set that tells them.
pub(super) fn by_id(mut error: Error, names: &Names) -> Error {
    if error.code == Code::NotFound {
        let mut hint = "`database_id` must be an id, not a name.".to_owned();
        if let Some(list) = &names.list_databases {
            hint = format!("{hint} {list} shows the ids.");
        }
        error.hint = Some(hint);
    }
    error
}
