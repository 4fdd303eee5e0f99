//! Loads: rows into a table of a database.

use std::fmt::Write as _;

use crate::error::{Error, Result};
use crate::sql::Column;
use crate::value::shape::incoming;
use crate::value::{Fields, Value, missing, refuse};

use super::records::LOAD_RECEIPT;
use super::retry::{Repeat, ended};
use super::transport::{Method, Transport};
use super::{ByteSource, Client, NewUpload, answer, jobs};

/// The most inline data the service takes, in bytes.
const MAX_INLINE_BYTES: usize = 2 * 1024 * 1024;
/// The service types inline data alone; a file is loaded as it is.
pub const COLUMNS_GO_WITH: &str = "goes with `rows` or `csv` only: a file has its own types";
/// The longest idempotency key the service takes.
const MAX_IDEMPOTENCY_KEY: usize = 255;

/// One load.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    database_id: Option<String>,
    schema: String,
    table: String,
    mode: &'static str,
    key: Vec<String>,
    source: Source,
    format: Option<&'static str>,
    columns: Option<Value>,
    idempotency_key: Option<String>,
}

/// Where the rows are.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    /// In the request: CSV with a header line.
    Inline(String),
    /// In an upload.
    Upload(String),
    /// In a stored result.
    Result(String),
    /// With the caller, to be uploaded.
    Caller,
}

impl Load {
    /// The options read by [`Load::parse`].
    pub const OPTIONS: &[&str] = &[
        "databaseId",
        "schema",
        "table",
        "mode",
        "key",
        "csv",
        "uploadId",
        "resultId",
        "format",
        "columns",
        "idempotencyKey",
    ];
    const MODES: &[(&str, &str)] = &[
        ("replace", "replace"),
        ("append", "append"),
        ("delete", "delete"),
        ("update", "update"),
        ("upsert", "upsert"),
    ];
    const FORMATS: &[(&str, &str)] = &[("csv", "csv"), ("json", "json"), ("parquet", "parquet")];

    /// Reads `{databaseId?, schema? = "public", table, mode, key?, columns?: {name: type}, format?, idempotencyKey?}` and at
    /// most one of `csv` (with a header line), `uploadId` and `resultId`; `callers` is how many sources of bytes of the
    /// caller's own stand beside them. There must be exactly one in all.
    pub fn parse(input: &Value, callers: usize) -> Result<Self> {
        let fields = Fields::new("a load", input, Self::OPTIONS)?;
        let mode: &'static str = fields
            .choice("mode", Self::MODES)?
            .ok_or_else(|| missing("mode", "one of replace, append, delete, update, upsert"))?;
        let key = fields.texts("key")?.unwrap_or_default();
        if key.is_empty() && matches!(mode, "delete" | "update" | "upsert") {
            return Err(missing(
                "key",
                &format!("an array of the columns that {mode} finds rows by"),
            ));
        }
        let source = match (
            fields.owned_text("csv")?,
            fields.owned_text("uploadId")?,
            fields.owned_text("resultId")?,
            callers,
        ) {
            (Some(csv), None, None, 0) => Source::Inline(csv),
            (None, Some(id), None, 0) => Source::Upload(id),
            (None, None, Some(id), 0) => Source::Result(id),
            (None, None, None, 1) => Source::Caller,
            _ => {
                return Err(Error::argument(
                    "rows",
                    "or `csv`, `data`, `url`, `uploadId` or `resultId` must be given, exactly one of them",
                ));
            }
        };
        if fields.get("columns").is_some()
            && matches!(source, Source::Upload(_) | Source::Result(_))
        {
            return Err(Error::argument("columns", COLUMNS_GO_WITH));
        }
        let idempotency_key = fields.owned_text("idempotencyKey")?;
        match &source {
            Source::Inline(csv) if csv.len() > MAX_INLINE_BYTES => {
                let (most, length) = (MAX_INLINE_BYTES, csv.len());
                return Err(Error::argument(
                    "csv",
                    format_args!(
                        "must be at most {most} bytes, and has {length}: give it as `data` with `format: \"csv\"`"
                    ),
                ));
            }
            Source::Inline(_) => {}
            _ if idempotency_key.is_some() => {
                return Err(Error::argument(
                    "idempotencyKey",
                    "goes with `csv` only: a load of an upload is applied once as it is",
                ));
            }
            _ => {}
        }
        if let Some(key) = &idempotency_key
            && !((1..=MAX_IDEMPOTENCY_KEY).contains(&key.len())
                && key.bytes().all(|b| b.is_ascii_graphic()))
        {
            return Err(Error::argument(
                "idempotencyKey",
                format_args!("must be 1 to {MAX_IDEMPOTENCY_KEY} visible ASCII characters"),
            ));
        }
        Ok(Self {
            database_id: fields.owned_text("databaseId")?,
            schema: bare_name("schema", fields.text("schema")?.unwrap_or("public"))?,
            table: bare_name("table", fields.required_text("table")?)?,
            mode,
            key,
            source,
            format: fields.choice("format", Self::FORMATS)?,
            columns: column_types(&fields)?,
            idempotency_key,
        })
    }
}

/// A schema's or table's own name: loads go into the database's own catalog.
fn bare_name(argument: &str, name: &str) -> Result<String> {
    if name.contains('.') {
        return Err(Error::argument(
            argument,
            "must be a name of its own, without catalog or schema",
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
    fn to_value(&self, upload: Option<&str>, idempotency_key: Option<String>) -> Value {
        let key = (!self.key.is_empty()).then(|| Value::texts(&self.key));
        let (data, upload, result) = match &self.source {
            Source::Inline(csv) => (Some(csv), None, None),
            Source::Upload(id) => (None, Some(id.as_str()), None),
            Source::Result(id) => (None, None, Some(id)),
            Source::Caller => (None, upload, None),
        };
        let format = self.format.or(data.map(|_| "csv"));
        Value::object([
            ("mode", self.mode.into()),
            ("key", key.into()),
            ("data", data.into()),
            ("format", format.into()),
            ("upload_id", upload.into()),
            ("result_id", result.into()),
            ("columns", self.columns.clone().into()),
            ("idempotency_key", idempotency_key.into()),
        ])
    }

    /// Whether the load may be sent again: what the service recognises it applies once.
    fn repeat(&self, upload: Option<&str>, idempotency_key: Option<&str>) -> Repeat {
        let again = match (&self.source, upload, idempotency_key) {
            (Source::Upload(id), ..) => ("uploadId", id.as_str()),
            (Source::Caller, Some(id), _) => ("uploadId", id),
            (Source::Inline(_), _, Some(key)) => ("idempotencyKey", key),
            _ => {
                return Repeat::Never(
                    "Count the rows of the table, or look for one of the rows, before loading again.",
                );
            }
        };
        Repeat::Keyed(format!(
            "The same load with `{}: \"{}\"` is applied once, however often it is sent.",
            again.0, again.1
        ))
    }
}

impl<T: Transport> Client<T> {
    /// Loads into a table, which is created where it is not there, and gives what the service says it left behind.
    /// `source` gives the bytes of a load that names none of the service's own.
    pub async fn load<S: ByteSource<Bytes = T::Bytes>>(
        &self,
        load: &Load,
        source: Option<&S>,
    ) -> Result<Value> {
        let database = self.database_id(load.database_id.as_deref())?.to_owned();
        let mut load = load.clone();
        let mut upload = None;
        if let Some(source) = source {
            load.format = source.format().or(load.format);
            if load.format.is_none() {
                return Err(missing("format", "one of csv, json, parquet"));
            }
            // Those of rows are in the file that they have become.
            load.columns = None;
            upload = Some(self.upload(&NewUpload::default(), source).await?.upload_id);
        }
        let key = match &load.source {
            Source::Inline(_) => load.idempotency_key.clone().or_else(|| Some(self.fresh_key())),
            _ => None,
        };
        let segments =
            ["databases", &database, "schemas", &load.schema, "tables", &load.table, "loads"];
        let mut request = self.request(Method::Post, &segments)?;
        request.repeat = load.repeat(upload.as_deref(), key.as_deref());
        request.set_json(&load.to_value(upload.as_deref(), key));
        let repeat = request.repeat.clone();
        let answer = self.exchange(request).await;
        // Also after a failure: what landed is not known.
        self.known.borrow_mut().forget_bounds(&database);
        let receipt = match answer? {
            (202, accepted) => {
                let job = jobs::accepted(&accepted).map_err(|error| ended(error, &repeat))?;
                self.job_result(&job).await?
            }
            (_, receipt) => receipt,
        };
        answer::read(&receipt, |fields| incoming(&fields, LOAD_RECEIPT))
            .map_err(|error| ended(error, &repeat))
    }

    /// A key that no other load has.
    fn fresh_key(&self) -> String {
        let mut key = "load-".to_owned();
        for _ in 0..4 {
            let _ = write!(key, "{:08x}", (self.transport.random() * 4_294_967_296.0) as u32);
        }
        key
    }
}
