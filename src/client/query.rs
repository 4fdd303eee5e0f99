//! Queries: sent, followed where the service answers later or in part, and decoded.

use crate::error::{Code, Error, Result};
use crate::lint::is_read_only;
use crate::sql::{Column, TableName, non_null_sql};
use crate::value::{Fields, Value};

use super::databases::by_id;
use super::results::ResultFormat;
use super::retry::{Repeat, ended, unknown};
use super::table::{Answered, ArrowOutcome, Beside, QueryOutcome, RawTable};
use super::transport::{Method, Reading, Response, Transport};
use super::{Client, TextBound, answer};

/// How long a counted bound serves: rows that others load are missed by a filtered search for no longer.
const BOUND_KEPT_MS: f64 = 60_000.0;
/// With what follows, what a program of 128 MB has room for beside its own.
const DEFAULT_MAX_ROWS: u64 = 100_000;
const DEFAULT_MAX_BYTES: u64 = 16 * 1024 * 1024;
/// The media type of an Arrow IPC stream.
pub(super) const ARROW: &str = "application/vnd.apache.arrow.stream";
/// The longest text JavaScript engines hold is about this long.
const MOST_BYTES: u64 = 512 * 1024 * 1024;

/// How an integer comes that a JavaScript number cannot hold, and with it its whole column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Integers {
    /// As a string of its digits.
    #[default]
    Strings,
    /// As a bigint.
    BigInts,
}

/// How one query runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryOptions {
    /// The database; the client's own unless given.
    pub database_id: Option<String>,
    /// `hotsql` (the service's default), `duckdb`, `postgres` or `snowflake`.
    pub dialect: Option<&'static str>,
    /// The most rows of an answer.
    pub max_rows: u64,
    /// The most bytes of an answer's text.
    pub max_bytes: u64,
    /// How large integers come.
    pub integers: Integers,
}

impl QueryOptions {
    /// The options read by [`QueryOptions::parse`].
    pub const OPTIONS: &[&str] = &["databaseId", "dialect", "maxRows", "maxBytes", "integers"];
    /// The options of a query whose answer is a stream.
    pub const STREAM_OPTIONS: &[&str] = &["databaseId", "dialect"];
    /// The options of a result's reading.
    pub const RESULT_OPTIONS: &[&str] = &["databaseId", "maxRows", "maxBytes", "integers"];
    const DIALECTS: &[(&str, &str)] = &[
        ("hotsql", "hotsql"),
        ("duckdb", "duckdb"),
        ("postgres", "postgres"),
        ("snowflake", "snowflake"),
    ];

    /// Reads those of `{databaseId?, dialect?, maxRows?, maxBytes?, integers?}` that are `known` to `of`.
    pub fn parse(of: &str, input: &Value, known: &[&str]) -> Result<Self> {
        let fields = Fields::new(of, input, known)?;
        let integers = [("string", Integers::Strings), ("bigint", Integers::BigInts)];
        Ok(Self {
            database_id: fields.owned_text("databaseId")?,
            dialect: fields.choice("dialect", Self::DIALECTS)?,
            max_rows: fields.whole("maxRows", 1..=u64::from(u32::MAX))?.unwrap_or(DEFAULT_MAX_ROWS),
            max_bytes: fields.whole("maxBytes", 1..=MOST_BYTES)?.unwrap_or(DEFAULT_MAX_BYTES),
            integers: fields.choice("integers", &integers)?.unwrap_or_default(),
        })
    }

    /// For a database, with everything else as usual.
    pub fn on(database_id: Option<&str>) -> Self {
        Self { database_id: database_id.map(str::to_owned), ..Self::default() }
    }
}

impl Default for QueryOptions {
    fn default() -> Self {
        Self {
            database_id: None,
            dialect: None,
            max_rows: DEFAULT_MAX_ROWS,
            max_bytes: DEFAULT_MAX_BYTES,
            integers: Integers::default(),
        }
    }
}

type Rows<T> = <<T as Transport>::Response as Response>::Rows;
type Stream<T> = <<T as Transport>::Response as Response>::Stream;

impl<T: Transport> Client<T> {
    /// Runs one statement and gives all of its rows, which stay where the transport holds them. More than `max_rows` or
    /// `max_bytes` are an error, never a part.
    pub async fn query(&self, sql: &str, options: &QueryOptions) -> Result<QueryOutcome<Rows<T>>> {
        self.all_rows(sql, options).await.map_err(with_ways_out)
    }

    async fn all_rows(&self, sql: &str, options: &QueryOptions) -> Result<QueryOutcome<Rows<T>>> {
        let answered = self.run(sql, options, Wanted::AllRows).await?;
        let is_stored = answered.is_stored;
        let outcome = answered.outcome(options)?;
        let run_id = outcome.head.query_run_id.clone();
        let whole = async {
            outcome.head.within(options.max_rows)?;
            if outcome.head.truncated && !is_stored {
                let head = outcome.head;
                let id = head.result_id.as_deref().ok_or_else(|| {
                    answer::another_shape(
                        "a truncated result must name the whole one (`result_id`)",
                    )
                })?;
                return self.stored_rows(id, options, Beside::of_part(&head)).await;
            }
            outcome.head.whole()?;
            Ok(outcome)
        };
        whole.await.map_err(|error| of_run(error, &run_id))
    }

    /// Runs one statement; its rows come as an Arrow IPC stream, of any size and untouched.
    pub async fn query_arrow(
        &self,
        sql: &str,
        options: &QueryOptions,
    ) -> Result<ArrowOutcome<Stream<T>>> {
        self.run(sql, options, Wanted::Stream).await?.arrow()
    }

    /// Runs one statement; each cell's text comes as it was sent, with every digit. Of a large answer, the first rows.
    pub async fn query_raw(&self, sql: &str, options: &QueryOptions) -> Result<RawTable> {
        self.run(sql, options, Wanted::FirstRows).await?.raw()
    }

    /// How many rows have a value in `column`: the bound a filtered text search needs. Asked once a minute at most.
    pub async fn text_bound(
        &self,
        table: &TableName,
        column: &Column,
        options: &QueryOptions,
    ) -> Result<u64> {
        let database = self.database_id(options.database_id.as_deref())?.to_owned();
        let now = self.transport.now();
        let same = |known: &&TextBound| {
            known.database == database && known.table == *table && known.column == *column
        };
        if let Some(known) = self.known.borrow().text_bounds.iter().find(same)
            && now - known.counted < BOUND_KEPT_MS
        {
            return Ok(known.bound);
        }
        let forgotten = self.known.borrow().forgotten;
        let counted = self.query_raw(&non_null_sql(table, column), options).await?;
        let bound = counted.count(0, 0).ok_or_else(|| {
            let what = format!("Counting the rows of {} gave no number", table.path());
            Error::new(Code::UnexpectedResponse, what)
        })?;
        let mut known = self.known.borrow_mut();
        if known.forgotten != forgotten {
            // Rows were loaded meanwhile: the next search counts again.
            return Ok(bound);
        }
        known.text_bounds.retain(|known| !same(&known));
        let (table, column) = (table.clone(), column.clone());
        known.text_bounds.push(TextBound { database, table, column, bound, counted: now });
        Ok(bound)
    }

    /// Runs a statement to its end.
    async fn run(
        &self,
        sql: &str,
        options: &QueryOptions,
        wanted: Wanted,
    ) -> Result<Answered<T::Response>> {
        if sql.trim().is_empty() {
            return Err(Error::argument("sql", "must hold a statement, and is empty"));
        }
        let database = self.database_id(options.database_id.as_deref())?;
        let mut request = self.scoped(Method::Post, &["query"], database)?;
        request
            .set_json(&Value::object([("sql", sql.into()), ("dialect", options.dialect.into())]));
        request.repeat = if is_read_only(sql) {
            Repeat::Costly
        } else {
            Repeat::Never("Look at what the statement should have changed before running it again.")
        };
        let (format, reading, limit) = wanted.read(options);
        request.reading = reading;
        if wanted == Wanted::Stream {
            request.headers.push(("accept", ARROW.to_owned()));
        }
        let repeat = request.repeat.clone();
        let response = self.send(request).await.map_err(by_id)?;
        if response.status() != 202 {
            let beside = Beside::default();
            return Ok(Answered { response, beside, is_stored: false, repeat });
        }
        // A result too large to be sent at once is stored already; else the query itself goes on.
        let beside = match response.header("x-result-id") {
            Some(id) => Beside::of_headers(&response, id),
            None => {
                let id = accepted(response).map_err(|error| ended(error, &repeat))?;
                let run = self.finished_run(database, &id).await;
                run.map_err(|error| of_run(after_acceptance(error, &repeat), &id))?
            }
        };
        let run_id = beside.query_run_id.clone().unwrap_or_default();
        let id = beside.result_id.as_deref().ok_or_else(|| {
            of_run(answer::another_shape("a finished query must name its result"), &run_id)
        })?;
        let response = self.stored(database, id, format, reading, limit).await;
        let response =
            response.map_err(|error| of_run(after_acceptance(error, &repeat), &run_id))?;
        Ok(Answered { response, beside, is_stored: true, repeat })
    }
}

/// What is to be had of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// All rows, or an error.
    AllRows,
    /// As many rows as come at once.
    FirstRows,
    /// An Arrow stream.
    Stream,
}

impl Wanted {
    /// The format, how its body is read, and how many rows are enough where the answer comes later.
    fn read(self, options: &QueryOptions) -> (ResultFormat, Reading, Option<u64>) {
        let whole = Reading::Whole(options.max_bytes);
        match self {
            Wanted::AllRows => (ResultFormat::Json, whole, None),
            Wanted::FirstRows => (ResultFormat::Json, whole, Some(options.max_rows)),
            Wanted::Stream => (ResultFormat::Arrow, Reading::Stream, None),
        }
    }
}

/// The run that a query accepted for later goes on as.
fn accepted(response: impl Response) -> Result<String> {
    answer::read(&answer::json(response)?, |fields| answer::promised(&fields, "query_run_id"))
}

fn of_run(mut error: Error, id: &str) -> Error {
    error.query_run_id = Some(id.to_owned());
    error
}

/// The failure to see what became of a statement that the service has accepted: one that writes is not to be run again
/// for it.
fn after_acceptance(error: Error, repeat: &Repeat) -> Error {
    match repeat {
        Repeat::Never(how_to_tell) if error.retryable => unknown(error, how_to_tell),
        _ => error,
    }
}

/// Says how else a large answer can be had.
pub(super) fn with_ways_out(error: Error) -> Error {
    if error.code != Code::TooLarge {
        return error;
    }
    error.with_hint(
        "Ask for fewer rows or columns, raise `maxRows` and `maxBytes`, or read it with queryArrow(), which streams an \
         answer of any size.",
    )
}
