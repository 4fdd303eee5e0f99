//! Search by words: `bm25_search`.

use std::fmt::Write as _;

use crate::error::Result;
use crate::value::{Fields, Value};

use super::filter::Filter;
use super::literal::{query_literal, text_literal};
use super::names::{Column, TableName};
use super::options::{self, SCORE, TextBound};

/// A ranking by BM25 over one indexed text column.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSearch {
    /// The table that holds the index.
    pub table: TableName,
    /// The indexed column.
    pub column: Column,
    /// Where given, equal scores come in its order.
    pub key: Option<Column>,
    query: String,
    k: u32,
    columns: Vec<Column>,
    filter: Option<Filter>,
    bound: Option<TextBound>,
}

impl TextSearch {
    /// The options read by [`TextSearch::parse`].
    pub const OPTIONS: &[&str] =
        &["table", "column", "query", "k", "columns", "filter", "keyColumn", "textBound"];

    /// Reads `{table, column, query, k?, columns?, filter?, keyColumn?, textBound?}`.
    pub fn parse(input: &Value) -> Result<Self> {
        let fields = Fields::new("a text search", input, Self::OPTIONS)?;
        let column = options::column(&fields, "column")?;
        let key = options::key(&fields, &[SCORE], &[])?;
        Ok(Self {
            table: TableName::parse("table", fields.required_text("table")?)?,
            query: query_literal("query", fields.required_text("query")?)?,
            k: options::k(&fields)?,
            columns: options::answer_columns(
                &fields,
                &[key.as_ref(), Some(&column)],
                &[SCORE],
                &[],
            )?,
            filter: options::filter(&fields)?,
            bound: options::text_bound(&fields)?,
            column,
            key,
        })
    }

    /// Whether [`TextSearch::sql`] still lacks the bound that a filter needs.
    pub fn needs_bound(&self) -> bool {
        self.filter.is_some() && self.bound.is_none()
    }

    /// Supplies that bound.
    pub fn set_bound(&mut self, bound: TextBound) {
        self.bound = Some(bound);
    }

    /// One query: the columns and `score` (Float32, higher is better), best first.
    ///
    /// The fourth argument is always there: without it the engine ranks 1,000 rows and says nothing (contract,
    /// "Omitting the limit"). The sort too: rows come in row order (contract, "Results are not sorted").
    pub fn sql(&self) -> Result<String> {
        let bound = match (&self.filter, self.bound) {
            (None, _) => u64::from(self.k),
            (Some(_), Some(bound)) => bound.max(u64::from(self.k)),
            (Some(_), None) => return Err(options::filtered_text_needs_a_bound()),
        };
        let mut sql = format!(
            "SELECT {}, {SCORE} FROM {}",
            options::list(&self.columns, ""),
            source(&self.table, &self.column, &self.query, bound)
        );
        if let Some(filter) = &self.filter {
            let _ = write!(sql, " WHERE {}", filter.sql());
        }
        let _ = write!(
            sql,
            " ORDER BY {SCORE} DESC{} LIMIT {}",
            options::tie_break(self.key.as_ref()),
            self.k
        );
        Ok(sql)
    }
}

/// The table function as it stands in a FROM clause; `query` is a literal already.
pub(super) fn source(table: &TableName, column: &Column, query: &str, bound: u64) -> String {
    format!(
        "bm25_search({}, {}, {query}, {bound})",
        text_literal(&table.path()),
        text_literal(column.name())
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn search(options: serde_json::Value) -> Result<TextSearch> {
        TextSearch::parse(&options.into())
    }

    #[test]
    fn bound_and_sort_are_always_there() {
        let sql = search(
            json!({"table": "default.public.papers", "column": "content", "query": "what's new?"}),
        )
        .unwrap()
        .sql()
        .unwrap();
        assert_eq!(
            sql,
            "SELECT \"content\", score FROM bm25_search('default.public.papers', 'content', 'what''s new?', 5) \
             ORDER BY score DESC LIMIT 5"
        );
    }

    #[test]
    fn a_key_is_returned_and_breaks_ties() {
        let sql = search(
            json!({"table": "a.b.c", "column": "t", "query": "q", "k": 3, "keyColumn": "id"}),
        )
        .unwrap()
        .sql()
        .unwrap();
        assert_eq!(
            sql,
            "SELECT \"id\", \"t\", score FROM bm25_search('a.b.c', 't', 'q', 3) ORDER BY score DESC, \"id\" ASC LIMIT 3"
        );
    }

    #[test]
    fn a_filter_widens_the_bound_and_needs_it() {
        let mut filtered = search(
            json!({"table": "a.b.c", "column": "t", "query": "q", "filter": {"n": {"$gt": 1}}}),
        )
        .unwrap();
        assert!(filtered.needs_bound());
        assert!(filtered.sql().unwrap_err().message.starts_with("`textBound` is missing"));
        filtered.set_bound(314);
        assert_eq!(
            filtered.sql().unwrap(),
            "SELECT \"t\", score FROM bm25_search('a.b.c', 't', 'q', 314) WHERE \"n\" > 1 ORDER BY score DESC LIMIT 5"
        );
    }

    #[test]
    fn bad_options_are_named() {
        for (options, says) in [
            (json!({}), "`column` is missing"),
            (json!({"table": "t", "column": "c", "query": "q"}), "`table` must be a full name"),
            (json!({"table": "a.b.c", "column": "c"}), "`query` is missing"),
            (
                json!({"table": "a.b.c", "column": "c", "query": " "}),
                "`query` must hold some words",
            ),
            (
                json!({"table": "a.b.c", "column": "c", "query": "q", "k": 0}),
                "`k` must be a whole number from 1 to 10000",
            ),
            (
                json!({"table": "a.b.c", "column": "c", "query": "q", "columns": []}),
                "`columns` must name at least one",
            ),
            (
                json!({"table": "a.b.c", "column": "c", "query": "q", "columns": ["Score"]}),
                "`columns` must not name `score`",
            ),
            (
                json!({"table": "a.b.c", "column": "c", "query": "q", "filter": "n > 1"}),
                "`filter` must be an object",
            ),
        ] {
            let error = search(options.clone()).unwrap_err();
            assert!(error.message.starts_with(says), "{options}: {}", error.message);
        }
    }
}
