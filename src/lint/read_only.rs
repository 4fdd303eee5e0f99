//! Whether SQL is one statement that only reads.

use super::lexer::{Kind, Token, tokens};
use super::{Lint, of};

/// What a statement that reads begins with.
const READS: &[&str] = &["select", "with", "from", "values", "table", "show"];
const PLANS: &[&str] = &["explain", "describe", "desc"];
/// What may stand between `EXPLAIN` and its statement; `analyze` only at once after it, for it is a statement too.
const PLAN_OPTIONS: &[&str] = &["verbose", "query", "plan", "estimate", "extended", "formatted"];
/// What writes where a query may begin: in brackets, and after a `WITH` list.
const WRITES_IN_QUERIES: &[&str] = &["insert", "update", "delete", "merge"];
/// What else a statement that is no query begins with.
const STATEMENTS: &[&str] = &[
    "create",
    "drop",
    "alter",
    "truncate",
    "copy",
    "grant",
    "revoke",
    "deny",
    "call",
    "execute",
    "exec",
    "prepare",
    "deallocate",
    "set",
    "reset",
    "use",
    "vacuum",
    "analyze",
    "optimize",
    "msck",
    "install",
    "load",
    "unload",
    "attach",
    "detach",
    "export",
    "import",
    "begin",
    "start",
    "commit",
    "end",
    "rollback",
    "savepoint",
    "release",
    "abort",
    "replace",
    "upsert",
    "comment",
    "rename",
    "lock",
    "cache",
    "uncache",
    "refresh",
    "discard",
    "declare",
    "fetch",
    "open",
    "close",
    "kill",
    "flush",
    "pragma",
    "case",
    "if",
    "while",
    "raise",
    "raiserror",
    "throw",
    "assert",
    "print",
    "waitfor",
    "return",
    "listen",
    "unlisten",
    "notify",
    "do",
];

/// Why SQL is not run as reading: it writes, or it is more than one statement. Nothing for a text that the engine reads as
/// one query, and for a text without any statement. Held against the engine's own parser by a test.
pub fn refusal(sql: &str) -> Option<Lint> {
    refused(&tokens(sql))
}

/// Whether SQL is one statement that only reads.
pub fn is_read_only(sql: &str) -> bool {
    let tokens = tokens(sql);
    tokens.iter().any(|token| token.text != ";") && refused(&tokens).is_none()
}

pub(super) fn refused(tokens: &[Token]) -> Option<Lint> {
    let first = tokens.iter().position(|token| token.text != ";")?;
    let tokens = tokens.get(first..)?;
    let end = tokens.iter().position(|token| token.text == ";").unwrap_or(tokens.len());
    if let Some(second) = tokens.iter().skip(end).find(|token| token.text != ";") {
        let message =
            "Only one statement runs in a call. Send each statement in a call of its own.";
        return Some(of("stacked_statements", second, message.to_owned()));
    }
    let writing = writing_start(tokens).or_else(|| writing_inside(tokens))?;
    let word = writing.text.to_ascii_uppercase();
    Some(
        if writing.is_one_of(WRITES_IN_QUERIES)
            || writing.is_one_of(STATEMENTS)
            || writing.is("into")
        {
            let message = format!(
                "{word} does not run here: only queries do (SELECT, WITH, VALUES, SHOW, DESCRIBE, EXPLAIN)."
            );
            of("write_statement", writing, message)
        } else {
            let message =
                "This is not a query. Begin with SELECT, WITH, VALUES, SHOW, DESCRIBE or EXPLAIN.";
            of("not_a_query", writing, message.to_owned())
        },
    )
}

/// The first word, where the statement is none that reads.
fn writing_start<'a, 't>(tokens: &'a [Token<'t>]) -> Option<&'a Token<'t>> {
    let mut at = 0;
    let mut planned = None;
    loop {
        let token = tokens.get(at)?;
        at += 1;
        if token.is_one_of(PLANS) {
            planned = Some(token);
            if tokens.get(at).is_some_and(|next| next.is("analyze")) {
                at += 1;
            }
        } else if planned.is_some() && token.is_one_of(PLAN_OPTIONS) {
        } else if planned.is_some() && token.is("format") {
            at += 1;
        } else if token.text == "(" {
            let inner = tokens.get(at)?;
            // Options stand in brackets too.
            if planned.is_none() || inner.text == "(" || inner.is_one_of(READS) {
                return None;
            }
            while tokens.get(at).is_some_and(|token| token.text != ")") {
                at += 1;
            }
            at += 1;
        } else if token.is_one_of(READS) {
            return None;
        } else if planned.is_some_and(|plan| !plan.is("explain"))
            && !token.is_one_of(STATEMENTS)
            && !token.is_one_of(WRITES_IN_QUERIES)
        {
            // The name of a table.
            return None;
        } else {
            return Some(token);
        }
    }
}

/// Where a query within the statement is none: at the start of brackets, after a `WITH` list, or by `INTO`.
fn writing_inside<'a, 't>(tokens: &'a [Token<'t>]) -> Option<&'a Token<'t>> {
    // For each open bracket, whether a `WITH` list is being read in it.
    let mut lists = vec![false];
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let is_after = |texts: &[&str]| {
            before.is_none_or(|before| {
                texts.iter().any(|text| before.text.eq_ignore_ascii_case(text))
            })
        };
        match token.text {
            "(" => lists.push(false),
            ")" if lists.len() > 1 => {
                lists.pop();
            }
            _ => {}
        }
        if token.kind != Kind::Word || before.is_some_and(|before| before.text == ".") {
            continue;
        }
        let in_list = lists.last_mut()?;
        if token.is("with") {
            // Others stand before TIME ZONE, ORDINALITY or ROLLUP.
            *in_list = *in_list
                || before.is_none_or(|before| {
                    before.text == "("
                        || before.is_one_of(PLANS)
                        || before.is_one_of(PLAN_OPTIONS)
                        || before.is("analyze")
                        || before.text == ")"
                });
        } else if *in_list && token.is_one_of(&["select", "values", "table"]) {
            *in_list = false;
        } else if token.is("into") && !is_after(&["as"]) {
            return Some(token);
        } else if token.is_one_of(WRITES_IN_QUERIES) {
            let begins =
                is_after(&["("]) || *in_list && !is_after(&[",", "with", "recursive", "as"]);
            let goes_on = tokens
                .get(at + 1)
                .is_some_and(|next| next.kind != Kind::Symbol || next.text == "(");
            if begins && goes_on {
                return Some(token);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_are_told_whatever_stands_in_strings_and_comments() {
        for sql in [
            "SELECT 1",
            " /* delete */ select 'drop table t; --' AS \"delete\" -- update\n;",
            "WITH x AS (SELECT 1) SELECT * FROM x",
            "(SELECT 1) UNION (SELECT 2)",
            "EXPLAIN SELECT 1",
            "show tables",
            "VALUES (1)",
            "FROM t",
        ] {
            assert!(is_read_only(sql), "{sql}");
        }
    }

    #[test]
    fn whatever_may_write_is_none() {
        for sql in [
            "",
            ";",
            "-- SELECT 1",
            "/*x*/DELETE FROM t",
            "WITH x AS (SELECT 1\n) DELETE FROM t",
            "SELECT * INTO t2 FROM t",
            "COPY (SELECT 1) TO '/x'",
            "SET a = 1",
            "SELECT '--'\n; DELETE FROM t",
            "SELECT 1; SELECT 2",
            "EXPLAIN ANALYZE INSERT INTO t VALUES (1)",
            "CREATE TABLE t AS SELECT 1",
            "'select'",
            "\"select\" 1",
        ] {
            assert!(!is_read_only(sql), "{sql}");
        }
    }
}
