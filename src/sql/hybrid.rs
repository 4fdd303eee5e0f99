//! Reciprocal rank fusion of several rankings in one query.
//!
//! Each half earns `weight / (constant + rank)` for a row, ranks from 1 (Cormack, Clarke and Büttcher, SIGIR 2009,
//! with its constant 60); a row's score is the sum. Fusion works on ranks because scores of different rankings do not
//! compare (contract, "Scores are comparable within one result set").

mod halves;

use std::fmt::Write as _;

use crate::error::{Error, Result};
use crate::number;
use crate::text::join;
use crate::value::{Fields, Value};

use super::filter::Filter;
use super::names::{Column, TableName};
use super::options::{self, DISTANCE, MAX_DEPTH, SCORE, TextBound};
use super::text::source;
use super::vector::nearest;
pub use halves::Half;
use halves::{general_halves, text_and_vector};

const DEFAULT_RRF_K: f64 = 60.0;
/// The key's name inside the query, from the point on where no column of the table is in scope under its own name.
const KEY: &str = "fusion_key";
const RANK: &str = "rrf_rank";

/// Several rankings of one table's rows, fused by rank.
#[derive(Debug, Clone, PartialEq)]
pub struct HybridSearch {
    /// The table every half ranks.
    pub table: TableName,
    /// What tells rows apart: one row of the answer per key.
    pub key: Column,
    halves: Vec<Half>,
    k: u32,
    depth: u32,
    constant: f64,
    columns: Vec<Column>,
    filter: Option<Filter>,
    bound: Option<TextBound>,
    explain: bool,
}

impl HybridSearch {
    /// The options read by [`HybridSearch::parse`].
    pub const OPTIONS: &[&str] = &[
        "table",
        "column",
        "vectorColumn",
        "query",
        "vector",
        "metric",
        "weights",
        "halves",
        "keyColumn",
        "k",
        "fetchK",
        "rrfK",
        "columns",
        "filter",
        "textBound",
        "explain",
    ];

    /// Reads `{table, column, vectorColumn, query, vector, metric?, weights?: {text?, vector?}}`, or `{table, halves}`
    /// with 2 to 8 halves; and with either `{keyColumn? = "id", k?, fetchK?, rrfK?, columns?, filter?, textBound?,
    /// explain?}`. `fetchK` is how deep each half ranks, `max(4k, 20)` unless given.
    pub fn parse(input: &Value) -> Result<Self> {
        let fields = Fields::new("a hybrid search", input, Self::OPTIONS)?;
        let halves = match fields.get("halves") {
            Some(input) => general_halves(&fields, input)?,
            None => text_and_vector(&fields)?,
        };
        let explain = fields.bool("explain")?.unwrap_or(false);
        let mut computed = vec![SCORE.to_owned()];
        if explain {
            computed.extend(rank_names(&halves));
        }
        let computed: Vec<&str> = computed.iter().map(String::as_str).collect();
        let vectors: Vec<&Column> = halves.iter().filter_map(Half::vector_column).collect();
        let key = options::key(&fields, &[SCORE, DISTANCE], &vectors)?
            .map_or_else(|| Column::parse("keyColumn", "id"), Ok)?;
        let mut unless_given = vec![Some(&key)];
        unless_given.extend(halves.iter().map(Half::text_column));
        let k = options::k(&fields)?;
        let depth = fields.whole("fetchK", 1..=u64::from(MAX_DEPTH))?.map(|depth| depth as u32);
        if let Some(depth) = depth
            && depth < k
        {
            return Err(Error::argument(
                "fetchK",
                format_args!("must be at least `k`, which is {k}"),
            ));
        }
        Ok(Self {
            table: TableName::parse("table", fields.required_text("table")?)?,
            k,
            depth: depth.unwrap_or_else(|| (4 * k).max(20)),
            constant: fields.number("rrfK", 0.0, true)?.unwrap_or(DEFAULT_RRF_K),
            columns: options::answer_columns(&fields, &unless_given, &computed, &vectors)?,
            filter: options::filter(&fields)?,
            bound: options::text_bound(&fields)?,
            explain,
            key,
            halves,
        })
    }

    /// The text columns whose rows the filter needs counted, where [`HybridSearch::sql`] still lacks its bound.
    pub fn unbounded_columns(&self) -> Vec<Column> {
        let mut columns: Vec<Column> = Vec::new();
        if self.filter.is_some() && self.bound.is_none() {
            for column in self.halves.iter().filter_map(Half::text_column) {
                if !columns.contains(column) {
                    columns.push(column.clone());
                }
            }
        }
        columns
    }

    /// Supplies that bound: the largest of the counts.
    pub fn set_bound(&mut self, bound: TextBound) {
        self.bound = Some(bound);
    }

    /// One query: the columns and `score` (higher is better), best first, at most `k` rows and one a key; with
    /// `explain`, each half's rank as `text_rank` and `vector_rank` (numbered where there are several of a kind), NULL
    /// where that half did not rank the row. Equal scores come in key order; which of equal rows a half still ranks at
    /// its depth is the engine's choice.
    ///
    /// A row whose key is NULL has no part in it. A key that stands on several rows is one hit: each half gives it the
    /// rank of its best row, and of its rows that pass the filter the first by the searched texts stands for it.
    pub fn sql(&self) -> Result<String> {
        let mut sql = String::from("WITH ");
        for (at, half) in self.halves.iter().enumerate() {
            self.write_half(&mut sql, at + 1, half)?;
            sql.push_str(", ");
        }
        self.write_fused(&mut sql);
        self.write_answer(&mut sql);
        Ok(sql)
    }

    /// `half_N`: one row a key, with the key's best rank.
    fn write_half(&self, sql: &mut String, number: usize, half: &Half) -> Result<()> {
        let (key, filter) = (self.key.quoted(), self.filter.as_ref());
        let ranked = match half {
            Half::Text { column, query, .. } => {
                let bound = match (filter, self.bound) {
                    (None, _) => u64::from(self.depth),
                    (Some(_), Some(bound)) => bound.max(u64::from(self.depth)),
                    (Some(_), None) => return Err(options::filtered_text_needs_a_bound()),
                };
                let mut from = source(&self.table, column, query, bound);
                if let Some(filter) = filter {
                    let _ = write!(from, " WHERE {}", filter.sql());
                }
                // The bound alone cuts an unfiltered half; a filtered one is ranked deeper and cut here.
                let _ = write!(
                    sql,
                    "near_{number} AS (SELECT {key}, {SCORE} FROM {from} ORDER BY {SCORE} DESC, {key} ASC LIMIT {}), ",
                    self.depth
                );
                format!("{SCORE} DESC")
            }
            Half::Vector { column, vector, metric, .. } => {
                // Ranking stands outside: ranked first and cut afterwards, the same rows would cost a full scan
                // (contract, "The vector half has to be shaped as").
                let key = std::slice::from_ref(&self.key);
                let near = nearest(&self.table, key, column, *metric, vector, filter, self.depth);
                let _ = write!(sql, "near_{number} AS ({near}), ");
                format!("{DISTANCE} ASC")
            }
        };
        let given = match half {
            Half::Text { .. } => String::new(),
            // A row without a vector is no neighbour, though a short list has room for it.
            Half::Vector { .. } => format!("{DISTANCE} IS NOT NULL AND "),
        };
        let _ = write!(
            sql,
            "half_{number} AS (SELECT {KEY}, MIN({RANK}) AS {RANK} FROM (SELECT {key} AS {KEY}, \
             ROW_NUMBER() OVER (ORDER BY {ranked}, {key} ASC) AS {RANK} FROM near_{number} \
             WHERE {given}{key} IS NOT NULL) AS ranked_{number} GROUP BY {KEY})"
        );
        Ok(())
    }

    /// `fused`: the best `k` keys with their rank in each half.
    fn write_fused(&self, sql: &mut String) {
        let count = self.halves.len();
        let ranks = numbered(count, |n| format!("half_{n}.{RANK} AS fusion_rank_{n}"));
        let _ =
            write!(sql, "every AS (SELECT {} AS {KEY}, {} FROM half_1", first_key(count), ranks);
        for number in 2..=count {
            let _ = write!(
                sql,
                " FULL OUTER JOIN half_{number} ON {} = half_{number}.{KEY}",
                first_key(number - 1)
            );
        }
        let ranks = numbered(count, |n| format!("fusion_rank_{n}"));
        let _ = write!(
            sql,
            "), fused AS (SELECT {KEY}, {} FROM every ORDER BY {} DESC, {KEY} ASC LIMIT {}) ",
            ranks,
            self.score(),
            self.k
        );
    }

    /// The join back to the table, which brings the columns, and one row of it a key.
    fn write_answer(&self, sql: &mut String) {
        let (columns, score) = (options::list(&self.columns, ""), self.score());
        let key = self.key.quoted();
        let mut inner: Vec<Column> = self.columns.clone();
        let texts: Vec<Column> =
            self.halves.iter().filter_map(Half::text_column).cloned().collect();
        inner.retain(|column| *column != self.key);
        let mut base = format!("base.{key}");
        if !inner.is_empty() {
            let _ = write!(base, ", {}", options::list(&inner, "base."));
        }
        // A key that stands twice in the table would come twice.
        let mut copies = format!("ROW_NUMBER() OVER (PARTITION BY fused.{KEY}");
        if !texts.is_empty() {
            let _ = write!(copies, " ORDER BY {}", options::list(&texts, "base."));
        }
        copies.push(')');
        let ranks = numbered(self.halves.len(), |n| format!("fused.fusion_rank_{n}"));
        // The fused expression stands twice: sorting by its alias would rest on how the engine resolves a name that a
        // table's own column may share (contract, "ORDER BY <name> prefers a select-list alias").
        let _ = write!(sql, "SELECT {columns}, {score} AS {SCORE}");
        if self.explain {
            for (at, name) in rank_names(&self.halves).iter().enumerate() {
                let _ = write!(sql, ", fusion_rank_{} AS {name}", at + 1);
            }
        }
        // Of a key's rows only those that pass may stand for it: the halves tell which keys, not which rows. Filtered
        // apart, where no name of this query can be taken for a column of the table.
        let table = self.table.quoted();
        let table = match &self.filter {
            None => table,
            Some(filter) => format!("(SELECT * FROM {table} WHERE {})", filter.sql()),
        };
        let _ = write!(
            sql,
            " FROM (SELECT {base}, {}, {copies} AS fusion_copy FROM fused JOIN {table} AS base ON base.{key} = fused.{KEY}) AS hits \
             WHERE fusion_copy = 1 ORDER BY {score} DESC, {key} ASC",
            ranks,
        );
    }

    fn score(&self) -> String {
        let mut parts = self.halves.iter().enumerate().map(|(at, half)| {
            let (weight, constant) = (number::float(half.weight()), number::plain(self.constant));
            format!("COALESCE({weight} / ({constant} + fusion_rank_{}), 0.0)", at + 1)
        });
        join(&mut parts, " + ")
    }
}

/// What `text` gives for each half's number, comma-separated.
fn numbered(count: usize, text: fn(usize) -> String) -> String {
    join(&mut (1..=count).map(text), ", ")
}

/// The key of a row in any of the first `count` halves.
fn first_key(count: usize) -> String {
    match count {
        1 => format!("half_1.{KEY}"),
        _ => {
            let keys = numbered(count, |n| format!("half_{n}.{KEY}"));
            format!("COALESCE({keys})")
        }
    }
}

/// `text_rank` and `vector_rank`; numbered from the second of a kind on.
fn rank_names(halves: &[Half]) -> Vec<String> {
    let (mut texts, mut vectors) = (0, 0);
    halves
        .iter()
        .map(|half| {
            let (kind, count) = match half {
                Half::Text { .. } => ("text", &mut texts),
                Half::Vector { .. } => ("vector", &mut vectors),
            };
            *count += 1;
            if *count == 1 { format!("{kind}_rank") } else { format!("{kind}_rank_{count}") }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn search(options: serde_json::Value) -> Result<HybridSearch> {
        HybridSearch::parse(&options.into())
    }

    fn flat() -> serde_json::Value {
        json!({"table": "default.public.papers", "column": "content", "vectorColumn": "embedding",
               "query": "quiet garden", "vector": [1, 0.5]})
    }

    fn with(patch: serde_json::Value) -> serde_json::Value {
        let mut options = flat();
        for (name, value) in patch.as_object().unwrap() {
            options[name] = value.clone();
        }
        options
    }

    #[test]
    fn the_whole_query_stands() {
        assert_eq!(
            search(flat()).unwrap().sql().unwrap(),
            "WITH near_1 AS (SELECT \"id\", score FROM bm25_search('default.public.papers', 'content', 'quiet garden', 20) \
             ORDER BY score DESC, \"id\" ASC LIMIT 20), \
             half_1 AS (SELECT fusion_key, MIN(rrf_rank) AS rrf_rank FROM (SELECT \"id\" AS fusion_key, \
             ROW_NUMBER() OVER (ORDER BY score DESC, \"id\" ASC) AS rrf_rank FROM near_1 WHERE \"id\" IS NOT NULL) \
             AS ranked_1 GROUP BY fusion_key), \
             near_2 AS (SELECT \"id\", cosine_distance(\"embedding\", ARRAY[1.0,0.5]) AS _distance \
             FROM \"default\".\"public\".\"papers\" ORDER BY _distance ASC LIMIT 20), \
             half_2 AS (SELECT fusion_key, MIN(rrf_rank) AS rrf_rank FROM (SELECT \"id\" AS fusion_key, \
             ROW_NUMBER() OVER (ORDER BY _distance ASC, \"id\" ASC) AS rrf_rank FROM near_2 \
             WHERE _distance IS NOT NULL AND \"id\" IS NOT NULL) AS ranked_2 GROUP BY fusion_key), \
             every AS (SELECT COALESCE(half_1.fusion_key, half_2.fusion_key) AS fusion_key, half_1.rrf_rank AS fusion_rank_1, \
             half_2.rrf_rank AS fusion_rank_2 FROM half_1 FULL OUTER JOIN half_2 ON half_1.fusion_key = half_2.fusion_key), \
             fused AS (SELECT fusion_key, fusion_rank_1, fusion_rank_2 FROM every ORDER BY COALESCE(1.0 / (60 + fusion_rank_1), 0.0) + \
             COALESCE(1.0 / (60 + fusion_rank_2), 0.0) DESC, fusion_key ASC LIMIT 5) \
             SELECT \"id\", \"content\", COALESCE(1.0 / (60 + fusion_rank_1), 0.0) + COALESCE(1.0 / (60 + fusion_rank_2), 0.0) AS score \
             FROM (SELECT base.\"id\", base.\"content\", fused.fusion_rank_1, fused.fusion_rank_2, \
             ROW_NUMBER() OVER (PARTITION BY fused.fusion_key ORDER BY base.\"content\") AS fusion_copy \
             FROM fused JOIN \"default\".\"public\".\"papers\" AS base ON base.\"id\" = fused.fusion_key) AS hits \
             WHERE fusion_copy = 1 ORDER BY COALESCE(1.0 / (60 + fusion_rank_1), 0.0) + COALESCE(1.0 / (60 + fusion_rank_2), 0.0) DESC, \"id\" ASC"
        );
    }

    #[test]
    fn depth_constant_weights_and_key_are_the_callers() {
        let sql =
            search(with(json!({"k": 10, "fetchK": 64, "rrfK": 10.5, "keyColumn": "Paper ID",
                                     "weights": {"text": 0.3}, "columns": ["title"]})))
            .unwrap()
            .sql()
            .unwrap();
        assert!(sql.contains("'quiet garden', 64)"));
        assert!(sql.contains("ORDER BY _distance ASC LIMIT 64"));
        assert!(sql.contains(
            "COALESCE(0.3 / (10.5 + fusion_rank_1), 0.0) + COALESCE(1.0 / (10.5 + fusion_rank_2), 0.0)"
        ));
        assert!(sql.contains("SELECT \"title\", COALESCE"));
        assert!(sql.ends_with("DESC, \"paper id\" ASC"));
    }

    #[test]
    fn depth_is_four_times_k_and_at_least_twenty() {
        for (k, depth) in [(1, 20), (5, 20), (6, 24), (100, 400)] {
            let sql = search(with(json!({"k": k}))).unwrap().sql().unwrap();
            assert!(sql.contains(&format!("ORDER BY _distance ASC LIMIT {depth})")), "{k}");
        }
    }

    #[test]
    fn a_filter_stands_in_each_half_and_needs_the_bound() {
        let mut search = search(with(json!({"filter": {"year": {"$gte": 2020}}}))).unwrap();
        assert_eq!(search.unbounded_columns()[0].name(), "content");
        assert!(search.sql().is_err());
        search.set_bound(314);
        let sql = search.sql().unwrap();
        assert!(sql.contains(
            "'quiet garden', 314) WHERE \"year\" >= 2020 ORDER BY score DESC, \"id\" ASC LIMIT 20)"
        ));
        assert!(sql.contains("FROM \"default\".\"public\".\"papers\" WHERE \"year\" >= 2020 ORDER BY _distance ASC LIMIT 20)"));
    }

    #[test]
    fn explain_names_every_rank() {
        let sql = search(json!({"table": "a.b.c", "explain": true, "halves": [
            {"kind": "text", "column": "title", "query": "q", "weight": 2},
            {"kind": "text", "column": "body", "query": "q"},
            {"kind": "vector", "column": "e", "vector": [1.5], "metric": "dot"}]}))
        .unwrap()
        .sql()
        .unwrap();
        assert!(
            sql.contains("fusion_rank_1 AS text_rank, fusion_rank_2 AS text_rank_2, fusion_rank_3 AS vector_rank FROM")
        );
        assert!(sql.contains(
            "FULL OUTER JOIN half_3 ON COALESCE(half_1.fusion_key, half_2.fusion_key) = half_3.fusion_key"
        ));
        assert!(sql.contains("COALESCE(2.0 / (60 + fusion_rank_1), 0.0)"));
        assert!(sql.contains("negative_dot_product(\"e\", ARRAY[1.5])"));
        assert!(sql.contains("SELECT \"id\", \"title\", \"body\", "));
    }

    #[test]
    fn bad_options_are_named() {
        for (patch, says) in [
            (json!({"fetchK": 4}), "`fetchK` must be at least `k`"),
            (json!({"rrfK": -1}), "`rrfK` must be a finite number of at least 0"),
            (json!({"weights": {"text": 0}}), "weights: `text` must be a finite number above 0"),
            (json!({"weights": {"words": 1}}), "`words` is not an option of weights"),
            (json!({"columns": ["embedding"]}), "`columns` must not name the vector column"),
            (json!({"columns": ["score"]}), "`columns` must not name `score`"),
            (
                json!({"columns": ["text_rank"], "explain": true}),
                "`columns` must not name `text_rank`",
            ),
            (json!({"keyColumn": "score"}), "`keyColumn` must not be `score`"),
            (json!({"halves": [1, 2]}), "`column` must be left out beside `halves`"),
        ] {
            let error = search(with(patch)).unwrap_err();
            assert!(error.message.starts_with(says), "{}", error.message);
        }
        for (halves, says) in [
            (json!("x"), "`halves` must be a list of 2 to 8 halves, not"),
            (json!([{"kind": "text"}]), "`halves` must be a list of 2 to 8 halves, and has 1"),
            (json!([{"kind": "sparse"}, {}]), "halves[0]: `kind` must be one of"),
            (json!([{"column": "a"}, {}]), "halves[0]: `kind` is missing"),
            (
                json!([{"kind": "text", "column": "a", "query": "q", "vector": [1.0]}, {}]),
                "halves[0]: `vector` is not an option of a text half",
            ),
        ] {
            let error = search(json!({"table": "a.b.c", "halves": halves})).unwrap_err();
            assert!(error.message.starts_with(says), "{}", error.message);
        }
    }
}
