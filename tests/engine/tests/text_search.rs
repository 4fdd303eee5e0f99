//! `bm25_search`.

mod common;

use common::*;
use hotdata_local_engine::engine::EngineOptions;
use hotdata_local_engine::model::{LoadMode, NewIndex};
use serde_json::json;

const TABLE: &str = "default.public.listings";

#[tokio::test]
async fn hits_come_in_row_order_with_the_columns_and_a_score() {
    let (engine, db) = listings(EngineOptions::default()).await;
    index(&engine, &db, "listings", bm25("content")).await.unwrap();
    let sql = format!("SELECT * FROM bm25_search('{TABLE}', 'content', 'quiet garden')");
    let answer = engine.query(&db.id, &sql).await.unwrap();
    let names: Vec<&str> =
        answer.schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["id", "city", "content", "embedding", "score"]);
    assert_eq!(answer.schema.field(4).data_type().to_string(), "Float32");
    assert_eq!(ids(&engine, &db.id, &sql).await, [0, 2, 3, 6]);
    let best = format!(
        "SELECT id FROM bm25_search('{TABLE}', 'content', 'quiet garden', 2) ORDER BY score DESC"
    );
    assert_eq!(ids(&engine, &db.id, &best).await, [0, 2]);
    let reordered =
        format!("SELECT score, id FROM bm25_search('{TABLE}', 'content', 'quiet garden', 2)");
    assert_eq!(rows(&engine, &db.id, &reordered).await[0][1], json!(0));
}

#[tokio::test]
async fn the_fourth_argument_and_a_bare_limit_bound_the_search() {
    let (engine, db) = listings(EngineOptions::default()).await;
    index(&engine, &db, "listings", bm25("content")).await.unwrap();
    let best: Vec<i64> = ids(
        &engine,
        &db.id,
        &format!(
            "SELECT id FROM bm25_search('{TABLE}', 'content', 'garden') ORDER BY score DESC LIMIT 1"
        ),
    )
    .await;
    let limited = format!("SELECT id FROM bm25_search('{TABLE}', 'content', 'garden') LIMIT 1");
    assert_eq!(ids(&engine, &db.id, &limited).await, best);
    assert!(plan(&engine, &db.id, &limited).await.contains("k=1"));
    for (k, count) in [(0, 0), (2, 2), (1_000_000_000, 3)] {
        let sql = format!("SELECT COUNT(*) FROM bm25_search('{TABLE}', 'content', 'garden', {k})");
        assert_eq!(ids(&engine, &db.id, &sql).await, [count]);
    }
    for bad in ["-1", "1.5", "'3'", "NULL", "id"] {
        let sql = format!("SELECT id FROM bm25_search('{TABLE}', 'content', 'garden', {bad})");
        assert_eq!(error(&engine, &db.id, &sql).await.status, 400, "{bad}");
    }
}

#[tokio::test]
async fn without_a_fourth_argument_a_thousand_rows_come() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let mut text = "id,content\n".to_owned();
    for id in 0..1500 {
        text.push_str(&format!("{id},quiet garden number {id}\n"));
    }
    load(&engine, &db.id, "many", LoadMode::Replace, &text).await.unwrap();
    index(&engine, &db, "many", bm25("content")).await.unwrap();
    let sql = "SELECT COUNT(id) FROM bm25_search('default.public.many', 'content', 'quiet'";
    assert_eq!(ids(&engine, &db.id, &format!("{sql})")).await, [1000]);
    assert_eq!(ids(&engine, &db.id, &format!("{sql}, 2000)")).await, [1500]);
}

#[tokio::test]
async fn the_index_is_a_prerequisite() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let sql = format!("SELECT id FROM bm25_search('{TABLE}', 'city', 'garden', 5)");
    let wrong = error(&engine, &db.id, &sql).await;
    let connection = &db.default_connection_id;
    assert_eq!(
        (wrong.status, wrong.message),
        (400, format!("No BM25 index found on column 'city' for {connection}.public.listings"))
    );
    for (table, missing) in
        [("listings", "listings"), ("default.public.nope", "default.public.nope")]
    {
        let sql = format!("SELECT id FROM bm25_search('{table}', 'city', 'garden', 5)");
        assert_eq!(
            error(&engine, &db.id, &sql).await.message,
            format!("table '{missing}' not found")
        );
    }
}

#[tokio::test]
async fn the_first_argument_may_quote_its_parts() {
    let (engine, db) = listings(EngineOptions::default()).await;
    load(&engine, &db.id, "my \"odd\" table", LoadMode::Replace, "id,content\n7,garden\n")
        .await
        .unwrap();
    index(&engine, &db, "my \"odd\" table", bm25("content")).await.unwrap();
    let sql = "SELECT id FROM bm25_search('default.\"public\".\"my \"\"odd\"\" table\"', 'content', 'garden', 5)";
    assert_eq!(ids(&engine, &db.id, sql).await, [7]);
}

#[tokio::test]
async fn texts_the_query_parser_rejects_are_errors_or_searched_leniently() {
    let texts = [
        "\"quiet garden",
        "C++ (beta): \"open",
        "a AND",
        "https://a.b/c",
        "id:3",
        "(",
        "NOT quiet",
    ];
    let (strict, db) = listings(EngineOptions::default()).await;
    index(&strict, &db, "listings", bm25("content")).await.unwrap();
    let sql = |text: &str| format!("SELECT id FROM bm25_search('{TABLE}', 'content', '{text}', 5)");
    assert_eq!(
        error(&strict, &db.id, &sql(texts[0])).await.message,
        "Syntax Error: \"quiet garden"
    );
    let options = EngineOptions { lenient_search_text: true, ..EngineOptions::default() };
    let (lenient, lenient_db) = listings(options).await;
    index(&lenient, &lenient_db, "listings", bm25("content")).await.unwrap();
    // An open quotation is read as if it were closed.
    assert_eq!(ids(&lenient, &lenient_db.id, &sql(texts[0])).await, [0, 2]);
    for text in texts {
        if let Err(error) = strict.query(&db.id, &sql(text)).await {
            assert_eq!(error.status, 400, "{text}: {error}");
        }
        assert!(lenient.query(&lenient_db.id, &sql(text)).await.is_ok(), "{text}");
    }
}

#[tokio::test]
async fn a_hit_composes_with_joins_filters_and_aggregates() {
    let (engine, db) = listings(EngineOptions::default()).await;
    index(&engine, &db, "listings", bm25("content")).await.unwrap();
    let sql = format!(
        "SELECT l.city, COUNT(*) AS n FROM bm25_search('{TABLE}', 'content', 'quiet garden', 10) b \
         JOIN listings l ON l.id = b.id WHERE b.score > 0 GROUP BY l.city ORDER BY l.city"
    );
    assert_eq!(
        rows(&engine, &db.id, &sql).await,
        [[json!("la"), json!(2)], [json!("sf"), json!(2)]]
    );
    let filtered = format!(
        "SELECT id FROM bm25_search('{TABLE}', 'content', 'quiet garden') WHERE city = 'la' LIMIT 1"
    );
    assert_eq!(ids(&engine, &db.id, &filtered).await, [2]);
}

#[tokio::test]
async fn an_index_may_cover_several_columns_and_a_score_column_is_refused() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let both =
        NewIndex { columns: vec!["city".to_owned(), "content".to_owned()], ..bm25("content") };
    index(&engine, &db, "listings", both).await.unwrap();
    let of = |column: &str| {
        format!("SELECT id FROM bm25_search('{TABLE}', '{column}', 'la garden', 10)")
    };
    assert_eq!(ids(&engine, &db.id, &of("city")).await, [2, 3, 5, 7]);
    assert_eq!(ids(&engine, &db.id, &of("content")).await, [0, 2, 3]);
    load(&engine, &db.id, "scored", LoadMode::Replace, "content,score\ngarden,1\n").await.unwrap();
    index(&engine, &db, "scored", bm25("content")).await.unwrap();
    let sql = "SELECT * FROM bm25_search('default.public.scored', 'content', 'garden', 5)";
    assert!(error(&engine, &db.id, sql).await.message.contains("has a column 'score' of its own"));
}
