//! Figures over every row that matches some words: one statement, whose first cells tell how many rows those are.

use crate::error::Result;
use crate::text::join;

use super::filter::Filter;
use super::literal::query_literal;
use super::names::{Column, TableName};
use super::options::TextBound;
use super::text;

/// As many rows as any search gives.
const MOST_GROUPS: u32 = super::MAX_K;

/// What can be computed over the rows of a cohort.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// What it is asked for by.
    pub name: &'static str,
    /// Whether it takes numbers alone.
    pub of_numbers: bool,
    opening: &'static str,
    closing: &'static str,
}

impl Function {
    /// All there are; the first one alone needs no column.
    pub const ALL: &[Function] = &[
        Function { name: "count", of_numbers: false, opening: "COUNT(", closing: ")" },
        Function {
            name: "count_distinct",
            of_numbers: false,
            opening: "COUNT(DISTINCT ",
            closing: ")",
        },
        Function { name: "sum", of_numbers: true, opening: "SUM(", closing: ")" },
        Function { name: "avg", of_numbers: true, opening: "AVG(", closing: ")" },
        Function { name: "min", of_numbers: false, opening: "MIN(", closing: ")" },
        Function { name: "max", of_numbers: false, opening: "MAX(", closing: ")" },
        // Of whole numbers the engine's own is one too: the middle of 1 and 2 would be 1.
        Function {
            name: "median",
            of_numbers: true,
            opening: "MEDIAN(CAST(",
            closing: " AS DOUBLE))",
        },
    ];

    /// Whether it counts rows where no column is named.
    pub fn counts_rows(&self) -> bool {
        self.opening == "COUNT("
    }
}

/// One figure: of a column's values, or the number of rows.
#[derive(Debug, PartialEq, Eq)]
pub struct Figure {
    /// What is computed.
    pub function: &'static Function,
    /// Of which column; none counts rows.
    pub column: Option<Column>,
}

/// Figures over every row of a table whose indexed text matches a query.
#[derive(Debug)]
pub struct MatchFigures {
    table: TableName,
    column: Column,
    query: String,
    /// At least one.
    pub figures: Vec<Figure>,
    /// One row for each combination of their values; one row in all where there are none.
    pub group_by: Vec<Column>,
    /// All of them have to hold.
    pub filters: Vec<Filter>,
    /// The most groups that come back.
    pub most_groups: u32,
}

impl MatchFigures {
    /// Counts the rows of `table` whose `column` matches `query`.
    pub fn new(table: &TableName, column: &Column, query: &str) -> Result<Self> {
        Ok(Self {
            table: table.clone(),
            column: column.clone(),
            query: query_literal("query", query)?,
            figures: Vec::new(),
            group_by: Vec::new(),
            filters: Vec::new(),
            most_groups: MOST_GROUPS,
        })
    }

    /// The statement. Its columns are the groups' and the figures', in order, then the size of the cohort, then with groups
    /// how many of these there are. `bound` is the number of rows with text: without a fourth argument the engine ranks 1,000 rows and
    /// says nothing (contract, "Omitting the limit"), and any other number may be too small as well.
    ///
    /// Names are given to every column by its place, so that none can collide; NULLs come last. Rows are counted by the
    /// searched column, which no matching row lacks: some tables reject a projection that names none of their columns
    /// (contract, "must either specify a row count").
    pub fn sql(&self, bound: TextBound) -> String {
        let mut computed = String::new();
        for (at, figure) in self.figures.iter().enumerate() {
            let column = figure.column.as_ref().unwrap_or(&self.column).quoted();
            let Function { opening, closing, .. } = figure.function;
            computed.push_str(&format!("{opening}{column}{closing} AS a{at}, "));
        }
        // An index of an empty column has nothing to rank, and a search for nothing may be refused.
        let source = text::source(&self.table, &self.column, &self.query, bound.max(1));
        let mut of = format!("{computed}COUNT({}) AS n FROM {source}", self.column.quoted());
        for (at, filter) in self.filters.iter().enumerate() {
            of.push_str(if at == 0 { " WHERE " } else { " AND " });
            of.push_str(filter.sql());
        }
        if self.group_by.is_empty() {
            return format!("SELECT {of}");
        }
        // By place: a name might be taken for one of those given here.
        let (mut named, mut by, mut places) = (String::new(), String::new(), String::new());
        for (at, column) in self.group_by.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            named.push_str(&format!("{} AS g{at}, ", column.quoted()));
            by.push_str(&format!("{comma}{}", at + 1));
            places.push_str(&format!("{comma}g{at}"));
        }
        let figures = join(&mut (0..self.figures.len()).map(|at| format!("a{at}, ")), "");
        // The windows see every group, those beyond the limit too.
        format!(
            "WITH matched AS (SELECT {named}{of} GROUP BY {by}) \
             SELECT {places}, {figures}SUM(n) OVER () AS cohort, COUNT(n) OVER () AS found FROM matched \
             ORDER BY a0 DESC NULLS LAST, {places} LIMIT {}",
            self.most_groups
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn function(name: &str) -> &'static Function {
        Function::ALL.iter().find(|function| function.name == name).unwrap()
    }

    fn column(name: &str) -> Column {
        Column::parse("column", name).unwrap()
    }

    fn counting(query: &str) -> MatchFigures {
        let table = TableName::parse("table", "default.public.papers").unwrap();
        let mut search = MatchFigures::new(&table, &column("content"), query).unwrap();
        search.figures.push(Figure { function: function("count"), column: None });
        search
    }

    #[test]
    fn one_row_is_of_the_whole_cohort() {
        let mut search = counting("what's new");
        search.figures.push(Figure { function: function("median"), column: Some(column("all")) });
        let filter =
            |filter: serde_json::Value| Filter::parse("filter", &filter.into()).unwrap().unwrap();
        search.filters.push(filter(json!({"$or": [{"a": 1}, {"b": 2}]})));
        search.filters.push(filter(json!({"c": null})));
        assert_eq!(
            search.sql(314),
            "SELECT COUNT(\"content\") AS a0, MEDIAN(CAST(\"all\" AS DOUBLE)) AS a1, COUNT(\"content\") AS n \
             FROM bm25_search('default.public.papers', 'content', 'what''s new', 314) \
             WHERE (\"a\" = 1 OR \"b\" = 2) AND \"c\" IS NULL"
        );
        assert!(search.sql(0).contains(", 1) WHERE"));
    }

    #[test]
    fn groups_tell_of_those_beyond_the_limit() {
        let mut search = counting("q");
        search.group_by = vec![column("year"), column("a0")];
        search.most_groups = 101;
        assert_eq!(
            search.sql(9),
            "WITH matched AS (SELECT \"year\" AS g0, \"a0\" AS g1, COUNT(\"content\") AS a0, COUNT(\"content\") AS n \
             FROM bm25_search('default.public.papers', 'content', 'q', 9) GROUP BY 1, 2) \
             SELECT g0, g1, a0, SUM(n) OVER () AS cohort, COUNT(n) OVER () AS found FROM matched \
             ORDER BY a0 DESC NULLS LAST, g0, g1 LIMIT 101"
        );
    }

    #[test]
    fn a_query_needs_words() {
        let table = TableName::parse("table", "a.b.c").unwrap();
        let error = MatchFigures::new(&table, &column("t"), " ").unwrap_err();
        assert!(error.message.starts_with("`query` must hold some words"));
    }
}
