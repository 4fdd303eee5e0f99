//! The three distance functions.

mod common;

use bytes::Bytes;
use common::*;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_engine::model::*;
use serde_json::{Value, json};

#[tokio::test]
async fn values_of_literals() {
    let (engine, db) = listings(EngineOptions::default()).await;
    for (sql, value) in [
        ("cosine_distance(ARRAY[1.0, 0.0], ARRAY[0.0, 2.0])", json!(1.0)),
        ("cosine_distance(ARRAY[1.0, 0.0], ARRAY[-2.0, 0.0])", json!(2.0)),
        ("cosine_distance(ARRAY[0.0, 0.0], ARRAY[-2.0, 0.0])", json!(1.0)),
        ("l2_distance(ARRAY[1.0, 2.0], ARRAY[4.0, 6.0])", json!(25.0)),
        ("negative_dot_product(ARRAY[1.0, 2.0], ARRAY[4.0, 6.0])", json!(-16.0)),
        ("l2_distance(NULL, ARRAY[4.0, 6.0])", Value::Null),
        ("l2_distance(ARRAY[1.0, NULL], ARRAY[4.0, 6.0])", Value::Null),
    ] {
        let answer = engine.query(&db.id, &format!("SELECT {sql} AS d")).await.unwrap();
        assert_eq!(answer.schema.field(0).data_type().to_string(), "Float32", "{sql}");
        assert_eq!(rows_of(&answer), [[value]], "{sql}");
    }
}

#[tokio::test]
async fn columns_of_every_list_type_give_one_answer() {
    let engine = Engine::open(EngineOptions::default()).unwrap();
    let db = new_database(&engine);
    for (table, data_type) in [
        ("a", "List(Float32)"),
        ("b", "List(Float64)"),
        ("c", "LargeList(Float32)"),
        ("d", "FixedSizeList(2 x Float32)"),
    ] {
        let source =
            LoadSource::Bytes { bytes: Bytes::from("id,v\n1,\"[1, 2]\"\n2,\n"), format: None };
        let columns =
            vec![("id".to_owned(), "BIGINT".to_owned()), ("v".to_owned(), data_type.to_owned())];
        let request = LoadRequest { mode: LoadMode::Replace, key: vec![], source, columns };
        engine.load(&db.id, "public", table, request).await.unwrap();
        let sql = format!(
            "SELECT l2_distance(v, ARRAY[4.0, 6.0]), l2_distance(ARRAY[4.0, 6.0], v) FROM {table} ORDER BY id"
        );
        assert_eq!(
            rows(&engine, &db.id, &sql).await,
            [[json!(25.0), json!(25.0)], [Value::Null, Value::Null]],
            "{table}"
        );
    }
    let between = "SELECT l2_distance(a.v, b.v) FROM a JOIN b ON a.id = b.id ORDER BY a.id";
    assert_eq!(rows(&engine, &db.id, between).await, [[json!(0.0)], [Value::Null]]);
}

#[tokio::test]
async fn widths_must_match_and_integers_are_not_floats() {
    let (engine, db) = listings(EngineOptions::default()).await;
    for (sql, message) in [
        (
            "SELECT cosine_distance(embedding, ARRAY[1.0, 0.5, 0.1]) FROM listings",
            "Execution error: cosine_distance: query vector length (3) must match row 0 dimensionality (2)",
        ),
        (
            "SELECT cosine_distance(embedding, 'text') FROM listings",
            "Error during planning: cosine_distance: arguments must be lists of floats, got Utf8",
        ),
        (
            "SELECT id, l2_distance(embedding, ARRAY[1, 0]) AS d FROM listings ORDER BY d LIMIT 1",
            "Error during planning: l2_distance: arguments must be lists of floats, got List(Int64)",
        ),
    ] {
        let error = error(&engine, &db.id, sql).await;
        assert_eq!((error.status, error.message.as_str()), (400, message), "{sql}");
    }
    assert_eq!(
        error(&engine, &db.id, "SELECT cosine_distance(embedding) FROM listings").await.status,
        400
    );
}
