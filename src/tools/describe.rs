//! `hotdata_describe_tables`: what there is to query.

use crate::client::{Client, Index, IndexStatus, IndexType, QueryOptions, RawTable, Transport};
use crate::error::{Code, Error, Result};
use crate::sql::{Column, TableName, columns_sql, counts_sql};
use crate::text::distance;
use crate::value::{Fields, Value};

use super::definition::{Annotations, Definition, object_schema, string_schema};
use super::description::{
    ColumnDescription, ColumnSummary, Description, TableDescription, TableOverview, TableSummary,
};
use super::names::Names;
use super::options::Switches;
use super::scope::Scope;
use super::table_text::{self, ToolText};

/// The most columns whose values are counted in one statement.
const MAX_COUNTED: usize = 100;

/// The most columns of one table a model is told of, described by itself and among others.
const MAX_TOLD: usize = 200;
const MAX_COLUMNS_IN_OVERVIEW: usize = 50;

/// How many bytes of tables with their columns an overview has, and how many more names.
const OVERVIEW_BYTES: usize = 16_384;
const MORE_NAMES: usize = 400;

/// The most tables an error names.
const MOST_NAMED: usize = 20;

const NO_TABLE: &str = "The database has no table.";
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

/// A name as a model may write it: in backticks or quotes, with white space around.
fn unquoted(name: &str) -> String {
    name.trim().trim_matches('\'').trim().replace('`', "\"")
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

/// The tables of the database, those without data too where these can be listed.
async fn all_tables<T: Transport>(client: &Client<T>, database: &str) -> Result<Vec<TableName>> {
    let mut tables = Vec::new();
    for facts in column_facts(client, database, None).await? {
        tables.push(facts.table);
    }
    tables.dedup();
    match client.empty_tables(database).await {
        Ok(empty) => tables.extend(empty),
        Err(error) if error.code == Code::Aborted => return Err(error),
        Err(_) => {}
    }
    Ok(tables)
}

/// The table that a shorter name means, where exactly one ends so.
async fn find_table<T: Transport>(
    client: &Client<T>,
    database: &str,
    name: &str,
) -> Result<TableName> {
    let tables = all_tables(client, database).await?;
    let wanted = name.replace('"', "").to_ascii_lowercase();
    let mut found = Vec::new();
    for table in &tables {
        let (schema, own) = (table.schema(), table.table());
        if wanted == own
            || wanted.strip_suffix(own).is_some_and(|rest| rest.strip_suffix('.') == Some(schema))
        {
            found.push(table);
        }
    }
    if let [only] = found.as_slice() {
        return Ok((*only).clone());
    }
    let told = if found.is_empty() {
        near(wanted.split('.').last().unwrap_or_default(), &tables)
    } else {
        format!("It may mean {}.", paths(&mut found.into_iter()))
    };
    Err(Error::argument("table", format_args!("must be one table as catalog.schema.table. {told}")))
}

/// Which tables may be meant.
fn near(own: &str, tables: &[TableName]) -> String {
    let mut best = usize::MAX;
    let mut nearest = None;
    for table in tables {
        if let Some(distance) = distance(own, table.table())
            && distance < best
        {
            best = distance;
            nearest = Some(table);
        }
    }
    match nearest {
        Some(table) => format!("Did you mean {}?", table.path()),
        None if tables.is_empty() => NO_TABLE.to_owned(),
        None => format!("There are {}.", paths(&mut tables.iter())),
    }
}

fn paths(tables: &mut dyn Iterator<Item = &TableName>) -> String {
    let mut paths = String::new();
    for (at, table) in tables.enumerate() {
        if at == MOST_NAMED {
            paths.push_str(", …");
            break;
        }
        if at > 0 {
            paths.push_str(", ");
        }
        paths.push_str(&table.path());
    }
    paths
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

/// One table within the caps.
fn whole(mut table: TableDescription) -> Value {
    let columns = table.columns.len();
    table.columns.truncate(MAX_TOLD);
    if columns > MAX_TOLD {
        let before = table.note.map_or(String::new(), |note| format!("{note} "));
        table.note = Some(format!(
            "{before}Only {MAX_TOLD} of {columns} columns are told; information_schema.columns has them all."
        ));
    }
    table.for_a_model()
}

/// Tables with their columns as far as the bytes go, then names alone, then how many are left.
fn overview_for_a_model(overview: &TableOverview, names: &Names) -> Value {
    let total = overview.tables.len();
    let (mut tables, mut more, mut bytes) = (Vec::new(), Vec::new(), 0);
    for table in &overview.tables {
        let told = table.for_a_model(MAX_COLUMNS_IN_OVERVIEW);
        bytes += told.to_json().len();
        if bytes <= OVERVIEW_BYTES || tables.is_empty() {
            tables.push(told);
        } else if more.len() < MORE_NAMES {
            more.push((&table.table).into());
        }
    }
    let mut warning = overview.note.clone().unwrap_or_default();
    let mut say = |sentence: &str| {
        if !warning.is_empty() {
            warning.push(' ');
        }
        warning.push_str(sentence);
    };
    if total == 0 {
        say(NO_TABLE);
    }
    if overview.tables.iter().any(|table| !table.loaded) {
        say(
            "loaded: false is a table without columns or rows: no query runs on it before data is loaded.",
        );
        if let Some(load) = &names.load_table {
            say(&format!("{load} loads it."));
        }
    }
    if tables.len() < total {
        let shown = tables.len();
        say(&format!(
            "Only {shown} of {total} tables are told with their columns; ask for one by its name."
        ));
    }
    if tables.len() + more.len() < total {
        say("information_schema.tables has the names of all.");
    }
    let more = (!more.is_empty()).then_some(Value::List(more));
    let warning = (!warning.is_empty()).then_some(warning);
    Value::object([
        ("tables", Value::List(tables)),
        ("more_tables", more.into()),
        ("client_warning", warning.into()),
    ])
}
