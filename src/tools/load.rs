//! `hotdata_load_managed_table`: what a URL holds, into a table.

use crate::client::{Client, Load, Transport};
use crate::error::{Code, Error, Result};
use crate::sql::TableName;
use crate::text::shown;
use crate::value::{Fields, Value};

use super::databases::{by_id, renamed};
use super::definition::{
    Annotations, Definition, array_schema, choice_schema, object_schema, string_schema,
};
use super::names::Names;
use super::table_text::{self, ToolText};

/// Longer ones are refused by most servers.
const MOST_URL_BYTES: usize = 8_192;
const MODES: [&str; 5] = ["replace", "append", "upsert", "update", "delete"];
const FORMATS: [&str; 3] = ["csv", "json", "parquet"];

/// What it does to a table may be undone by no other call, and what a URL holds is not ours.
const LOADS: Annotations = Annotations {
    read_only_hint: false,
    destructive_hint: true,
    idempotent_hint: false,
    open_world_hint: true,
};

/// Runs a load whose bytes the host has to fetch.
#[allow(async_fn_in_trait)] // Single-threaded by nature: no caller needs the future to be Send.
pub trait Loader {
    /// Loads by the options of a client's `loadTable`, `url` among them, and gives its receipt.
    async fn load(&self, options: Value) -> Result<Value>;
}

pub(super) fn definition(names: &Names) -> Option<Definition> {
    let arguments = [
        ("database_id", string_schema("An id, never a name.")),
        ("table", string_schema("Its name alone; made where absent.")),
        ("file", string_schema("An http or https URL.")),
        ("mode", choice_schema(&mut MODES.iter().copied(), "")),
        (
            "key",
            array_schema(string_schema(""), "Columns that upsert, update and delete find rows by."),
        ),
        ("schema_name", string_schema("public unless given.")),
        (
            "format",
            choice_schema(&mut FORMATS.iter().copied(), "Only where the file does not tell."),
        ),
    ];
    Some(Definition {
        name: names.load_table.clone()?,
        title: "Load a table",
        description: "Load a CSV, Parquet or JSON file (one object a line) from a public URL into a table of a database. \
                      replace drops all rows that the table has. append needs every column of the table, and loads twice \
                      what is sent twice. upsert changes rows with the same key and adds the others, update only changes, \
                      delete removes. Returns the rows that the table has then."
            .to_owned(),
        input_schema: object_schema(arguments, &["database_id", "table", "file", "mode"]),
        annotations: LOADS,
    })
}

/// `own` is the database that the other tools of the set query.
pub(super) async fn call<T: Transport, L: Loader>(
    client: &Client<T>,
    own: &str,
    names: &Names,
    allow_private_hosts: bool,
    loader: Option<&L>,
    arguments: &Value,
) -> Result<ToolText> {
    let options = asked(arguments, allow_private_hosts)?;
    let database = Fields::checked(&options).required_text("databaseId")?;
    let loader = loader.ok_or_else(|| Error::new(Code::Internal, "Nothing here loads a URL"))?;
    // A file is not fetched for a database that is none.
    let record = client.known_database(database).await.map_err(|error| by_id(error, names))?;
    let receipt = loader.load(options.clone()).await;
    let receipt = receipt.map_err(|error| of_file(error, arguments))?;
    let sql = names.execute_sql.as_ref().filter(|_| database != own);
    landed(&record, &receipt, arguments, sql)
}

/// What a load left behind, as a model reads it.
fn landed(
    database: &Value,
    receipt: &Value,
    arguments: &Value,
    other: Option<&String>,
) -> Result<ToolText> {
    let told = Fields::checked(receipt);
    let table = TableName::from_parts(
        Fields::checked(database).text("defaultCatalog")?.unwrap_or("default"),
        told.required_text("schemaName")?,
        told.required_text("tableName")?,
    )?;
    let mut text = renamed(arguments, &[("database_id", "database_id"), ("mode", "mode")])
        .with("table", table.path().into())
        .with("row_count", told.count("rowCount")?.into());
    if let Some(sql) = other {
        text = text.with("client_warning", format!("{sql} queries another database.").into());
    }
    Ok(table_text::value(&text))
}

/// The options of `loadTable`. Whatever can be told without a request is refused here.
fn asked(arguments: &Value, allow_private_hosts: bool) -> Result<Value> {
    let options = renamed(
        arguments,
        &[
            ("database_id", "databaseId"),
            ("schema_name", "schema"),
            ("table", "table"),
            ("mode", "mode"),
            ("key", "key"),
            ("format", "format"),
        ],
    );
    let file = address(Fields::checked(arguments).required_text("file")?)?;
    let mode = Fields::checked(arguments).text("mode")?.unwrap_or_default();
    let by_key = matches!(mode, "upsert" | "update" | "delete");
    if !by_key && Fields::checked(arguments).get("key").is_some() {
        return Err(Error::argument(
            "key",
            "goes with upsert, update and delete: append and replace find no rows by it",
        ));
    }
    // It is one source, of the host's.
    Load::parse(&options, 1).map_err(in_the_tools_words)?;
    let options = options.with("url", file.into());
    Ok(options.with("allowPrivateHosts", allow_private_hosts.into()))
}

/// A model has no files of its own here.
fn address(file: &str) -> Result<&str> {
    let file = file.trim();
    let scheme = |scheme: &str| {
        file.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    if (scheme("https://") || scheme("http://")) && file.len() <= MOST_URL_BYTES {
        return Ok(file);
    }
    Err(Error::argument(
        "file",
        format_args!(
            "must be an http or https URL, such as https://example.com/orders.csv, not \"{}\": files of a machine or a bucket \
             are out of reach",
            shown(file)
        ),
    ))
}

/// A failure by the words of the tool, with a next step that a model can take.
fn of_file(mut error: Error, arguments: &Value) -> Error {
    if error.code == Code::OutcomeUnknown {
        let appends = Fields::checked(arguments).get("mode") == Some(&"append".into());
        error.hint = Some(
            if appends {
                "The rows may have been added or not. Do not send the same append again before you have counted the rows."
            } else {
                "It may have been applied or not. The same load can be sent again: done twice, it comes to the same."
            }
            .to_owned(),
        );
    }
    in_the_tools_words(error)
}

fn in_the_tools_words(mut error: Error) -> Error {
    for (theirs, ours) in [("`url`", "`file`"), ("`schema`", "`schema_name`")] {
        if let Some(rest) = error.message.strip_prefix(theirs) {
            error.message = format!("{ours}{rest}");
            error.hint = error.hint.take().and_then(|hint| {
                // What a program can set is none of a model's arguments; rows only a program has.
                let is_option = hint.starts_with('`');
                let kept = !hint.starts_with("an array");
                kept.then(|| {
                    if is_option {
                        format!("Only the program behind this tool can change that: {hint}.")
                    } else {
                        hint
                    }
                })
            });
        }
    }
    error
}
