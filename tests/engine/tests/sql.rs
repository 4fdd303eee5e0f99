//! What plain SQL answers: the dialect's marks, names, errors and what is refused.

mod common;

use common::*;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_engine::model::{LoadMode, NewDatabase, NewSchema, NewTable};
use serde_json::json;

#[tokio::test]
async fn dates_are_datafusions() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let one = async |sql: &str| rows(&engine, &db.id, sql).await[0][0].clone();
    assert_eq!(one("SELECT to_char(cast('2026-08-12' AS DATE), 'YYYY-MM-DD')").await, "YYYY-MM-DD");
    assert_eq!(one("SELECT to_char(cast('2026-08-12' AS DATE), '%Y-%m-%d')").await, "2026-08-12");
    assert_eq!(one("SELECT to_date('2026-08-12', '%Y-%m-%d')").await, "2026-08-12");
    assert_eq!(one("SELECT cast('2026-08-12' AS DATE) - INTERVAL '6 days'").await, "2026-08-06");
    assert_eq!(one("SELECT now() > cast('2020-01-01' AS TIMESTAMP)").await, true);
    let wrong = error(&engine, &db.id, "SELECT to_date('2026-08-12', 'YYYY-MM-DD')").await;
    assert!(wrong.message.contains("Error parsing timestamp from '2026-08-12'"), "{wrong}");
}

#[tokio::test]
async fn unknown_functions_and_tables_are_named_as_the_service_does() {
    let (engine, db) = listings(EngineOptions::default()).await;
    for (sql, message) in [
        (
            "SELECT date_sub(cast('2026-08-12' AS DATE), 6)",
            "Invalid function 'date_sub'. Did you mean 'date_bin'?",
        ),
        (
            "SELECT to_tsvector(content) FROM listings",
            "Invalid function 'to_tsvector'. Did you mean 'to_char'?",
        ),
        ("SELECT id FROM f1_db.public.drivers", "table 'f1_db.public.drivers' not found"),
        ("SELECT id FROM nope", "table 'default.public.nope' not found"),
    ] {
        let error = error(&engine, &db.id, sql).await;
        assert_eq!((error.status, error.message.as_str()), (400, message), "{sql}");
    }
}

#[tokio::test]
async fn names_are_stored_in_lower_case() {
    let (engine, db) = listings(EngineOptions::default()).await;
    load(&engine, &db.id, "Results", LoadMode::Replace, "driverId,raceId\n1,2\n").await.unwrap();
    assert_eq!(
        rows(&engine, &db.id, "SELECT r.driverId, r.\"raceid\" FROM RESULTS r").await,
        [[json!(1), json!(2)]]
    );
    let wrong = error(&engine, &db.id, "SELECT r.\"driverId\" FROM results r").await;
    assert!(wrong.message.contains("No field named r.\"driverId\""), "{wrong}");
    let options = EngineOptions { empty_body_for_quoted_case: true, ..EngineOptions::default() };
    let (engine, db) = listings(options).await;
    let wrong = error(&engine, &db.id, "SELECT \"Id\" FROM listings").await;
    assert_eq!((wrong.status, wrong.message.as_str()), (400, ""));
    let wrong = error(&engine, &db.id, "SELECT nope FROM listings").await;
    assert!(wrong.message.contains("No field named nope"), "{wrong}");
}

#[tokio::test]
async fn counting_works_on_an_ordinary_table() {
    let (engine, db) = listings(EngineOptions::default()).await;
    assert_eq!(rows(&engine, &db.id, "SELECT COUNT(*) FROM listings").await, [[json!(8)]]);
    assert_eq!(rows(&engine, &db.id, "SELECT 1 AS k FROM listings LIMIT 1").await, [[json!(1)]]);
    assert_eq!(
        rows(&engine, &db.id, "SELECT COUNT(*) FROM listings WHERE city = 'la'").await,
        [[json!(4)]]
    );
    let answer = engine.query(&db.id, "SELECT all FROM listings").await.unwrap();
    assert_eq!(answer.batches.iter().map(|batch| batch.num_rows()).sum::<usize>(), 8);
}

#[tokio::test]
async fn a_strict_table_rejects_projections_without_its_columns() {
    let options = EngineOptions {
        strict_projection: vec!["default.public.listings".to_owned()],
        ..EngineOptions::default()
    };
    let (engine, db) = listings(options).await;
    for sql in
        ["SELECT COUNT(*) FROM default.public.listings", "SELECT 1 AS k FROM listings LIMIT 1"]
    {
        let error = error(&engine, &db.id, sql).await;
        assert!(
            error.message.contains("must either specify a row count or at least one column"),
            "{error}"
        );
    }
    let sql = "SELECT COUNT(*) AS row_count, COUNT(\"content\") AS n0 FROM default.public.listings";
    assert_eq!(rows(&engine, &db.id, sql).await, [[json!(8), json!(7)]]);
    assert_eq!(rows(&engine, &db.id, "SELECT COUNT(id) FROM listings").await, [[json!(8)]]);
}

#[tokio::test]
async fn a_declared_table_rejects_every_query() {
    let engine = Engine::open(EngineOptions::default()).unwrap();
    let table = NewTable { name: "customer".to_owned(), ..NewTable::default() };
    let schemas = vec![NewSchema { name: "public".to_owned(), tables: vec![table] }];
    let db = engine.create_database(NewDatabase { schemas, ..NewDatabase::default() }).unwrap().0;
    let text = "Managed table 'default.public.customer' is declared but has no data; POST a load before querying";
    for sql in [
        "SELECT * FROM customer",
        "SELECT COUNT(*) FROM default.public.customer",
        "DESCRIBE customer",
        "SELECT * FROM bm25_search('default.public.customer', 'a', 'b')",
    ] {
        assert_eq!(error(&engine, &db.id, sql).await.message, text, "{sql}");
    }
    assert!(rows(&engine, &db.id, "SELECT * FROM information_schema.columns").await.is_empty());
    load(&engine, &db.id, "customer", LoadMode::Append, "id\n1\n").await.unwrap();
    assert_eq!(ids(&engine, &db.id, "SELECT id FROM customer").await, [1]);
}

#[tokio::test]
async fn writes_settings_and_several_statements_are_refused() {
    let (engine, db) = listings(EngineOptions::default()).await;
    for sql in [
        "CREATE TABLE zz AS SELECT 1 AS a",
        "INSERT INTO listings (id) VALUES (3)",
        "SELECT * INTO t2 FROM listings",
        "COPY (SELECT 1) TO '/tmp/never.csv'",
        "DROP TABLE listings",
        "DELETE FROM listings",
        "UPDATE listings SET city = 'x'",
        "CREATE VIEW v AS SELECT 1",
        "CREATE EXTERNAL TABLE x STORED AS CSV LOCATION '/etc/passwd'",
        "SET datafusion.execution.batch_size = 1",
        "PREPARE p AS SELECT 1",
        "EXPLAIN ANALYZE INSERT INTO listings (id) VALUES (3)",
        "SELECT 1; SELECT 2",
        "SELECT '--'\n; DELETE FROM listings",
        "/*x*/DELETE FROM listings",
        "",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM listings WHERE",
    ] {
        let error = error(&engine, &db.id, sql).await;
        assert_eq!((error.status, error.code), (400, "BAD_REQUEST"), "{sql}: {error}");
        assert!(!error.message.is_empty(), "{sql}");
    }
    assert!(error(&engine, &db.id, "DROP TABLE listings").await.message.contains("Queries only"));
    assert_eq!(rows(&engine, &db.id, "SELECT COUNT(*) FROM listings").await, [[json!(8)]]);
    assert!(!std::path::Path::new("/tmp/never.csv").exists());
}

#[tokio::test]
async fn statements_too_deep_are_refused_and_panics_are_errors() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let chain = format!("SELECT id FROM listings WHERE {}", vec!["id = 1"; 400].join(" OR "));
    assert_eq!(ids(&engine, &db.id, &chain).await, [1]);
    for sql in [
        format!("SELECT {}", vec!["1"; 50_000].join(" + ")),
        format!("SELECT {}1{}", "(".repeat(50_000), ")".repeat(50_000)),
        vec!["SELECT 1"; 20_000].join(" UNION ALL "),
        format!(
            "SELECT * FROM bm25_search('default.public.listings', 'content', '{}', 3)",
            "(".repeat(100_000)
        ),
    ] {
        assert_eq!(error(&engine, &db.id, &sql).await.status, 400);
    }
    assert_eq!(ids(&engine, &db.id, "SELECT id FROM listings WHERE id = 3").await, [3]);
}

#[tokio::test]
async fn a_result_too_large_for_memory_is_refused() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let error =
        error(&engine, &db.id, "SELECT repeat('x', 1000) FROM generate_series(1, 2000000)").await;
    assert_eq!((error.status, error.code), (413, "RESULT_TOO_LARGE"));
}
