//! `bm25_search` and `vector_search`: their arguments, and the order and bound of what they give.

use super::known::{KnownIndex, Serves};
use super::lexer::Kind;
use super::statement::{Call, Select, Statement};
use super::{Found, Lint, MOST_BYTES};

pub(super) const FUNCTIONS: [&str; 2] = ["bm25_search", "vector_search"];

pub(super) fn find(statement: &Statement, indexes: &[KnownIndex], found: &mut Found) {
    for call in statement.calls(&FUNCTIONS) {
        let by_words = statement.is(call.at, "bm25_search");
        arguments(statement, &call, by_words, found);
        index(statement, &call, by_words, indexes, found);
        if !by_words && statement.is(0, "explain") {
            found.push(Lint::at(
                statement.span(0, 0),
                "explain_vector_search",
                "A query with vector_search cannot be EXPLAINed; it runs without EXPLAIN."
                    .to_owned(),
            ));
        }
        if let Some(select) = statement.select(call.at)
            && !select.compound
            && select.from.is_some_and(|from| from < call.at)
        {
            order(statement, &call, &select, by_words, found);
            filter(statement, &call, &select, found);
        }
    }
}

fn arguments(statement: &Statement, call: &Call, by_words: bool, found: &mut Found) {
    let whole = statement.span(call.at, call.close);
    if by_words && call.arguments.len() == 3 {
        found.push(Lint::at(
            whole,
            "unbounded_text_search",
            "bm25_search without a fourth argument stops at 1,000 rows and does not say so. Pass how many rows it may \
             give."
                .to_owned(),
        ));
    }
    let Some((start, end)) = call.arguments.first() else { return };
    let span = statement.span(*start, end.saturating_sub(1));
    let written = statement.between(*start, *end);
    let form = "takes the table as one string, 'catalog.schema.table'";
    let name = statement.text(call.at).to_ascii_lowercase();
    if end - start == 1
        && let Some(table) = statement.string(*start)
    {
        if parts(&table) < 3 {
            let message = format!("{name} {form}, with all three parts.");
            found.push(Lint::at(span, "search_table_name", message));
        }
    } else if statement.tokens.get(*start).is_some_and(|first| first.kind != Kind::Text) {
        let lint = Lint::at(span, "search_table_name", format!("{name} {form}."));
        let bare: String = written.chars().filter(|c| *c != '"').collect();
        let is_name = bare.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'));
        found.push(if is_name && parts(&bare) == 3 {
            lint.fixed(format!("'{bare}'"))
        } else {
            lint
        });
    }
}

/// The parts of a dotted name whose parts may be quoted.
pub(super) fn parts(name: &str) -> usize {
    let mut quoted = false;
    let dots = name.chars().filter(|c| {
        quoted ^= *c == '"';
        *c == '.' && !quoted
    });
    dots.count() + 1
}

/// A search that no known index serves; nothing is said of tables without known indexes.
fn index(
    statement: &Statement,
    call: &Call,
    by_words: bool,
    indexes: &[KnownIndex],
    found: &mut Found,
) {
    let literal =
        |at: usize| call.arguments.get(at).and_then(|(start, _)| statement.string(*start));
    let (Some(table), Some(column)) = (literal(0), literal(1)) else { return };
    let wanted = if by_words { Serves::Words } else { Serves::Meaning };
    let mut of_table = indexes.iter().filter(|index| index.is_of(Some(&table))).peekable();
    if of_table.peek().is_none() || !indexes.iter().any(|index| index.is_surely_of(&table)) {
        return;
    }
    let column = column.to_ascii_lowercase();
    let of_column: Vec<Serves> =
        of_table.filter(|index| index.column == column).map(|index| index.serves).collect();
    if of_column.contains(&wanted) {
        return;
    }
    let served = match of_column.first() {
        Some(Serves::Words) => {
            format!("it is searched by words: bm25_search('{table}', '{column}', 'words', 20)")
        }
        Some(Serves::Meaning) => {
            format!(
                "it is searched by meaning: vector_search('{table}', '{column}', 'a question', 20)"
            )
        }
        Some(Serves::Distance(function)) => {
            format!("it is ranked with a vector: ORDER BY {function}({column}, ARRAY[…]) LIMIT 20")
        }
        None => "no index that is known serves it".to_owned(),
    };
    found.push(Lint::at(
        statement.span(call.at, call.close),
        "no_search_index",
        format!(
            "{} cannot search {column}; {served}.",
            statement.text(call.at).to_ascii_lowercase()
        ),
    ));
}

/// Rows come in no useful order: what is ranked has to be sorted, the right way round, before it is cut.
fn order(statement: &Statement, call: &Call, select: &Select, by_words: bool, found: &mut Found) {
    let (ranked, right) = if by_words { ("score", "DESC") } else { ("_distance", "ASC") };
    if let Some(order) = select.order {
        if let Some((name, descends)) = statement.sorted_by(order)
            && statement.name(name).as_deref() == Some(ranked)
            && descends != by_words
        {
            let last = if statement.is_any(name + 1, &["asc", "desc"]) { name + 1 } else { name };
            let best =
                if by_words { "A higher score is better" } else { "A lower _distance is nearer" };
            found.push(
                Lint::at(
                    statement.span(name, last),
                    "worst_first",
                    format!("{best}: ORDER BY {ranked} {right}."),
                )
                .fixed(format!("{} {right}", statement.text(name))),
            );
        }
        return;
    }
    let list = statement.list(select);
    // A figure, a window, or a function of which it is not known: then no row stands for itself.
    let is_figure = |at: usize| {
        statement.name(at).is_some() && statement.text(at + 1) == "("
            || statement.is_any(at, &["over", "distinct"])
    };
    if select.group.is_some() || list.into_iter().any(is_figure) {
        return;
    }
    let span = statement.span(call.at, call.close);
    match select.limit {
        // `LIMIT` alone bounds a search by words itself, and then takes its best.
        Some(_) if by_words && select.level > 0 => {}
        Some(limit) if !by_words => found.push(Lint::at(
            statement.span(limit, limit),
            "limit_before_sort",
            "LIMIT takes rows as they come, not the nearest: write ORDER BY _distance ASC before it, and bound the search \
             by its fourth argument."
                .to_owned(),
        )),
        None if select.level > 0 => {}
        _ => found.push(Lint::at(
            span,
            "unsorted_search",
            format!("The rows of a search come in no useful order: write ORDER BY {ranked} {right}."),
        )),
    }
}

/// The bound that a search is given as a number, where it is a small one: a large one may well be the table's size.
fn small_bound(statement: &Statement, call: &Call) -> Option<u64> {
    let (start, end) = call.arguments.get(3)?;
    let bound = statement.text(*start).parse().ok()?;
    (end - start == 1 && bound <= 1_000).then_some(bound)
}

fn filter(statement: &Statement, call: &Call, select: &Select, found: &mut Found) {
    if let Some(filter) = select.filter
        && let Some(bound) = small_bound(statement, call)
    {
        found.push(Lint::at(
            statement.span(filter, filter),
            "filter_after_bound",
            format!(
                "WHERE sees only the {bound} rows that the search gives: pass the table's row count as the fourth argument, and \
                 LIMIT after ORDER BY."
            ),
        ));
    }
}

/// What a count that equals the bound of the search it counts means.
pub fn counted_to_the_bound(sql: &str, cells: &[String]) -> Option<String> {
    if sql.len() > MOST_BYTES {
        return None;
    }
    let statement = Statement::read(sql);
    let mut bounds = Vec::new();
    // By meaning every row is near or far: whoever counts the nearest has chosen how many.
    for call in statement.calls(&["bm25_search"]) {
        bounds.extend(small_bound(&statement, &call));
    }
    let counts = !statement.calls(&["count"]).is_empty();
    let bound = bounds.iter().find(|bound| cells.contains(&bound.to_string()))?;
    counts.then(|| {
        format!("The count is the fourth argument of the search, {bound}: more rows may match.")
    })
}

/// What a result of a thousand rows means after a search without a bound.
pub fn stopped_at_a_thousand(sql: &str, rows: u64) -> Option<String> {
    if rows != 1_000 || sql.len() > MOST_BYTES {
        return None;
    }
    let statement = Statement::read(sql);
    let unbounded = |call: &Call| call.arguments.len() == 3;
    statement.calls(&["bm25_search"]).iter().any(unbounded).then(|| {
        "Exactly 1,000 rows: bm25_search stopped there, as it had no fourth argument. There may be more.".to_owned()
    })
}
