//! Statements that may write, and more than one statement. This keeps a model from mistakes; the boundary is what the
//! caller's key may do.

use super::Lint;
use super::lexer::Kind;
use super::statement::Statement;

const READS: &[&str] = &[
    "select",
    "with",
    "from",
    "values",
    "table",
    "show",
    "describe",
    "desc",
    "explain",
    "pivot",
    "unpivot",
    "summarize",
];
/// What may stand before the statement that is explained.
const EXPLAINS: [&str; 7] =
    ["explain", "describe", "desc", "analyze", "verbose", "extended", "formatted"];
/// Statements that write and can stand within another: in a CTE, in parentheses, after a WITH.
const NESTED: [&str; 4] = ["insert", "update", "delete", "merge"];
/// Before these, such a word is a name.
const AFTER_A_NAME: [&str; 22] = [
    "is", "in", "and", "or", "not", "between", "like", "ilike", "as", "where", "on", "join",
    "left", "right", "inner", "full", "cross", "group", "order", "limit", "union", "asc",
];

const WRITES: (&str, &str) = (
    "write_statement",
    "Only reading is allowed: one SELECT, WITH, VALUES, SHOW, DESCRIBE or EXPLAIN.",
);
const SEVERAL: (&str, &str) =
    ("several_statements", "One statement at a time: leave out what follows the semicolon.");
const UNCLEAR: (&str, &str) = (
    "unclear_statement",
    "Leave out #, @, string prefixes and unusual spaces outside strings: what the text means is not clear.",
);
const NONE: (&str, &str) = ("no_statement", "There is no statement.");

/// Whether SQL is one statement that only reads.
pub fn is_read_only(sql: &str) -> bool {
    refusal(sql).is_none()
}

/// Why SQL is not let through where only reading is allowed: it may write, or it is not one statement.
pub fn refusal(sql: &str) -> Option<Lint> {
    let statement = Statement::read(sql);
    let refused = |at: usize, (code, message): (&'static str, &str)| {
        Some(Lint::at(statement.span(at, at), code, message.to_owned()))
    };
    let all = 0..statement.tokens.len();
    if let Some(at) = all.clone().find(|at| is_unclear(&statement, *at)) {
        return refused(at, UNCLEAR);
    }
    let end = all.clone().find(|at| statement.text(*at) == ";").unwrap_or(all.end);
    if let Some(more) = (end..all.end).find(|at| statement.text(*at) != ";") {
        return refused(more, SEVERAL);
    }
    let mut at = 0;
    let mut explained = false;
    while at < end {
        if statement.is_any(at, &EXPLAINS) {
            explained = true;
        } else if statement.is(at, "format") && explained {
            at += 1;
        } else if statement.text(at) != "(" {
            break;
        }
        at += 1;
    }
    if at >= end {
        return refused(0, NONE);
    }
    // What is described may be a table of any name.
    let mut last = at;
    while statement.text(last + 1) == "." {
        last += 2;
    }
    let is_name = explained && !statement.is(0, "explain") && last + 1 == end;
    if !is_name && !statement.is_any(at, READS) {
        return refused(at, WRITES);
    }
    let writing = (at..end).find(|at| writes(&statement, *at));
    writing.and_then(|at| refused(at, WRITES))
}

/// Texts that the engine's tokenizer reads in ways of its own: `#` and `@` can begin a word that takes in a quote or a
/// semicolon, some prefixes make strings that end elsewhere, and white space of other scripts parts words.
fn is_unclear(statement: &Statement, at: usize) -> bool {
    let next = |at: usize| {
        let (_, end) = statement.span(at, at);
        statement.sql.as_bytes().get(end).copied().unwrap_or(b' ')
    };
    let text = statement.text(at);
    match text {
        "#" => next(at) != b' ',
        "@" if statement.text(at + 1) == "@" => next(at + 1) != b' ',
        "@" => next(at) != b' ' && statement.text(at.wrapping_sub(1)) != "@",
        _ => {
            statement.is_any(at, &["q", "nq", "r", "b"]) && matches!(next(at), b'\'' | b'"')
                || !text.is_ascii()
                    && statement.tokens.get(at).is_some_and(|token| token.kind == Kind::Word)
                    && text.contains(char::is_whitespace)
        }
    }
}

fn writes(statement: &Statement, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| statement.text(before));
    let next_is_name = statement
        .tokens
        .get(at + 1)
        .is_some_and(|next| matches!(next.kind, Kind::Word | Kind::Quoted))
        && !statement.is_any(at + 1, &AFTER_A_NAME);
    next_is_name
        && (statement.is(at, "into") && before != "."
            || statement.is_any(at, &NESTED) && matches!(before, "(" | ")"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_are_told_whatever_stands_in_strings_names_and_comments() {
        for sql in [
            "SELECT 1",
            " /* delete */ select 'drop table t; --' AS \"delete\" -- update\n;",
            "WITH x AS (SELECT 1) SELECT * FROM x",
            "(SELECT 1) UNION (SELECT 2)",
            "EXPLAIN SELECT 1",
            "EXPLAIN ANALYZE VERBOSE SELECT 1",
            "EXPLAIN FORMAT tree SELECT 1",
            "show tables",
            "DESCRIBE default.public.load",
            "VALUES (1)",
            "FROM t",
            "SELECT replace(a, 'b', 'c'), t.delete, update, set, load FROM t",
            "SELECT COUNT(update), (delete IS NULL) FROM (SELECT 1) update WHERE update.delete > 1",
            "SELECT $$; DELETE FROM t$$, E'\\'; DROP TABLE t; --'",
            "SELECT 1;;",
            "SELECT a @@ b, 5 # 3",
        ] {
            assert_eq!(refusal(sql), None, "{sql}");
            assert!(is_read_only(sql));
        }
    }

    #[test]
    fn h13_whatever_may_write_is_refused_with_a_reason() {
        for (sql, code) in [
            ("", "no_statement"),
            (";", "no_statement"),
            ("-- SELECT 1", "no_statement"),
            ("EXPLAIN", "no_statement"),
            ("/*x*/DELETE FROM t", "write_statement"),
            ("WITH x AS (SELECT 1\n) DELETE FROM t", "write_statement"),
            ("WITH x AS (DELETE FROM t RETURNING id) SELECT * FROM x", "write_statement"),
            ("WITH x AS (SELECT 1) UPDATE t SET a = 1", "write_statement"),
            ("SELECT * INTO t2 FROM t", "write_statement"),
            ("SELECT * FROM (SELECT 1 INTO t2) s", "write_statement"),
            ("COPY (SELECT 1) TO '/x'", "write_statement"),
            ("SET a = 1", "write_statement"),
            ("SELECT '--'\n; DELETE FROM t", "several_statements"),
            ("SELECT 1; SELECT 2", "several_statements"),
            ("SELECT 'a\\'; DELETE FROM t; --'", "several_statements"),
            ("EXPLAIN ANALYZE INSERT INTO t VALUES (1)", "write_statement"),
            ("DESCRIBE DELETE FROM t", "write_statement"),
            ("((DELETE FROM t))", "write_statement"),
            ("CREATE TABLE t AS SELECT 1", "write_statement"),
            ("SELECT 1E'a\\'b'; DELETE FROM t --'", "several_statements"),
            ("SELECT 1#' ; DELETE FROM t --'", "unclear_statement"),
            ("SELECT 4 //*2; DELETE FROM t --*/", "several_statements"),
            ("SELECT #' ; DELETE FROM t --'", "unclear_statement"),
            ("SELECT q'[a'b]'; DELETE FROM t --'", "unclear_statement"),
            ("SELECT\u{a0}1", "unclear_statement"),
            ("SELECT @E'\\' ; DELETE FROM t --'", "unclear_statement"),
            ("SELECT @@' ; DELETE FROM t --'", "unclear_statement"),
            ("'select'", "write_statement"),
            ("\"select\" 1", "write_statement"),
        ] {
            let lint = refusal(sql).unwrap_or_else(|| panic!("{sql}"));
            assert_eq!(lint.code, code, "{sql}");
            assert!(!is_read_only(sql));
        }
    }
}
