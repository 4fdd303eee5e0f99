//! SQL text for search, fusion and introspection, as the engine really takes it.
//!
//! Every name is checked and quoted, every text is one literal, every vector is float-typed.

mod aggregate;
mod filter;
mod hybrid;
mod introspect;
mod literal;
mod names;
mod options;
mod text;
mod vector;

pub use aggregate::{Figure, Function, MatchFigures};
pub use filter::Filter;
pub use hybrid::{Half, HybridSearch};
pub use introspect::{CATALOGS_SQL, columns_sql, counts_sql, non_null_sql};
pub use literal::text_literal;
pub use names::{Column, TableName};
pub use options::{DEFAULT_K, MAX_DEPTH, MAX_K, TextBound};
pub use text::TextSearch;
pub use vector::{DistanceSearch, Metric, SemanticSearch};

/// The longest text a search takes, in bytes; a query of this size is already no question.
pub const MAX_QUERY_BYTES: usize = 65_536;
