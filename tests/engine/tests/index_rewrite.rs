//! When `ORDER BY <distance> LIMIT k` is served by a vector index, told by the plan. Answers never depend on it.

mod common;

use common::*;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_engine::model::DatabaseRecord;

async fn with_cosine_index() -> (Engine, DatabaseRecord) {
    let (engine, db) = listings(EngineOptions::default()).await;
    index(&engine, &db, "listings", vector("embedding", Some("cosine"))).await.unwrap();
    (engine, db)
}

const Q: &str = "ARRAY[1.0, 0.1]";

/// Checks the plan, and that the answer is that of an engine without the index.
async fn check(sql: &str, served: Option<&str>) {
    let (with, with_db) = with_cosine_index().await;
    let (without, without_db) = listings(EngineOptions::default()).await;
    let text = plan(&with, &with_db.id, sql).await;
    match served {
        Some(detail) => {
            assert!(
                text.contains(&format!(
                    "USearchExec: table=default::public::listings::embedding, {detail}"
                )),
                "{sql}\n{text}"
            );
            assert!(!text.contains("DataSourceExec"), "{sql}\n{text}");
        }
        None => {
            assert!(!text.contains("USearchExec"), "{sql}\n{text}");
            assert!(text.contains("DataSourceExec"), "{sql}\n{text}");
        }
    }
    assert_eq!(
        rows(&with, &with_db.id, sql).await,
        rows(&without, &without_db.id, sql).await,
        "{sql}"
    );
    assert!(!plan(&without, &without_db.id, sql).await.contains("USearchExec"));
}

#[tokio::test]
async fn the_shape_the_vector_store_emits() {
    check(
        &format!("SELECT id, content, cosine_distance(embedding, {Q}) AS d FROM default.public.listings ORDER BY d ASC LIMIT 3"),
        Some("k=3, filtered=false"),
    )
    .await;
}

#[tokio::test]
async fn quoting_is_not_part_of_the_match() {
    check(
        &format!("SELECT id, cosine_distance(embedding, {Q}) AS d FROM \"default\".\"public\".\"listings\" ORDER BY d ASC LIMIT 3"),
        Some("k=3, filtered=false"),
    )
    .await;
}

#[tokio::test]
async fn a_shorter_reference_forfeits_the_index() {
    for table in ["public.listings", "listings"] {
        check(&format!("SELECT id, cosine_distance(embedding, {Q}) AS d FROM {table} ORDER BY d ASC LIMIT 3"), None).await;
    }
}

#[tokio::test]
async fn a_where_over_other_columns_goes_into_the_lookup() {
    for condition in
        ["city = 'la'", "id > 2 AND city <> 'sf'", "content ILIKE '%QUIET%' OR id IN (3, 7)"]
    {
        check(
            &format!("SELECT id, cosine_distance(embedding, {Q}) AS d FROM default.public.listings WHERE {condition} ORDER BY d ASC LIMIT 2"),
            Some("k=2, filtered=true"),
        )
        .await;
    }
}

#[tokio::test]
async fn a_where_over_the_vectors_or_a_subquery_does_not() {
    for condition in [
        format!("cosine_distance(embedding, {Q}) < 0.5"),
        "id IN (SELECT id FROM default.public.listings WHERE city = 'la')".to_owned(),
    ] {
        check(
            &format!("SELECT id, cosine_distance(embedding, {Q}) AS d FROM default.public.listings WHERE {condition} ORDER BY d ASC LIMIT 2"),
            None,
        )
        .await;
    }
}

#[tokio::test]
async fn projecting_the_vectors_declines() {
    check(
        &format!("SELECT id, embedding, cosine_distance(embedding, {Q}) AS d FROM default.public.listings ORDER BY d ASC LIMIT 3"),
        None,
    )
    .await;
    check(&format!("SELECT * FROM default.public.listings ORDER BY cosine_distance(embedding, {Q}) ASC LIMIT 3"), None).await;
}

#[tokio::test]
async fn another_metric_declines() {
    for function in ["l2_distance", "negative_dot_product"] {
        check(&format!("SELECT id, {function}(embedding, {Q}) AS d FROM default.public.listings ORDER BY d ASC LIMIT 3"), None).await;
    }
}

#[tokio::test]
async fn no_limit_declines() {
    check(
        &format!("SELECT id, cosine_distance(embedding, {Q}) AS d FROM default.public.listings ORDER BY d ASC, id ASC"),
        None,
    )
    .await;
}

#[tokio::test]
async fn descending_nulls_first_or_a_second_key_declines() {
    for order in ["d DESC", "d ASC NULLS FIRST", "d ASC, id ASC"] {
        check(
            &format!("SELECT id, cosine_distance(embedding, {Q}) AS d FROM default.public.listings ORDER BY {order} LIMIT 3"),
            None,
        )
        .await;
    }
}

#[tokio::test]
async fn a_distance_that_stands_only_in_order_by_is_served() {
    check(
        &format!("SELECT id, content FROM default.public.listings ORDER BY cosine_distance(embedding, {Q}) ASC LIMIT 3"),
        Some("k=3, filtered=false"),
    )
    .await;
    check(
        &format!("SELECT id FROM default.public.listings WHERE city = 'la' ORDER BY cosine_distance(embedding, {Q}) LIMIT 3"),
        Some("k=3, filtered=true"),
    )
    .await;
}

#[tokio::test]
async fn an_alias_an_offset_and_a_cte_are_served() {
    check(
        &format!("SELECT l.id, cosine_distance(l.embedding, {Q}) AS d FROM default.public.listings AS l WHERE l.id > 0 ORDER BY d LIMIT 3"),
        Some("k=3, filtered=true"),
    )
    .await;
    check(
        &format!("SELECT id, cosine_distance(embedding, {Q}) AS d FROM default.public.listings ORDER BY d LIMIT 3 OFFSET 2"),
        Some("k=5, filtered=false"),
    )
    .await;
    check(
        &format!(
            "WITH near AS (SELECT id, cosine_distance(embedding, {Q}) AS d FROM default.public.listings ORDER BY d ASC LIMIT 4) \
             SELECT id, ROW_NUMBER() OVER (ORDER BY d ASC) AS r FROM near WHERE d IS NOT NULL ORDER BY r"
        ),
        Some("k=4, filtered=false"),
    )
    .await;
}

#[tokio::test]
async fn ranking_every_row_first_is_a_scan() {
    check(
        &format!(
            "SELECT id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY cosine_distance(embedding, {Q})) AS r \
             FROM default.public.listings) WHERE r <= 3 ORDER BY r"
        ),
        None,
    )
    .await;
}

#[tokio::test]
async fn a_width_other_than_the_indexs_is_an_error_as_in_a_scan() {
    let (engine, db) = with_cosine_index().await;
    let sql = "SELECT id, cosine_distance(embedding, ARRAY[1.0]) AS d FROM default.public.listings ORDER BY d LIMIT 3";
    let error = error(&engine, &db.id, sql).await;
    assert!(
        error.message.contains(
            "cosine_distance: query vector length (1) must match row 0 dimensionality (2)"
        ),
        "{error}"
    );
}

#[tokio::test]
async fn rows_without_a_vector_are_not_in_the_index() {
    let (engine, db) = with_cosine_index().await;
    let sql = format!(
        "SELECT id, cosine_distance(embedding, {Q}) AS d FROM default.public.listings ORDER BY d LIMIT 20"
    );
    let ids = ids(&engine, &db.id, &sql).await;
    assert_eq!(ids.len(), 7);
    assert!(!ids.contains(&6));
}
