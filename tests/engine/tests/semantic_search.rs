//! The forms that take text: `vector_search` and `vector_distance` over a provider-backed index.

mod common;

use std::sync::Arc;

use async_trait::async_trait;
use common::*;
use hotdata_local_engine::engine::{EmbeddingClient, Engine, EngineOptions};
use hotdata_local_engine::error::EngineError;
use hotdata_local_engine::model::{DatabaseRecord, LoadMode, NewIndex};
use serde_json::json;

const SEARCH: &str = "vector_search('default.public.listings', 'content', 'quiet garden'";

async fn with_index() -> (Engine, DatabaseRecord) {
    let (engine, db) = listings(EngineOptions::default()).await;
    index(&engine, &db, "listings", embedded("content")).await.unwrap();
    (engine, db)
}

#[tokio::test]
async fn hits_come_in_row_order_with_a_distance_and_a_limit_takes_the_first() {
    let (engine, db) = with_index().await;
    let names = engine.query(&db.id, &format!("SELECT * FROM {SEARCH}, 3)")).await.unwrap();
    let names: Vec<String> = names
        .schema
        .fields()
        .iter()
        .map(|field| format!("{}:{}", field.name(), field.data_type()))
        .collect();
    assert_eq!(names[4..], ["content_embedding:List(Float32)", "_distance:Float32"]);
    let nearest =
        ids(&engine, &db.id, &format!("SELECT id FROM {SEARCH}, 3) ORDER BY _distance ASC")).await;
    assert_eq!(nearest[0], 0);
    let mut in_row_order = nearest.clone();
    in_row_order.sort_unstable();
    assert_eq!(ids(&engine, &db.id, &format!("SELECT id FROM {SEARCH}, 3)")).await, in_row_order);
    assert_eq!(
        ids(&engine, &db.id, &format!("SELECT id FROM {SEARCH}, 3) LIMIT 2")).await,
        in_row_order[..2]
    );
    assert_eq!(ids(&engine, &db.id, &format!("SELECT COUNT(id) FROM {SEARCH}, 100)")).await, [7]);
}

#[tokio::test]
async fn both_forms_agree() {
    let (engine, db) = with_index().await;
    let by_search = rows(
        &engine,
        &db.id,
        &format!("SELECT id, _distance FROM {SEARCH}, 7) ORDER BY _distance, id"),
    )
    .await;
    for sql in [
        "SELECT id, vector_distance(content, 'quiet garden') AS d FROM public.listings WHERE content IS NOT NULL ORDER BY d ASC, id LIMIT 7",
        "SELECT l.id, vector_distance(l.content, 'quiet garden') AS d FROM listings l WHERE id <> 5 ORDER BY vector_distance(l.content, 'quiet garden'), id",
        "SELECT id, d FROM (SELECT a.id, vector_distance(text, 'quiet garden') AS d FROM \
         (SELECT id, content AS text FROM listings) a JOIN listings b ON a.id = b.id) WHERE d IS NOT NULL ORDER BY d, id",
    ] {
        assert_eq!(rows(&engine, &db.id, sql).await, by_search, "{sql}");
    }
    let only_in_order_by =
        "SELECT id FROM listings ORDER BY vector_distance(content, 'quiet garden') LIMIT 1";
    assert_eq!(ids(&engine, &db.id, only_in_order_by).await, [0]);
    let none = "SELECT vector_distance(content, 'quiet garden') FROM listings WHERE id = 5";
    assert_eq!(rows(&engine, &db.id, none).await, [[json!(null)]]);
    let in_where =
        "SELECT id FROM listings WHERE vector_distance(content, 'quiet garden') < 0.5 ORDER BY id";
    assert!(ids(&engine, &db.id, in_where).await.contains(&0));
}

#[tokio::test]
async fn both_forms_need_the_index() {
    let (engine, db) = listings(EngineOptions::default()).await;
    index(&engine, &db, "listings", vector("embedding", Some("cosine"))).await.unwrap();
    for (sql, column) in [
        (format!("SELECT id FROM {SEARCH}, 3)"), "content"),
        (
            "SELECT id FROM vector_search('default.public.listings', 'embedding', 'x', 3)"
                .to_owned(),
            "embedding",
        ),
        ("SELECT vector_distance(content, 'x') FROM listings".to_owned(), "content"),
        (
            "SELECT l.id FROM listings l ORDER BY vector_distance(l.city, 'x') LIMIT 1".to_owned(),
            "city",
        ),
        (
            "SELECT vector_distance(lower(content), 'x') FROM listings".to_owned(),
            "lower(listings.content)",
        ),
    ] {
        let error = error(&engine, &db.id, &sql).await;
        let expected =
            format!("no vector index with embedding configuration found for column '{column}'");
        assert_eq!((error.status, error.message), (400, expected), "{sql}");
    }
}

#[tokio::test]
async fn explain_works_for_the_distance_and_not_for_the_search() {
    let (engine, db) = with_index().await;
    let text = plan(
        &engine,
        &db.id,
        "SELECT id, vector_distance(content, 'x') AS d FROM public.listings ORDER BY d LIMIT 3",
    )
    .await;
    assert!(text.contains("SortExec: TopK(fetch=3)") && text.contains("DataSourceExec"), "{text}");
    let wrong = error(&engine, &db.id, &format!("EXPLAIN SELECT id FROM {SEARCH}, 3)")).await;
    assert_eq!(
        wrong.message,
        "vector_search() is a RuntimeDB rewrite-only stub and must not execute directly. The SQL rewrite step did \
         not replace it with vector_search_vector()"
    );
}

#[tokio::test]
async fn wrong_arguments_are_refused() {
    let (engine, db) = with_index().await;
    for call in [
        "vector_search('default.public.listings', 'content', 'x')",
        "vector_search('default.public.listings', 'content', ARRAY[0.1], 3)",
        "vector_search('default.public.listings', 'content', 'x', -1)",
        "vector_search('listings', 'content', 'x', 3)",
    ] {
        assert_eq!(
            error(&engine, &db.id, &format!("SELECT id FROM {call}")).await.status,
            400,
            "{call}"
        );
    }
    for call in [
        "vector_distance(content, city)",
        "vector_distance(content, ARRAY[0.5])",
        "vector_distance(content)",
    ] {
        assert_eq!(
            error(&engine, &db.id, &format!("SELECT {call} FROM listings")).await.status,
            400,
            "{call}"
        );
    }
}

/// Answers each text's length and a constant.
#[derive(Debug)]
struct Lengths;

#[async_trait]
impl EmbeddingClient for Lengths {
    async fn embed(
        &self,
        url: &str,
        model: &str,
        texts: &[String],
    ) -> Result<Vec<Vec<f32>>, EngineError> {
        assert_eq!((url, model), ("http://127.0.0.1:9/v1/embeddings", "lengths"));
        tokio::task::yield_now().await;
        if texts.iter().any(|text| text == "fail") {
            return Err(EngineError::internal("the embedding service is away"));
        }
        Ok(texts.iter().map(|text| vec![text.len() as f32, 1.0]).collect())
    }
}

#[tokio::test]
async fn a_service_provider_embeds_both_sides() {
    let service = (
        "emb_lengths".to_owned(),
        "http://127.0.0.1:9/v1/embeddings".to_owned(),
        "lengths".to_owned(),
    );
    let options = EngineOptions {
        embedding_services: vec![service],
        embedding_client: Some(Arc::new(Lengths)),
        ..EngineOptions::default()
    };
    let (engine, db) = listings(options).await;
    let providers = engine.embedding_providers();
    assert_eq!(
        (&providers[0]["id"], &providers[0]["provider_type"], &providers[0]["source"]),
        (&json!("sys_emb_local"), &json!("local"), &json!("system"))
    );
    assert_eq!(
        (&providers[1]["id"], &providers[1]["provider_type"]),
        (&json!("emb_lengths"), &json!("service"))
    );
    let by_length = NewIndex {
        embedding_provider_id: Some("emb_lengths".to_owned()),
        output_column: Some("Length".to_owned()),
        ..vector("content", Some("l2"))
    };
    let record = index(&engine, &db, "listings", by_length).await.unwrap();
    assert_eq!(
        (record.columns, record.source_column.as_deref()),
        (vec!["length".to_owned()], Some("content"))
    );
    let sql =
        "SELECT id FROM vector_search('default.public.listings', 'content', '0123456789_', 1)";
    assert_eq!(ids(&engine, &db.id, sql).await, [3]);
    load(
        &engine,
        &db.id,
        "listings",
        LoadMode::Append,
        r#"{"id":8,"city":"sf","content":"abc","embedding":null}"#,
    )
    .await
    .unwrap();
    let sql = "SELECT id FROM vector_search('default.public.listings', 'content', 'xyz', 1)";
    assert_eq!(ids(&engine, &db.id, sql).await, [8]);
    let sql = "SELECT id FROM vector_search('default.public.listings', 'content', 'fail', 1)";
    assert_eq!(error(&engine, &db.id, sql).await.message, "the embedding service is away");
    let text = r#"{"id":9,"city":"sf","content":"fail","embedding":null}"#;
    let refused = load(&engine, &db.id, "listings", LoadMode::Append, text).await;
    assert_eq!(refused.unwrap_err().message, "the embedding service is away");
    assert_eq!(ids(&engine, &db.id, "SELECT COUNT(*) FROM listings").await, [9]);
}
