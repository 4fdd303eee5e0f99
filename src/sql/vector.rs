//! Search by meaning: a text against a provider-backed index, or a vector against a vector column.

use crate::error::Result;
use crate::value::{Fields, Value, missing};
use crate::vector::Vector;

use super::filter::Filter;
use super::literal::{query_literal, text_literal};
use super::names::{Column, TableName};
use super::options::{self, DISTANCE};

/// How far apart two vectors are; lower is nearer for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// 1 - cosine, 0 to 2.
    Cosine,
    /// The squared Euclidean distance.
    L2,
    /// The negated dot product.
    Dot,
}

impl Metric {
    /// The names an index listing and the options use.
    pub const CHOICES: &[(&str, Metric)] =
        &[("cosine", Metric::Cosine), ("l2", Metric::L2), ("dot", Metric::Dot)];

    /// The metric of that name, if it is one.
    pub fn named(name: &str) -> Option<Self> {
        Self::CHOICES.iter().find(|(word, _)| *word == name).map(|(_, metric)| *metric)
    }

    /// The engine's function. Only an index of the same metric serves it (contract, "Observed behaviour of the
    /// rewrite").
    pub fn function(self) -> &'static str {
        match self {
            Metric::Cosine => "cosine_distance",
            Metric::L2 => "l2_distance",
            Metric::Dot => "negative_dot_product",
        }
    }
}

/// A ranking of a provider-backed column against a text the engine embeds itself.
#[derive(Debug, Clone, PartialEq)]
pub struct SemanticSearch {
    table: TableName,
    column: Column,
    key: Option<Column>,
    query: String,
    k: u32,
    columns: Vec<Column>,
    filter: Option<Filter>,
}

impl SemanticSearch {
    /// The options read by [`SemanticSearch::parse`].
    pub const OPTIONS: &[&str] =
        &["table", "column", "query", "k", "columns", "filter", "keyColumn"];

    /// Reads `{table, column, query, k?, columns?, filter?, keyColumn?}`.
    pub fn parse(input: &Value) -> Result<Self> {
        let fields = Fields::new("a semantic search", input, Self::OPTIONS)?;
        let column = options::column(&fields, "column")?;
        let key = options::key(&fields, &[DISTANCE], &[])?;
        Ok(Self {
            table: TableName::parse("table", fields.required_text("table")?)?,
            query: query_literal("query", fields.required_text("query")?)?,
            k: options::k(&fields)?,
            columns: options::answer_columns(
                &fields,
                &[key.as_ref(), Some(&column)],
                &[DISTANCE],
                &[],
            )?,
            filter: options::filter(&fields)?,
            column,
            key,
        })
    }

    /// One query: the columns and `_distance` (lower is nearer), nearest first.
    ///
    /// `vector_search` cuts to its bound before any WHERE, so a filtered search ranks by `vector_distance` instead: a
    /// full scan, and every row that passes the filter is seen.
    pub fn sql(&self) -> String {
        let columns = options::list(&self.columns, "");
        let tie = options::tie_break(self.key.as_ref());
        let (column, query, k) = (&self.column, &self.query, self.k);
        match &self.filter {
            None => format!(
                "SELECT {columns}, {DISTANCE} FROM vector_search({}, {}, {query}, {k}) \
                 ORDER BY {DISTANCE} ASC{tie} LIMIT {k}",
                text_literal(&self.table.path()),
                text_literal(column.name()),
            ),
            Some(filter) => format!(
                "SELECT {columns}, vector_distance({}, {query}) AS {DISTANCE} FROM {} WHERE ({}) AND {} IS NOT NULL \
                 ORDER BY {DISTANCE} ASC{tie} LIMIT {k}",
                column.quoted(),
                self.table.quoted(),
                filter.sql(),
                column.quoted(),
            ),
        }
    }
}

/// A ranking of a vector column against a vector the caller brings.
#[derive(Debug, Clone, PartialEq)]
pub struct DistanceSearch {
    table: TableName,
    column: Column,
    key: Option<Column>,
    vector: Vector,
    metric: Metric,
    k: u32,
    columns: Vec<Column>,
    filter: Option<Filter>,
}

impl DistanceSearch {
    /// The options read by [`DistanceSearch::parse`].
    pub const OPTIONS: &[&str] =
        &["table", "column", "vector", "metric", "k", "columns", "filter", "keyColumn"];

    /// Reads `{table, column, vector, metric?, k?, columns?, filter?, keyColumn?}`; the metric is cosine unless given.
    pub fn parse(input: &Value) -> Result<Self> {
        let fields = Fields::new("a vector search", input, Self::OPTIONS)?;
        let column = options::column(&fields, "column")?;
        let key = options::key(&fields, &[DISTANCE], &[&column])?;
        Ok(Self {
            table: TableName::parse("table", fields.required_text("table")?)?,
            vector: required_vector(&fields)?,
            metric: metric(&fields)?,
            k: options::k(&fields)?,
            columns: options::answer_columns(&fields, &[key.as_ref()], &[DISTANCE], &[&column])?,
            filter: options::filter(&fields)?,
            column,
            key,
        })
    }

    /// One query: the columns and `_distance` (lower is nearer), nearest first.
    ///
    /// The inner query is the shape the engine serves from the index. What would spoil that shape stays outside it:
    /// rows without a vector are dropped there, and equal distances come in key order.
    pub fn sql(&self) -> String {
        let columns = options::list(&self.columns, "");
        let mut inner = self.columns.clone();
        inner.extend(self.key.clone().filter(|key| !inner.contains(key)));
        format!(
            "WITH near AS ({}) SELECT {columns}, {DISTANCE} FROM near WHERE {DISTANCE} IS NOT NULL \
             ORDER BY {DISTANCE} ASC{}",
            nearest(
                &self.table,
                &inner,
                &self.column,
                self.metric,
                &self.vector,
                self.filter.as_ref(),
                self.k
            ),
            options::tie_break(self.key.as_ref()),
        )
    }
}

pub(super) fn metric(fields: &Fields) -> Result<Metric> {
    Ok(fields.choice("metric", Metric::CHOICES)?.unwrap_or(Metric::Cosine))
}

pub(super) fn required_vector(fields: &Fields) -> Result<Vector> {
    fields
        .vector("vector")?
        .ok_or_else(|| missing("vector", "an array of numbers or a Float32Array"))
}

/// `SELECT columns, <distance> AS _distance FROM table [WHERE …] ORDER BY _distance ASC LIMIT k`: a three-part name, no
/// vector column in the output, a bound, the metric's own function. All four are what the index rewrite asks for.
pub(super) fn nearest(
    table: &TableName,
    columns: &[Column],
    column: &Column,
    metric: Metric,
    vector: &Vector,
    filter: Option<&Filter>,
    k: u32,
) -> String {
    // About 12 bytes a value: one allocation holds the whole.
    let mut sql = String::with_capacity(256 + vector.width() * 14);
    sql.push_str("SELECT ");
    sql.push_str(&options::list(columns, ""));
    sql.push_str(", ");
    sql.push_str(metric.function());
    sql.push('(');
    sql.push_str(&column.quoted());
    sql.push_str(", ARRAY[");
    vector.write_sql(&mut sql);
    sql.push_str("]) AS ");
    sql.push_str(DISTANCE);
    sql.push_str(" FROM ");
    sql.push_str(&table.quoted());
    if let Some(filter) = filter {
        sql.push_str(" WHERE ");
        sql.push_str(filter.sql());
    }
    sql.push_str(&format!(" ORDER BY {DISTANCE} ASC LIMIT {k}"));
    sql
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_provider_backed_column_is_searched_with_text() {
        let search = SemanticSearch::parse(
            &json!({"table": "default.public.t", "column": "content", "query": "quiet garden", "keyColumn": "id"}).into(),
        );
        assert_eq!(
            search.unwrap().sql(),
            "SELECT \"id\", \"content\", _distance FROM vector_search('default.public.t', 'content', 'quiet garden', 5) \
             ORDER BY _distance ASC, \"id\" ASC LIMIT 5"
        );
    }

    #[test]
    fn a_filter_moves_it_to_the_scanning_form() {
        let search = SemanticSearch::parse(
            &json!({"table": "a.b.t", "column": "content", "query": "q", "k": 2, "filter": {"year": 2020}}).into(),
        );
        assert_eq!(
            search.unwrap().sql(),
            "SELECT \"content\", vector_distance(\"content\", 'q') AS _distance FROM \"a\".\"b\".\"t\" \
             WHERE (\"year\" = 2020) AND \"content\" IS NOT NULL ORDER BY _distance ASC LIMIT 2"
        );
    }

    #[test]
    fn a_vector_search_keeps_the_index_shape_inside() {
        let search = DistanceSearch::parse(
            &json!({"table": "a.b.t", "column": "embedding", "vector": [1, 0.5], "columns": ["title"], "keyColumn": "id",
                    "metric": "l2", "filter": {"year": {"$gte": 2020}}})
            .into(),
        );
        assert_eq!(
            search.unwrap().sql(),
            "WITH near AS (SELECT \"title\", \"id\", l2_distance(\"embedding\", ARRAY[1.0,0.5]) AS _distance \
             FROM \"a\".\"b\".\"t\" WHERE \"year\" >= 2020 ORDER BY _distance ASC LIMIT 5) \
             SELECT \"title\", _distance FROM near WHERE _distance IS NOT NULL ORDER BY _distance ASC, \"id\" ASC"
        );
    }

    #[test]
    fn bad_options_are_named() {
        let base =
            json!({"table": "a.b.t", "column": "embedding", "vector": [1.0], "keyColumn": "id"});
        for (patch, says) in [
            (json!({"vector": null}), "`vector` is missing"),
            (json!({"vector": []}), "`vector` must hold 1 to"),
            (json!({"metric": "euclid"}), "`metric` must be one of \"cosine\", \"l2\", \"dot\""),
            (json!({"columns": ["embedding"]}), "`columns` must not name the vector column"),
            (json!({"columns": ["_distance"]}), "`columns` must not name `_distance`"),
            (json!({"keyColumn": null}), "`columns` must name at least one column"),
            (json!({"keyColumn": "embedding"}), "`keyColumn` must not be `embedding`"),
            (json!({"keyColumn": "_distance"}), "`keyColumn` must not be `_distance`"),
            (json!({"query": "text"}), "`query` is not an option of a vector search"),
        ] {
            let mut options = base.clone();
            for (name, value) in patch.as_object().unwrap() {
                options[name] = value.clone();
            }
            let error = DistanceSearch::parse(&options.into()).unwrap_err();
            assert!(error.message.starts_with(says), "{}", error.message);
        }
    }
}
