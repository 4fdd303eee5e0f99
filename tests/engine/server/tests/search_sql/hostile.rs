//! Ten thousand strings of every kind as text and as names: one literal and one name each, or a refusal.

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use hotdata_wasm::error::{Code, Result};
use hotdata_wasm::sql::{DistanceSearch, HybridSearch, SemanticSearch, TableName, TextSearch};
use serde_json::json;

use super::fixture::{Fixture, text_sql, value};

const STRINGS: usize = 10_000;
const BENIGN: &str = "benign";

/// Strings of pieces that mean something to a lexer, and of any characters.
struct Strings {
    state: u64,
}

impl Strings {
    fn random(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    fn one(&mut self) -> String {
        const PIECES: &[&str] = &[
            "'",
            "''",
            "\"",
            "\"\"",
            "\\",
            "\\'",
            ";",
            "--",
            "/*",
            "*/",
            "$$",
            "$1",
            "E'",
            "U&'",
            "`",
            "\0",
            "\n",
            "\r",
            "\t",
            " ",
            ".",
            "..",
            ",",
            "(",
            ")",
            "{0}",
            "?",
            "%",
            ":",
            "::",
            "||",
            "select",
            "Content",
            "DROP TABLE t",
            "a",
            "Z",
            "0",
            "_",
            "é",
            "日本",
            "👍",
            "\u{202e}",
            "\u{feff}",
            "\u{a0}",
            "N'",
            "x'",
            "b'",
            "@",
            "#",
            "~",
        ];
        let count = self.random() % 12;
        (0..count)
            .map(|_| match self.random() % 4 {
                0 => char::from_u32((self.random() % 0x11_0000) as u32)
                    .map_or(String::new(), String::from),
                _ => PIECES[(self.random() % PIECES.len() as u64) as usize].to_owned(),
            })
            .collect()
    }
}

/// What a statement is to the engine, white space aside.
fn tokens(sql: &str) -> Vec<Token> {
    let tokens = Tokenizer::new(&GenericDialect {}, sql).tokenize();
    let tokens = tokens.unwrap_or_else(|error| panic!("{error}: {sql}"));
    tokens.into_iter().filter(|token| !matches!(token, Token::Whitespace(_))).collect()
}

/// The statement with `string` in one place against the same with a benign one: equal but for that place, where the
/// literal or the name holds exactly `expected`.
fn compare(sql: &str, benign: &str, expected: &dyn Fn(&Token) -> bool) {
    let (found, plain) = (tokens(sql), tokens(benign));
    assert_eq!(found.len(), plain.len(), "{sql}");
    for (found, plain) in found.iter().zip(&plain) {
        assert!(found == plain || expected(found), "{found:?} for {plain:?} in {sql}");
    }
}

fn is_literal(token: &Token, text: &str) -> bool {
    matches!(token, Token::SingleQuotedString(found) if found == text)
}

fn is_name(token: &Token, name: &str) -> bool {
    matches!(token, Token::Word(word) if word.quote_style == Some('"') && word.value == name)
}

type Builder = fn(&str, &str, &str, &str) -> Result<String>;

/// Every builder, from a table, a column, a key and a text.
const BUILDERS: [Builder; 5] = [
    |table, column, key, text| {
        TextSearch::parse(&value(
            json!({"table": table, "column": column, "keyColumn": key, "query": text}),
        ))?
        .sql()
    },
    |table, column, key, text| {
        let options = json!({"table": table, "column": column, "keyColumn": key, "query": text});
        Ok(SemanticSearch::parse(&value(options))?.sql())
    },
    |table, column, key, text| {
        let options = json!({"table": table, "column": "e", "keyColumn": key, "vector": [1.0],
                             "columns": [column], "filter": {column: text}});
        Ok(DistanceSearch::parse(&value(options))?.sql())
    },
    |table, column, key, text| {
        let options = json!({"table": table, "column": column, "keyColumn": key, "query": text, "vector": [1.0],
                             "vectorColumn": "e", "textBound": 9, "filter": {"n": {"$in": [text]}}});
        HybridSearch::parse(&value(options))?.sql()
    },
    |table, column, key, text| {
        let half = json!({"kind": "text", "column": column, "query": text});
        HybridSearch::parse(&value(
            json!({"table": table, "keyColumn": key, "halves": [half, half]}),
        ))?
        .sql()
    },
];

fn checked(built: Result<String>, benign: &str, expected: &dyn Fn(&Token) -> bool) -> bool {
    match built {
        Ok(sql) => {
            compare(&sql, benign, expected);
            true
        }
        Err(error) => {
            assert_eq!(error.code, Code::InvalidArgument, "{}", error.message);
            false
        }
    }
}

#[test]
fn a_string_is_one_literal_or_one_name_or_is_refused() {
    let mut strings = Strings { state: 0x2545_f491_4f6c_dd1d };
    let (mut accepted, mut refused) = (0, 0);
    for turn in 0..STRINGS {
        let string = strings.one();
        let bare =
            string.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(&string);
        let folded = bare.to_ascii_lowercase();
        let builder = BUILDERS[turn % BUILDERS.len()];
        let benign = builder("a.b.c", BENIGN, "id", BENIGN).unwrap();
        // As text: the literal holds it to the last byte.
        let text = builder("a.b.c", BENIGN, "id", &string);
        let as_text = checked(text, &benign, &|token| is_literal(token, &string));
        // As a column and as a key: one quoted name, and one literal where a function takes the name as text.
        let named = |token: &Token| is_name(token, &folded) || is_literal(token, &folded);
        let as_column = checked(builder("a.b.c", &string, "id", BENIGN), &benign, &named);
        let as_key = checked(builder("a.b.c", BENIGN, &string, BENIGN), &benign, &named);
        // As a table: the third part, quoted.
        let table = format!("a.b.\"{string}\"");
        let path = TableName::parse("table", &table).map(|table| table.path()).unwrap_or_default();
        let lower = string.to_ascii_lowercase();
        let of_table = |token: &Token| is_name(token, &lower) || is_literal(token, &path);
        let as_table = checked(builder(&table, BENIGN, "id", BENIGN), &benign, &of_table);
        for ok in [as_text, as_column, as_key, as_table] {
            *(if ok { &mut accepted } else { &mut refused }) += 1;
        }
    }
    println!("{STRINGS} strings: {accepted} statements taken apart, {refused} refusals");
    // Both happen often, or the strings test nothing.
    assert!(accepted > STRINGS && refused > STRINGS);
}

#[tokio::test]
async fn the_engine_takes_any_text_or_refuses_it() {
    let fixture = Fixture::rows(&[json!({"id": 1, "content": "quiet garden"})]).await;
    fixture.index_words("content").await;
    let mut strings = Strings { state: 0x9e37_79b9_7f4a_7c15 };
    let mut answered = 0;
    for _ in 0..500 {
        let string = strings.one();
        let options = json!({"table": "default.public.t", "column": "content", "query": string});
        let Ok(search) = TextSearch::parse(&value(options)) else { continue };
        match fixture.try_query(&search.sql().unwrap()).await {
            Ok(rows) => {
                assert!(rows.len() <= 1);
                answered += 1;
            }
            // Tantivy's parser has several words for it; all are the caller's to mend.
            Err((status, message)) => assert_eq!(status, 400, "{string:?}: {message}"),
        }
    }
    assert!(answered > 50, "{answered}");
    // The data stands as it was.
    let sql =
        text_sql(json!({"table": "default.public.t", "column": "content", "query": "garden"}));
    assert_eq!(fixture.query(&sql).await.len(), 1);
}
