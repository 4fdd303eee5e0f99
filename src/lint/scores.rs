//! Scores of different searches, which do not compare (contract, "Scores are comparable within one result set").

use super::searches::FUNCTIONS as SEARCHES;
use super::statement::Statement;
use super::{Found, Lint};

const OPERATORS: [&str; 7] = ["+", "-", "*", "/", "<", ">", "="];
const MESSAGE: &str = "Scores and distances of different searches do not compare: rank each search by itself and combine the ranks.";

pub(super) fn find(statement: &Statement, found: &mut Found) {
    if statement.calls(&SEARCHES).len() < 2 {
        return;
    }
    let ranked = |at: usize| statement.is_any(at, &["score", "_distance"]);
    let owner = |at: usize| match statement.text(at.wrapping_sub(1)) {
        "." => statement.name(at.wrapping_sub(2)),
        _ => None,
    };
    for at in 0..statement.tokens.len() {
        if !ranked(at) || !OPERATORS.contains(&statement.text(at + 1)) {
            continue;
        }
        let other = if statement.text(at + 3) == "." { at + 4 } else { at + 2 };
        let is_same = owner(at) == owner(other) && statement.name(at) == statement.name(other);
        if ranked(other) && !is_same {
            found.push(Lint::at(statement.span(at, other), "scores_compared", MESSAGE.to_owned()));
            return;
        }
    }
    // Sorted by the score across a UNION.
    for at in 0..statement.tokens.len() {
        if !statement.is(at, "order") {
            continue;
        }
        let by_score = statement.sorted_by(at).is_some_and(|(name, _)| ranked(name));
        let level = statement.level(at);
        let is_union = |other: usize| {
            let there = statement.level(other);
            let nested = there > 0
                && statement.level(there - 1) == level
                && statement.is(there.wrapping_sub(2), "from");
            statement.is(other, "union") && other < at && (there == level || nested)
        };
        if by_score && (0..at).any(is_union) {
            found.push(Lint::at(statement.span(at, at + 2), "scores_compared", MESSAGE.to_owned()));
            return;
        }
    }
}
