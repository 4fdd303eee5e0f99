//! Queries: sent, followed where the service answers later, and decoded.

use crate::error::{Code, Error, Result};
use crate::sql::{Column, TableName, non_null_sql};
use crate::value::{Fields, Value};

use super::run::Run;
use super::table::{QueryHead, QueryOutcome, RawTable};
use super::transport::{Method, Response, Transport};
use super::{Client, TextBound, answer, raw};

/// How long a counted bound serves: rows that others load are missed by a filtered search for no longer.
const BOUND_KEPT_MS: f64 = 60_000.0;

/// How one query runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryOptions {
    /// The database; the client's own unless given.
    pub database_id: Option<String>,
    /// `hotsql` (the service's default), `duckdb`, `postgres` or `snowflake`.
    pub dialect: Option<&'static str>,
    /// Whether a column of integers that JavaScript's numbers would change comes as bigints instead of text.
    pub bigints: bool,
}

impl QueryOptions {
    /// The options read by [`QueryOptions::parse`].
    pub const OPTIONS: &[&str] = &["databaseId", "dialect", "integers"];
    const DIALECTS: &[(&str, &str)] = &[
        ("hotsql", "hotsql"),
        ("duckdb", "duckdb"),
        ("postgres", "postgres"),
        ("snowflake", "snowflake"),
    ];

    const INTEGERS: &[(&str, bool)] = &[("string", false), ("bigint", true)];

    /// Reads `{databaseId?, dialect?, integers?}`.
    pub fn parse(input: &Value) -> Result<Self> {
        let fields = Fields::new("a query", input, Self::OPTIONS)?;
        Ok(Self {
            database_id: fields.text("databaseId")?.map(str::to_owned),
            dialect: fields
                .choice("dialect", Self::DIALECTS)?
                .map(|dialect| dialect as &'static str),
            bigints: fields.choice("integers", Self::INTEGERS)?.unwrap_or_default(),
        })
    }

    /// For a database, with everything else as usual.
    pub fn on(database_id: Option<&str>) -> Self {
        Self { database_id: database_id.map(str::to_owned), ..Self::default() }
    }
}

/// A success that carries rows, with the run where it was followed.
struct Answered<R> {
    response: R,
    run: Option<Run>,
}

impl<T: Transport> Client<T> {
    /// Runs one statement; the rows stay where the transport holds them.
    pub async fn query(
        &self,
        sql: &str,
        options: &QueryOptions,
    ) -> Result<QueryOutcome<<T::Response as Response>::Rows>> {
        let Answered { response, run } = self.run(sql, options).await?;
        let told = told(&response);
        let (text, rows) = response.table(options.bigints).await?;
        let count = rows.as_ref().map_or(0, |(_, count)| *count);
        let head = head(&told, &text, count, run.as_ref())?;
        let (rows, _) = rows.ok_or_else(no_rows)?;
        Ok(QueryOutcome { head, rows })
    }

    /// Runs one statement; each cell's text comes as it was sent, with every digit.
    pub async fn query_raw(&self, sql: &str, options: &QueryOptions) -> Result<RawTable> {
        let Answered { response, run } = self.run(sql, options).await?;
        let told = told(&response);
        let text = response.text().await?;
        match raw::split(&text) {
            Some((text, rows)) => RawTable::of(head(&told, &text, rows.len(), run.as_ref())?, rows),
            // What is wrong with it is told where it is read.
            None => head(&told, &text, 0, run.as_ref()).and_then(|_| Err(no_rows())),
        }
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
        let counted = self.query_raw(&non_null_sql(table, column), options).await?;
        let bound = counted.count(0, 0).ok_or_else(|| {
            let what = format!("Counting the rows of {} gave no number", table.path());
            Error::new(Code::UnexpectedResponse, what)
        })?;
        let mut known = self.known.borrow_mut();
        known.text_bounds.retain(|known| !same(&known));
        let (table, column) = (table.clone(), column.clone());
        known.text_bounds.push(TextBound { database, table, column, bound, counted: now });
        Ok(bound)
    }

    async fn run(&self, sql: &str, options: &QueryOptions) -> Result<Answered<T::Response>> {
        if sql.trim().is_empty() {
            return Err(Error::argument("sql", "must hold a statement, and is empty"));
        }
        let database = self.database_id(options.database_id.as_deref())?.to_owned();
        let mut request = self.request(Method::Post, &["query"]).await?;
        request.headers.push(("x-database-id", database.clone()));
        request
            .set_json(&Value::object([("sql", sql.into()), ("dialect", options.dialect.into())]));
        let started = self.transport.now();
        let response = self.send(request).await?;
        if response.status() != 202 {
            return Ok(Answered { response, run: None });
        }
        let (status, content_type) = told(&response);
        let accepted = answer::parse(status, &content_type, &response.text().await?)?;
        let id = answer::read(&accepted, |fields| answer::promised(&fields, "query_run_id"))?;
        let (response, run) = self.follow(&database, &id, started).await?;
        Ok(Answered { response, run: Some(run) })
    }
}

fn no_rows() -> Error {
    answer::another_shape("`rows` must be an array of arrays, each as long as `columns`")
}

fn told(response: &impl Response) -> (u16, String) {
    (response.status(), response.header("content-type").unwrap_or_default())
}

fn head(
    (status, content_type): &(u16, String),
    text: &str,
    here: usize,
    run: Option<&Run>,
) -> Result<QueryHead> {
    let value = answer::parse(*status, content_type, text)?;
    answer::read(&value, |fields| QueryHead::read(&fields, here, run))
}
