//! Quoted names with upper case. The engine stores every name in lower case, and refuses such a one with an empty answer
//! (contract, "Identifiers").

use super::lexer::Kind;
use super::statement::Statement;
use super::{Found, Lint, MOST_LINTS};

/// After these a quoted name refers to something; elsewhere it may give a name to a column of the answer.
const BEFORE_A_REFERENCE: [&str; 21] = [
    "select", "distinct", "by", "where", "and", "or", "not", "on", "having", "from", "join",
    "case", "when", "then", "else", "between", "like", "ilike", "in", "is", "using",
];

pub(super) fn find(statement: &Statement, found: &mut Found) {
    let refers = |at: usize| {
        let before = statement.tokens.get(at.wrapping_sub(1));
        before.is_some_and(|before| match before.kind {
            Kind::Symbol => !matches!(before.text, ")" | "]"),
            _ => statement.is_any(at - 1, &BEFORE_A_REFERENCE),
        })
    };
    for (at, token) in statement.tokens.iter().enumerate() {
        let has_upper = token.text.bytes().any(|byte| byte.is_ascii_uppercase());
        if token.kind != Kind::Quoted || !has_upper || !token.text.starts_with('"') || !refers(at) {
            continue;
        }
        // A name that the statement gives itself keeps its case.
        let is_given = statement
            .tokens
            .iter()
            .enumerate()
            .any(|(other, same)| same.text == token.text && !refers(other));
        if found.len() >= MOST_LINTS {
            return;
        }
        // Only of these letters it is known how they are folded.
        if !is_given && token.text.is_ascii() {
            let lower = token.text.to_ascii_lowercase();
            let message = format!(
                "Names are stored in lower case: {} is not found, and the engine may not say why; write {lower}.",
                token.text
            );
            found.push(Lint::at(statement.span(at, at), "quoted_upper_case", message).fixed(lower));
        }
    }
}
