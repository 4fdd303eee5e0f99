//! Rankings by a distance function that no index serves, though one could (contract, "Observed behaviour of the rewrite").

use super::known::{KnownIndex, Serves};
use super::searches::FUNCTIONS as SEARCHES;
use super::statement::{Call, Select, Statement};
use super::{Found, Lint};

const FUNCTIONS: [&str; 3] = ["cosine_distance", "l2_distance", "negative_dot_product"];

pub(super) fn find(statement: &Statement, indexes: &[KnownIndex], found: &mut Found) {
    for call in statement.calls(&FUNCTIONS) {
        let Some(select) = statement.select(call.at) else { continue };
        let is_plain = !select.compound && select.group.is_none();
        similarity(statement, &call, &select, found);
        let Some(column) = is_plain.then(|| ranks(statement, &call, &select)).flatten() else {
            continue;
        };
        let Some((name, parts)) = only_table(statement, &select) else { continue };
        let table = statement.between(name, name + 2 * parts - 1);
        if parts < 3 {
            found.push(Lint::at(
                statement.span(name, name + 2 * parts - 2),
                "short_table_name",
                format!(
                    "A table name of fewer than three parts loses the vector index: write catalog.schema.{}.",
                    statement.text(name + 2 * parts - 2)
                ),
            ));
        }
        if select.limit.is_none() {
            found.push(Lint::at(
                statement.span(call.at, call.close),
                "distance_without_limit",
                "A ranking by distance without LIMIT reads the whole table: write LIMIT."
                    .to_owned(),
            ));
        }
        projected(statement, &call, &select, &column, found);
        let table = (parts == 3).then_some(table);
        metric(statement, &call, (table, &column), indexes, found);
    }
}

/// `1 - distance` sorted from the highest: right, and served by no index.
fn similarity(statement: &Statement, call: &Call, select: &Select, found: &mut Found) {
    let is_turned = statement.text(call.at.wrapping_sub(1)) == "-"
        && statement.text(call.at.wrapping_sub(2)) == "1";
    let Some(order) = select.order.filter(|_| is_turned) else { return };
    let sorted = statement.sorted_by(order);
    let alias = call.close + 1 + usize::from(statement.is(call.close + 1, "as"));
    let by_alias = sorted
        .is_some_and(|(name, descends)| descends && statement.name(name) == statement.name(alias));
    if by_alias || call.at == order + 4 {
        found.push(Lint::at(
            statement.span(call.at, call.close),
            "similarity_order",
            format!(
                "Sorting by 1 - distance reads the whole table: ORDER BY {}(…) ASC gives the same order from the index.",
                statement.text(call.at).to_ascii_lowercase()
            ),
        ));
    }
}

/// The column whose distance the SELECT sorts by, nearest first.
fn ranks(statement: &Statement, call: &Call, select: &Select) -> Option<String> {
    let order = select.order?;
    let (start, end) = call.arguments.first()?;
    let column = statement.name(end.checked_sub(1)?)?;
    let is_name =
        (*start..*end).all(|at| statement.name(at).is_some() || statement.text(at) == ".");
    if !is_name || call.arguments.len() != 2 {
        return None;
    }
    let ranks = if call.at == order + 2 {
        !statement.is(call.close + 1, "desc")
    } else if statement.list(select).contains(&call.at) {
        let alias = call.close + 1 + usize::from(statement.is(call.close + 1, "as"));
        let (sorted, descends) = statement.sorted_by(order)?;
        !descends
            && statement.name(alias).is_some()
            && statement.name(alias) == statement.name(sorted)
    } else {
        false
    };
    ranks.then_some(column)
}

/// Where the name of the only table stands, and how many parts it has; none for joins, subqueries and names of the
/// statement's own.
fn only_table(statement: &Statement, select: &Select) -> Option<(usize, usize)> {
    let first = select.from? + 1;
    let mut parts = 1;
    statement.name(first)?;
    while statement.text(first + 2 * parts - 1) == "." {
        statement.name(first + 2 * parts)?;
        parts += 1;
    }
    let after = first + 2 * parts - 1;
    let is_joined = (after..select.end).any(|at| {
        statement.level(at) == select.level
            && (statement.is(at, "join") || at <= after + 2 && statement.text(at) == ",")
    });
    let is_function = statement.text(after) == "(" || statement.is_any(first, &SEARCHES);
    let is_own = |at: usize| {
        statement.name(at) == statement.name(first)
            && (statement.is(at + 1, "as") || statement.text(at + 1) == "(")
            && statement.is_any(at.wrapping_sub(1), &["with", "recursive"])
            || statement.name(at) == statement.name(first)
                && statement.is(at + 1, "as")
                && statement.text(at + 2) == "("
    };
    let is_own = parts == 1 && (0..statement.tokens.len()).any(is_own);
    (!is_joined && !is_function && !is_own && parts <= 3).then_some((first, parts))
}

fn projected(statement: &Statement, call: &Call, select: &Select, column: &str, found: &mut Found) {
    let in_a_distance: Vec<(usize, usize)> =
        statement.calls(&FUNCTIONS).iter().map(|call| (call.at, call.close)).collect();
    for at in statement.list(select) {
        let inside = in_a_distance.iter().any(|(start, end)| (*start..=*end).contains(&at));
        let is_star = statement.text(at) == "*"
            && statement.level(at) == select.level
            && (matches!(statement.text(at - 1), "," | ".") || at == select.start + 1);
        let is_column = statement.name(at).as_deref() == Some(column)
            && statement.level(at) == select.level
            && statement.text(at + 1) != "(";
        if !inside && (is_star || is_column) && at != call.at {
            found.push(Lint::at(
                statement.span(at, at),
                "vector_projected",
                format!(
                    "A vector column in the answer ({column}) makes the ranking read the whole table: select other columns by \
                     name."
                ),
            ));
            return;
        }
    }
}

fn metric(
    statement: &Statement,
    call: &Call,
    (table, column): (Option<&str>, &str),
    indexes: &[KnownIndex],
    found: &mut Found,
) {
    let written = statement.text(call.at).to_ascii_lowercase();
    let functions: Vec<&str> = indexes
        .iter()
        .filter(|index| index.is_of(table) && index.column == column)
        .filter_map(|index| match index.serves {
            Serves::Distance(function) => Some(function),
            _ => None,
        })
        .collect();
    if let Some(served) = functions.first()
        && !functions.contains(&written.as_str())
    {
        found.push(
            Lint::at(
                statement.span(call.at, call.at),
                "other_metric",
                format!("The index of {column} serves {served}; {written} reads the whole table."),
            )
            .fixed((*served).to_owned()),
        );
    }
}
