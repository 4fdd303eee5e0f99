//! The records the engine keeps and the requests it takes, named as on the wire.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DatabaseRecord {
    pub id: String,
    pub name: Option<String>,
    pub default_catalog: String,
    pub default_schema: String,
    /// RFC 3339.
    pub created_at: String,
    pub expires_at: Option<String>,
    pub forked_from: Option<String>,
    /// The parent's name when the fork was made: the record outlives the parent.
    #[serde(default)]
    pub fork_source_name: Option<String>,
    #[serde(default)]
    pub fork_description: Option<String>,
    pub default_connection_id: String,
    pub attachments: Vec<Attachment>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    pub connection_id: String,
    pub alias: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct NewDatabase {
    pub name: Option<String>,
    /// `24h`, `90m`, `7d` or RFC 3339.
    pub expires_at: Option<String>,
    pub default_catalog: Option<String>,
    pub default_schema: Option<String>,
    pub if_not_exists: bool,
    pub schemas: Vec<NewSchema>,
}

#[derive(Debug, Clone, Default)]
pub struct NewFork {
    /// None: the parent's and a few characters of the fork's id.
    pub name: Option<String>,
    /// None: the parent's.
    pub expires_at: Option<String>,
    /// Why the fork is made: at most 4,096 bytes, without control characters but tabs and line breaks.
    pub description: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub struct NewSchema {
    pub name: String,
    #[serde(default)]
    pub tables: Vec<NewTable>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct NewTable {
    pub name: String,
    #[serde(default)]
    pub key: Vec<String>,
    #[serde(default)]
    pub partition_by: Vec<PartitionBy>,
    #[serde(default)]
    pub sorted_by: Vec<SortedBy>,
    #[serde(default)]
    pub constant_per_key: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartitionBy {
    pub column: String,
    pub transform: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SortedBy {
    pub column: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nulls: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ConnectionRecord {
    pub id: String,
    pub name: String,
    pub source_type: String,
}

/// A table as information schema listings show it.
#[derive(Debug, Clone, Serialize)]
pub struct TableRecord {
    pub connection: String,
    pub schema: String,
    pub table: String,
    /// False while a table is declared and holds no data.
    pub synced: bool,
    pub last_sync: Option<String>,
    pub columns: Vec<ColumnRecord>,
    pub partition_by: Vec<PartitionBy>,
    pub sorted_by: Vec<SortedBy>,
    pub constant_per_key: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct ColumnRecord {
    pub name: String,
    pub data_type: String,
    pub nullable: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadMode {
    Replace,
    Append,
    Delete,
    Update,
    Upsert,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadFormat {
    Csv,
    Json,
    Parquet,
}

/// What a load brings: bytes in a format (none given: told by the bytes), or the rows of an earlier result.
pub enum LoadSource {
    Bytes { bytes: Bytes, format: Option<LoadFormat> },
    Batches { schema: SchemaRef, batches: Vec<RecordBatch> },
}

pub struct LoadRequest {
    pub mode: LoadMode,
    /// Empty: the table's own key.
    pub key: Vec<String>,
    pub source: LoadSource,
    /// Column name → type, as sent; in the order sent.
    pub columns: Vec<(String, String)>,
}

#[derive(Debug, Clone, Serialize)]
pub struct LoadOutcome {
    pub connection_id: String,
    pub schema_name: String,
    pub table_name: String,
    /// Rows the table holds after the load.
    pub row_count: u64,
    pub arrow_schema_json: serde_json::Value,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct NewIndex {
    pub index_name: String,
    pub columns: Vec<String>,
    /// `sorted`, `bm25` or `vector`.
    pub index_type: String,
    /// `l2` (a vector index without one), `cosine` or `dot`.
    pub metric: Option<String>,
    pub embedding_provider_id: Option<String>,
    pub output_column: Option<String>,
    pub dimensions: Option<usize>,
    pub algorithm: Option<String>,
    pub vector_precision: Option<String>,
    pub description: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct IndexRecord {
    pub index_name: String,
    pub index_type: String,
    pub columns: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_column: Option<String>,
    /// `ready` or `pending`.
    pub status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector_precision: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding_provider_id: Option<String>,
    pub created_at: String,
    pub updated_at: String,
}

/// A query's whole answer. `batches` may be empty; `schema` always stands.
pub struct QueryAnswer {
    pub schema: SchemaRef,
    pub batches: Vec<RecordBatch>,
    pub warning: Option<String>,
}
