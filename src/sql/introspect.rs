//! Statements that tell what a database holds.

use super::literal::text_literal;
use super::names::{Column, TableName};

/// The columns of every table of a database, or of one: catalog, schema, table, column, type, nullable, in the order
/// of their positions. A table that is declared and never loaded has no rows here (contract, "A declared managed table
/// with no data").
pub fn columns_sql(table: Option<&TableName>) -> String {
    let which = match table {
        None => "table_schema <> 'information_schema'".to_owned(),
        Some(table) => format!(
            "table_catalog = {} AND table_schema = {} AND table_name = {}",
            text_literal(table.catalog()),
            text_literal(table.schema()),
            text_literal(table.table())
        ),
    };
    format!(
        "SELECT table_catalog, table_schema, table_name, column_name, data_type, is_nullable \
         FROM information_schema.columns WHERE {which} \
         ORDER BY table_catalog, table_schema, table_name, ordinal_position"
    )
}

/// The catalogs that the tables of a database answer to, one a row.
pub const CATALOGS_SQL: &str = "SELECT DISTINCT table_catalog FROM information_schema.tables \
                                WHERE table_schema <> 'information_schema' ORDER BY table_catalog";

/// The row count and each column's count of values, in one row: `row_count`, then `n0`, `n1`, … in the order given.
/// At least one column is counted, since some tables reject a projection that names none (contract, "must either
/// specify a row count").
pub fn counts_sql(table: &TableName, first: &Column, rest: &[Column]) -> String {
    let mut sql = String::from("SELECT COUNT(*) AS row_count");
    for (at, column) in std::iter::once(first).chain(rest).enumerate() {
        sql.push_str(&format!(", COUNT({}) AS n{at}", column.quoted()));
    }
    sql.push_str(&format!(" FROM {}", table.quoted()));
    sql
}

/// How many rows have a value in the column: the most that a text search over it can match.
pub fn non_null_sql(table: &TableName, column: &Column) -> String {
    format!("SELECT COUNT({}) AS bound FROM {}", column.quoted(), table.quoted())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_name_tables_as_literals_or_quoted() {
        let table = TableName::parse("table", "f1.public.\"o'hare\"").unwrap();
        let column = Column::parse("column", "all").unwrap();
        assert!(columns_sql(Some(&table)).contains("table_name = 'o''hare'"));
        assert!(columns_sql(None).contains("table_schema <> 'information_schema'"));
        assert_eq!(
            counts_sql(&table, &column, std::slice::from_ref(&column)),
            "SELECT COUNT(*) AS row_count, COUNT(\"all\") AS n0, COUNT(\"all\") AS n1 FROM \"f1\".\"public\".\"o'hare\""
        );
        assert_eq!(
            non_null_sql(&table, &column),
            "SELECT COUNT(\"all\") AS bound FROM \"f1\".\"public\".\"o'hare\""
        );
    }
}
