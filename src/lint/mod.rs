//! What can be told of SQL that others wrote, without running it. Where the structure is not understood, nothing is said.

mod absent;
mod date_template;
mod distances;
mod known;
mod lexer;
mod names;
mod read_only;
mod scores;
mod searches;
mod statement;

pub use absent::absent_functions;
pub(crate) use absent::instead_of;
pub use known::{KnownIndex, Serves};
pub use lexer::{Kind, Token as SqlToken, tokens as sql_tokens};
pub use read_only::{is_read_only, refusal};
pub use searches::{counted_to_the_bound, stopped_at_a_thousand};

use crate::value::Value;
use statement::Statement;

/// The most warnings that go with one answer.
const MOST_WARNINGS: usize = 5;
/// The longest SQL that is looked at, in bytes: a longer one is generated, and no model reads what is said of it.
const MOST_BYTES: usize = 32_768;
/// The most calls of one kind that are looked at, each with all that surrounds it.
const MOST_CALLS: usize = 40;
/// The most that is found in one text.
const MOST_LINTS: usize = 100;

/// Something that SQL does not do as it seems to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lint {
    /// Stable, in snake case.
    pub code: &'static str,
    /// What happens, and what to write instead.
    pub message: String,
    /// What can stand in place of the text from `start` to `end`.
    pub fix: Option<String>,
    /// In bytes.
    pub start: usize,
    /// In bytes, one past the last.
    pub end: usize,
}

/// What the rules add to.
type Found = Vec<Lint>;

fn of(code: &'static str, token: &SqlToken, message: String) -> Lint {
    Lint::at((token.start, token.end()), code, message)
}

impl Lint {
    fn at((start, end): (usize, usize), code: &'static str, message: String) -> Self {
        Self { code, message, fix: None, start, end }
    }

    /// `{code, message, fix, start, end}` with offsets as JavaScript counts: in UTF-16 units of `sql`.
    pub fn to_value(&self, sql: &str) -> Value {
        let units = |end: usize| -> u64 {
            sql.get(..end).map_or(0, |before| before.encode_utf16().count()) as u64
        };
        Value::object([
            ("code", self.code.into()),
            ("message", (&self.message).into()),
            ("fix", self.fix.as_ref().into()),
            ("start", units(self.start).into()),
            ("end", units(self.end).into()),
        ])
    }

    fn fixed(mut self, fix: String) -> Self {
        self.fix = Some(fix);
        self
    }
}

/// Everything found, in the order of the text. `indexes` are those that are known: without them nothing is said of what an
/// index serves.
pub fn lint(sql: &str, indexes: &[KnownIndex]) -> Vec<Lint> {
    let mut sorted: Vec<Lint> = Vec::new();
    // The library's sort is 6 KB of code.
    for lint in advice(sql, indexes).into_iter().chain(refusal(sql)) {
        let before = |known: &&Lint| known.start <= lint.start;
        let at = sorted.iter().take_while(before).count();
        sorted.insert(at, lint);
    }
    sorted
}

/// What an engine that carries out a statement does not mind: said of one that ran, it is a mistake of ours.
const FAILS: [&str; 6] = [
    "unknown_function",
    "unknown_operator",
    "quoted_upper_case",
    "search_table_name",
    "explain_vector_search",
    "no_search_index",
];

/// The same for a model that had the statement run: messages alone, a few, and none about writing.
pub fn warnings(sql: &str, indexes: &[KnownIndex], succeeded: bool) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for lint in advice(sql, indexes) {
        let is_wrong = succeeded && FAILS.contains(&lint.code);
        if !is_wrong && told.len() < MOST_WARNINGS && !told.contains(&lint.message) {
            told.push(lint.message);
        }
    }
    told
}

fn advice(sql: &str, indexes: &[KnownIndex]) -> Vec<Lint> {
    let mut found = Vec::new();
    if sql.len() <= MOST_BYTES {
        let statement = Statement::read(sql);
        date_template::find(&statement, &mut found);
        absent::find(&statement, &mut found);
        names::find(&statement, &mut found);
        searches::find(&statement, indexes, &mut found);
        distances::find(&statement, indexes, &mut found);
        scores::find(&statement, &mut found);
        found.truncate(MOST_LINTS);
    }
    found
}

#[cfg(test)]
mod tests;
