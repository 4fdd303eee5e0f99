//! What a toolset is made with.

use crate::error::{Error, Result};
use crate::search::Strategy;
use crate::sql::{Column, DEFAULT_K, TableName};
use crate::value::{Fields, Value, missing};

/// How many rows a tool shows unless told.
const DEFAULT_MAX_ROWS: u64 = 100;
/// The most rows a tool can be told to show.
const MOST_ROWS: u64 = 10_000;
/// The most rows a search tool may be asked for by a model.
pub(super) const MAX_TOOL_K: u32 = 100;

/// The options of a toolset, beside the embedder.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolsOptions {
    /// The database; the client's own unless given.
    pub database_id: Option<String>,
    /// The search tool, if there is to be one.
    pub search: Option<SearchOptions>,
    /// The most rows a tool shows.
    pub max_rows: usize,
}

/// The options of the search tool.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOptions {
    pub table: TableName,
    pub column: Column,
    pub semantic_column: Option<Column>,
    pub key_column: Option<Column>,
    /// The columns of a hit; the key and the searched column unless given.
    pub columns: Option<Vec<Column>>,
    pub k: u32,
    pub strategy: Strategy,
}

impl ToolsOptions {
    /// The options read by [`ToolsOptions::parse`].
    pub const OPTIONS: &[&str] = &[
        "databaseId",
        "searchTable",
        "searchColumn",
        "searchSemanticColumn",
        "searchKeyColumn",
        "searchColumns",
        "searchK",
        "searchStrategy",
        "maxRows",
    ];

    /// Reads `{databaseId?, maxRows?}`, and where there is to be a search `{searchTable, searchColumn,
    /// searchSemanticColumn?, searchKeyColumn?, searchColumns?, searchK?, searchStrategy?}`.
    pub fn parse(input: &Value) -> Result<Self> {
        let fields = Fields::new("tools", input, Self::OPTIONS)?;
        Ok(Self {
            database_id: fields.text("databaseId")?.map(str::to_owned),
            search: search(&fields)?,
            max_rows: fields.whole("maxRows", 1..=MOST_ROWS)?.unwrap_or(DEFAULT_MAX_ROWS) as usize,
        })
    }
}

fn search(fields: &Fields) -> Result<Option<SearchOptions>> {
    let (Some(table), Some(column)) = (fields.text("searchTable")?, fields.text("searchColumn")?)
    else {
        let given = ToolsOptions::OPTIONS
            .iter()
            .find(|name| name.starts_with("search") && fields.get(name).is_some());
        return match given {
            None => Ok(None),
            Some(given) => {
                let absent = if fields.get("searchTable").is_none() {
                    "searchTable"
                } else {
                    "searchColumn"
                };
                Err(missing(
                    absent,
                    &format!("given beside `{given}`: a search has both a table and a column"),
                ))
            }
        };
    };
    let optional = |name: &str| -> Result<Option<Column>> {
        fields.text(name)?.map(|text| Column::parse(name, text)).transpose()
    };
    let columns = fields.texts("searchColumns")?;
    if columns.as_ref().is_some_and(Vec::is_empty) {
        return Err(Error::argument("searchColumns", "must name at least one column"));
    }
    let columns = columns
        .map(|names| names.iter().map(|name| Column::parse("searchColumns", name)).collect());
    Ok(Some(SearchOptions {
        table: TableName::parse("searchTable", table)?,
        column: Column::parse("searchColumn", column)?,
        semantic_column: optional("searchSemanticColumn")?,
        key_column: optional("searchKeyColumn")?,
        columns: columns.transpose()?,
        k: fields.whole("searchK", 1..=u64::from(MAX_TOOL_K))?.map_or(DEFAULT_K, |k| k as u32),
        strategy: fields.choice("searchStrategy", Strategy::CHOICES)?.unwrap_or(Strategy::Auto),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_search_is_whole_or_absent() {
        let parse = |options: serde_json::Value| ToolsOptions::parse(&options.into());
        assert_eq!(parse(json!({})).unwrap().search, None);
        let search =
            parse(json!({"searchTable": "a.b.c", "searchColumn": "t"})).unwrap().search.unwrap();
        assert_eq!((search.k, search.strategy), (5, Strategy::Auto));
        for (options, says) in [
            (
                json!({"searchTable": "a.b.c"}),
                "`searchColumn` is missing: it must be given beside `searchTable`",
            ),
            (json!({"searchK": 3}), "`searchTable` is missing: it must be given beside `searchK`"),
            (json!({"searchTable": "c", "searchColumn": "t"}), "`searchTable` must be a full name"),
            (
                json!({"searchTable": "a.b.c", "searchColumn": "t", "searchK": 101}),
                "`searchK` must be a whole number from 1 to 100",
            ),
            (
                json!({"searchTable": "a.b.c", "searchColumn": "t", "searchStrategy": "fuzzy"}),
                "`searchStrategy` must be one of",
            ),
            (
                json!({"searchTable": "a.b.c", "searchColumn": "t", "searchColumns": []}),
                "`searchColumns` must name",
            ),
            (json!({"maxRows": 0}), "`maxRows` must be a whole number"),
            (json!({"maxrows": 1}), "`maxrows` is not an option of tools"),
        ] {
            let error = parse(options).unwrap_err();
            assert!(error.message.starts_with(says), "{}", error.message);
        }
    }
}
