//! Index listings: the only place that tells what a column can be searched by (contract, "Indexes are not visible in
//! SQL").

use crate::error::{Code, Error, Result};
use crate::sql::TableName;
use crate::value::{Fields, Value};

use super::transport::{Method, Transport};
use super::{Client, answer};

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

    fn name(self) -> &'static str {
        match self {
            IndexType::Sorted => "sorted",
            IndexType::Bm25 => "bm25",
            IndexType::Vector => "vector",
            IndexType::Unknown => "unknown",
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

    fn name(self) -> &'static str {
        match self {
            IndexStatus::Ready => "ready",
            IndexStatus::Pending => "pending",
            IndexStatus::Unknown => "unknown",
        }
    }
}

impl Index {
    pub(crate) fn read(fields: Fields) -> Result<Self> {
        Ok(Self {
            index_name: answer::promised(&fields, "index_name")?,
            index_type: IndexType::named(fields.text("index_type")?),
            columns: fields.texts("columns")?.unwrap_or_default(),
            metric: fields.owned_text("metric")?,
            source_column: fields.owned_text("source_column")?,
            status: IndexStatus::named(fields.text("status")?),
        })
    }

    /// The record under JavaScript names.
    pub fn to_value(&self) -> Value {
        Value::record([
            ("indexName", (&self.index_name).into()),
            ("indexType", self.index_type.name().into()),
            ("columns", Value::texts(&self.columns)),
            ("metric", self.metric.as_ref().into()),
            ("sourceColumn", self.source_column.as_ref().into()),
            ("status", self.status.name().into()),
        ])
    }
}

impl<T: Transport> Client<T> {
    /// The indexes of a table, those being built included.
    pub async fn indexes(
        &self,
        database_id: Option<&str>,
        table: &TableName,
    ) -> Result<Vec<Index>> {
        let id = self.database_id(database_id)?;
        let mut database = self.known_database(id).await?;
        if database.connection_of(table.catalog()).is_none() {
            // The catalog may have been attached since the record was read.
            database = self.database(id).await?;
        }
        let connection = database.connection_of(table.catalog()).ok_or_else(|| {
            Error::new(
                Code::NotFound,
                format!(
                    "Database {} has no catalog {}, so no indexes of {}",
                    database.id,
                    table.catalog(),
                    table.path()
                ),
            )
        })?;
        let segments =
            ["connections", connection, "tables", table.schema(), table.table(), "indexes"];
        let (_, answer) = self.exchange(self.request(Method::Get, &segments).await?).await?;
        answer::read(&answer, |fields| {
            let indexes = fields.required_items("indexes")?;
            indexes.iter().map(|index| Index::read(Fields::of_answer(index)?)).collect()
        })
    }
}

impl super::Database {
    /// The connection whose tables answer to `catalog` here.
    fn connection_of(&self, catalog: &str) -> Option<&str> {
        let attached = self.attachments.iter().find(|a| a.alias.as_deref() == Some(catalog));
        match attached {
            Some(attachment) => Some(&attachment.connection_id),
            None if catalog == self.default_catalog.as_deref().unwrap_or("default") => {
                self.default_connection_id.as_deref()
            }
            None => None,
        }
    }
}
