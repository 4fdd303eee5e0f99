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
    /// The tables, by name.
    pub tables: Vec<TableSummary>,
}

/// One table in an overview.
#[derive(Debug, Clone, PartialEq)]
pub struct TableSummary {
    /// `catalog.schema.table`, as a query takes it.
    pub table: String,
    /// Column names and types, in order.
    pub columns: Vec<ColumnSummary>,
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
    /// How many rows it holds.
    pub row_count: u64,
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
            Description::Overview(overview) => Value::object([(
                "tables",
                Value::list(&mut overview.tables.iter().map(TableSummary::to_value)),
            )]),
            Description::Table(table) => table.named("rowCount", "nonNull", "searchableBy"),
        }
    }
}

impl TableSummary {
    pub(super) fn to_value(&self) -> Value {
        let columns = self.columns.iter().map(|column| {
            Value::object([("name", (&column.name).into()), ("type", (&column.data_type).into())])
        });
        Value::object([
            ("table", (&self.table).into()),
            ("columns", Value::list(&mut columns.into_iter())),
        ])
    }
}

impl TableDescription {
    /// With the words of the other tools' answers.
    pub(super) fn for_a_model(&self) -> Value {
        self.named("row_count", "non_null", "searchable_by")
    }

    fn named(&self, row_count: &str, non_null: &str, searchable_by: &str) -> Value {
        let columns = self.columns.iter().map(|column| {
            let functions = &column.searchable_by;
            let functions = (!functions.is_empty()).then(|| Value::texts(functions));
            Value::object([
                ("name", (&column.name).into()),
                ("type", (&column.data_type).into()),
                ("nullable", column.nullable.into()),
                (non_null, column.non_null.into()),
                (searchable_by, functions.into()),
            ])
        });
        Value::object([
            ("table", (&self.table).into()),
            (row_count, self.row_count.into()),
            ("columns", Value::list(&mut columns.into_iter())),
            ("note", self.note.as_ref().into()),
        ])
    }
}
