//! SQL text as tokens: what is a word, and what only looks like one within a string, a quoted name or a comment.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A keyword, an unquoted name or the digits of a number.
    Word,
    /// A name in double quotes or backticks, with them.
    Quoted,
    /// A string literal, with its quotes: also `E'…'` and `$tag$…$tag$`.
    Text,
    /// Any other character.
    Symbol,
}

/// A piece of SQL text; white space and comments are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// As it is written.
    pub text: &'a str,
    /// Where it starts, in bytes.
    pub start: usize,
}

/// The tokens of any text. What is left open ends with the text.
pub fn tokens(sql: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at = skip_blank(sql, at);
        let start = at;
        let first = *sql.as_bytes().get(start)?;
        let (kind, end) = match first {
            b'\'' => (Kind::Text, quoted_end(sql, start, first)),
            b'"' | b'`' => (Kind::Quoted, quoted_end(sql, start, first)),
            b'e' | b'E' if sql.as_bytes().get(start + 1) == Some(&b'\'') => {
                (Kind::Text, escaped_end(sql, start + 1))
            }
            b'$' => match dollar_end(sql, start) {
                Some(end) => (Kind::Text, end),
                None => (Kind::Symbol, start + 1),
            },
            // What follows the digits of a number is read anew, as the engine does: `1E'…'` ends in a string.
            b'0'..=b'9' => (Kind::Word, start + count(sql, start, |byte| byte.is_ascii_digit())),
            _ if is_word(first) => (Kind::Word, start + count(sql, start, continues_word)),
            // A division to the engine: the star of `//*` opens no comment.
            b'/' if sql.as_bytes().get(start + 1) == Some(&b'/') => (Kind::Symbol, start + 2),
            _ => (Kind::Symbol, start + 1),
        };
        at = end;
        Some(Token { kind, text: sql.get(start..end)?, start })
    })
}

/// Bytes of other than ASCII letters belong to words: so does every letter of every script.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// What the engine's tokenizer takes into a word that has begun.
fn continues_word(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'$' | b'@' | b'#')
}

fn count(sql: &str, from: usize, belongs: impl Fn(u8) -> bool) -> usize {
    sql.as_bytes().iter().skip(from).take_while(|byte| belongs(**byte)).count()
}

/// The end of what a quote opens; a doubled quote stands for itself.
fn quoted_end(sql: &str, start: usize, quote: u8) -> usize {
    let bytes = sql.as_bytes();
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        if *byte != quote {
            continue;
        }
        if bytes.get(at) != Some(&quote) {
            return at;
        }
        at += 1;
    }
    at
}

/// The end of `E'…'`, where a backslash takes what follows it for itself.
fn escaped_end(sql: &str, quote: usize) -> usize {
    let bytes = sql.as_bytes();
    let mut at = quote + 1;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\\' => at += 1,
            b'\'' if bytes.get(at) == Some(&b'\'') => at += 1,
            b'\'' => return at,
            _ => {}
        }
    }
    sql.len()
}

/// The end of `$tag$…$tag$`, if that is what starts here.
fn dollar_end(sql: &str, start: usize) -> Option<usize> {
    let tag_end = start + 1 + count(sql, start + 1, is_word);
    if sql.as_bytes().get(tag_end) != Some(&b'$') {
        return None;
    }
    let tag = sql.get(start..=tag_end)?;
    if tag.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let mut at = tag_end + 1;
    while let Some(rest) = sql.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(tag) {
            return Some(at + tag.len());
        }
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    Some(sql.len())
}

fn skip_blank(sql: &str, mut at: usize) -> usize {
    loop {
        at += count(sql, at, |byte| byte.is_ascii_whitespace());
        let rest = sql.get(at..).unwrap_or_default();
        if rest.starts_with("--") {
            at += count(sql, at, |byte| byte != b'\n');
        } else if rest.starts_with("/*") {
            at += comment_length(rest);
        } else {
            return at;
        }
    }
}

/// A block comment with those nested in it.
fn comment_length(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while let Some(two) = rest.as_bytes().get(at..at + 2) {
        match two {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(sql: &str) -> Vec<&str> {
        tokens(sql).map(|token| token.text).collect()
    }

    #[test]
    fn words_strings_names_and_comments_are_told_apart() {
        assert_eq!(
            texts("/* a /* b */ 'c */SELECT \"x--\"\"y\", 'it''s -- no', `q` -- end 'x\n;é1"),
            ["SELECT", "\"x--\"\"y\"", ",", "'it''s -- no'", ",", "`q`", ";", "é1"]
        );
        let kinds: Vec<_> = tokens("a \"b\" 'c' ;").map(|token| token.kind).collect();
        assert_eq!(kinds, [Kind::Word, Kind::Quoted, Kind::Text, Kind::Symbol]);
    }

    #[test]
    fn strings_with_escapes_and_tags_are_one_token() {
        assert_eq!(texts(r"E'a\'; b''c', 'd\'"), [r"E'a\'; b''c'", ",", r"'d\'"]);
        assert_eq!(
            texts("$$a;'b$$ $x$ $$ $x$;$1 e"),
            ["$$a;'b$$", "$x$ $$ $x$", ";", "$", "1", "e"]
        );
    }

    #[test]
    fn what_is_left_open_ends_with_the_text() {
        for sql in [
            "e'", "E'\\", "E'a\\'", "$", "$$", "$a$ 'x", "$1", "'", "\"", "'a''", "/*", "/* /* */",
            "--", "a 'é", "", "/", "-",
        ] {
            assert!(tokens(sql).all(|token| sql[token.start..].starts_with(token.text)), "{sql}");
        }
    }

    #[test]
    fn every_text_is_cut_at_characters_and_nothing_stands_twice() {
        let pieces = [
            "E'", "$$", "$a$", "'", "\"", "`", "/*", "*/", "--", "\n", "é", "日", " ", "a", ";",
            "\\", "👍",
        ];
        let mut state = 7u64;
        for _ in 0..20_000 {
            let mut sql = String::new();
            for _ in 0..8 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                sql.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            }
            let mut end = 0;
            for token in tokens(&sql) {
                assert!(token.start >= end && !token.text.is_empty(), "{sql}");
                end = token.start + token.text.len();
            }
        }
    }
}
