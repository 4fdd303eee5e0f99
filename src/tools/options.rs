//! What a toolset is made with.

use crate::error::{Error, Result};
use crate::search::Strategy;
use crate::sql::{Column, DEFAULT_K, TableName};
use crate::text::shortened;
use crate::value::{Fields, Value, missing};

use super::names::{check_name, check_suffix};
use super::table_text::ResultFormat;

/// How many rows a tool shows unless told.
const DEFAULT_MAX_ROWS: u64 = 100;
/// The most rows a tool can be told to show.
const MOST_ROWS: u64 = 10_000;
/// The most rows a search tool may be asked for by a model.
pub(super) const MAX_TOOL_K: u32 = 100;
/// The most characters of a label: it stands in front of every description.
const MAX_LABEL_CHARS: usize = 80;

/// The options of a toolset, beside the embedder.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolsOptions {
    /// The database; the client's own unless given.
    pub database_id: Option<String>,
    /// The search tool, if there is to be one.
    pub search: Option<SearchOptions>,
    /// Other columns that SQL can search, the most wanted first; each is checked against the index listing.
    pub searchable: Vec<(TableName, Column)>,
    /// The most rows a tool shows.
    pub max_rows: usize,
    /// How a tool writes rows for a model.
    pub result_format: ResultFormat,
    /// Which tools there are, and how far they go.
    pub with: Switches,
    /// Stands after `_` on every tool's name, for sets over several databases.
    pub suffix: Option<String>,
    /// What the database is called in descriptions; its own name unless given.
    pub label: Option<String>,
    /// The catalog that descriptions name; read from the database unless given.
    pub catalog: Option<String>,
    /// Whether a model can have a URL of a private host loaded.
    pub allow_private_hosts: bool,
}

/// What can be switched on and off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    /// `hotdata_execute_sql`.
    pub execute_sql: bool,
    /// Whether that tool refuses statements that write.
    pub read_only: bool,
    /// `hotdata_describe_tables`.
    pub describe_tables: bool,
    /// Whether it counts the values of each column.
    pub column_stats: bool,
    /// Whether it tells what each column can be searched by.
    pub search_capabilities: bool,
    /// `hotdata_aggregate_matches`, where there is a search by words.
    pub aggregate: bool,
    /// The tools over the workspace's databases.
    pub management: bool,
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
    /// A condition that every hit fulfils, whatever a model asks for: an object as every search takes it.
    pub filter: Option<Value>,
    pub k: u32,
    /// The most rows that a model can ask for.
    pub most: u32,
    pub strategy: Strategy,
    /// The tool's name as it is; no suffix is put on it.
    pub name: Option<String>,
}

impl SearchOptions {
    /// What a description says of a filter that holds whatever is asked.
    pub fn filter_sentence(&self) -> &'static str {
        if self.filter.is_some() { " It sees only the rows that a fixed filter keeps." } else { "" }
    }

    /// Table and column as a description names them: a name can be longer than all that it may hold.
    pub fn named(&self) -> (String, String) {
        (shortened(&self.table.path(), 120), shortened(self.column.name(), 60))
    }
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
        "searchFilter",
        "searchK",
        "searchStrategy",
        "searchToolName",
        "searchableColumns",
        "maxRows",
        "resultFormat",
        "sqlTool",
        "readOnly",
        "describeTables",
        "describeColumnStats",
        "describeSearchCapabilities",
        "aggregateTool",
        "managementTools",
        "toolNameSuffix",
        "label",
        "catalog",
        "allowPrivateHosts",
    ];

    /// Reads [`ToolsOptions::OPTIONS`]; a search has both `searchTable` and `searchColumn`.
    pub fn parse(input: &Value) -> Result<Self> {
        let fields = Fields::new("tools", input, Self::OPTIONS)?;
        let switch = |name: &str| fields.bool(name).map(|given| given.unwrap_or(true));
        let suffix = fields.owned_text("toolNameSuffix")?;
        if let Some(suffix) = &suffix {
            check_suffix(suffix)?;
        }
        let label =
            fields.text("label")?.map(|label| crate::text::one_line(label, MAX_LABEL_CHARS));
        let catalog = fields.text("catalog")?.map(|name| Column::parse("catalog", name));
        Ok(Self {
            database_id: fields.owned_text("databaseId")?,
            search: search(&fields)?,
            searchable: searchable(&fields)?,
            max_rows: fields.whole("maxRows", 1..=MOST_ROWS)?.unwrap_or(DEFAULT_MAX_ROWS) as usize,
            result_format: fields
                .choice("resultFormat", ResultFormat::CHOICES)?
                .unwrap_or(ResultFormat::Records),
            with: Switches {
                execute_sql: switch("sqlTool")?,
                read_only: switch("readOnly")?,
                describe_tables: switch("describeTables")?,
                column_stats: switch("describeColumnStats")?,
                search_capabilities: switch("describeSearchCapabilities")?,
                aggregate: switch("aggregateTool")?,
                management: switch("managementTools")?,
            },
            allow_private_hosts: fields.bool("allowPrivateHosts")?.unwrap_or(false),
            suffix,
            label,
            catalog: catalog.transpose()?.map(|name| name.name().to_owned()),
        })
    }
}

fn search(fields: &Fields) -> Result<Option<SearchOptions>> {
    let (Some(table), Some(column)) = (fields.text("searchTable")?, fields.text("searchColumn")?)
    else {
        let given = ToolsOptions::OPTIONS.iter().find(|name| {
            name.starts_with("search")
                && **name != "searchableColumns"
                && fields.get(name).is_some()
        });
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
    // What is not shown need not be ranked.
    let shown = fields.whole("maxRows", 1..=MOST_ROWS)?.unwrap_or(DEFAULT_MAX_ROWS);
    let most = shown.min(u64::from(MAX_TOOL_K));
    let name = fields.owned_text("searchToolName")?;
    if let Some(name) = &name {
        check_name("searchToolName", name)?;
    }
    Ok(Some(SearchOptions {
        table: TableName::parse("searchTable", table)?,
        column: Column::parse("searchColumn", column)?,
        semantic_column: optional("searchSemanticColumn")?,
        key_column: optional("searchKeyColumn")?,
        columns: columns.transpose()?,
        filter: fields.get("searchFilter").cloned(),
        k: fields.whole("searchK", 1..=most)?.map_or(DEFAULT_K.min(most as u32), |k| k as u32),
        most: most as u32,
        strategy: fields.choice("searchStrategy", Strategy::CHOICES)?.unwrap_or(Strategy::Auto),
        name,
    }))
}

/// `[{table, column}, …]`.
fn searchable(fields: &Fields) -> Result<Vec<(TableName, Column)>> {
    const NAME: &str = "searchableColumns";
    let mut found = Vec::new();
    for item in fields.items(NAME, "an array of {table, column}")? {
        let item = Fields::new(NAME, &item, &["table", "column"])?;
        let table = TableName::parse("table", item.required_text("table")?);
        let column = Column::parse("column", item.required_text("column")?);
        let both = table.and_then(|table| column.map(|column| (table, column)));
        found.push(both.map_err(|error| error.within(NAME))?);
    }
    Ok(found)
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
            (
                json!({"resultFormat": "xml"}),
                "`resultFormat` must be one of \"records\", \"columns\", \"csv\", \"markdown\", not \"xml\"",
            ),
            (json!({"maxrows": 1}), "`maxrows` is not an option of tools"),
        ] {
            let error = parse(options).unwrap_err();
            assert!(error.message.starts_with(says), "{}", error.message);
        }
    }
}
