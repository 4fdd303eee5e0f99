//! What the records of the service's HTTP API hold.

use crate::value::shape::{Holds, Shape, may, must};

/// A workspace of the key.
pub const WORKSPACE: Shape = &[
    must("publicId", Holds::Text),
    may("name", Holds::Text),
    may("active", Holds::Bool),
    may("favorite", Holds::Bool),
    may("provisionStatus", Holds::Text),
];

/// A source of tables: a database's own, or one that can be attached.
pub const CONNECTION: Shape =
    &[must("id", Holds::Text), may("name", Holds::Text), may("sourceType", Holds::Text)];

/// What can make the vectors of a provider-backed index.
pub const EMBEDDING_PROVIDER: Shape = &[
    must("id", Holds::Text),
    may("name", Holds::Text),
    may("providerType", Holds::Text),
    may("source", Holds::Text),
    may("hasSecret", Holds::Bool),
];

/// A database; connection and attachments are told of a single one only.
pub const DATABASE: Shape = &[
    must("id", Holds::Text),
    may("name", Holds::Text),
    may("defaultCatalog", Holds::Text),
    may("defaultSchema", Holds::Text),
    may("createdAt", Holds::Text),
    may("expiresAt", Holds::Text),
    may("forkedFrom", Holds::Record(ORIGIN)),
    may("defaultConnectionId", Holds::Text),
    may("attachments", Holds::Records(ATTACHMENT)),
];

/// What a fork was made of, as that was then.
const ORIGIN: Shape = &[
    must("databaseId", Holds::Text),
    may("name", Holds::Text),
    may("description", Holds::Text),
    may("forkedAt", Holds::Text),
];

const ATTACHMENT: Shape = &[must("connectionId", Holds::Text), may("alias", Holds::Text)];

/// A database to create. Its layout and keys are fixed from then on.
pub const NEW_DATABASE: Shape = &[
    may("name", Holds::Text),
    may("expiresAt", Holds::Text),
    may("defaultCatalog", Holds::Text),
    may("defaultSchema", Holds::Text),
    may("ifNotExists", Holds::Bool),
    may("schemas", Holds::Records(NEW_SCHEMA)),
];

const NEW_SCHEMA: Shape = &[must("name", Holds::Text), may("tables", Holds::Records(NEW_TABLE))];

const NEW_TABLE: Shape = &[
    must("name", Holds::Text),
    may("key", Holds::Texts),
    may("partitionBy", Holds::Records(PARTITION)),
    may("sortedBy", Holds::Records(SORT)),
    may("constantPerKey", Holds::Texts),
];

const PARTITION: Shape = &[
    must("column", Holds::Text),
    must("transform", Holds::Word(&["identity", "year", "month", "day", "hour"])),
];

const SORT: Shape = &[
    must("column", Holds::Text),
    may("direction", Holds::Word(&["asc", "desc"])),
    may("nulls", Holds::Word(&["first", "last"])),
];

/// How a database is forked.
pub const FORK: Shape =
    &[may("name", Holds::Text), may("expiresAt", Holds::Text), may("description", Holds::Text)];

/// A source to attach.
pub const NEW_ATTACHMENT: Shape = ATTACHMENT;

/// An index.
pub const INDEX: Shape = &[
    must("indexName", Holds::Text),
    may("indexType", Holds::Text),
    may("columns", Holds::Texts),
    may("metric", Holds::Text),
    may("sourceColumn", Holds::Text),
    may("status", Holds::Text),
    may("algorithm", Holds::Text),
    may("createdAt", Holds::Text),
    may("updatedAt", Holds::Text),
];

/// An index to build.
pub const NEW_INDEX: Shape = &[
    may("indexName", Holds::Text),
    must("columns", Holds::Texts),
    must("indexType", Holds::Word(&["bm25", "vector", "sorted"])),
    may("metric", Holds::Word(&["cosine", "l2", "dot"])),
    may("embeddingProviderId", Holds::Text),
    may("outputColumn", Holds::Text),
    may("dimensions", Holds::Count(65_536)),
    may("algorithm", Holds::Word(&["hnsw", "ivf"])),
    may("vectorPrecision", Holds::Word(&["float64", "float32", "float16", "float8", "int8"])),
    may("description", Holds::Text),
];

/// A table in a listing.
pub const TABLE: Shape = &[
    must("schema", Holds::Text),
    must("table", Holds::Text),
    // False while it is declared and was never loaded.
    may("synced", Holds::Bool),
];

/// Work at the service.
pub const JOB: Shape = &[
    must("id", Holds::Text),
    may("jobType", Holds::Text),
    may("status", Holds::Text),
    may("errorMessage", Holds::Text),
    may("result", Holds::Json),
    may("attempts", Holds::Count(0)),
    may("createdAt", Holds::Text),
    may("completedAt", Holds::Text),
];

/// The service's record of a query.
pub const QUERY_RUN: Shape = &[
    must("id", Holds::Text),
    may("status", Holds::Text),
    may("resultId", Holds::Text),
    may("rowCount", Holds::Count(0)),
    may("errorMessage", Holds::Text),
    may("warningMessage", Holds::Text),
    may("executionTimeMs", Holds::Number),
];

/// What a load left behind.
pub const LOAD_RECEIPT: Shape = &[
    must("schemaName", Holds::Text),
    must("tableName", Holds::Text),
    must("rowCount", Holds::Count(0)),
];
