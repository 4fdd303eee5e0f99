//! Strings of every kind in every place that takes one: one literal or one quoted name each, or a refusal.

use datafusion::common::TableReference;
use datafusion::sql::parser::DFParser;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use hotdata_wasm::error::{Code, Result};
use hotdata_wasm::sql::{DistanceSearch, HybridSearch, SemanticSearch, TextSearch};
use hotdata_wasm::value::Value;
use serde_json::json;

use super::fixture::{Fixture, hybrid_sql, text_sql, value};

const CASES: usize = 120_000;
/// Where a string goes in a template.
const MARK: &str = "@";
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

type Builder = fn(&Value) -> Result<String>;

/// Every builder, with options that it takes.
fn builders() -> [(&'static str, Builder, serde_json::Value); 5] {
    let text = json!({"table": "a.b.c", "column": "c1", "keyColumn": "k1", "query": "words", "textBound": 9});
    let mut semantic = text.clone();
    semantic.as_object_mut().unwrap().remove("textBound");
    let distance = json!({"table": "a.b.c", "column": "e1", "keyColumn": "k1", "vector": [1.0]});
    let mut flat = text.clone();
    flat.as_object_mut()
        .unwrap()
        .extend([("vectorColumn".to_owned(), json!("e1")), ("vector".to_owned(), json!([1.0]))]);
    let halves = json!([{"kind": "text", "column": "c1", "query": "words"},
                        {"kind": "vector", "column": "e1", "vector": [1.0]}]);
    let general = json!({"table": "a.b.c", "keyColumn": "k1", "textBound": 9, "halves": halves});
    [
        ("text", |options| TextSearch::parse(options)?.sql(), text),
        ("semantic", |options| Ok(SemanticSearch::parse(options)?.sql()), semantic),
        ("distance", |options| Ok(DistanceSearch::parse(options)?.sql()), distance),
        ("hybrid", |options| HybridSearch::parse(options)?.sql(), flat),
        ("halves", |options| HybridSearch::parse(options)?.sql(), general),
    ]
}

/// What a string is in its place.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    Text,
    Name,
    TablePart,
}

/// One place of one builder for a string.
struct Place {
    name: String,
    /// What a refusal has to name.
    argument: &'static str,
    builder: Builder,
    holds: Holds,
    template: Value,
    /// The statement with a benign string in that place.
    plain: Vec<Token>,
    accepted: usize,
    refused: usize,
}

/// A member put in the place of a builder's own, what it holds, and what a refusal names.
fn patches(builder: &str) -> Vec<(&'static str, Holds, serde_json::Value)> {
    let mut patches = Vec::new();
    for table in ["a.b.@", "a.@.c", "@.b.c", "a.b.\"@\"", "a.\"@\".c", "\"@\".b.c"] {
        patches.push(("table", Holds::TablePart, json!(table)));
    }
    patches.push(("keyColumn", Holds::Name, json!("@")));
    patches.push(("columns", Holds::Name, json!(["n1", "@"])));
    for key in [
        json!({"@": 1}),
        json!({"n1": 2, "@": {"$gte": 1, "$lt": 5}}),
        json!({"@": {"$in": ["a", null]}}),
        json!({"@": {"$nin": ["a"]}}),
        json!({"@": null}),
        json!({"$and": [{"n1": 1}, {"$or": [{"n2": true}, {"@": {"$ne": 3}}]}]}),
        json!({"$not": {"@": "a"}}),
    ] {
        patches.push(("filter", Holds::Name, key));
    }
    for text in [
        json!({"n1": "@"}),
        json!({"n1": {"$eq": "@"}}),
        json!({"n1": {"$ne": "@"}}),
        json!({"n1": {"$gt": "@", "$lte": "z"}}),
        json!({"n1": {"$in": ["a", "@", null]}}),
        json!({"n1": {"$nin": ["@", 4]}}),
        json!({"n1": {"$not": {"$lt": "@"}}}),
        json!({"$and": [{"n1": 1}, {"$or": [{"n2": "@"}, {"n3": false}]}]}),
        json!({"$not": {"$and": [{"n1": {"$gte": "@"}}]}}),
    ] {
        patches.push(("filter", Holds::Text, text));
    }
    match builder {
        "halves" => {
            let halves = |column: &str, query: &str, vector: &str| {
                json!([{"kind": "text", "column": column, "query": query},
                       {"kind": "vector", "column": vector, "vector": [1.0]},
                       {"kind": "text", "column": "c2", "query": "words"}])
            };
            patches.push(("column", Holds::Name, halves("@", "words", "e1")));
            patches.push(("query", Holds::Text, halves("c1", "@", "e1")));
            patches.push(("column", Holds::Name, halves("c1", "words", "@")));
        }
        _ => patches.push(("column", Holds::Name, json!("@"))),
    }
    if matches!(builder, "text" | "semantic" | "hybrid") {
        patches.push(("query", Holds::Text, json!("@")));
    }
    if builder == "hybrid" {
        patches.push(("vectorColumn", Holds::Name, json!("@")));
    }
    patches
}

fn places() -> Vec<Place> {
    let mut places = Vec::new();
    for (name, builder, base) in builders() {
        for (argument, holds, patch) in patches(name) {
            let mut options = base.clone();
            // A half's own members are patched as the list they stand in.
            let member = if patch[0].is_object() { "halves" } else { argument };
            options[member] = patch.clone();
            let template = value(options);
            let sql = builder(&filled(&template, BENIGN)).unwrap();
            // As structured as this one is every statement of the same tokens: a quoted name is never a keyword.
            assert_eq!(DFParser::parse_sql(&sql).unwrap().len(), 1, "{sql}");
            let plain = tokens(&sql);
            let name = format!("{name} {argument} {patch}");
            assert!(
                plain.iter().any(|token| held(token).is_some_and(|text| text.contains(BENIGN))),
                "{name}: {sql}"
            );
            places.push(Place {
                name,
                argument,
                builder,
                holds,
                template,
                plain,
                accepted: 0,
                refused: 0,
            });
        }
    }
    places
}

/// The template with the string where its mark is, be it in a name or in a value.
fn filled(template: &Value, string: &str) -> Value {
    match template {
        Value::Text(text) => Value::Text(text.replace(MARK, string)),
        Value::List(items) => Value::List(items.iter().map(|item| filled(item, string)).collect()),
        Value::Object(members) => {
            let member = |(name, value): &(String, Value)| {
                (name.replace(MARK, string), filled(value, string))
            };
            Value::Object(members.iter().map(member).collect())
        }
        other => other.clone(),
    }
}

/// What a literal or a quoted name holds.
fn held(token: &Token) -> Option<&str> {
    match token {
        Token::SingleQuotedString(text) => Some(text),
        Token::Word(word) if word.quote_style == Some('"') => Some(&word.value),
        _ => None,
    }
}

/// The table of a path as `bm25_search` and `vector_search` read it out of their first argument.
fn parts(path: &str) -> Vec<String> {
    match TableReference::parse_str(path) {
        TableReference::Full { catalog, schema, table } => {
            [catalog, schema, table].iter().map(|part| part.to_string()).collect()
        }
        other => panic!("{path} is read as {other:?}"),
    }
}

/// Whether `found` is what `plain` is, with the string in the place of the benign one: a literal for a literal, a
/// quoted name for a quoted name, holding the string whole.
fn stands_for(found: &Token, plain: &Token, holds: Holds, string: &str) -> bool {
    let Some(benign) = held(plain).filter(|text| text.contains(BENIGN)) else {
        return found == plain;
    };
    let same_kind = std::mem::discriminant(found) == std::mem::discriminant(plain);
    let Some(found) = held(found).filter(|_| same_kind) else {
        return false;
    };
    let bare = string.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(string);
    let stored = bare.to_ascii_lowercase();
    match holds {
        Holds::Text => found == string,
        Holds::TablePart if benign != BENIGN => {
            let part = |part: String| if part == BENIGN { stored.clone() } else { part };
            parts(found) == parts(benign).into_iter().map(part).collect::<Vec<_>>()
        }
        Holds::Name | Holds::TablePart => found == stored,
    }
}

#[test]
fn a_string_is_one_literal_or_one_name_or_is_refused() {
    let mut strings = Strings { state: 0x2545_f491_4f6c_dd1d };
    let mut places = places();
    let count = places.len();
    for _ in 0..CASES {
        let string = strings.one();
        let place = &mut places[(strings.random() % count as u64) as usize];
        match (place.builder)(&filled(&place.template, &string)) {
            Ok(sql) => {
                let found = tokens(&sql);
                let same = found.len() == place.plain.len()
                    && found
                        .iter()
                        .zip(&place.plain)
                        .all(|(found, plain)| stands_for(found, plain, place.holds, &string));
                assert!(same, "{}: {string:?} in {sql}", place.name);
                place.accepted += 1;
            }
            Err(error) => {
                assert_eq!(error.code, Code::InvalidArgument, "{}", error.message);
                let argument = format!("`{}`", place.argument);
                assert!(error.message.contains(&argument), "{}: {}", place.name, error.message);
                place.refused += 1;
            }
        }
    }
    let accepted: usize = places.iter().map(|place| place.accepted).sum();
    let refused: usize = places.iter().map(|place| place.refused).sum();
    println!(
        "{CASES} strings in {count} places: {accepted} statements taken apart, {refused} refusals"
    );
    // Both happen often and in every place, or the strings test nothing.
    assert!(accepted > CASES / 4 && refused > CASES / 4);
    for place in &places {
        assert!(
            place.accepted > 100 && place.refused > 20,
            "{}: {} and {}",
            place.name,
            place.accepted,
            place.refused
        );
    }
}

/// What people type that a query parser has other plans for.
const TYPED: [&str; 16] = [
    "a quiet garden, roughly?",
    "100% of it; really & truly",
    "naïve café – 日本",
    "the budget | of_a = garden",
    "what's the budget, roughly?",
    "C++ (beta): \"open",
    "36\" vanity",
    "-foo",
    ">>>",
    "https://a.b/c",
    "{0}",
    "a AND",
    "'); DROP TABLE t;--",
    r"back\slash \' and \\",
    "garden? [x TO y} ^2 ~ *",
    "NOT -garden +quiet title:garden",
];

#[test]
fn h8_a_typed_text_is_one_literal_with_only_its_quotes_doubled() {
    for text in TYPED {
        let literal = format!("'{}'", text.replace('\'', "''"));
        for (name, builder, base) in builders() {
            let mut options = base.clone();
            match name {
                "distance" => options["filter"] = json!({"n1": text}),
                "halves" => options["halves"][0]["query"] = json!(text),
                _ => options["query"] = json!(text),
            }
            let sql = builder(&value(options)).unwrap();
            assert_eq!(sql.matches(&literal).count(), 1, "{name}: {sql}");
            let held = tokens(&sql).iter().filter(|token| held(token) == Some(text)).count();
            assert_eq!(held, 1, "{name}: {sql}");
        }
    }
}

#[tokio::test]
async fn h8_a_fused_search_is_refused_whole_where_its_words_are() {
    let fixture = Fixture::rows(&[
        json!({"id": 1, "content": "what's the budget of a quiet garden, roughly?", "e": [1.0, 0.0]}),
        json!({"id": 2, "content": "open foo a.b 36 back slash x title", "e": [0.0, 1.0]}),
    ])
    .await;
    fixture.index_words("content").await;
    fixture.index_vectors("e", "cosine").await;
    let (mut answered, mut refused) = (0, 0);
    for text in TYPED {
        let table = json!({"table": "default.public.t", "column": "content", "keyColumn": "id", "query": text});
        let mut both = table.clone();
        both["vectorColumn"] = json!("e");
        both["vector"] = json!([1, 0]);
        both["explain"] = json!(true);
        let words = fixture.try_query(&text_sql(table)).await;
        let fused = fixture.try_query(&hybrid_sql(value(both))).await;
        match (words, fused) {
            (Ok(words), Ok(fused)) => {
                // Each row found by words has its rank there.
                let ranked = fused.iter().filter(|row| row.contains_key("text_rank")).count();
                assert_eq!((ranked, fused.len()), (words.len(), 2), "{text}");
                answered += 1;
            }
            (Err((400, words)), Err((400, fused))) => {
                assert_eq!(words, fused, "{text}");
                refused += 1;
            }
            (words, fused) => panic!("{text}: {words:?} by words, {fused:?} fused"),
        }
    }
    assert!(answered > 2 && refused > 2, "{answered} answered, {refused} refused");
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
