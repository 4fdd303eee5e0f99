//! SQL text as tokens, read as the engine's dialect reads it: what is a word, and what only looks like one within a string,
//! a quoted name or a comment. Compared with the engine's own tokenizer in `tests/engine/server/tests/lints`.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A keyword or an unquoted name.
    Word,
    /// A number.
    Number,
    /// A name in double quotes or backticks, with them.
    Quoted,
    /// A string literal of any kind, with its prefix and quotes.
    Text,
    /// Any other character, or an operator of several that would else be read otherwise.
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

impl Token<'_> {
    /// Where it ends, in bytes.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is this word, unquoted, in any case.
    #[inline(never)]
    pub fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it is one of these words.
    #[inline(never)]
    pub fn is_one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }
}

/// Operators that end in what would else begin a comment, a name or another operator.
const OPERATORS: [&str; 12] =
    ["<<", "||/", "|/", "//", "#>>", "#>", "#-", "<@", "^@", "@>", "@?", "->"];

/// The tokens of any text. What is left open ends with the text.
pub fn tokens(sql: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { sql, at: 0, end: sql.len() };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank();
        let start = lexer.at;
        let Some(first) = lexer.byte(0) else { return tokens };
        let kind = lexer.token(first);
        let text = sql.get(start..lexer.at).unwrap_or_default();
        tokens.push(Token { kind, text, start });
    }
}

struct Lexer<'a> {
    sql: &'a str,
    at: usize,
    /// Where the text ends, or the comment whose content is code.
    end: usize,
}

impl Lexer<'_> {
    #[inline(never)]
    fn byte(&self, ahead: usize) -> Option<u8> {
        let at = self.at + ahead;
        if at < self.end { self.sql.as_bytes().get(at).copied() } else { None }
    }

    #[inline(never)]
    fn starts(&self, with: &str) -> bool {
        self.sql
            .as_bytes()
            .get(self.at..self.end)
            .is_some_and(|rest| rest.starts_with(with.as_bytes()))
    }

    /// The character here, past which it goes.
    #[inline(never)]
    fn next(&mut self) -> Option<char> {
        let character = self.sql.get(self.at..self.end)?.chars().next()?;
        self.at += character.len_utf8();
        Some(character)
    }

    #[inline(never)]
    fn skip_while(&mut self, belongs: fn(u8) -> bool) {
        while self.byte(0).is_some_and(belongs) {
            self.at += 1;
        }
    }

    #[inline(never)]
    fn skip_word(&mut self) {
        loop {
            self.skip_while(is_word_part);
            // Of other scripts, whatever is no white space.
            let before = self.at;
            match self.byte(0) {
                Some(0x80..) if self.next().is_some_and(|c| !c.is_whitespace()) => {}
                _ => {
                    self.at = before;
                    return;
                }
            }
        }
    }

    fn skip_blank(&mut self) {
        loop {
            let before = self.at;
            if self.starts("--") {
                self.skip_while(|byte| byte != b'\n');
            } else if self.starts("/*") {
                self.skip_comment();
            } else if self.at == self.end && self.end < self.sql.len() {
                // The comment that held code closes.
                self.at += 2;
                self.end = self.sql.len();
            } else if !self.next().is_some_and(char::is_whitespace) {
                self.at = before;
                return;
            }
        }
    }

    /// A block comment with those nested in it. What follows `/*!` and a version is code.
    fn skip_comment(&mut self) {
        let start = self.at;
        let outermost = self.end == self.sql.len();
        let mut depth = 0;
        while self.at < self.end {
            let step = if self.starts("/*") {
                depth += 1;
                2
            } else if self.starts("*/") {
                depth -= 1;
                2
            } else {
                1
            };
            self.at += step;
            if depth == 0 {
                break;
            }
        }
        let close = self.at;
        if depth == 0 && outermost && self.sql.as_bytes().get(start + 2) == Some(&b'!') {
            self.at = start + 3;
            self.end = close - 2;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
    }

    fn token(&mut self, first: u8) -> Kind {
        let second = self.byte(1);
        match first {
            b'\'' => return self.text(1, false),
            b'"' | b'`' => {
                self.quoted(first, false);
                return Kind::Quoted;
            }
            b'r' | b'R' if matches!(self.sql.get(self.at + 1..self.end), Some(rest) if rest.starts_with("'''") || rest.starts_with("\"\"\"")) =>
            {
                return self.tripled();
            }
            b'b' | b'B' | b'r' | b'R' if matches!(second, Some(b'\'' | b'"')) => {
                return self.text(2, false);
            }
            b'n' | b'N' if second == Some(b'\'') => return self.text(2, false),
            b'n' | b'N' if matches!(second, Some(b'q' | b'Q')) && self.byte(2) == Some(b'\'') => {
                return self.delimited(3);
            }
            b'q' | b'Q' if second == Some(b'\'') => return self.delimited(2),
            b'e' | b'E' | b'x' | b'X' if second == Some(b'\'') => return self.text(2, true),
            b'u' | b'U' if second == Some(b'&') && self.byte(2) == Some(b'\'') => {
                return self.text(3, false);
            }
            b'0'..=b'9' => return self.number(),
            b'.' if second.is_some_and(|byte| byte.is_ascii_digit()) => return self.number(),
            b'$' => return self.dollar(),
            _ => {}
        }
        if first.is_ascii_alphabetic() || first == b'_' || first >= 0x80 {
            self.skip_word();
            return Kind::Word;
        }
        if let Some(operator) = OPERATORS.iter().find(|operator| self.starts(operator)) {
            self.at += operator.len();
            return Kind::Symbol;
        }
        self.at += 1;
        if first == b'?' {
            // A parameter, by its number.
            self.skip_while(|byte| byte.is_ascii_digit());
            return Kind::Symbol;
        }
        // `#` and `@` begin a name, whatever character comes next.
        let mut ahead = second;
        if first == b'@' && second == Some(b'@') {
            self.at += 1;
            ahead = self.byte(0);
        } else if first == b'@' && matches!(second, Some(b'\'' | b'"' | b'`')) {
            return Kind::Symbol;
        }
        if matches!(first, b'#' | b'@') && !matches!(ahead, None | Some(b' ')) {
            self.next();
            self.skip_word();
            return Kind::Word;
        }
        Kind::Symbol
    }

    /// A string whose quote stands just before `prefix` bytes are over.
    fn text(&mut self, prefix: usize, escapes: bool) -> Kind {
        self.at += prefix - 1;
        let quote = self.byte(0).unwrap_or_default();
        self.quoted(quote, escapes);
        Kind::Text
    }

    /// What a quote opens; a doubled quote stands for itself.
    fn quoted(&mut self, quote: u8, escapes: bool) {
        self.at += 1;
        while let Some(byte) = self.byte(0) {
            self.at += 1;
            if byte == b'\\' && escapes {
                self.next();
            } else if byte == quote {
                if self.byte(0) != Some(quote) {
                    return;
                }
                self.at += 1;
            }
        }
    }

    /// A raw string between three quotes.
    fn tripled(&mut self) -> Kind {
        let quotes = self.sql.get(self.at + 1..self.at + 4).unwrap_or_default();
        self.at += 4;
        while self.at < self.end && !self.starts(quotes) {
            self.at += 1;
        }
        self.at = self.end.min(self.at + 3);
        Kind::Text
    }

    /// Oracle's `q'[…]'`.
    fn delimited(&mut self, prefix: usize) -> Kind {
        self.at += prefix;
        let close = match self.next() {
            Some('[') => ']',
            Some('{') => '}',
            Some('<') => '>',
            Some('(') => ')',
            other => other.unwrap_or_default(),
        };
        while let Some(character) = self.next() {
            if character == close && self.byte(0) == Some(b'\'') {
                self.at += 1;
                break;
            }
        }
        Kind::Text
    }

    /// `$tag$…$tag$`, or a parameter.
    fn dollar(&mut self) -> Kind {
        let start = self.at;
        self.at += 1;
        loop {
            self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let before = self.at;
            if !self.next().is_some_and(|c| !c.is_ascii() && !c.is_whitespace()) {
                self.at = before;
                break;
            }
        }
        if self.byte(0) != Some(b'$') {
            return Kind::Word;
        }
        self.at += 1;
        let tag = self.sql.get(start..self.at).unwrap_or_default();
        while self.at < self.end {
            if self.starts(tag) {
                self.at += tag.len();
                break;
            }
            self.at += 1;
        }
        Kind::Text
    }

    fn number(&mut self) -> Kind {
        if self.starts("0x") {
            self.at += 2;
            self.skip_while(|byte| byte.is_ascii_hexdigit());
            return Kind::Number;
        }
        let digits = |byte: u8| byte.is_ascii_digit();
        self.skip_while(digits);
        if self.byte(0) == Some(b'.') {
            self.at += 1;
            self.skip_while(digits);
        }
        if matches!(self.byte(0), Some(b'e' | b'E')) {
            let signed = matches!(self.byte(1), Some(b'+' | b'-'));
            let exponent = 1 + usize::from(signed);
            if self.byte(exponent).is_some_and(digits) {
                self.at += exponent;
                self.skip_while(digits);
            }
        }
        if self.byte(0) == Some(b'L') {
            self.at += 1;
        }
        Kind::Number
    }
}

fn is_word_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'@')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(sql: &str) -> Vec<&str> {
        tokens(sql).iter().map(|token| token.text).collect()
    }

    #[test]
    fn words_strings_names_and_comments_are_told_apart() {
        assert_eq!(
            texts("/* a /* b */ 'c */SELECT \"x--\"\"y\", 'it''s -- no', `q` -- end 'x\n;é1"),
            ["SELECT", "\"x--\"\"y\"", ",", "'it''s -- no'", ",", "`q`", ";", "é1"]
        );
        let kinds: Vec<_> = tokens("a \"b\" 'c' ;").iter().map(|token| token.kind).collect();
        assert_eq!(kinds, [Kind::Word, Kind::Quoted, Kind::Text, Kind::Symbol]);
    }

    #[test]
    fn what_is_left_open_ends_with_the_text() {
        for sql in ["'", "\"", "'a''", "/*", "/* /* */", "--", "a 'é", "", "/", "-"] {
            assert!(
                tokens(sql).iter().all(|token| sql[token.start..].starts_with(token.text)),
                "{sql}"
            );
        }
    }

    #[test]
    fn every_text_is_cut_at_characters_and_nothing_stands_twice() {
        let pieces = ["'", "\"", "`", "/*", "*/", "--", "\n", "é", "日", " ", "a", ";", "\\", "👍"];
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
