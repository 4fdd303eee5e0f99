//! Hints that say what the database holds.

use crate::search::Asks;
use crate::sql::{TableName, text_literal};
use crate::text::{distance, one_line, shown, without};

use super::facts::Fact;
use super::statement;

/// The most names a hint lists.
const MOST: usize = 5;

/// What an error leaves to be asked, and the name it is about.
pub(super) struct Asked {
    what: Asks,
    name: String,
}

/// What the facts at hand give.
pub(super) enum Answer {
    Hint(String),
    /// What can be searched in that table is needed.
    IndexesOf(TableName),
    /// They contradict the error or do not answer it, and may be out of date.
    Again,
}

impl Asked {
    /// `rest` is what follows the words that refuse: the name, then more of the message.
    pub fn of(what: Asks, rest: &str) -> Self {
        let (mut name, mut quoted) = (String::new(), false);
        for character in rest.chars() {
            quoted ^= character == '"';
            let ends = match what {
                Asks::Columns => !quoted && character.is_ascii_whitespace(),
                _ => character == '\'',
            };
            if ends {
                break;
            }
            name.push(character);
        }
        if what == Asks::Columns && name.ends_with('.') {
            name.pop();
        }
        Self { what, name }
    }

    #[cfg(test)]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The last part of a name, unquoted.
fn last_part(name: &str) -> String {
    let mut last = String::new();
    for character in name.chars() {
        match character {
            '.' => last.clear(),
            '"' => {}
            _ => last.push(character),
        }
    }
    last
}

fn catalog(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}

/// Whether a table may be meant by a name of one to three parts.
fn is_meant(path: &str, name: &str) -> bool {
    let (path, name) = (without(path, '"'), without(name, '"').to_ascii_lowercase());
    let before = path.strip_suffix(name.as_str());
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// What `facts` say: of the tables the statement names all columns, or with `of_indexes` how one can be searched.
pub(super) fn answer(
    asked: &Asked,
    sql: &str,
    facts: &[Fact],
    of_indexes: bool,
    is_new: bool,
    describe: Option<&str>,
) -> Answer {
    let hint = match asked.what {
        Asks::Words | Asks::Meaning if of_indexes => searchable(asked, facts, is_new),
        Asks::Words | Asks::Meaning => {
            let named = statement::tables(sql);
            let is_named =
                |fact: &&Fact| named.first().is_some_and(|name| is_meant(&fact.table, name));
            let table = facts.iter().find(is_named);
            match table.and_then(|fact| TableName::parse("", &fact.table).ok()) {
                Some(table) => return Answer::IndexesOf(table),
                None => is_new.then(|| SUBSTRINGS.to_owned()),
            }
        }
        _ => names(asked, sql, facts, is_new, describe),
    };
    match hint {
        Some(hint) => Answer::Hint(hint),
        None if is_new => Answer::Hint(String::new()),
        None => Answer::Again,
    }
}

const SUBSTRINGS: &str = "A column ILIKE '%word%' filters without an index.";

fn searchable(asked: &Asked, facts: &[Fact], is_new: bool) -> Option<String> {
    let function = if asked.what == Asks::Words { "bm25_search" } else { "vector_search" };
    let (mut hint, mut is_served, mut contradicts) = (String::new(), false, false);
    for Fact { table, column, by } in facts {
        let is_of_error = *column == asked.name;
        is_served |= by == function;
        contradicts |= is_of_error && (by == function || by.is_empty());
        if by.is_empty() {
            if is_of_error && is_new {
                return Some("Its index is being built: make the same call again later.".into());
            }
            continue;
        }
        hint.push_str(if hint.is_empty() { "There is: " } else { "; " });
        let column = shown(column);
        let order = match by.as_str() {
            "bm25_search" => "score DESC",
            "vector_search" => "_distance",
            _ => {
                hint.push_str(&format!("{by} of {column} to a vector"));
                continue;
            }
        };
        let (table, column) = (text_literal(table), text_literal(&column));
        hint.push_str(&format!("FROM {by}({table}, {column}, 'words', 100) ORDER BY {order}"));
    }
    if !is_new && (contradicts || !is_served) {
        return None;
    }
    hint.push_str(if hint.is_empty() { "Nothing is indexed there. " } else { ". " });
    hint.push_str(SUBSTRINGS);
    Some(hint)
}

/// The nearest names, or some where none is near. Nothing where the facts contradict the error or hold nothing near, and
/// may be out of date.
fn names(
    asked: &Asked,
    sql: &str,
    facts: &[Fact],
    is_new: bool,
    describe: Option<&str>,
) -> Option<String> {
    let of_tables = matches!(asked.what, Asks::Tables | Asks::OfEmpty);
    let by_name = matches!(asked.what, Asks::Tables | Asks::Columns);
    let named = statement::tables(sql);
    let wanted = asked.name.as_str();
    let last = last_part(wanted);
    let folded = last.to_ascii_lowercase();
    let (mut catalogs, mut catalog_before) = (String::new(), "");
    let mut here: Vec<(usize, &Fact)> = Vec::new();
    let (mut least, mut is_there, mut is_own) = (usize::MAX, false, false);
    for fact in facts {
        let name = if of_tables {
            if here.last().is_some_and(|before| before.1.table == fact.table) {
                continue;
            }
            let catalog = catalog(&fact.table);
            is_own |= catalog == self::catalog(wanted);
            if catalog != catalog_before {
                if catalogs.len() < 256 {
                    catalogs.push_str(if catalogs.is_empty() { "" } else { ", " });
                    catalogs.push_str(&shown(catalog));
                }
                catalog_before = catalog;
            }
            is_there |= fact.table == wanted;
            &last_part(&fact.table)
        } else if named.iter().any(|name| is_meant(&fact.table, name)) {
            is_there |= fact.column == last;
            &fact.column
        } else {
            continue;
        };
        let far = if by_name { distance(&folded, name) } else { None };
        let far = far.unwrap_or(usize::MAX);
        least = least.min(far);
        here.push((far, fact));
    }
    if here.is_empty() || by_name && !is_new && (least == usize::MAX || is_there) {
        return None;
    }
    let mut hint = String::new();
    match asked.what {
        Asks::Projection => {
            let column = shown(&here.first()?.1.column);
            return Some(format!("For COUNT(*) write COUNT(*), COUNT(\"{column}\")."));
        }
        Asks::Tables if !is_own && wanted.split('.').nth(2).is_some() => {
            hint = format!(
                "A query sees the catalogs of its own database alone: {catalogs}. Tables of another database need a \
                 call of their own, on that database. "
            );
        }
        Asks::Columns if is_there => {
            hint.push_str("It exists: give it its alias from FROM, and select it in subqueries. ");
        }
        Asks::Columns if least == 0 => hint.push_str("Names are stored in lower case. "),
        Asks::Columns if least == usize::MAX && statement::quotes(sql, &last) => {
            hint.push_str("Text goes in single quotes. ");
        }
        _ => {}
    }
    hint.push_str(if least < usize::MAX { "Nearest: " } else { "There is: " });
    let (mut told, mut before) = (0, "");
    for (far, fact) in here {
        if far > least || told == MOST {
            continue;
        }
        let is_same = of_tables || fact.table == before;
        hint.push_str(match told {
            0 => "",
            _ if is_same => ", ",
            _ => "; ",
        });
        told += 1;
        if of_tables || !is_same {
            hint.push_str(&one_line(&fact.table, 200));
            before = &fact.table;
        }
        if !of_tables {
            hint.push_str(if is_same { "" } else { " has " });
            hint.push_str(&shown(&fact.column));
        }
    }
    hint.push_str(match (describe, of_tables) {
        (Some(_), _) => ". For all call ",
        (None, true) => ". For all query information_schema.tables",
        (None, false) => ". For all query information_schema.columns",
    });
    hint.push_str(describe.unwrap_or_default());
    hint.push('.');
    Some(hint)
}
