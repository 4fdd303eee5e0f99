//! Loads: rows into a table of a database.

use crate::error::{Error, Result};
use crate::sql::Column;
use crate::value::{Fields, Value, missing, refuse};

use super::answer;
use super::transport::{Method, Transport};
use super::{Client, Request};

/// The most inline data the service takes, in bytes.
const MAX_INLINE_BYTES: usize = 2 * 1024 * 1024;

/// One load.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    database_id: Option<String>,
    schema: String,
    table: String,
    mode: &'static str,
    key: Vec<String>,
    data: Option<String>,
    format: Option<&'static str>,
    upload_id: Option<String>,
    result_id: Option<String>,
    columns: Option<Value>,
}

/// What a load left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadReceipt {
    /// The schema loaded into.
    pub schema_name: String,
    /// The table loaded into.
    pub table_name: String,
    /// The count the service reports.
    pub row_count: u64,
}

impl Load {
    /// The options read by [`Load::parse`].
    pub const OPTIONS: &[&str] =
        &["databaseId", "schema", "table", "mode", "key", "csv", "uploadId", "resultId", "columns"];
    const MODES: &[(&str, &str)] = &[
        ("replace", "replace"),
        ("append", "append"),
        ("delete", "delete"),
        ("update", "update"),
        ("upsert", "upsert"),
    ];

    /// Reads `{databaseId?, schema? = "public", table, mode, key?, columns?: {name: type}}` and exactly one of `csv` (with
    /// a header line), `uploadId` and `resultId`.
    pub fn parse(input: &Value) -> Result<Self> {
        let fields = Fields::new("a load", input, Self::OPTIONS)?;
        let mode: &'static str = fields
            .choice("mode", Self::MODES)?
            .ok_or_else(|| missing("mode", "one of replace, append, delete, update, upsert"))?;
        let owned = |name: &str| fields.text(name).map(|text| text.map(str::to_owned));
        let (data, upload_id, result_id) = (owned("csv")?, owned("uploadId")?, owned("resultId")?);
        if [&data, &upload_id, &result_id].iter().filter(|source| source.is_some()).count() != 1 {
            return Err(Error::argument(
                "csv",
                "or `uploadId` or `resultId` must be given, exactly one of them",
            ));
        }
        if let Some(data) = &data
            && data.len() > MAX_INLINE_BYTES
        {
            return Err(Error::argument(
                "csv",
                format_args!(
                    "must be at most {MAX_INLINE_BYTES} bytes, and has {}: split it by rows",
                    data.len()
                ),
            ));
        }
        Ok(Self {
            database_id: owned("databaseId")?,
            schema: bare_name("schema", fields.text("schema")?.unwrap_or("public"))?,
            table: bare_name("table", fields.required_text("table")?)?,
            mode,
            key: fields.texts("key")?.unwrap_or_default(),
            format: data.is_some().then_some("csv"),
            data,
            upload_id,
            result_id,
            columns: column_types(&fields)?,
        })
    }
}

/// A schema's or table's own name: loads go into the database's own catalog.
fn bare_name(argument: &str, name: &str) -> Result<String> {
    if name.contains('.') {
        return Err(Error::argument(
            argument,
            "must be a name of its own, without catalog or schema: the schema is given as `schema`",
        ));
    }
    Column::parse(argument, name).map(|name| name.name().to_owned())
}

fn column_types(fields: &Fields) -> Result<Option<Value>> {
    let accepted = "an object of column names and types";
    match fields.get("columns") {
        None => Ok(None),
        Some(given @ Value::Object(entries)) => {
            match entries.iter().find(|(_, kind)| !matches!(kind, Value::Text(_))) {
                None => Ok(Some(given.clone())),
                Some((_, other)) => Err(refuse("columns", accepted, other)),
            }
        }
        Some(other) => Err(refuse("columns", accepted, other)),
    }
}

impl Load {
    fn to_value(&self) -> Value {
        let key = (!self.key.is_empty()).then(|| Value::texts(&self.key));
        Value::object([
            ("mode", self.mode.into()),
            ("key", key.into()),
            ("data", self.data.as_ref().into()),
            ("format", self.format.into()),
            ("upload_id", self.upload_id.as_ref().into()),
            ("result_id", self.result_id.as_ref().into()),
            ("columns", self.columns.clone().into()),
        ])
    }
}

impl LoadReceipt {
    fn read(fields: Fields) -> Result<Self> {
        Ok(Self {
            schema_name: answer::promised(&fields, "schema_name")?,
            table_name: answer::promised(&fields, "table_name")?,
            row_count: fields
                .count("row_count")?
                .ok_or_else(|| missing("row_count", "a number"))?,
        })
    }

    /// The receipt under JavaScript names.
    pub fn to_value(&self) -> Value {
        Value::record([
            ("schemaName", (&self.schema_name).into()),
            ("tableName", (&self.table_name).into()),
            ("rowCount", self.row_count.into()),
        ])
    }
}

impl<T: Transport> Client<T> {
    /// Loads into a table, which is created where it is not there.
    pub async fn load(&self, load: &Load) -> Result<LoadReceipt> {
        let database = self.database_id(load.database_id.as_deref())?.to_owned();
        let segments =
            ["databases", &database, "schemas", &load.schema, "tables", &load.table, "loads"];
        let mut request: Request = self.request(Method::Post, &segments).await?;
        request.set_json(&load.to_value());
        let started = self.transport.now();
        let answer = self.exchange(request).await;
        // Also after a failure: what landed is not known.
        self.known.borrow_mut().forget_bounds(&database);
        let receipt = match answer.map_err(Error::not_repeatable)? {
            (202, accepted) => {
                let job = answer::read(&accepted, |fields| answer::promised(&fields, "id"))?;
                self.job_result(&job, started).await?
            }
            (_, receipt) => receipt,
        };
        answer::read(&receipt, LoadReceipt::read)
    }
}
