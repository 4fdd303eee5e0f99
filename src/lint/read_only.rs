//! Whether a statement only reads.

use super::lexer::{Kind, tokens};

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

/// Each of them, anywhere outside strings, quoted names and comments, makes a statement one that may write: a `WITH` can
/// lead to a `DELETE`, and a `SELECT` can have an `INTO`.
const MAY_WRITE: &[&str] = &[
    "insert", "update", "delete", "merge", "upsert", "replace", "into", "create", "drop", "alter",
    "truncate", "copy", "grant", "revoke", "call", "execute", "set", "reset", "vacuum", "install",
    "load", "attach", "detach", "export", "import", "begin", "commit", "rollback",
];

/// Whether SQL is one statement that certainly only reads. False where that is not certain: `replace` is a function too.
pub fn is_read_only(sql: &str) -> bool {
    let mut first = true;
    let mut ended = false;
    for token in tokens(sql) {
        if ended {
            return false;
        }
        if token.text == ";" {
            ended = true;
            continue;
        }
        if first && token.text == "(" {
            continue;
        }
        let is_one_of =
            |words: &[&str]| words.iter().any(|word| token.text.eq_ignore_ascii_case(word));
        if token.kind == Kind::Word && is_one_of(MAY_WRITE) || first && !is_one_of(READS) {
            return false;
        }
        first = false;
    }
    !first
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
