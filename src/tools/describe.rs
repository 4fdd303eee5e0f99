//! `hotdata_describe_tables`: what there is to query.

use crate::client::{Client, Index, IndexStatus, IndexType, QueryOptions, RawTable, Transport};
use crate::error::{Code, Error, Result};
use crate::sql::{Column, TableName, columns_sql, counts_sql};
use crate::value::{Fields, Value};

use super::definition::{Annotations, Definition, object_schema, string_schema};
use super::description::{
    ColumnDescription, ColumnSummary, Description, TableDescription, TableOverview, TableSummary,
    overview_for_a_model, whole,
};
use super::find_table::{all_tables, find_table, near, unquoted};
use super::names::Names;
use super::options::Switches;
use super::scope::Scope;
use super::table_text::{self, ToolText};

/// The most columns whose values are counted in one statement.
const MAX_COUNTED: usize = 100;

pub(super) const NO_TABLE: &str = "The database has no table.";
const NEVER_LOADED: &str =
    "Declared and never loaded: it has no columns, and no query runs on it before data is loaded.";

/// What [`describe_tables`] takes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DescribeOptions {
    /// The database; the client's own unless given.
    pub database_id: Option<String>,
    /// One table to describe in full; every table's columns unless given.
    pub table: Option<String>,
}

/// A column as information_schema tells it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ColumnFacts {
    pub table: TableName,
    pub name: String,
    pub data_type: String,
    pub nullable: bool,
}

impl DescribeOptions {
    /// The options read by [`DescribeOptions::parse`].
    pub const OPTIONS: &[&str] = &["databaseId", "table"];

    /// Reads `{databaseId?, table?}`.
    pub fn parse(input: &Value) -> Result<Self> {
        let fields = Fields::new("describeTables", input, Self::OPTIONS)?;
        let owned = |name: &str| fields.text(name).map(|text| text.map(str::to_owned));
        Ok(Self { database_id: owned("databaseId")?, table: owned("table")? })
    }
}

pub(super) fn definition(names: &Names, scope: &Scope, with: Switches) -> Option<Definition> {
    let name = names.describe_tables.clone()?;
    let table = string_schema("One table as catalog.schema.table; leave it out for all of them.");
    Some(Definition {
        name,
        title: "Describe tables",
        description: format!(
            "{}List the tables of the database with their columns and types.{} Call it before writing SQL.",
            scope.sentence(),
            match (with.column_stats, with.search_capabilities) {
                (true, true) =>
                    " Given one table, also tell its row count, how many values each column has, and by which SQL function a \
                     column can be searched.",
                (true, false) =>
                    " Given one table, also tell its row count and how many values each column has.",
                (false, true) =>
                    " Given one table, also tell by which SQL function a column can be searched.",
                (false, false) => "",
            }
        ),
        input_schema: object_schema([("table", table)], &[]),
        annotations: Annotations::READS,
    })
}

pub(super) async fn call<T: Transport>(
    client: &Client<T>,
    database: &str,
    names: &Names,
    with: Switches,
    arguments: &Value,
) -> Result<ToolText> {
    let table = Fields::checked(arguments).text("table")?;
    let table = table.filter(|table| !table.trim().is_empty());
    let described = described(client, database, table, with.column_stats, with.search_capabilities);
    Ok(table_text::value(&match described.await? {
        Description::Table(table) => whole(table),
        Description::Overview(overview) => overview_for_a_model(&overview, names),
    }))
}

/// Describes every table, or one in full.
pub async fn describe_tables<T: Transport>(
    client: &Client<T>,
    options: &DescribeOptions,
) -> Result<Description> {
    let database = client.database_id(options.database_id.as_deref())?.to_owned();
    described(client, &database, options.table.as_deref(), true, true).await
}

/// With each column's count of values and the row count where `stats`, with what it can be searched by where
/// `capabilities`.
async fn described<T: Transport>(
    client: &Client<T>,
    database: &str,
    table: Option<&str>,
    stats: bool,
    capabilities: bool,
) -> Result<Description> {
    let Some(name) = table else {
        return Ok(Description::Overview(overview(client, database).await?));
    };
    let written = unquoted(name);
    let table = match TableName::parse("table", &written) {
        Ok(table) => table,
        Err(_) => find_table(client, database, &written).await?,
    };
    let facts = columns_of(client, database, &table).await;
    let facts = match facts {
        Ok(facts) => facts,
        // The engine's own word for a table without data (contract).
        Err(error) if error.message.starts_with("Managed table ") => {
            return Ok(Description::Table(TableDescription {
                table: table.path(),
                row_count: Some(0),
                columns: Vec::new(),
                note: Some(NEVER_LOADED.to_owned()),
            }));
        }
        Err(error) if error.code == Code::BadRequest || error.code == Code::NotFound => {
            let tables = all_tables(client, database).await?;
            return Err(error.with_hint(near(table.table(), &tables)));
        }
        Err(error) => return Err(error),
    };
    let told = describe_one(client, database, &table, facts, stats, capabilities).await;
    told.map(Description::Table)
}

/// The columns of one table, or an error that tells a table without data from none.
pub(super) async fn columns_of<T: Transport>(
    client: &Client<T>,
    database: &str,
    table: &TableName,
) -> Result<Vec<ColumnFacts>> {
    let columns = column_facts(client, database, Some(table)).await?;
    if !columns.is_empty() {
        return Ok(columns);
    }
    // information_schema leaves out both; the engine itself knows which it is.
    let probe = format!("SELECT * FROM {} LIMIT 0", table.quoted());
    match client.query_raw(&probe, &QueryOptions::on(Some(database))).await {
        Err(error) => Err(error),
        Ok(_) => Err(Error::new(Code::NotFound, format!("{} has no columns", table.path()))),
    }
}

/// The columns of one table, or of all. A table whose name cannot be written in SQL is left out.
pub(super) async fn column_facts<T: Transport>(
    client: &Client<T>,
    database: &str,
    table: Option<&TableName>,
) -> Result<Vec<ColumnFacts>> {
    let answer = client.query_raw(&columns_sql(table), &QueryOptions::on(Some(database))).await?;
    facts_of(&answer)
}

fn facts_of(answer: &RawTable) -> Result<Vec<ColumnFacts>> {
    let text = |row: usize, column: usize| {
        answer.text(row, column).ok_or_else(|| {
            let what = "information_schema.columns answered with something else than text";
            Error::new(Code::UnexpectedResponse, what)
        })
    };
    let mut facts = Vec::new();
    for row in 0..answer.rows.len() {
        let (catalog, schema, table) = (text(row, 0)?, text(row, 1)?, text(row, 2)?);
        if let Ok(table) = TableName::from_parts(&catalog, &schema, &table) {
            facts.push(ColumnFacts {
                table,
                name: text(row, 3)?,
                data_type: text(row, 4)?,
                nullable: text(row, 5)? == "YES",
            });
        }
    }
    Ok(facts)
}

async fn overview<T: Transport>(client: &Client<T>, database: &str) -> Result<TableOverview> {
    let answer = client.query_raw(&columns_sql(None), &QueryOptions::on(Some(database))).await?;
    let facts = facts_of(&answer)?;
    let mut note = String::new();
    if facts.len() < answer.rows.len() {
        note.push_str(
            " Tables whose names no SQL here can write, with a double quote, are left out.",
        );
    }
    if answer.head.truncated {
        note.push_str(
            " There are more columns than the service lists at once: the last tables are missing.",
        );
    }
    let mut tables: Vec<TableSummary> = Vec::new();
    for ColumnFacts { table, name, data_type, .. } in facts {
        let path = table.path();
        if tables.last().is_none_or(|last| last.table != path) {
            tables.push(TableSummary { table: path, columns: Vec::new(), loaded: true });
        }
        if let Some(table) = tables.last_mut() {
            table.columns.push(ColumnSummary { name, data_type });
        }
    }
    match client.empty_tables(database).await {
        Ok(empty) => {
            for table in empty {
                let table = table.path();
                if tables.iter().all(|known| known.table != table) {
                    tables.push(TableSummary { table, columns: Vec::new(), loaded: false });
                }
            }
        }
        Err(error) if error.code == Code::Aborted => return Err(error),
        Err(error) => {
            note.push_str(&format!(
                " Whether there are tables without data is not known: {}.",
                error.message.trim_end_matches('.')
            ));
        }
    }
    let note = note.strip_prefix(' ').map(str::to_owned);
    Ok(TableOverview { tables, note })
}

async fn describe_one<T: Transport>(
    client: &Client<T>,
    database: &str,
    table: &TableName,
    facts: Vec<ColumnFacts>,
    stats: bool,
    capabilities: bool,
) -> Result<TableDescription> {
    // A stored name that cannot be quoted (one with a double quote) is listed and not counted.
    let mut countable: Vec<(usize, Column)> = Vec::new();
    for (at, fact) in facts.iter().enumerate().take(if stats { facts.len() } else { 0 }) {
        match Column::parse("column", &fact.name) {
            Ok(column) if countable.len() < MAX_COUNTED => countable.push((at, column)),
            _ => {}
        }
    }
    let counts = counted(client, database, table, &countable).await?;
    let mut note = String::new();
    if !countable.is_empty() && countable.len() < facts.len() {
        note = format!("Values were counted of {} columns.", countable.len());
    }
    let indexes = if capabilities {
        match client.indexes(Some(database), table).await {
            Ok(indexes) => indexes,
            Err(error) if error.code == Code::Aborted => return Err(error),
            Err(error) => {
                let why = format!("Which columns can be searched is not known: {}", error.message);
                note = if note.is_empty() { why } else { format!("{note} {why}") };
                Vec::new()
            }
        }
    } else {
        Vec::new()
    };
    let mut columns = Vec::new();
    for (at, fact) in facts.into_iter().enumerate() {
        let generated =
            |index: &Index| index.source_column.is_some() && index.columns.contains(&fact.name);
        // A generated vector column is searched through its source, never itself.
        if indexes.iter().any(generated) {
            continue;
        }
        // The first count is that of the rows.
        let place = countable.iter().position(|(counted, _)| *counted == at);
        columns.push(ColumnDescription {
            non_null: place.and_then(|place| counts.get(place + 1).copied()),
            searchable_by: searchable_by(&fact.name, &indexes),
            name: fact.name,
            data_type: fact.data_type,
            nullable: fact.nullable,
        });
    }
    let note = (!note.is_empty()).then_some(note);
    Ok(TableDescription { table: table.path(), row_count: counts.first().copied(), columns, note })
}

/// The number of rows, then of each column's values; nothing where there is no column to count.
async fn counted<T: Transport>(
    client: &Client<T>,
    database: &str,
    table: &TableName,
    columns: &[(usize, Column)],
) -> Result<Vec<u64>> {
    let mut names = Vec::new();
    for (_, column) in columns {
        names.push(column.clone());
    }
    let Some((first, rest)) = names.split_first() else {
        return Ok(Vec::new());
    };
    let answer = client
        .query_raw(&counts_sql(table, first, rest), &QueryOptions::on(Some(database)))
        .await?;
    let numbers = whole_numbers(&answer);
    if numbers.len() == columns.len() + 1 {
        return Ok(numbers);
    }
    Err(Error::new(
        Code::UnexpectedResponse,
        format!("Counting {} gave something else than numbers", table.path()),
    ))
}

fn whole_numbers(answer: &RawTable) -> Vec<u64> {
    let cells = answer.rows.first().map(Vec::as_slice).unwrap_or_default();
    cells.iter().filter_map(|cell| cell.parse().ok()).collect()
}

pub(super) fn searchable_by(column: &str, indexes: &[Index]) -> Vec<String> {
    let over = |index: &Index| index.columns.iter().any(|name| name == column);
    indexes
        .iter()
        .filter(|index| index.status == IndexStatus::Ready)
        .filter_map(|index| match (index.index_type, index.source_column.as_deref()) {
            (IndexType::Bm25, _) if over(index) => Some("bm25_search".to_owned()),
            (IndexType::Vector, Some(source)) if source == column => {
                Some("vector_search".to_owned())
            }
            (IndexType::Vector, None) if over(index) => {
                let metric = index.metric.as_deref().and_then(crate::sql::Metric::named)?;
                Some(metric.function().to_owned())
            }
            _ => None,
        })
        .collect()
}
