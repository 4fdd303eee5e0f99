//! The vector index reached without naming it: the contract's rewrite table, row by row, read off EXPLAIN.

use serde_json::json;

use crate::data::{NEAR_SQL, indexed_listings, listings, listings_database, nearest};
use crate::service::{Database, Service, plain_vector};

const LOOKUP: &str = "USearchExec: table=default::public::listings::embedding, k=3, filtered=false";

fn ranked(projection: &str, table: &str, filter: &str) -> String {
    format!(
        "SELECT {projection}, cosine_distance(embedding, {NEAR_SQL}) AS d FROM {table} {filter} ORDER BY d ASC LIMIT 3"
    )
}

#[track_caller]
fn assert_scan(plan: &str) {
    assert!(plan.contains("DataSourceExec") && !plan.contains("USearchExec"), "{plan}");
}

#[track_caller]
fn assert_lookup(plan: &str, line: &str) {
    assert!(plan.contains(line) && !plan.contains("DataSourceExec"), "{plan}");
}

async fn assert_nearest(database: &Database<'_>, sql: &str) {
    let answer = database.query(sql).await;
    assert_eq!(answer.ints("id"), nearest(&listings(120))[..3], "{sql}");
    assert!(answer.body["warning"].is_null());
}

pub async fn without_an_index_the_plan_is_a_full_scan_under_top_k() {
    let database = listings_database(Service::shared().await).await;
    let sql = ranked("id, content", "default.public.listings", "");
    let plan = database.plan(&sql).await;
    assert_scan(&plan);
    assert!(plan.contains("SortExec: TopK(fetch=3), expr=[d@2 ASC NULLS LAST]"), "{plan}");
    assert_nearest(&database, &sql).await;
}

pub async fn the_plain_shape_is_an_index_lookup() {
    let database = indexed_listings(Service::shared().await).await;
    let sql = ranked("id, content", "default.public.listings", "");
    assert_lookup(&database.plan(&sql).await, LOOKUP);
    assert_nearest(&database, &sql).await;
}

pub async fn the_same_text_changes_plan_when_the_index_is_built() {
    let database = listings_database(Service::shared().await).await;
    let sql = ranked("id, content", "default.public.listings", "");
    assert_scan(&database.plan(&sql).await);
    let before = database.query(&sql).await;
    database.build_index("listings", plain_vector("v", "embedding", "cosine")).await;
    assert_lookup(&database.plan(&sql).await, LOOKUP);
    assert_eq!(database.query(&sql).await.rows, before.rows);
}

pub async fn a_quoted_three_part_reference_is_an_index_lookup() {
    let database = indexed_listings(Service::shared().await).await;
    let sql = ranked("id", "\"default\".\"public\".\"listings\"", "");
    assert_lookup(&database.plan(&sql).await, LOOKUP);
    assert_nearest(&database, &sql).await;
}

pub async fn a_shorter_reference_forfeits_the_index_and_returns_the_same_rows() {
    let database = indexed_listings(Service::shared().await).await;
    for table in ["public.listings", "listings"] {
        let sql = ranked("id", table, "");
        assert_scan(&database.plan(&sql).await);
        assert_nearest(&database, &sql).await;
    }
}

pub async fn an_equality_filter_is_pushed_into_the_lookup() {
    let database = indexed_listings(Service::shared().await).await;
    let sql = ranked("id", "default.public.listings", "WHERE city = 'oakland'");
    let line = "USearchExec: table=default::public::listings::embedding, k=3, filtered=true";
    let plan = database.plan(&sql).await;
    assert!(plan.contains(line), "{plan}");
    let odd: Vec<i64> = nearest(&listings(120)).into_iter().filter(|id| id % 2 == 1).collect();
    assert_eq!(
        database.query(&sql).await.ints("id"),
        odd[..3],
        "filtered before the three are chosen"
    );
}

pub async fn projecting_the_vector_column_declines_the_lookup() {
    let database = indexed_listings(Service::shared().await).await;
    let sql = ranked("id, embedding", "default.public.listings", "");
    assert_scan(&database.plan(&sql).await);
    assert_nearest(&database, &sql).await;
}

pub async fn another_metrics_function_declines_the_lookup() {
    let functions =
        [("cosine", "cosine_distance"), ("l2", "l2_distance"), ("dot", "negative_dot_product")];
    for (metric, _) in functions {
        let database = listings_database(Service::shared().await).await;
        database.build_index("listings", plain_vector("v", "embedding", metric)).await;
        for (served, function) in functions {
            let sql = format!(
                "SELECT id, {function}(embedding, {NEAR_SQL}) AS d FROM default.public.listings ORDER BY d ASC LIMIT 3"
            );
            let plan = database.plan(&sql).await;
            if served == metric {
                assert_lookup(&plan, LOOKUP);
            } else {
                assert_scan(&plan);
            }
            let whole =
                format!("SELECT id FROM listings ORDER BY {function}(embedding, {NEAR_SQL}) ASC");
            let expected = database.query(&whole).await.ints("id");
            assert_eq!(database.query(&sql).await.ints("id"), expected[..3], "{metric} {function}");
        }
    }
}

pub async fn without_a_limit_there_is_no_lookup() {
    let database = indexed_listings(Service::shared().await).await;
    let sql = format!(
        "SELECT id, cosine_distance(embedding, {NEAR_SQL}) AS d FROM default.public.listings ORDER BY d ASC"
    );
    assert_scan(&database.plan(&sql).await);
    assert_eq!(database.query(&sql).await.ints("id"), nearest(&listings(120)));
}

pub async fn falling_back_is_silent() {
    let database = indexed_listings(Service::shared().await).await;
    let served = database.query(&ranked("id", "default.public.listings", "")).await;
    for sql in [
        ranked("id", "public.listings", ""),
        ranked("id, embedding", "default.public.listings", ""),
    ] {
        let scanned = database.query(&sql).await;
        assert_eq!(scanned.ints("id"), served.ints("id"));
        assert_eq!(scanned.floats("d"), served.floats("d"));
        assert_eq!(scanned.body["warning"], json!(null));
    }
}

pub async fn an_index_on_another_table_does_not_serve() {
    let service = Service::shared().await;
    let database = indexed_listings(service).await;
    database
        .load_parquet(
            "other",
            "replace",
            crate::data::parquet(&crate::data::listing_batch(&listings(20))),
        )
        .await;
    assert_scan(&database.plan(&ranked("id", "default.public.other", "")).await);
}
