//! Full-text search: `bm25_search('catalog.schema.table', 'column', 'query text' [, limit])`.

use std::collections::BTreeSet;

use serde_json::json;

use crate::data::{indexed_listings, listings_database, pool_database};
use crate::service::Service;

const GARDEN: &str = "bm25_search('default.public.listings', 'content', 'garden', 50)";
const POOL: &str = "'default.public.pool', 'content', 'quiet garden'";

pub async fn it_returns_the_tables_columns_and_a_float32_score() {
    let database = indexed_listings(Service::shared().await).await;
    let answer = database.query(&format!("SELECT * FROM {GARDEN}")).await;
    assert_eq!(answer.columns, ["id", "content", "city", "rating", "embedding", "score"]);
    assert_eq!(answer.rows.len(), 40);
    let kind =
        database.query(&format!("SELECT arrow_typeof(score) AS t FROM {GARDEN} LIMIT 1")).await;
    assert_eq!(kind.scalar(), &json!("Float32"));
}

pub async fn it_composes_with_joins_groups_subqueries_and_ctes() {
    let database = indexed_listings(Service::shared().await).await;
    database.load_csv("cities", "city,state\nsf,CA\noakland,CA\n").await;
    let joined = database
        .query(&format!(
            "WITH found AS (SELECT id, city, score FROM {GARDEN} WHERE id < 60) \
             SELECT c.state, f.city, COUNT(f.id) AS n FROM found f JOIN cities c ON c.city = f.city \
             WHERE f.id IN (SELECT id FROM {GARDEN}) GROUP BY c.state, f.city ORDER BY f.city"
        ))
        .await;
    assert_eq!(
        joined.rows,
        [[json!("CA"), json!("oakland"), json!(10)], [json!("CA"), json!("sf"), json!(10)]]
    );
}

pub async fn a_cohort_is_found_and_aggregated_in_one_query() {
    let database = indexed_listings(Service::shared().await).await;
    let answer = database
        .query(&format!(
            "SELECT COUNT(id) AS n, AVG(rating) AS mean, MAX(score) AS best FROM {GARDEN}"
        ))
        .await;
    let filtered = database
        .query("SELECT COUNT(id) AS n, AVG(rating) AS mean FROM listings WHERE content LIKE '%garden%'")
        .await;
    assert_eq!(answer.rows[0][..2], filtered.rows[0][..]);
    assert!(answer.floats("best")[0] > 0.0);
}

pub async fn results_come_in_row_order_not_by_score() {
    let database = indexed_listings(Service::shared().await).await;
    let answer = database.query(&format!("SELECT id, score FROM {GARDEN}")).await;
    let (ids, scores) = (answer.ints("id"), answer.floats("score"));
    assert!(ids.is_sorted(), "{ids:?}");
    assert!(!scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let ranked = database.query(&format!("SELECT score FROM {GARDEN} ORDER BY score DESC")).await;
    assert!(ranked.floats("score").is_sorted_by(|a, b| a >= b));
}

pub async fn the_fourth_argument_bounds_the_search_to_the_best_matches() {
    let database = pool_database(Service::shared().await).await;
    let answer = database.query(&format!("SELECT id FROM bm25_search({POOL}, 3)")).await;
    assert_eq!(answer.ints("id"), [100, 700, 1_300]);
}

pub async fn a_bare_limit_is_pushed_down_and_bounds_the_search() {
    let database = pool_database(Service::shared().await).await;
    let answer = database.query(&format!("SELECT id FROM bm25_search({POOL}) LIMIT 3")).await;
    assert_eq!(answer.ints("id"), [100, 700, 1_300], "the three best, not the first three rows");
}

pub async fn a_sort_blocks_the_limit_and_the_default_bound_applies() {
    let database = pool_database(Service::shared().await).await;
    let last = database
        .query(&format!("SELECT score FROM bm25_search({POOL}) ORDER BY score ASC LIMIT 1"))
        .await
        .floats("score");
    let all = database.query(&format!("SELECT score FROM bm25_search({POOL}, 1000)")).await;
    let lowest = all.floats("score").into_iter().fold(f64::MAX, f64::min);
    assert_eq!(last, [lowest], "the sort saw the default 1,000 rows, not the one of its LIMIT");
}

pub async fn an_explicit_bound_and_a_trailing_limit_return_the_same_top_three() {
    let database = pool_database(Service::shared().await).await;
    let bound = database
        .query(&format!("SELECT id, score FROM bm25_search({POOL}, 3) ORDER BY score DESC"))
        .await;
    let limit = database
        .query(&format!("SELECT id, score FROM bm25_search({POOL}) ORDER BY score DESC LIMIT 3"))
        .await;
    assert_eq!(bound.rows, limit.rows);
    assert_eq!(bound.ints("id"), [700, 1_300, 100]);
}

pub async fn without_the_fourth_argument_a_thousand_rows_come_back_unannounced() {
    let database = pool_database(Service::shared().await).await;
    let capped = database.query(&format!("SELECT id FROM bm25_search({POOL})")).await;
    assert_eq!(capped.rows.len(), 1_000);
    assert_eq!(capped.body["truncated"], false);
    assert!(capped.body["warning"].is_null());
    let counted = database.query(&format!("SELECT COUNT(id) AS n FROM bm25_search({POOL})")).await;
    assert_eq!(counted.scalar(), &json!(1_000));
}

pub async fn the_thousand_kept_are_the_best() {
    let database = pool_database(Service::shared().await).await;
    let capped = database.query(&format!("SELECT id, score FROM bm25_search({POOL})")).await;
    let whole = database.query(&format!("SELECT id, score FROM bm25_search({POOL}, 1426)")).await;
    let kept: BTreeSet<i64> = capped.ints("id").into_iter().collect();
    let worst_kept = capped.floats("score").into_iter().fold(f64::MAX, f64::min);
    for (id, score) in whole.ints("id").into_iter().zip(whole.floats("score")) {
        assert!(kept.contains(&id) || score <= worst_kept, "row {id} with {score} was left out");
    }
}

pub async fn below_a_thousand_matches_both_forms_agree() {
    let database = pool_database(Service::shared().await).await;
    let text = "'default.public.pool', 'content', 'street'";
    let unbounded = database.query(&format!("SELECT id, score FROM bm25_search({text})")).await;
    let bounded = database.query(&format!("SELECT id, score FROM bm25_search({text}, 5000)")).await;
    assert!(unbounded.rows.len() > 500 && unbounded.rows.len() < 1_000, "{}", unbounded.rows.len());
    assert_eq!(unbounded.rows, bounded.rows);
}

pub async fn a_bound_of_the_pools_size_returns_the_whole_pool() {
    let database = pool_database(Service::shared().await).await;
    for bound in [1_426, 100_000] {
        let sql = format!("SELECT COUNT(id) AS n FROM bm25_search({POOL}, {bound})");
        assert_eq!(database.query(&sql).await.scalar(), &json!(1_426), "{bound}");
    }
}

pub async fn a_column_without_an_index_is_an_error() {
    let service = Service::shared().await;
    let database = indexed_listings(service).await;
    let message = database
        .refusal("SELECT id FROM bm25_search('default.public.listings', 'city', 'sf', 3)")
        .await;
    assert!(message.contains("No BM25 index found on column 'city' for "), "{message}");
    assert!(message.contains(".public.listings"), "{message}");
    let bare = listings_database(service).await;
    let message = bare
        .refusal("SELECT id FROM bm25_search('default.public.listings', 'content', 'garden')")
        .await;
    assert!(message.contains("No BM25 index found on column 'content' for "), "{message}");
}

pub async fn scores_compare_within_one_result_only() {
    let database = indexed_listings(Service::shared().await).await;
    let best = async |text: &str| {
        let sql = format!(
            "SELECT MAX(score) AS best FROM bm25_search('default.public.listings', 'content', '{text}', 120)"
        );
        database.query(&sql).await.floats("best")[0]
    };
    let (common, rare) = (best("garden").await, best("plants").await);
    assert!(rare > common, "a rarer word scores higher: the scale is the query's own");
}
