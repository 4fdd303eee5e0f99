//! What a fused search promises where data is odd.

use serde_json::json;

use super::fixture::{Fixture, Row, hybrid_sql, ids, value};

async fn indexed(lines: &[serde_json::Value]) -> Fixture {
    let fixture = Fixture::rows(lines).await;
    fixture.index_words("content").await;
    fixture.index_vectors("e", "cosine").await;
    fixture
}

fn options(patch: serde_json::Value) -> serde_json::Value {
    let mut options = json!({"table": "default.public.t", "column": "content", "vectorColumn": "e",
                             "query": "garden", "vector": [1, 0], "explain": true});
    options.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
    options
}

async fn fused(fixture: &Fixture, patch: serde_json::Value) -> Vec<Row> {
    fixture.query(&hybrid_sql(value(options(patch)))).await
}

#[tokio::test]
async fn a_row_without_a_vector_earns_nothing_from_the_vector_half() {
    let fixture = indexed(&[
        json!({"id": 1, "content": "street", "e": [1.0, 0.0]}),
        json!({"id": 2, "content": "garden", "e": null}),
        json!({"id": 3, "content": "lane", "e": null}),
    ])
    .await;
    let rows = fused(&fixture, json!({})).await;
    assert_eq!(ids(&rows), [1, 2]);
    assert_eq!(rows[0].get("text_rank"), None);
    assert_eq!(rows[1].get("vector_rank"), None);
    // Also where no index drops them on its own.
    let connection = &fixture.database.default_connection_id;
    fixture.engine.drop_index(connection, "public", "t", "e_vectors").unwrap();
    assert_eq!(ids(&fused(&fixture, json!({})).await), [1, 2]);
}

#[tokio::test]
async fn a_key_comes_once_with_its_best_ranks_however_often_it_stands() {
    let fixture = indexed(&[
        json!({"id": 7, "content": "garden garden garden", "e": [0.0, 1.0]}),
        json!({"id": 7, "content": "a garden by the street", "e": [1.0, 0.0]}),
        json!({"id": 8, "content": "garden path", "e": [0.8, 0.6]}),
        json!({"id": null, "content": "garden", "e": [1.0, 0.0]}),
    ])
    .await;
    let rows = fused(&fixture, json!({})).await;
    assert_eq!(ids(&rows), [7, 8]);
    let again = fused(&fixture, json!({})).await;
    assert_eq!(rows, again);
    assert_eq!(rows[0]["content"], "a garden by the street");
}

#[tokio::test]
async fn equal_scores_come_in_key_order_and_k_bounds_them() {
    let lines: Vec<_> =
        (0..30).map(|n| json!({"id": 29 - n, "content": "garden", "e": [1.0, 0.0]})).collect();
    let fixture = indexed(&lines).await;
    let rows = fused(&fixture, json!({"k": 3, "fetchK": 30})).await;
    assert_eq!(ids(&rows), [0, 1, 2]);
}

#[tokio::test]
async fn a_filter_is_seen_by_both_halves_before_they_are_cut() {
    let mut lines: Vec<_> = (0..50)
        .map(|n| json!({"id": n, "content": "garden garden", "year": 2000, "e": [1.0, 0.0]}))
        .collect();
    lines.push(
        json!({"id": 100, "content": "a small garden far away", "year": 2024, "e": [0.0, 1.0]}),
    );
    let fixture = indexed(&lines).await;
    let rows = fused(&fixture, json!({"k": 2, "filter": {"year": 2024}, "textBound": 51})).await;
    assert_eq!(ids(&rows), [100]);
    assert_eq!(
        (rows[0]["text_rank"].as_u64(), rows[0]["vector_rank"].as_u64()),
        (Some(1), Some(1))
    );
}

#[tokio::test]
async fn weights_and_the_constant_change_the_score_as_written() {
    let fixture = indexed(&[
        json!({"id": 1, "content": "street", "e": [1.0, 0.0]}),
        json!({"id": 2, "content": "garden", "e": [0.0, 1.0]}),
    ])
    .await;
    let rows = fused(&fixture, json!({"rrfK": 10, "weights": {"text": 3, "vector": 0.5}})).await;
    assert_eq!(ids(&rows), [2, 1]);
    let expected = 3.0 / 11.0 + 0.5 / 12.0;
    assert!((rows[0]["score"].as_f64().unwrap() - expected).abs() < 1e-12);
}

#[tokio::test]
async fn any_number_of_halves_fuse() {
    let fixture = indexed(&[
        json!({"id": 1, "title": "garden", "content": "street", "e": [1.0, 0.0]}),
        json!({"id": 2, "title": "lane", "content": "garden", "e": [0.0, 1.0]}),
        json!({"id": 3, "title": "roof", "content": "roof", "e": [0.6, 0.8]}),
    ])
    .await;
    fixture.index_words("title").await;
    let halves = json!([
        {"kind": "text", "column": "title", "query": "garden", "weight": 2},
        {"kind": "text", "column": "content", "query": "garden"},
        {"kind": "vector", "column": "e", "vector": [1, 0]},
        {"kind": "vector", "column": "e", "vector": [0, 1], "metric": "l2"},
    ]);
    let sql =
        hybrid_sql(value(json!({"table": "default.public.t", "halves": halves, "explain": true})));
    let rows = fixture.query(&sql).await;
    assert_eq!(ids(&rows), [1, 2, 3]);
    let by_hand = 2.0 / 61.0 + 1.0 / 61.0 + 1.0 / 63.0;
    assert!((rows[0]["score"].as_f64().unwrap() - by_hand).abs() < 1e-12);
    assert_eq!(rows[2]["vector_rank_2"], 2);
}

#[tokio::test]
async fn text_keys_and_odd_column_names_work() {
    let fixture = indexed(&[
        json!({"id": 1, "the key": "b", "order": 5, "content": "garden", "e": [1.0, 0.0]}),
        json!({"id": 2, "the key": "a", "order": 6, "content": "garden", "e": [1.0, 0.0]}),
    ])
    .await;
    let rows = fused(&fixture, json!({"keyColumn": "The Key", "columns": ["order", "ID"]})).await;
    assert_eq!(ids(&rows), [2, 1]);
    assert_eq!(rows[0]["order"], 6);
}
