//! What a model can do after a call has failed: the next call or the SQL to write, from what the database really holds.

mod facts;
mod live;
mod statement;

use crate::client::{Client, Transport};
use crate::error::{Code, Error};
use crate::lint::{instead_of, warnings};
use crate::search::{Asks, refusal_of};
use crate::sql::TableName;
use crate::text::{add_sentence, after};
use crate::value::Value;

use super::describe::column_facts;

pub(super) use facts::Facts;
use facts::{of_columns, of_indexes};
use live::{Answer, Asked};

/// The statement that a call was about: the one it was given, else the least that names the table it searches.
pub(super) fn statement_of(arguments: &Value, searched: Option<&TableName>) -> String {
    if let Value::Object(members) = arguments {
        for (name, value) in members {
            if let ("sql", Value::Text(sql)) = (name.as_str(), value) {
                return sql.clone();
            }
        }
    }
    searched.map(|table| format!("FROM {}", table.path())).unwrap_or_default()
}

/// The error with what to do next. Code, message, status and cause stay; a hint it has already stays in front. A look-up
/// that fails adds nothing, one that is aborted gives the abort.
///
/// `sql` is the statement that failed, where there was one.
pub(super) async fn with_hint<T: Transport>(
    client: &Client<T>,
    database: &str,
    sql: Option<&str>,
    mut error: Error,
    facts: &Facts,
) -> Error {
    let sql = sql.unwrap_or_default();
    let mut hint = error.hint.take().unwrap_or_default();
    let asked = next_step(&error, sql, &mut hint);
    // What is kept is asked first; the database anew where that does not answer.
    let (mut table, mut again): (Option<TableName>, bool) = (None, false);
    while let Some(asked) = &asked {
        let of_table = table.as_ref().map(TableName::path).unwrap_or_default();
        let is_new = again || !facts.has(&of_table);
        if is_new {
            let found = match &table {
                None => column_facts(client, database, None).await.map(of_columns),
                Some(table) => client
                    .indexes(Some(database), table)
                    .await
                    .map(|indexes| of_indexes(&of_table, indexes)),
            };
            match found {
                Ok(found) => facts.keep(&of_table, found),
                Err(aborted) if aborted.code == Code::Aborted => return aborted,
                Err(_) => break,
            }
        }
        let describe = facts.describe.as_deref();
        let answer = facts.read(&of_table, |known| {
            live::answer(asked, sql, known, table.is_some(), is_new, describe)
        });
        match answer {
            Answer::Hint(found) => {
                add_sentence(&mut hint, &found);
                break;
            }
            Answer::IndexesOf(named) => (table, again) = (Some(named), false),
            Answer::Again => again = true,
        }
    }
    error.hint = Some(hint).filter(|hint| !hint.is_empty());
    error
}

const ONCE_MORE: &str =
    "The service failed, not the SQL: make the same call once more, then tell the user.";

/// Adds to `hint` what the error tells by itself, and gives what the database has to be asked beside.
fn next_step(error: &Error, sql: &str, hint: &mut String) -> Option<Asked> {
    let step = match error.code {
        _ if error.retryable => {
            let seconds = error.retry_after.as_deref().unwrap_or_default().trim();
            let is_number = (1..9).contains(&seconds.len())
                && seconds.bytes().all(|digit| digit.is_ascii_digit());
            let mut step = "Nothing is wrong with the call: make it again, unchanged,".to_owned();
            step.push_str(if is_number { " after " } else { " later" });
            step.push_str(if is_number { seconds } else { "" });
            step.push_str(if is_number { " s." } else { "." });
            add_sentence(hint, &step);
            return None;
        }
        Code::BadRequest | Code::QueryFailed | Code::EngineError => {
            return of_words(error, sql, hint);
        }
        Code::Timeout => "Make the same call once more later, then ask for less: WHERE, LIMIT.",
        Code::TooLarge => "Ask for less: aggregate, name fewer columns, add WHERE or LIMIT.",
        Code::Unauthorized | Code::Forbidden => {
            "The API key may not do this, whatever the SQL: tell the user."
        }
        Code::OutcomeUnknown if hint.is_empty() => {
            "Look with a SELECT whether it was applied before you repeat it."
        }
        Code::UnexpectedResponse => ONCE_MORE,
        _ => "",
    };
    add_sentence(hint, step);
    None
}

fn of_words(error: &Error, sql: &str, hint: &mut String) -> Option<Asked> {
    let message = error.message.as_str();
    let silent = error.engine_message.is_none() && error.status.is_some();
    // So a date function refuses a template (contract, "one wrong guess fails silently").
    let of_dates = after(message, "rror parsing timestamp").is_some()
        || after(message, "nternal server error").is_some();
    let of_syntax = after(message, "ParserError").is_some();
    if silent || of_dates || of_syntax {
        for sentence in warnings(sql, &[], false) {
            add_sentence(hint, &sentence);
        }
    }
    if silent && hint.is_empty() && error.code == Code::BadRequest {
        add_sentence(hint, "Leave out one part after another to find what is refused.");
    }
    let known = refusal_of(message);
    let instead = known.and_then(|(known, rest)| instead_of(known.name(rest)?));
    match instead {
        Some(instead) => add_sentence(hint, &format!("Write {instead}.")),
        None => add_sentence(hint, known.map_or("", |(known, _)| known.hint)),
    }
    if hint.is_empty() && known.is_none() {
        for sentence in warnings(sql, &[], false) {
            add_sentence(hint, &sentence);
        }
    }
    if error.code == Code::EngineError && hint.is_empty() {
        add_sentence(hint, ONCE_MORE);
    }
    let (known, rest) = known?;
    (known.asks != Asks::Nothing).then(|| Asked::of(known.asks, rest))
}

#[cfg(test)]
mod tests;
