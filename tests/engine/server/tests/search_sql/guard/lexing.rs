//! The lexer against the engine's own tokenizer.

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer, Whitespace};
use hotdata_wasm::lint::{Kind, sql_tokens};

use super::random::Random;

const PIECES: &[&str] = &[
    "'", "''", "'''", "\"", "\"\"", "`", "\\", "\\'", "\\\\", "$$", "$", "$a$", "$1", "E'",
    "e'a\\'", "b'", "B\"", "r'", "R\"", "n'", "nq'", "q'[", "]'", "Q'x", "x'", "U&'", "u&", "--",
    "/*", "*/", "/*!", "/*!501", "//", "|/", "||/", "->", "->>", "#", "#-", "#>", "@", "@@", "@>",
    "<@", "^@", "@?", "<", ">", "=", "-", "/", "*", "+", "|", "!", "~", "?", ":", "::", ";", ",",
    ".", "._", "(", ")", "[", "]", "{", "%", "&", "^", "a", "Z", "select", "_x", "é", "日本", "0",
    "1e5", "1e", "0x1f", ".5", "1.", "1L", "\n", "\r", "\t", " ", "\u{a0}", "\u{b}",
];

/// What a token is to both, and its text where the engine gives it as it is written.
fn engine(sql: &str) -> Option<Vec<(Kind, String)>> {
    let tokens = Tokenizer::new(&GenericDialect {}, sql).with_unescape(false).tokenize().ok()?;
    let mut read = Vec::new();
    for token in tokens {
        let text = token.to_string();
        let kind = match token {
            Token::Whitespace(Whitespace::Space | Whitespace::Tab | Whitespace::Newline) => {
                continue;
            }
            Token::Whitespace(_) => continue,
            Token::Word(word) if word.quote_style.is_some() => Kind::Quoted,
            Token::Word(_) => Kind::Word,
            Token::Placeholder(_) if text.starts_with('$') => Kind::Word,
            Token::Number(..) => Kind::Number,
            Token::HexStringLiteral(_) => Kind::Text,
            Token::SingleQuotedString(_)
            | Token::DollarQuotedString(_)
            | Token::NationalStringLiteral(_)
            | Token::QuoteDelimitedStringLiteral(_)
            | Token::NationalQuoteDelimitedStringLiteral(_)
            | Token::EscapedStringLiteral(_)
            | Token::UnicodeStringLiteral(_)
            | Token::SingleQuotedByteStringLiteral(_)
            | Token::DoubleQuotedByteStringLiteral(_)
            | Token::SingleQuotedRawStringLiteral(_)
            | Token::DoubleQuotedRawStringLiteral(_)
            | Token::TripleSingleQuotedRawStringLiteral(_)
            | Token::TripleDoubleQuotedRawStringLiteral(_) => Kind::Text,
            _ => Kind::Symbol,
        };
        read.push((kind, text));
    }
    Some(read)
}

/// Symbols run together: the engine makes one token of what stands here as several.
fn merged(tokens: impl Iterator<Item = (Kind, String)>) -> Vec<(Kind, String)> {
    let mut merged: Vec<(Kind, String)> = Vec::new();
    for (kind, text) in tokens {
        match merged.last_mut() {
            Some((Kind::Symbol, last)) if kind == Kind::Symbol => last.push_str(&text),
            _ => merged.push((
                kind,
                if matches!(kind, Kind::Symbol | Kind::Word) { text } else { String::new() },
            )),
        }
    }
    merged
}

#[test]
fn the_lexer_reads_what_the_engine_reads() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let mut compared = 0;
    while compared < 40_000 {
        let sql = random.text(PIECES, 9, &["", "", "", " "]);
        let Some(engine) = engine(&sql) else { continue };
        // Hexadecimal numbers are strings to the engine.
        let ours = sql_tokens(&sql).into_iter().map(|token| {
            let is_hex = token.kind == Kind::Number && token.text.starts_with("0x");
            (if is_hex { Kind::Text } else { token.kind }, token.text.to_owned())
        });
        // The engine writes `!=` as `<>`.
        let plain = |tokens: Vec<(Kind, String)>| -> Vec<(Kind, String)> {
            tokens.into_iter().map(|(kind, text)| (kind, text.replace("!=", "<>"))).collect()
        };
        assert_eq!(plain(merged(ours)), plain(merged(engine.into_iter())), "{sql:?}");
        compared += 1;
    }
}
