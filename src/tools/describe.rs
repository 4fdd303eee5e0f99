//! `hotdata_describe_tables`: what there is to query.

use crate::client::{Client, Index, IndexStatus, IndexType, QueryOptions, RawTable, Transport};
use crate::error::{Code, Error, Result};
use crate::sql::{Column, TableName, columns_sql, counts_sql};
use crate::text::join;
use crate::value::{Fields, Value};

use super::definition::{Annotations, Definition, object_schema, string_schema};
use super::description::{
    ColumnDescription, ColumnSummary, Description, TableDescription, TableOverview, TableSummary,
};
use super::names::Names;
use super::scope::Scope;
use super::table_text::{self, Caps, ToolText};

/// The most columns whose values are counted in one statement.
const MAX_COUNTED: usize = 100;

/// The most columns of one table a model is told of.
const MAX_TOLD: usize = 200;

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

pub(super) fn definition(names: &Names, scope: &Scope) -> Option<Definition> {
    let name = names.describe_tables.clone()?;
    let table = string_schema("One table as catalog.schema.table; leave it out for all of them.");
    Some(Definition {
        name,
        title: "Describe tables",
        description: format!(
            "{}List the tables of the database with their columns and types. Given one table, also tell its row count, how \
             many values each column has, and by which SQL function a column can be searched. Call it before writing SQL.",
            scope.sentence()
        ),
        input_schema: object_schema([("table", table)], &[]),
        annotations: Annotations::READS,
    })
}

pub(super) async fn call<T: Transport>(
    client: &Client<T>,
    database: &str,
    arguments: &Value,
    caps: Caps,
) -> Result<ToolText> {
    let fields = Fields::checked(arguments);
    let table = fields.text("table")?.filter(|table| !table.trim().is_empty()).map(str::to_owned);
    let options = DescribeOptions { database_id: Some(database.to_owned()), table };
    match describe_tables(client, &options).await? {
        Description::Table(mut description) => {
            let columns = description.columns.len();
            if columns > MAX_TOLD {
                description.columns.truncate(MAX_TOLD);
                let note = format!(
                    "Only the first {MAX_TOLD} of {columns} columns are told; query information_schema.columns for the rest."
                );
                description.note =
                    Some(description.note.map_or(note.clone(), |told| format!("{told} {note}")));
            }
            Ok(table_text::value(&description.for_a_model()))
        }
        Description::Overview(overview) => Ok(overview_text(&overview, caps)),
    }
}

/// Describes every table, or one in full.
pub async fn describe_tables<T: Transport>(
    client: &Client<T>,
    options: &DescribeOptions,
) -> Result<Description> {
    let database = client.database_id(options.database_id.as_deref())?.to_owned();
    match &options.table {
        None => {
            let columns = column_facts(client, &database, None).await?;
            Ok(Description::Overview(TableOverview { tables: summaries(columns) }))
        }
        Some(name) => {
            let table = find_table(client, &database, name).await?;
            describe_one(client, &database, &table).await.map(Description::Table)
        }
    }
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

async fn column_facts<T: Transport>(
    client: &Client<T>,
    database: &str,
    table: Option<&TableName>,
) -> Result<Vec<ColumnFacts>> {
    let answer = client.query_raw(&columns_sql(table), &QueryOptions::on(Some(database))).await?;
    let text = |row: usize, column: usize| {
        answer.text(row, column).ok_or_else(|| {
            let what = "information_schema.columns answered with something else than text";
            Error::new(Code::UnexpectedResponse, what)
        })
    };
    (0..answer.rows.len())
        .map(|row| {
            Ok(ColumnFacts {
                table: TableName::from_parts(&text(row, 0)?, &text(row, 1)?, &text(row, 2)?)?,
                name: text(row, 3)?,
                data_type: text(row, 4)?,
                nullable: text(row, 5)? == "YES",
            })
        })
        .collect()
}

/// The table a name means: a full one as it is, a shorter one where exactly one table ends so.
async fn find_table<T: Transport>(
    client: &Client<T>,
    database: &str,
    name: &str,
) -> Result<TableName> {
    let name = name.trim().trim_matches('`');
    if let Ok(table) = TableName::parse("table", name) {
        return Ok(table);
    }
    let wanted = name.replace('"', "").to_ascii_lowercase();
    let mut tables: Vec<TableName> =
        column_facts(client, database, None).await?.into_iter().map(|c| c.table).collect();
    tables.dedup();
    let ends_so = |table: &&TableName| {
        wanted == table.table() || wanted == format!("{}.{}", table.schema(), table.table())
    };
    let found: Vec<_> = tables.iter().filter(ends_so).collect();
    if let [only] = found.as_slice() {
        return Ok((*only).clone());
    }
    let shown: Vec<_> = if found.is_empty() { tables.iter().take(20).collect() } else { found };
    let shown = join(&mut shown.into_iter().map(TableName::path), ", ");
    let tables = if shown.is_empty() { "none with data".to_owned() } else { shown };
    Err(Error::argument("table", format_args!("must be one table's full name; there are {tables}")))
}

fn summaries(columns: Vec<ColumnFacts>) -> Vec<TableSummary> {
    let mut tables: Vec<TableSummary> = Vec::new();
    for column in columns {
        let path = column.table.path();
        if tables.last().is_none_or(|last| last.table != path) {
            tables.push(TableSummary { table: path, columns: Vec::new() });
        }
        if let Some(table) = tables.last_mut() {
            table.columns.push(ColumnSummary { name: column.name, data_type: column.data_type });
        }
    }
    tables
}

async fn describe_one<T: Transport>(
    client: &Client<T>,
    database: &str,
    table: &TableName,
) -> Result<TableDescription> {
    let facts = columns_of(client, database, table).await?;
    // A stored name that cannot be quoted (one with a double quote) is listed and not counted.
    let countable: Vec<(usize, Column)> = facts
        .iter()
        .enumerate()
        .filter_map(|(at, fact)| {
            Column::parse("column", &fact.name).ok().map(|column| (at, column))
        })
        .take(MAX_COUNTED)
        .collect();
    let (row_count, counts) = counted(client, database, table, &countable).await?;
    let (indexes, note) = match client.indexes(Some(database), table).await {
        Ok(indexes) => (indexes, None),
        Err(error) if error.code == Code::Aborted => return Err(error),
        Err(error) => (
            Vec::new(),
            Some(format!("Which columns can be searched is not known: {}", error.message)),
        ),
    };
    let generated = |name: &str| {
        indexes.iter().any(|index| {
            index.source_column.is_some() && index.columns.iter().any(|column| column == name)
        })
    };
    let columns = facts
        .iter()
        .enumerate()
        // A generated vector column is searched through its source, never itself.
        .filter(|(_, fact)| !generated(&fact.name))
        .map(|(at, fact)| ColumnDescription {
            name: fact.name.clone(),
            data_type: fact.data_type.clone(),
            nullable: fact.nullable,
            non_null: countable
                .iter()
                .position(|(counted, _)| *counted == at)
                .and_then(|n| counts.get(n).copied()),
            searchable_by: searchable_by(&fact.name, &indexes),
        })
        .collect();
    Ok(TableDescription { table: table.path(), row_count, columns, note })
}

async fn counted<T: Transport>(
    client: &Client<T>,
    database: &str,
    table: &TableName,
    columns: &[(usize, Column)],
) -> Result<(u64, Vec<u64>)> {
    let columns: Vec<Column> = columns.iter().map(|(_, column)| column.clone()).collect();
    let Some((first, rest)) = columns.split_first() else {
        return Err(Error::new(
            Code::NotFound,
            format!("{} has no column that can be named in SQL", table.path()),
        ));
    };
    let answer = client
        .query_raw(&counts_sql(table, first, rest), &QueryOptions::on(Some(database)))
        .await?;
    let numbers = whole_numbers(&answer);
    match numbers.split_first() {
        Some((row_count, counts)) if counts.len() == columns.len() => {
            Ok((*row_count, counts.to_vec()))
        }
        _ => Err(Error::new(
            Code::UnexpectedResponse,
            format!("Counting {} gave something else than numbers", table.path()),
        )),
    }
}

fn whole_numbers(answer: &RawTable) -> Vec<u64> {
    let cells = answer.rows.first().map(Vec::as_slice).unwrap_or_default();
    cells.iter().filter_map(|cell| cell.parse().ok()).collect()
}

fn searchable_by(column: &str, indexes: &[Index]) -> Vec<String> {
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

/// An overview within the caps: whole tables only, and how many were left out.
fn overview_text(overview: &TableOverview, caps: Caps) -> ToolText {
    let total = overview.tables.len();
    let (mut shown, mut bytes) = (Vec::new(), 0);
    for table in overview.tables.iter().map(TableSummary::to_value) {
        bytes += table.to_json().len();
        if bytes > caps.bytes && !shown.is_empty() {
            break;
        }
        shown.push(table);
    }
    let count = shown.len();
    let warning = if total == 0 {
        Some("The database has no table with data.".to_owned())
    } else {
        (count < total).then(|| {
            format!("Only {count} of {total} tables are shown; query information_schema.tables for the rest.")
        })
    };
    let told = [("tables", Value::List(shown)), ("client_warning", warning.into())];
    table_text::value(&Value::object(told))
}
