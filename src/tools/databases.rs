//! `hotdata_list_managed_databases` and `hotdata_create_managed_database`: the databases of the workspace, by their ids.

use crate::client::{Client, Endpoint, Transport};
use crate::error::{Code, Error, Result};
use crate::sql::{Column, TableName};
use crate::text::one_line;
use crate::value::{Fields, Value};

use super::definition::{Annotations, Definition, array_schema, object_schema, string_schema};
use super::names::Names;
use super::table_text::{self, Caps, ToolText};

/// The most databases that are told.
const MOST_TOLD: usize = 100;
/// Of as many databases each, as the service lists them: the second shows whether there are more than are told.
/// The most characters of a database's name that are shown.
const MOST_NAME_CHARS: usize = 200;
const PAGES: usize = 2;
const DEFAULT_SCHEMA: &str = "public";
/// Where a database's own tables are unless its record says otherwise (contract, "no universal catalog name").
const DEFAULT_CATALOG: &str = "default";

/// What is told of a database.
const TOLD: &[(&str, &str)] =
    &[("id", "id"), ("name", "name"), ("createdAt", "created_at"), ("expiresAt", "expires_at")];

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
        "Create a database in the workspace and get its id; each call makes another one.",
    );
    if let Some(load) = &names.load_table {
        description.push_str(&format!(" Its tables are empty until {load} loads them."));
    }
    if let Some(sql) = &names.execute_sql {
        description.push_str(&format!(" {sql} does not query it."));
    }
    let keys = object_schema(
        [("table", string_schema("")), ("columns", array_schema(string_schema(""), ""))],
        &["table", "columns"],
    );
    let arguments = [
        ("name", string_schema("")),
        ("schema_name", string_schema("public unless given.")),
        ("tables", array_schema(string_schema(""), "Tables to declare; loading makes others.")),
        ("keys", array_schema(keys, "The columns that tell rows apart; fixed from then on.")),
        ("expires_at", string_schema("24h, 7d or an RFC 3339 time.")),
    ];
    Some(Definition {
        name: names.create_database.clone()?,
        title: "Create a database",
        description,
        input_schema: object_schema(arguments, &[]),
        annotations: ADDS,
    })
}

/// Which databases to ask for.
pub(super) fn list_endpoint<T: Transport>(
    client: &Client<T>,
    arguments: &Value,
) -> Result<Endpoint> {
    Ok(client.databases(&renamed(arguments, &[("search", "search")]))?.of_pages(PAGES))
}

/// The same with texts of a length that leaves room for others.
fn bounded(record: Value) -> Value {
    match record {
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .map(|(name, value)| match value {
                    Value::Text(text) => (name, one_line(&text, MOST_NAME_CHARS).into()),
                    other => (name, other),
                })
                .collect(),
        ),
        other => other,
    }
}

/// The databases as a model reads them; `current` is the one that the other tools query.
pub(super) fn list_text(listed: &Value, current: &str, caps: Caps) -> ToolText {
    let records = listed.as_list().unwrap_or_default();
    let most = caps.rows.min(MOST_TOLD);
    let mut told = Vec::new();
    for record in records.iter().take(most) {
        let mut database = bounded(renamed(record, TOLD));
        if Fields::checked(record).get("id") == Some(&current.into()) {
            database = database.with("current", true.into());
        }
        told.push(database);
    }
    let told = Value::Object(Vec::new()).with("databases", Value::List(told));
    let warning = match records.len() {
        0 => "There is no such database.".to_owned(),
        found if found > most => format!(
            "Only the {most} newest are shown and there are more; give `search` a part of the name."
        ),
        _ => return table_text::value(&told),
    };
    table_text::value(&told.with("client_warning", warning.into()))
}

/// What is to be made.
pub(super) fn create_endpoint<T: Transport>(
    client: &Client<T>,
    arguments: &Value,
) -> Result<Endpoint> {
    client.create_database(&new_database(&Fields::checked(arguments), arguments)?)
}

/// The options of `createDatabase`.
fn new_database(fields: &Fields, arguments: &Value) -> Result<Value> {
    let keys = fields.items("keys", "")?;
    let mut used = 0;
    let mut tables = Vec::new();
    for table in fields.texts("tables")?.unwrap_or_default() {
        let name = bare_name("tables", &table)?;
        let mut declared = Value::Object(Vec::new()).with("name", (&name).into());
        for key in &keys {
            let key = Fields::checked(key);
            let columns = key.texts("columns")?.unwrap_or_default();
            if bare_name("keys", key.required_text("table")?)? == name && !columns.is_empty() {
                declared = declared.with("key", Value::texts(&columns));
                used += 1;
                break;
            }
        }
        tables.push(declared);
    }
    if used < keys.len() {
        let why = "must be of tables that `tables` names, of each once, with at least one column";
        return Err(Error::argument("keys", why));
    }
    let options = renamed(arguments, &[("name", "name"), ("expires_at", "expiresAt")]);
    let schema = fields.text("schema_name")?.filter(|schema| !schema.is_empty());
    if schema.is_none() && tables.is_empty() {
        return Ok(options);
    }
    let schema = bare_name("schema_name", schema.unwrap_or(DEFAULT_SCHEMA))?;
    let schema =
        Value::Object(Vec::new()).with("name", schema.into()).with("tables", Value::List(tables));
    Ok(options.with("schemas", Value::List(vec![schema])))
}

/// What was made, as a model reads it.
pub(super) fn created_text(made: &Value, arguments: &Value) -> Result<ToolText> {
    let (record, asked) = (Fields::checked(made), Fields::checked(arguments));
    let catalog = record.text("defaultCatalog")?.unwrap_or(DEFAULT_CATALOG);
    let schema = asked.text("schema_name")?.filter(|schema| !schema.is_empty());
    let mut paths = Vec::new();
    for table in asked.texts("tables")?.unwrap_or_default() {
        let table = TableName::from_parts(catalog, schema.unwrap_or(DEFAULT_SCHEMA), &table)?;
        paths.push(table.path());
    }
    let told = renamed(made, TOLD);
    Ok(table_text::value(&if paths.is_empty() {
        told
    } else {
        told.with("empty_tables", Value::texts(&paths))
    }))
}

/// A failure to make one, with a next step that a model can take.
pub(super) fn not_created(mut error: Error, names: &Names) -> Error {
    if error.code == Code::OutcomeUnknown
        && let Some(list) = &names.list_databases
    {
        let look = format!("Look with {list} whether it is there before you create it again.");
        error.hint = Some(look);
    }
    error
}

/// The members that hold something, which blank text is not, under other names: pairs of the old and the new one.
pub(super) fn renamed(object: &Value, names: &[(&str, &str)]) -> Value {
    let fields = Fields::checked(object);
    let mut renamed = Vec::new();
    for (old, new) in names {
        match fields.get(old) {
            None => {}
            Some(Value::Text(text)) if text.trim().is_empty() => {}
            Some(value) => renamed.push(((*new).to_owned(), value.clone())),
        }
    }
    Value::Object(renamed)
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
