//! `hotdata_aggregate_matches`: figures over every row that matches some words, whose number the engine has to be told
//! beforehand.

use crate::client::{Client, QueryOptions, RawTable, Response, Transport};
use crate::error::{Error, Result};
use crate::search::Route;
use crate::sql::{Column, Figure, Filter, Function, MatchFigures, TableName};
use crate::text::distance;
use crate::value::{Fields, Value, missing};

use super::definition::{
    Annotations, Definition, array_schema, choice_schema, object_schema, scalar_schema,
    string_schema,
};
use super::describe::{ColumnFacts, columns_of};
use super::names::Names;
use super::scope::Scope;
use super::search_tool::SearchTool;
use super::table_text::{self, Caps, ToolText};

/// The most columns that an error lists where none is like the one asked for.
const MOST_NAMED: usize = 30;

/// How a column is compared.
const OPERATORS: [&str; 8] = ["=", "!=", "<", "<=", ">", ">=", "is_null", "is_not_null"];

pub(super) fn definition(
    names: &Names,
    scope: &Scope,
    search: Option<&SearchTool>,
) -> Option<Definition> {
    let name = names.aggregate.clone()?;
    text_column(search?)?;
    let (path, column) = search?.options().named();
    let functions = &mut Function::ALL.iter().map(|function| function.name);
    let aggregate = object_schema(
        [
            ("function", choice_schema(functions, "")),
            ("column", string_schema("Left out, count counts rows.")),
        ],
        &["function"],
    );
    let filter = object_schema(
        [
            ("column", string_schema("")),
            ("op", choice_schema(&mut OPERATORS.iter().copied(), "")),
            (
                "value",
                scalar_schema(
                    "Compared as the column's type; left out for is_null and is_not_null.",
                ),
            ),
        ],
        &["column", "op"],
    );
    let arguments = [
        (
            "query",
            string_schema(
                "Plain words: any of them matches. AND between words asks for all, double quotes for a phrase.",
            ),
        ),
        ("aggregates", array_schema(aggregate, "The number of rows unless given.")),
        ("group_by", array_schema(string_schema(""), "Columns.")),
        ("filters", array_schema(filter, "All have to hold.")),
    ];
    Some(Definition {
        name,
        title: "Aggregate all matches",
        description: format!(
            "{}Count, sum or average every row of {path} whose {column} matches some words. A row matches when it has any of \
             the words, not only all of them. Use it for each question of how many or how much about matches: it sees all of \
             them, where a search returns the best and SQL stops at a bound. Groups come by the first aggregate, largest \
             first. metadata.cohort is the number of rows that match and pass the filters.{}",
            scope.sentence(),
            search?.options().filter_sentence()
        ),
        input_schema: object_schema(arguments, &["query"]),
        annotations: Annotations::READS,
    })
}

/// The column that the search ranks by words, if it does.
fn text_column(search: &SearchTool) -> Option<&Column> {
    match search.route() {
        Route::Text { column } | Route::Hybrid { text: column, .. } => Some(column),
        Route::SemanticText { .. } | Route::SemanticVector { .. } => None,
    }
}

pub(super) async fn call<T: Transport>(
    client: &Client<T>,
    database: &str,
    search: &SearchTool,
    arguments: &Value,
    caps: Caps,
) -> Result<ToolText> {
    let options = QueryOptions::on(Some(database));
    let (table, column) = (&search.options().table, text_column(search));
    let column = column.ok_or_else(|| missing("query", "searched by words"))?;
    let mut asked = Asked { table, columns: None, float: T::Response::float };
    // Without the table's columns first: what is wrong with the arguments alone fails before any request.
    let (mut statement, mut names) = asked.read(search, column, arguments)?;
    let given = Fields::checked(arguments);
    if ["aggregates", "group_by", "filters"].iter().any(|name| given.get(name).is_some()) {
        asked.columns = Some(columns_of(client, database, table).await?);
        (statement, names) = asked.read(search, column, arguments)?;
    }
    // One more than is shown: that there are more is then said.
    statement.most_groups = caps.rows as u32 + 1;
    let bound = client.text_bound(table, column, &options).await?;
    let answer = client.query_raw(&statement.sql(bound), &options).await;
    Ok(told(answer?, names, !statement.group_by.is_empty(), caps))
}

/// The rows under the names of what was asked for, beside the size of the cohort.
fn told(mut answer: RawTable, names: Vec<String>, has_groups: bool, caps: Caps) -> ToolText {
    let width = names.len();
    let cohort = answer.count(0, width).unwrap_or(0);
    if has_groups {
        answer.head.total_row_count = Some(answer.count(0, width + 1).unwrap_or(0));
    }
    for row in &mut answer.rows {
        row.truncate(width);
    }
    answer.head.columns = names;
    let mut told = Vec::new();
    if cohort == 0 && !answer.rows.is_empty() {
        told.push("No rows matched.".to_owned());
    }
    table_text::rows_beside(&answer, caps, told, Some(("cohort", cohort)))
}

/// What can be done with a column's values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Bool,
    /// Text, and what is compared with a text: dates and times.
    Text,
    /// Lists and the like.
    Other,
    /// Of a column that has not been looked up.
    Unknown,
}

/// By the engine's name of the type.
fn kind(data_type: &str) -> Kind {
    const KINDS: &[(&str, Kind)] = &[
        ("Interval", Kind::Other),
        ("Int", Kind::Number),
        ("UInt", Kind::Number),
        ("Float", Kind::Number),
        ("Decimal", Kind::Number),
        ("Bool", Kind::Bool),
        ("Utf8", Kind::Text),
        ("LargeUtf8", Kind::Text),
        ("Date", Kind::Text),
        ("Time", Kind::Text),
        ("Dictionary", Kind::Text),
    ];
    let found = KINDS.iter().find(|(start, _)| data_type.starts_with(start));
    found.map_or(Kind::Other, |(_, kind)| *kind)
}

/// How arguments are read: against the columns that the table has, once those are known.
struct Asked<'a> {
    table: &'a TableName,
    columns: Option<Vec<ColumnFacts>>,
    float: fn(&str) -> f64,
}

impl Asked<'_> {
    /// The statement that checked arguments ask for, and what its columns are called.
    fn read(
        &self,
        search: &SearchTool,
        column: &Column,
        arguments: &Value,
    ) -> Result<(MatchFigures, Vec<String>)> {
        let fields = Fields::checked(arguments);
        let mut statement = MatchFigures::new(self.table, column, fields.required_text("query")?)?;
        let mut names = Vec::new();
        for name in fields.texts("group_by")?.unwrap_or_default() {
            let column =
                self.column("group_by", &name, "single values", |kind| kind != Kind::Other)?.0;
            add_name(&mut names, column.name().to_owned());
            statement.group_by.push(column);
        }
        let count = Value::object([("function", "count".into())]);
        let mut figures = fields.items("aggregates", "")?;
        if figures.is_empty() {
            figures.push(count);
        }
        for figure in &figures {
            let figure = self.figure(&Fields::checked(figure))?;
            let mut name = figure.function.name.to_owned();
            if let Some(column) = &figure.column {
                name.push('_');
                name.push_str(column.name());
            }
            add_name(&mut names, name);
            statement.figures.push(figure);
        }
        if let Some(filter) = &search.options().filter {
            statement.filters.extend(Filter::parse("searchFilter", filter)?);
        }
        for filter in fields.items("filters", "")? {
            statement.filters.extend(self.filter(&Fields::checked(&filter))?);
        }
        Ok((statement, names))
    }

    /// A column of the table, and the kind of its values, which has to be one that `fits`; `wanted` says which do.
    fn column(
        &self,
        argument: &str,
        name: &str,
        wanted: &str,
        fits: fn(Kind) -> bool,
    ) -> Result<(Column, Kind)> {
        let column = Column::parse(argument, name.trim().trim_matches('`'))?;
        let (name, Some(columns)) = (column.name(), &self.columns) else {
            return Ok((column, Kind::Unknown));
        };
        let Some(facts) = columns.iter().find(|known| known.name == name) else {
            return Err(self.no_column(argument, name, columns));
        };
        let kind = kind(&facts.data_type);
        if fits(kind) {
            return Ok((column, kind));
        }
        let data_type = &facts.data_type;
        Err(Error::argument(
            argument,
            format_args!("must name a column of {wanted}, and {name} is {data_type}"),
        ))
    }

    fn no_column(&self, argument: &str, name: &str, columns: &[ColumnFacts]) -> Error {
        let mut listed = String::from("it has");
        let mut best = usize::MAX;
        for (at, known) in columns.iter().enumerate() {
            match distance(name, &known.name) {
                Some(distance) if distance < best => {
                    best = distance;
                    listed = format!("did you mean {}?", known.name);
                }
                _ if best == usize::MAX && at < MOST_NAMED => {
                    listed.push(' ');
                    listed.push_str(&known.name);
                }
                _ => {}
            }
        }
        let table = self.table.path();
        Error::argument(
            argument,
            format_args!("must name a column of {table}, not {name}; {listed}"),
        )
    }

    fn figure(&self, figure: &Fields) -> Result<Figure> {
        const ARGUMENT: &str = "aggregates";
        let name = figure.required_text("function")?;
        let function = Function::ALL.iter().find(|function| function.name == name);
        let function = function.ok_or_else(|| missing("function", "count or the like"))?;
        // Of a model that takes the star of SQL with it.
        let column = figure.text("column")?.filter(|column| *column != "*" && !column.is_empty());
        let Some(column) = column else {
            if function.counts_rows() {
                return Ok(Figure { function, column: None });
            }
            return Err(missing("column", &format!("the one that {name} is of")).within(ARGUMENT));
        };
        let (column, _) = if function.of_numbers {
            self.column(ARGUMENT, column, "numbers", |kind| {
                matches!(kind, Kind::Number | Kind::Unknown)
            })?
        } else if function.counts_rows() {
            self.column(ARGUMENT, column, "", |_| true)?
        } else {
            self.column(ARGUMENT, column, "single values", |kind| kind != Kind::Other)?
        };
        Ok(Figure { function, column: Some(column) })
    }

    /// The condition, its value written as the column's type has it: a number compared as text would be another order.
    fn filter(&self, filter: &Fields) -> Result<Option<Filter>> {
        const ARGUMENT: &str = "filters";
        let (op, name) = (filter.required_text("op")?, filter.required_text("column")?);
        let refused = |why: &str| Err(Error::argument("value", why).within(ARGUMENT));
        let operand = match filter.text("value")? {
            None | Some("") if op.starts_with("is_") => Value::Null,
            Some(_) if op.starts_with("is_") => {
                return refused("does not go with is_null and is_not_null");
            }
            None => {
                return Err(missing("value", "what the column is compared with").within(ARGUMENT));
            }
            Some(text) => {
                let (_, kind) =
                    self.column(ARGUMENT, name, "single values", |kind| kind != Kind::Other)?;
                match (kind, text.trim()) {
                    (Kind::Bool, word) if word.eq_ignore_ascii_case("true") => true.into(),
                    (Kind::Bool, word) if word.eq_ignore_ascii_case("false") => false.into(),
                    (Kind::Bool, _) => return refused("must be true or false for this column"),
                    (Kind::Number, digits) => match number(digits) {
                        Some(true) => Value::Integer(digits.to_owned()),
                        // As doubles these would be other numbers, and some rows would be lost without a word.
                        Some(false) if digits.bytes().filter(u8::is_ascii_digit).count() > 15 => {
                            return refused("must have at most 15 digits where it has a point");
                        }
                        Some(false) => Value::Number((self.float)(digits)),
                        None => return refused("must be a number for this column"),
                    },
                    _ => text.into(),
                }
            }
        };
        let (column, _) = self.column(ARGUMENT, name, "", |_| true)?;
        let (operator, operand) = match op {
            // A NULL is not another value here, as in SQL.
            "!=" => ("$nin", Value::List(vec![operand, Value::Null])),
            "<" => ("$lt", operand),
            "<=" => ("$lte", operand),
            ">" => ("$gt", operand),
            ">=" => ("$gte", operand),
            "is_not_null" => ("$ne", operand),
            _ => ("$eq", operand),
        };
        let one = |name: &str, value: Value| Value::Object(vec![(name.to_owned(), value)]);
        Filter::parse(ARGUMENT, &one(column.name(), one(operator, operand)))
    }
}

/// Names that a row's object can have side by side.
fn add_name(names: &mut Vec<String>, mut name: String) {
    while names.contains(&name) {
        name.push('_');
    }
    names.push(name);
}

/// Whether a plain decimal is a whole number; none where it is no such number at all.
fn number(text: &str) -> Option<bool> {
    let (mut digits, mut points) = (0, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'-' if at == 0 => {}
            b'.' => points += 1,
            b'0'..=b'9' => digits += 1,
            _ => return None,
        }
    }
    (digits > 0 && points < 2).then_some(points == 0)
}
