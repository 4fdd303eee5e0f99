//! What a description of tables holds, and how it is written for a program and for a model.

use crate::value::Value;

use super::describe::NO_TABLE;
use super::names::Names;

/// The most columns of one table a model is told of, described by itself and among others.
const MAX_TOLD: usize = 200;
const MAX_COLUMNS_IN_OVERVIEW: usize = 50;

/// How many bytes of tables with their columns an overview has, and how many more names.
const OVERVIEW_BYTES: usize = 16_384;
const MORE_NAMES: usize = 400;

/// A description: of all tables, or of one.
#[derive(Debug, Clone, PartialEq)]
pub enum Description {
    /// Every table with its columns.
    Overview(TableOverview),
    /// One table in full.
    Table(TableDescription),
}

/// Every table of a database.
#[derive(Debug, Clone, PartialEq)]
pub struct TableOverview {
    /// The tables, by name; those that hold no data come last.
    pub tables: Vec<TableSummary>,
    /// What could not be told, and why.
    pub note: Option<String>,
}

/// One table in an overview.
#[derive(Debug, Clone, PartialEq)]
pub struct TableSummary {
    /// `catalog.schema.table`, as a query takes it.
    pub table: String,
    /// Column names and types, in order.
    pub columns: Vec<ColumnSummary>,
    /// False of a table that was declared and never loaded: it has no columns, and no query runs on it.
    pub loaded: bool,
}

/// One column in an overview.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnSummary {
    /// The name as stored.
    pub name: String,
    /// The engine's type.
    pub data_type: String,
}

/// One table in full.
#[derive(Debug, Clone, PartialEq)]
pub struct TableDescription {
    /// `catalog.schema.table`, as a query takes it.
    pub table: String,
    /// How many rows it holds; none where that was not to be counted, or no column can be named in SQL.
    pub row_count: Option<u64>,
    /// Its columns, in order.
    pub columns: Vec<ColumnDescription>,
    /// What could not be told, and why.
    pub note: Option<String>,
}

/// One column in full.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnDescription {
    /// The name as stored.
    pub name: String,
    /// The engine's type.
    pub data_type: String,
    /// Whether NULL is allowed.
    pub nullable: bool,
    /// How many rows have a value; counted for the first 100 columns.
    pub non_null: Option<u64>,
    /// What a ready index over it serves: `bm25_search`, `vector_search`, or a metric's distance function.
    pub searchable_by: Vec<String>,
}

impl Description {
    /// The description under JavaScript names.
    pub fn to_value(&self) -> Value {
        match self {
            Description::Overview(overview) => Value::object([
                ("tables", Value::list(&mut overview.tables.iter().map(TableSummary::to_value))),
                ("note", overview.note.as_ref().into()),
            ]),
            Description::Table(table) => {
                table.named(&["rowCount", "nonNull", "searchableBy"], true)
            }
        }
    }
}

impl TableSummary {
    fn to_value(&self) -> Value {
        let mut columns = Vec::new();
        for ColumnSummary { name, data_type } in &self.columns {
            columns.push(Value::object([("name", name.into()), ("type", data_type.into())]));
        }
        self.with_columns(Value::List(columns))
    }

    /// With each column's type under its name: a model reads half as much.
    pub(super) fn for_a_model(&self, most: usize) -> Value {
        let mut columns = Value::Object(Vec::new());
        for ColumnSummary { name, data_type } in self.columns.iter().take(most) {
            columns = columns.with(name, data_type.into());
        }
        let more = self.columns.len().saturating_sub(most);
        let table = self.with_columns(columns);
        if more > 0 { table.with("more_columns", (more as u64).into()) } else { table }
    }

    fn with_columns(&self, columns: Value) -> Value {
        let table = Value::object([("table", (&self.table).into()), ("columns", columns)]);
        if self.loaded { table } else { table.with("loaded", false.into()) }
    }
}

impl TableDescription {
    /// With the words of the other tools' answers.
    pub(super) fn for_a_model(&self) -> Value {
        self.named(&["row_count", "non_null", "searchable_by"], false)
    }

    fn named(
        &self,
        [row_count, non_null, searchable_by]: &[&str; 3],
        with_nullable: bool,
    ) -> Value {
        let mut columns = Vec::new();
        for column in &self.columns {
            let functions = &column.searchable_by;
            let functions = (!functions.is_empty()).then(|| Value::texts(functions));
            columns.push(Value::object([
                ("name", (&column.name).into()),
                ("type", (&column.data_type).into()),
                ("nullable", with_nullable.then_some(column.nullable).into()),
                (non_null, column.non_null.into()),
                (searchable_by, functions.into()),
            ]));
        }
        Value::object([
            ("table", (&self.table).into()),
            (row_count, self.row_count.into()),
            ("columns", Value::List(columns)),
            ("note", self.note.as_ref().into()),
        ])
    }
}

/// One table within the caps.
pub(super) fn whole(mut table: TableDescription) -> Value {
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
pub(super) fn overview_for_a_model(overview: &TableOverview, names: &Names) -> Value {
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
