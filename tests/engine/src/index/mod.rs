//! Search structures over one table's rows.

pub mod bm25;
pub mod vector;
