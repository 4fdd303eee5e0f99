//! Discovery in SQL: `information_schema`, `SHOW` and `DESCRIBE`.

mod common;

use common::*;
use hotdata_local_engine::engine::EngineOptions;
use serde_json::json;

#[tokio::test]
async fn columns_have_seven_columns_and_count_from_one() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let answer = engine.query(&db.id, "SELECT * FROM information_schema.columns").await.unwrap();
    let columns: Vec<String> = answer
        .schema
        .fields()
        .iter()
        .map(|field| format!("{}:{}", field.name(), field.data_type()))
        .collect();
    assert_eq!(
        columns,
        [
            "table_catalog:Utf8",
            "table_schema:Utf8",
            "table_name:Utf8",
            "column_name:Utf8",
            "ordinal_position:Int32",
            "data_type:Utf8",
            "is_nullable:Utf8"
        ]
    );
    let of = |name: &str, position: i32, data_type: &str| {
        vec![
            json!("default"),
            json!("public"),
            json!("listings"),
            json!(name),
            json!(position),
            json!(data_type),
            json!("YES"),
        ]
    };
    assert_eq!(
        rows_of(&answer),
        [
            of("id", 1, "Int64"),
            of("city", 2, "Utf8"),
            of("content", 3, "Utf8"),
            of("embedding", 4, "List(Float64)")
        ]
    );
}

#[tokio::test]
async fn tables_have_four_columns_and_name_no_views() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let expected = [[json!("default"), json!("public"), json!("listings"), json!("BASE TABLE")]];
    for sql in [
        "SELECT * FROM information_schema.tables",
        "SELECT * FROM default.information_schema.tables",
        "SHOW TABLES",
    ] {
        assert_eq!(rows(&engine, &db.id, sql).await, expected, "{sql}");
    }
    let missing = error(&engine, &db.id, "SELECT * FROM information_schema.indexes").await;
    assert_eq!(missing.message, "table 'default.information_schema.indexes' not found");
}

#[tokio::test]
async fn describe_and_show_columns() {
    let (engine, db) = listings(EngineOptions::default()).await;
    for sql in ["DESCRIBE listings", "DESC default.public.listings"] {
        assert_eq!(
            rows(&engine, &db.id, sql).await[0],
            [json!("id"), json!("Int64"), json!("YES")],
            "{sql}"
        );
    }
    let shown = rows(&engine, &db.id, "SHOW COLUMNS FROM listings").await;
    assert_eq!((shown.len(), &shown[2][3]), (4, &json!("content")));
}

#[tokio::test]
async fn a_generated_column_is_an_ordinary_one() {
    let (engine, db) = listings(EngineOptions::default()).await;
    index(&engine, &db, "listings", embedded("content")).await.unwrap();
    let sql =
        "SELECT data_type FROM information_schema.columns WHERE column_name = 'content_embedding'";
    assert_eq!(rows(&engine, &db.id, sql).await, [[json!("List(Float32)")]]);
}
