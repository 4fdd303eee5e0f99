//! What a statement names, read off its text.

use crate::lint::{Kind, SqlToken as Token, sql_tokens as tokens};
use crate::text::without;

/// The tables a statement reads, as it writes them: those given to a search function as text, then those after FROM or JOIN
/// or a comma between them.
pub(super) fn tables(sql: &str) -> Vec<String> {
    let tokens = tokens(sql);
    let (mut searched, mut named) = (Vec::new(), Vec::new());
    let (mut in_from, mut expected, mut at) = (false, false, 0);
    while let Some(token) = tokens.get(at) {
        at += 1;
        let is_searched = token.kind == Kind::Text
            && at > 2
            && tokens.get(at - 2).is_some_and(|before| before.text == "(")
            && tokens.get(at - 3).is_some_and(|function| is(function, SEARCHES));
        if is_searched {
            searched.push(without(token.text, '\''));
        } else if is(token, &["from", "join", "describe"]) {
            (in_from, expected) = (true, true);
        } else if token.text == "," {
            expected = in_from;
        } else if token.text == "(" || is(token, ENDS) {
            (in_from, expected) = (false, false);
        } else if expected && matches!(token.kind, Kind::Word | Kind::Quoted) {
            let mut name = token.text.to_owned();
            while let (Some(dot), Some(part)) = (tokens.get(at), tokens.get(at + 1))
                && dot.text == "."
            {
                name.push('.');
                name.push_str(part.text);
                at += 2;
            }
            expected = false;
            if tokens.get(at).is_none_or(|next| next.text != "(") {
                named.push(without(&name, '`'));
            }
        }
    }
    searched.append(&mut named);
    searched
}

const SEARCHES: &[&str] = &["bm25_search", "vector_search"];
/// Words that end a list of tables.
const ENDS: &[&str] =
    &["select", "where", "on", "group", "order", "having", "limit", "union", "using"];

fn is(token: &Token, words: &[&str]) -> bool {
    token.kind == Kind::Word && words.iter().any(|word| token.text.eq_ignore_ascii_case(word))
}

/// Whether the statement has that name in double quotes.
pub(super) fn quotes(sql: &str, name: &str) -> bool {
    tokens(sql)
        .iter()
        .any(|token| token.kind == Kind::Quoted && token.text.trim_matches('"') == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_found_wherever_they_are_read() {
        for (sql, expected) in [
            ("SELECT a FROM default.public.t WHERE x", "default.public.t"),
            ("SELECT a, b FROM T x JOIN public.\"U\" ON x.a = b, c", "T public.\"U\""),
            ("SELECT a FROM t, u AS v, `w` WHERE a IN (b, c)", "t u w"),
            ("SELECT a FROM (SELECT b, c FROM t) u, v", "t v"),
            ("SELECT a FROM bm25_search('a.b.c', 'from t', 'q', 3) s JOIN t ON x", "a.b.c t"),
            ("SELECT a FROM vector_search ( 'c' , 'x', 'q', 3)", "c"),
            ("SELECT lower('a.b.c') FROM generate_series(1, 2)", ""),
            ("DESCRIBE t", "t"),
            ("SELECT 'from t' -- from t", ""),
            ("SELECT EXTRACT(year FROM d) FROM t", "d t"),
            ("FROM", ""),
            ("FROM a.", "a"),
        ] {
            assert_eq!(tables(sql).join(" "), expected, "{sql}");
        }
    }

    #[test]
    fn names_in_double_quotes_are_told_from_text() {
        let sql = "SELECT \"all\", 'X' -- \"Z\"";
        assert!(quotes(sql, "all") && !quotes(sql, "X") && !quotes(sql, "Z"));
    }
}
