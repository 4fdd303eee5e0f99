//! Nothing a request sends is the engine's fault: whatever the text, no answer is a 500.

mod common;

use std::sync::LazyLock;

use bytes::Bytes;
use common::*;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_engine::model::*;
use proptest::prelude::*;
use tokio::runtime::Runtime;

static SAMPLE: LazyLock<(Runtime, Engine, DatabaseRecord)> = LazyLock::new(|| {
    let runtime = Runtime::new().unwrap();
    let (engine, db) = runtime.block_on(async {
        let (engine, db) = listings(EngineOptions::default()).await;
        index(&engine, &db, "listings", bm25("content")).await.unwrap();
        index(&engine, &db, "listings", vector("embedding", Some("cosine"))).await.unwrap();
        load(&engine, &db.id, "meant", LoadMode::Replace, LISTINGS).await.unwrap();
        index(&engine, &db, "meant", embedded("content")).await.unwrap();
        (engine, db)
    });
    (runtime, engine, db)
});

fn check(sql: &str) {
    let (runtime, engine, db) = &*SAMPLE;
    if let Err(error) = runtime.block_on(engine.query(&db.id, sql)) {
        assert!(error.status < 500, "{sql}\n{error}");
    }
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Text with the characters that mean something to a parser.
fn hostile() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "'", "\"", "(", ")", "[", "]", "{", "}", ":", "*", "^", "~", "\\", "-", "+", "AND", "OR",
        "NOT", "IN", " ", "TO", "<", ">", "=", "/", "?", "!", "\u{0}", "é", "日本", "👍", "quiet",
        "garden", "1", "0.5", "content", ";", "--", "/*", "*/", "$1", "NULL", ",", ".", "\n",
    ]);
    prop::collection::vec(odd, 0..14).prop_map(|parts| parts.concat())
}

/// Fragments that make statements more often than not.
fn statement() -> impl Strategy<Value = String> {
    let fragments = prop::sample::select(vec![
        "SELECT",
        "*",
        "id",
        "content",
        "embedding",
        "FROM",
        "listings",
        "default.public.listings",
        "WHERE",
        "ORDER BY",
        "LIMIT 3",
        "LIMIT 0",
        "OFFSET 2",
        "GROUP BY",
        "cosine_distance(embedding, ARRAY[1.0, 0.5])",
        "l2_distance(embedding, embedding)",
        "vector_distance(content, 'quiet')",
        "AS d",
        "d",
        ",",
        "ASC",
        "DESC",
        "bm25_search('default.public.listings', 'content', 'quiet', 3)",
        "vector_search('default.public.meant', 'content', 'quiet', 3)",
        "WITH x AS (SELECT 1 AS a)",
        "x",
        "JOIN",
        "ON true",
        "UNION ALL",
        "COUNT(*)",
        "(",
        ")",
        "= 1",
        "IS NULL",
        "CASE WHEN true THEN 1 END",
        "EXPLAIN",
        "DESCRIBE",
        "SHOW TABLES",
        "ROW_NUMBER() OVER (ORDER BY id)",
        "NULL",
        "1e400",
        "ARRAY[]",
        "CAST(id AS VARCHAR)",
        "now()",
        "-1",
        "9223372036854775807 + 1",
    ]);
    prop::collection::vec(fragments, 1..12).prop_map(|parts| parts.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn search_texts(text in hostile()) {
        let text = literal(&text);
        check(&format!("SELECT id FROM bm25_search('default.public.listings', 'content', {text}, 5)"));
        check(&format!("SELECT id FROM vector_search('default.public.meant', 'content', {text}, 5)"));
        check(&format!("SELECT vector_distance(content, {text}) FROM default.public.meant"));
        check(&format!("SELECT id FROM bm25_search({text}, {text}, {text}, 5)"));
    }

    #[test]
    fn statements(sql in statement()) {
        check(&sql);
        check(&format!("SELECT {sql} FROM default.public.listings"));
    }

    #[test]
    fn raw_text(sql in hostile()) {
        check(&sql);
    }

    #[test]
    fn loads(text in hostile(), bytes in prop::collection::vec(any::<u8>(), 0..200), parquet in any::<bool>()) {
        let (runtime, engine, db) = &*SAMPLE;
        let mut magic = if parquet { b"PAR1".to_vec() } else { Vec::new() };
        magic.extend(&bytes);
        magic.extend(b"PAR1");
        for bytes in [Bytes::from(text.clone()), Bytes::from(bytes), Bytes::from(magic)] {
            for format in [None, Some(LoadFormat::Csv), Some(LoadFormat::Json), Some(LoadFormat::Parquet)] {
                let source = LoadSource::Bytes { bytes: bytes.clone(), format };
                let request = LoadRequest { mode: LoadMode::Replace, key: vec![], source, columns: vec![] };
                if let Err(error) = runtime.block_on(engine.load(&db.id, "public", &text, request)) {
                    prop_assert!(error.status < 500, "{error}");
                }
            }
        }
    }
}

fn refusal(sql: &str) -> hotdata_local_engine::error::EngineError {
    let (runtime, engine, db) = &*SAMPLE;
    runtime.block_on(engine.query(&db.id, sql)).err().unwrap_or_else(|| panic!("{sql}"))
}

#[test]
fn doubling_ctes() {
    let links: String =
        (1..40).map(|i| format!(", t{i} AS (SELECT a.x FROM t{0} a, t{0} b)", i - 1)).collect();
    let error = refusal(&format!("WITH t0 AS (SELECT 1 AS x){links} SELECT * FROM t39"));
    assert_eq!(error.status, 400);
    assert!(error.message.contains("2000 relations"), "{error}");
}

#[test]
fn growing_functions() {
    for call in [
        "repeat('x', 2000000000)",
        "lpad('x', 2147483647, 'y')",
        "rpad('x', 2147483647, 'y')",
        "array_repeat(1, 2000000000)",
        "list_repeat(1, 2000000000)",
        "array_resize([1], 2000000000, 7)",
        "range(0, 9000000000)",
        "generate_series(9000000000, 0, -2)",
        "replace(repeat('a', 1000000), 'a', repeat('b', 100000))",
        "replace(repeat('a', 1000000), '', repeat('b', 100000))",
        "regexp_replace(repeat('a', 1000000), 'a', repeat('b', 100000), 'g')",
        "array_to_string(array_repeat(1, 1000000), repeat('b', 100000))",
    ] {
        let error = refusal(&format!("SELECT {call}"));
        assert_eq!((error.status, error.code), (413, "RESULT_TOO_LARGE"), "{call}: {error}");
    }
    // Growth over rows counts as well.
    let sql = "SELECT repeat('x', value * 1000) FROM generate_series(1, 8000)";
    assert_eq!(refusal(sql).status, 413);
    let (runtime, engine, db) = &*SAMPLE;
    let sql = "SELECT repeat('ab', 2), lpad('x', 3, 'y'), rpad('x', 3, 'y'), replace('aba', 'a', 'cc'), \
               array_repeat(1, 2), range(0, 3), generate_series(1, 2), array_resize([1], 2, 7), \
               regexp_replace('aa', 'a', 'b', 'g'), array_to_string([1, 2], '-'), \
               range(DATE '2024-01-01', DATE '2024-01-03', INTERVAL '1 day'), repeat(NULL, 3)";
    runtime.block_on(engine.query(&db.id, sql)).unwrap();
}

#[test]
fn internal_errors_of_a_callers_expression() {
    let error = refusal("SELECT array_slice([1,2,3], 3, 1, -9223372036854775808)");
    assert_eq!(error.status, 400);
    assert!(error.message.contains("Internal error"), "{error}");
    assert!(!error.message.contains("bug"), "{error}");
}
