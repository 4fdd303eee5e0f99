//! What a description of tables holds, and how it is written for a program and for a model.

use crate::value::Value;

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
