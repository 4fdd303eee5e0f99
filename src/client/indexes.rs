//! Indexes, listed, built and dropped. The listing is the only place that tells what a column can be searched by (contract,
//! "Indexes are not visible in SQL").

use crate::error::{Code, Error, Result};
use crate::sql::{Column, TableName};
use crate::value::shape::{incoming, outgoing};
use crate::value::{Fields, Value, missing};

use super::databases::connection_of;
use super::poll::Poll;
use super::records::{INDEX, NEW_INDEX};
use super::retry::{Repeat, unknown};
use super::runs::status;
use super::transport::{Method, Transport};
use super::{Client, Endpoint, answer, jobs};

/// How to tell what became of a build.
const LISTED: &str = "listIndexes() shows whether it is being built.";

/// What an index serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexType {
    /// Filters, without being named.
    Sorted,
    /// `bm25_search`.
    Bm25,
    /// Distances, or `vector_search` where a provider stands behind it.
    Vector,
    /// A kind this package does not know.
    Unknown,
}

/// Whether an index can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexStatus {
    /// Built.
    Ready,
    /// Being built.
    Pending,
    /// A state this package does not know: taken as not ready.
    Unknown,
}

/// One index of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Its name, unique in its table.
    pub index_name: String,
    /// What it serves.
    pub index_type: IndexType,
    /// The columns it is over; for a provider-backed vector index, the generated one.
    pub columns: Vec<String>,
    /// `cosine`, `l2` or `dot`.
    pub metric: Option<String>,
    /// The text column a provider-backed vector index is searched by.
    pub source_column: Option<String>,
    /// Whether it can be used.
    pub status: IndexStatus,
}

impl IndexType {
    fn named(name: Option<&str>) -> Self {
        match name {
            Some("sorted") => IndexType::Sorted,
            Some("bm25") => IndexType::Bm25,
            Some("vector") => IndexType::Vector,
            _ => IndexType::Unknown,
        }
    }
}

impl IndexStatus {
    fn named(name: Option<&str>) -> Self {
        match name {
            Some("ready") => IndexStatus::Ready,
            Some("pending") => IndexStatus::Pending,
            _ => IndexStatus::Unknown,
        }
    }
}

impl Index {
    pub(crate) fn read(fields: &Fields) -> Result<Self> {
        Ok(Self {
            index_name: answer::promised(fields, "indexName")?,
            index_type: IndexType::named(fields.text("indexType")?),
            columns: fields.texts("columns")?.unwrap_or_default(),
            metric: fields.owned_text("metric")?,
            source_column: fields.owned_text("sourceColumn")?,
            status: IndexStatus::named(fields.text("status")?),
        })
    }
}

/// An index to build.
#[derive(Debug, Clone, PartialEq)]
pub struct NewIndex {
    database_id: Option<String>,
    table: TableName,
    index_name: String,
    body: Value,
    /// Whether the call lasts until the index can be used.
    wait: bool,
}

impl NewIndex {
    /// Reads `{databaseId?, table, wait? = true}` and [`NEW_INDEX`], whose `indexName` has a default here.
    pub fn parse(input: &Value) -> Result<Self> {
        let own = ["databaseId", "table", "wait"];
        let (mut ours, mut rest) = (Vec::new(), Vec::new());
        if let Value::Object(members) = input {
            for (name, value) in members {
                let side = if own.contains(&name.as_str()) { &mut ours } else { &mut rest };
                side.push((name.clone(), value.clone()));
            }
        }
        let ours = Value::Object(ours);
        let fields = Fields::of_answer(&ours)?;
        let table = TableName::parse("table", fields.required_text("table")?)?;
        let body = outgoing("createIndex", &Value::Object(rest), NEW_INDEX)?;
        let given = Fields::of_answer(&body)?;
        let index_type = given.text("index_type")?.unwrap_or_default();
        match (index_type, given.get("metric")) {
            // Left out it would be `l2`, which serves no search by this package's own default, cosine.
            ("vector", None) => {
                return Err(missing(
                    "metric",
                    "one of cosine, l2, dot for a vector index, which serves searches by that metric alone",
                ));
            }
            ("bm25" | "sorted", Some(_)) => {
                return Err(Error::argument("metric", "is for a vector index only"));
            }
            _ => {}
        }
        let mut columns = Vec::new();
        for column in given.texts("columns")?.unwrap_or_default() {
            columns.push(Column::parse("columns", &column)?.name().to_owned());
        }
        let first =
            columns.first().ok_or_else(|| missing("columns", "an array of column names"))?;
        let index_name = match given.owned_text("index_name")? {
            Some(name) => name,
            None => format!("{}_{first}_{index_type}", table.table()),
        };
        let mut body = body;
        if let Value::Object(members) = &mut body {
            members.retain(|(name, _)| name != "index_name" && name != "columns");
        }
        let body =
            body.with("index_name", (&index_name).into()).with("columns", Value::texts(&columns));
        Ok(Self {
            database_id: fields.owned_text("databaseId")?,
            wait: fields.bool("wait")?.unwrap_or(true),
            table,
            index_name,
            body,
        })
    }
}

impl<T: Transport> Client<T> {
    /// The indexes of a table, those being built included.
    pub async fn indexes(
        &self,
        database_id: Option<&str>,
        table: &TableName,
    ) -> Result<Vec<Index>> {
        let records = self.index_records(database_id, table).await?;
        let mut indexes = Vec::new();
        for record in records.as_list().unwrap_or_default() {
            indexes.push(Index::read(&Fields::of_answer(&record)?)?);
        }
        Ok(indexes)
    }

    /// The same as records under JavaScript names.
    pub async fn index_records(
        &self,
        database_id: Option<&str>,
        table: &TableName,
    ) -> Result<Value> {
        let connection = self.connection_of(database_id, table).await?;
        let request = self.request(Method::Get, &path(&connection, table))?;
        self.ask(Endpoint::listing(request, "indexes", INDEX)).await
    }

    /// Builds an index and gives its record, with `jobId`. Unless told not to, waits until it can be used.
    pub async fn create_index(&self, new: &NewIndex) -> Result<Value> {
        let connection = self.connection_of(new.database_id.as_deref(), &new.table).await?;
        let mut request = self.request(Method::Post, &path(&connection, &new.table))?;
        request.set_json(&new.body);
        request.repeat = Repeat::Never(LISTED);
        let (status, answer) = self.exchange(request).await?;
        if status != 202 {
            // The service has it, built or not.
            if !new.wait {
                return Ok(answer::read(&answer, |fields| incoming(&fields, INDEX))?
                    .with("jobId", Value::Null));
            }
            return self.ready_index(new).await;
        }
        let job = jobs::accepted(&answer).map_err(|error| unknown(error, LISTED))?;
        if new.wait {
            self.finished_job(&job, true).await?;
            return self.ready_index(new).await;
        }
        let pending = new.body.clone().with("status", "pending".into());
        let record = answer::read(&pending, |fields| incoming(&fields, INDEX))?;
        Ok(record.with("jobId", job.into()))
    }

    /// Looks until the index is ready. An answer that it was accepted is no answer that it was built.
    async fn ready_index(&self, new: &NewIndex) -> Result<Value> {
        let mut poll = Poll::new();
        let name = &new.index_name;
        loop {
            let listed = self.index_records(new.database_id.as_deref(), &new.table).await;
            let listed = listed.map_err(|error| unknown(error, LISTED))?;
            let mut found = None;
            for index in listed.as_list().unwrap_or_default() {
                let fields = Fields::of_answer(&index)?;
                if fields.text("indexName")? == Some(name) {
                    found = Some((status(&fields)?, index));
                }
            }
            let Some((status, index)) = found else {
                let message = format!("Index {name} is not listed any more: its build has failed");
                return Err(Error::new(Code::EngineError, message));
            };
            if status == "ready" {
                return Ok(index.with("jobId", Value::Null));
            }
            if !poll.pause(self, None).await? {
                let what = format!("Index {name} was still \"{status}\"");
                return Err(self.still_running(&what, "listIndexes() shows when it is ready."));
            }
        }
    }

    /// Drops an index.
    pub async fn drop_index(
        &self,
        database_id: Option<&str>,
        table: &TableName,
        index_name: &str,
    ) -> Result<()> {
        let connection = self.connection_of(database_id, table).await?;
        let mut segments = path(&connection, table).to_vec();
        segments.push(index_name);
        self.remove(self.request(Method::Delete, &segments)?).await
    }

    /// The connection under which the indexes of a table are.
    async fn connection_of(&self, database_id: Option<&str>, table: &TableName) -> Result<String> {
        let id = self.database_id(database_id)?;
        let mut connection = connection_of(&self.known_database(id).await?, table.catalog())?;
        if connection.is_none() {
            // The catalog may have been attached since the record was read.
            connection = connection_of(&self.database(id).await?, table.catalog())?;
        }
        connection.ok_or_else(|| {
            let (catalog, table) = (table.catalog(), table.path());
            let message =
                format!("Database {id} has no catalog {catalog}, so no indexes of {table}");
            Error::new(Code::NotFound, message)
        })
    }
}

fn path<'a>(connection: &'a str, table: &'a TableName) -> [&'a str; 6] {
    ["connections", connection, "tables", table.schema(), table.table(), "indexes"]
}
