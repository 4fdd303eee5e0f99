//! Index types, which of them share a table, builds as jobs, and what a listing says.

use hotdata_local_engine::engine::EngineOptions;
use serde_json::{Value, json};

use crate::data::{Listing, indexed_listings, listing_batch, listings, listings_database, parquet};
use crate::service::{Database, Service, bm25, plain_vector, provider_vector};

const COEXIST: &str = "Embedding-backed vector indexes cannot coexist with other indexes on the same table. \
                       Drop the existing indexes before creating an embedding-backed vector index, or drop the \
                       embedding-backed vector index before creating other indexes.";

fn sorted(name: &str, column: &str) -> Value {
    json!({ "index_name": name, "index_type": "sorted", "columns": [column] })
}

pub async fn there_are_three_index_types() {
    let database = indexed_listings(Service::shared().await).await;
    database.build_index("listings", sorted("listings_city_sorted", "city")).await;
    let mut types: Vec<String> = database
        .indexes("listings")
        .await
        .iter()
        .map(|index| index["index_type"].as_str().expect("a type").to_owned())
        .collect();
    types.sort();
    assert_eq!(types, ["bm25", "sorted", "vector"]);
    let unknown = json!({ "index_name": "x", "index_type": "btree", "columns": ["city"] });
    assert_eq!(database.submit_index("listings", unknown).await.status, 400);
}

pub async fn a_sorted_index_is_transparent() {
    let database = listings_database(Service::shared().await).await;
    let sql = "SELECT id, rating FROM listings WHERE city = 'sf' AND rating > 2 ORDER BY id";
    let before = database.query(sql).await;
    database.build_index("listings", sorted("listings_city_sorted", "city")).await;
    assert_eq!(database.query(sql).await.rows, before.rows);
    let message = database
        .refusal("SELECT * FROM sorted_search('default.public.listings', 'city', 'sf')")
        .await;
    assert!(message.contains("sorted_search"), "no function names it: {message}");
}

pub async fn a_list_of_float32_is_indexable() {
    let database = listings_database(Service::shared().await).await;
    let kind = database.query("SELECT arrow_typeof(embedding) AS t FROM listings LIMIT 1").await;
    assert!(kind.texts("t")[0].contains("Float32"), "{kind:?}");
    database.build_index("listings", plain_vector("v", "embedding", "cosine")).await;
}

pub async fn other_indexes_are_refused_beside_a_provider_backed_one() {
    let database = listings_database(Service::shared().await).await;
    database.build_index("listings", provider_vector("semantic", "content")).await;
    let others =
        [bm25("t", "content"), sorted("s", "city"), plain_vector("v", "embedding", "cosine")];
    for other in others {
        let message = database.index_refusal("listings", other.clone()).await;
        assert!(message.contains(COEXIST), "{other}: {message}");
    }
    assert_eq!(database.indexes("listings").await.len(), 1);
}

pub async fn a_provider_backed_index_is_refused_beside_any_other() {
    for other in
        [bm25("t", "content"), sorted("s", "city"), plain_vector("v", "embedding", "cosine")]
    {
        let database = listings_database(Service::shared().await).await;
        database.build_index("listings", other.clone()).await;
        let message =
            database.index_refusal("listings", provider_vector("semantic", "content")).await;
        assert!(message.contains(COEXIST), "{other}: {message}");
    }
}

pub async fn dropping_the_other_index_makes_room() {
    let service = Service::shared().await;
    let database = listings_database(service).await;
    database.build_index("listings", bm25("t", "content")).await;
    let path = format!("/v1/connections/{}/tables/public/listings/indexes/t", database.connection);
    let dropped = service.call("DELETE", &path, &[], "").await;
    assert!(dropped.status < 300, "{}", dropped.text());
    database.build_index("listings", provider_vector("semantic", "content")).await;
}

pub async fn a_plain_vector_index_and_bm25_coexist() {
    let database = listings_database(Service::shared().await).await;
    database.build_index("listings", plain_vector("v", "embedding", "cosine")).await;
    database.build_index("listings", bm25("listings_content_bm25", "content")).await;
    let listed = database.indexes("listings").await;
    assert_eq!(listed.len(), 2);
    assert!(listed.iter().all(|index| index["status"] == "ready"), "{listed:?}");
}

pub async fn text_and_meaning_never_share_a_column() {
    let database = listings_database(Service::shared().await).await;
    let message = database.index_refusal("listings", bm25("t", "embedding")).await;
    assert!(message.contains("embedding"), "BM25 is for text: {message}");
    let message = database.index_refusal("listings", plain_vector("v", "content", "cosine")).await;
    assert!(message.contains("content"), "a plain vector index is for vectors: {message}");
    database.build_index("listings", bm25("t", "content")).await;
    let message = database.index_refusal("listings", provider_vector("p", "content")).await;
    assert!(message.contains(COEXIST), "{message}");
}

pub async fn a_build_failure_shows_only_on_the_job() {
    let database = Service::shared().await.database().await;
    database.load_parquet("uneven", "replace", crate::data::uneven_vectors()).await;
    let submitted = database
        .submit_index("uneven", plain_vector("v", "embedding", "cosine"))
        .await
        .expect(202)
        .json();
    assert_eq!(submitted["status"], "pending");
    let job = database.service.job(submitted["id"].as_str().expect("a job id")).await;
    assert_eq!(job["status"], "failed", "{job}");
    let message = job["error_message"].as_str().expect("a message");
    assert!(message.contains("embedding"), "{message}");
    assert!(database.indexes("uneven").await.is_empty(), "a failed build leaves no index");
}

pub async fn a_successful_build_is_a_job_too() {
    let database = listings_database(Service::shared().await).await;
    let job = database.index_job("listings", bm25("t", "content")).await;
    assert_eq!(
        (job["status"].as_str(), job["error_message"].as_str()),
        (Some("succeeded"), None),
        "{job}"
    );
}

pub async fn a_listed_index_carries_the_six_fields() {
    let database = indexed_listings(Service::shared().await).await;
    let listed = database.indexes("listings").await;
    let text = listed.iter().find(|index| index["index_type"] == "bm25").expect("bm25");
    let vector = listed.iter().find(|index| index["index_type"] == "vector").expect("vector");
    assert_eq!(text["index_name"], "listings_content_bm25");
    assert_eq!(text["columns"], json!(["content"]));
    assert!(text["metric"].is_null() && text["source_column"].is_null());
    assert_eq!(vector["index_name"], "listings_embedding_vector");
    assert_eq!(vector["columns"], json!(["embedding"]));
    assert_eq!(vector["metric"], "cosine");
    assert!(vector["source_column"].is_null(), "a plain index has no source column");
    assert!(listed.iter().all(|index| index["status"] == "ready"));
}

pub async fn a_provider_backed_index_reports_its_source_column() {
    let database = listings_database(Service::shared().await).await;
    database.build_index("listings", provider_vector("semantic", "content")).await;
    let listed = database.indexes("listings").await;
    assert_eq!(listed[0]["source_column"], "content");
    assert_eq!(listed[0]["columns"], json!(["content_embedding"]));
}

pub async fn an_index_is_pending_until_it_is_built() {
    let database = listings_database(Service::shared().await).await;
    let submitted =
        database.submit_index("listings", provider_vector("p", "content")).await.expect(202).json();
    assert_eq!(submitted["status"], "pending");
    let mut seen = Vec::new();
    for _ in 0..400 {
        let listed = database.indexes("listings").await;
        assert_eq!(listed.len(), 1, "listed while it is still being built");
        let status = listed[0]["status"].as_str().expect("a status").to_owned();
        assert!(["pending", "ready"].contains(&status.as_str()), "{status}");
        let ready = status == "ready";
        seen.push(status);
        if ready {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(seen.last().map(String::as_str), Some("ready"));
    assert!(seen.is_sorted(), "never ready and then pending: {seen:?}");
}

pub async fn the_metric_is_echoed_in_lowercase() {
    for metric in ["cosine", "l2", "dot"] {
        let database = listings_database(Service::shared().await).await;
        database.build_index("listings", plain_vector("v", "embedding", metric)).await;
        assert_eq!(database.indexes("listings").await[0]["metric"], metric);
    }
}

pub async fn dimensions_do_not_apply_to_a_plain_index() {
    let database = listings_database(Service::shared().await).await;
    let mut index = plain_vector("v", "embedding", "cosine");
    index["dimensions"] = json!(99);
    database.build_index("listings", index).await;
    let sql = format!(
        "SELECT id FROM default.public.listings ORDER BY cosine_distance(embedding, {}) LIMIT 1",
        crate::data::NEAR_SQL
    );
    assert_eq!(database.query(&sql).await.rows.len(), 1, "the width is the data's four");
}

pub async fn an_index_needs_data_first() {
    let database = Service::shared().await.database().await;
    database.declare("empty", &["id"]).await;
    for index in [plain_vector("v", "embedding", "cosine"), bm25("t", "content")] {
        database.index_refusal("empty", index).await;
    }
    assert!(database.indexes("empty").await.is_empty());
}

fn slice(from: i64, to: i64) -> bytes::Bytes {
    let rows: Vec<Listing> =
        listings(120).into_iter().filter(|row| (from..to).contains(&row.id)).collect();
    parquet(&listing_batch(&rows))
}

/// Loads ids 0..10, applies a second load, builds the vector index; the job.
async fn after(database: &Database<'_>, table: &str, mode: &str, from: i64, to: i64) -> Value {
    database.declare(table, &["id"]).await;
    database.load_parquet(table, "replace", slice(0, 10)).await;
    database.load_parquet(table, mode, slice(from, to)).await;
    database.index_job(table, plain_vector(&format!("{table}_v"), "embedding", "cosine")).await
}

pub async fn a_mixed_upsert_makes_builds_fail_now_and_then() {
    let options = EngineOptions { flaky_dimension: true, ..EngineOptions::default() };
    let service = Service::start(options, false).await;
    let database = service.database().await;
    let mut outcomes = Vec::new();
    for table in ["a", "b", "c", "d"] {
        let job = after(&database, table, "upsert", 5, 15).await;
        if job["status"] == "failed" {
            let message = job["error_message"].as_str().expect("a message");
            assert!(message.contains("could not detect dimension for 'embedding'"), "{message}");
        }
        outcomes.push(job["status"] == "failed");
    }
    assert!(outcomes.contains(&true) && outcomes.contains(&false), "{outcomes:?}");
}

pub async fn loads_that_are_not_mixed_never_make_a_build_fail() {
    let options = EngineOptions { flaky_dimension: true, ..EngineOptions::default() };
    let service = Service::start(options, false).await;
    let database = service.database().await;
    let shapes = [
        ("rewrite", "upsert", 0, 10),
        ("subset", "upsert", 2, 5),
        ("added", "upsert", 10, 20),
        ("appended", "append", 10, 20),
        ("replaced", "replace", 0, 20),
        ("updated", "update", 3, 6),
    ];
    for (table, mode, from, to) in shapes {
        let job = after(&database, table, mode, from, to).await;
        assert_eq!(job["status"], "succeeded", "{table}: {job}");
    }
}

pub async fn nothing_routes_between_text_and_vectors() {
    let database = indexed_listings(Service::shared().await).await;
    for function in ["hybrid_search", "rrf", "fusion_search"] {
        let message = database
            .refusal(&format!("SELECT * FROM {function}('default.public.listings', 'x')"))
            .await;
        assert!(message.contains(function), "{message}");
    }
    let plan =
        database.plan("SELECT id FROM default.public.listings WHERE content LIKE '%garden%'").await;
    assert!(plan.contains("DataSourceExec") && !plan.to_lowercase().contains("bm25"), "{plan}");
}
