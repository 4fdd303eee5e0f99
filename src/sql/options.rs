//! What the search builders share: bounds, the columns of an answer, how options are read.

use crate::error::{Error, Result};
use crate::text::join;
use crate::value::Fields;

use super::filter::Filter;
use super::names::Column;

/// How many rows a search returns unless told.
pub const DEFAULT_K: u32 = 5;
/// The most rows a search returns.
pub const MAX_K: u32 = 10_000;
/// The deepest list a half of a fused search ranks.
pub const MAX_DEPTH: u32 = 100_000;

/// How many rows `bm25_search` has to rank so that a filter applied after it sees every match: the number of rows
/// with text in the column, the largest where several columns are searched.
pub type TextBound = u64;

/// The most columns an answer can be asked for.
const MAX_COLUMNS: usize = 1_000;

pub(super) const SCORE: &str = "score";
pub(super) const DISTANCE: &str = "_distance";

pub(super) fn k(fields: &Fields) -> Result<u32> {
    let k = fields.whole("k", 1..=u64::from(MAX_K))?;
    Ok(k.map_or(DEFAULT_K, |k| k as u32))
}

pub(super) fn column(fields: &Fields, name: &str) -> Result<Column> {
    Column::parse(name, fields.required_text(name)?)
}

pub(super) fn optional_column(fields: &Fields, name: &str) -> Result<Option<Column>> {
    fields.text(name)?.map(|text| Column::parse(name, text)).transpose()
}

/// The column that tells rows apart. Not one of the names a search computes, nor the vector column: to read that back
/// forfeits its index.
pub(super) fn key(
    fields: &Fields,
    computed: &[&str],
    vectors: &[&Column],
) -> Result<Option<Column>> {
    let key = optional_column(fields, "keyColumn")?;
    if let Some(key) = &key
        && (computed.contains(&key.name()) || vectors.contains(&key))
    {
        return Err(Error::argument(
            "keyColumn",
            format_args!(
                "must not be `{}`, which is computed or the vector column itself",
                key.name()
            ),
        ));
    }
    Ok(key)
}

pub(super) fn filter(fields: &Fields) -> Result<Option<Filter>> {
    match fields.get("filter") {
        None => Ok(None),
        Some(input) => Filter::parse("filter", input),
    }
}

pub(super) fn text_bound(fields: &Fields) -> Result<Option<TextBound>> {
    fields.whole("textBound", 0..=u64::from(u32::MAX))
}

/// The columns of an answer: those asked for, or the key and the searched columns. Each once, in order. `computed` are
/// the names the search itself adds, `vectors` the columns that may not be read back: a vector column in the output
/// declines the index rewrite (contract, "Observed behaviour of the rewrite").
pub(super) fn answer_columns(
    fields: &Fields,
    unless_given: &[Option<&Column>],
    computed: &[&str],
    vectors: &[&Column],
) -> Result<Vec<Column>> {
    let mut columns: Vec<Column> = Vec::new();
    let mut asked: Vec<Column> = Vec::new();
    match fields.texts("columns")? {
        Some(names) => {
            for name in names {
                asked.push(Column::parse("columns", &name)?);
            }
        }
        None => asked.extend(unless_given.iter().flatten().map(|column| (*column).clone())),
    }
    if asked.len() > MAX_COLUMNS {
        return Err(Error::argument(
            "columns",
            format_args!("must name at most {MAX_COLUMNS} columns, and names {}", asked.len()),
        ));
    }
    for column in asked {
        if computed.contains(&column.name()) {
            return Err(Error::argument(
                "columns",
                format_args!(
                    "must not name `{}`: the search returns its own under that name",
                    column.name()
                ),
            ));
        }
        if vectors.contains(&&column) {
            return Err(Error::argument(
                "columns",
                format_args!(
                    "must not name the vector column `{}`: reading it back forfeits its index",
                    column.name()
                ),
            ));
        }
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    if columns.is_empty() {
        return Err(Error::argument(
            "columns",
            "must name at least one column, or `keyColumn` be given",
        ));
    }
    Ok(columns)
}

/// The names, quoted and comma-separated, with a prefix such as `base.` on each.
pub(super) fn list(columns: &[Column], prefix: &str) -> String {
    join(&mut columns.iter().map(|column| format!("{prefix}{}", column.quoted())), ", ")
}

/// `, "id" ASC` where the key is known: equal scores come in key order.
pub(super) fn tie_break(key: Option<&Column>) -> String {
    key.map_or_else(String::new, |key| format!(", {} ASC", key.quoted()))
}

pub(super) fn filtered_text_needs_a_bound() -> Error {
    Error::argument("textBound", "is missing: it must be the table's row count beside a `filter`").with_hint(
        "bm25_search ranks only as many rows as its bound before any WHERE. searchText and searchHybrid ask for the \
         count themselves.",
    )
}
