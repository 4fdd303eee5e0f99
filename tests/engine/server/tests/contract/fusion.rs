//! Rank fusion in one query, in the contract's own shape.

use std::collections::BTreeMap;

use serde_json::json;

use crate::data::{NEAR_SQL, indexed_listings};
use crate::service::{Answer, Database, Service};

const DEPTH: usize = 20;
const TEXT: &str = "bm25_search('default.public.listings', 'content', 'quiet garden plants', 20)";

fn near_half() -> String {
    format!(
        "near AS (SELECT id, cosine_distance(embedding, {NEAR_SQL}) AS _distance \
         FROM default.public.listings ORDER BY _distance ASC LIMIT {DEPTH}), \
         near_ranked AS (SELECT id, ROW_NUMBER() OVER (ORDER BY _distance ASC) AS rrf_rank FROM near)"
    )
}

/// The half that ranks every row first and filters on the rank.
fn near_scanning_half() -> String {
    format!(
        "every AS (SELECT id, ROW_NUMBER() OVER (ORDER BY cosine_distance(embedding, {NEAR_SQL}) ASC) AS rrf_rank \
         FROM default.public.listings), \
         near_ranked AS (SELECT id, rrf_rank FROM every WHERE rrf_rank <= {DEPTH})"
    )
}

fn fused(near: &str, projection: &str, limit: usize) -> String {
    format!(
        "WITH {near}, \
         text_ranked AS (SELECT id, ROW_NUMBER() OVER (ORDER BY score DESC) AS rrf_rank FROM {TEXT}) \
         SELECT {projection}, \
         COALESCE(1.0 / (60 + near_ranked.rrf_rank), 0) + COALESCE(1.0 / (60 + text_ranked.rrf_rank), 0) AS score \
         FROM near_ranked FULL OUTER JOIN text_ranked ON near_ranked.id = text_ranked.id \
         JOIN default.public.listings base ON base.id = COALESCE(near_ranked.id, text_ranked.id) \
         ORDER BY COALESCE(1.0 / (60 + near_ranked.rrf_rank), 0) + \
         COALESCE(1.0 / (60 + text_ranked.rrf_rank), 0) DESC, base.id ASC LIMIT {limit}"
    )
}

const RANKS: &str = "base.id, near_ranked.rrf_rank AS near_rank, text_ranked.rrf_rank AS text_rank";

async fn indexed(service: &Service) -> Database<'_> {
    indexed_listings(service).await
}

fn rank(answer: &Answer, name: &str, row: usize) -> Option<u64> {
    answer.column(name)[row].as_u64()
}

pub async fn the_pieces_of_a_fusion_all_work() {
    let database = indexed(Service::shared().await).await;
    let answer = database
        .query(
            "WITH a AS (SELECT id, ROW_NUMBER() OVER (ORDER BY id DESC) AS n FROM listings WHERE id < 3), \
             b AS (SELECT id, ROW_NUMBER() OVER (ORDER BY id ASC) AS n FROM listings WHERE id BETWEEN 2 AND 4) \
             SELECT base.id, a.n AS a, b.n AS b FROM a FULL OUTER JOIN b ON a.id = b.id \
             JOIN listings base ON base.id = COALESCE(a.id, b.id) ORDER BY base.id",
        )
        .await;
    let null = json!(null);
    assert_eq!(
        answer.rows,
        [
            [json!(0), json!(3), null.clone()],
            [json!(1), json!(2), null.clone()],
            [json!(2), json!(1), json!(1)],
            [json!(3), null.clone(), json!(2)],
            [json!(4), null, json!(3)],
        ]
    );
}

pub async fn the_fused_query_runs_as_written() {
    let database = indexed(Service::shared().await).await;
    let answer = database.query(&fused(&near_half(), "base.id, base.content", 8)).await;
    assert_eq!(answer.columns, ["id", "content", "score"]);
    assert_eq!(answer.rows.len(), 8);
    assert!(answer.floats("score").is_sorted_by(|a, b| a >= b));
}

pub async fn fused_scores_are_the_reciprocal_rank_sum() {
    let database = indexed(Service::shared().await).await;
    let answer = database.query(&fused(&near_half(), RANKS, 100)).await;
    let mut expected: BTreeMap<i64, f64> = BTreeMap::new();
    for sql in [
        format!(
            "SELECT id FROM default.public.listings ORDER BY cosine_distance(embedding, {NEAR_SQL}) ASC LIMIT {DEPTH}"
        ),
        format!("SELECT id, score FROM {TEXT} ORDER BY score DESC"),
    ] {
        let scores = database.query(&sql).await;
        for (at, id) in scores.ints("id").into_iter().enumerate() {
            *expected.entry(id).or_default() += 1.0 / (61.0 + at as f64);
        }
    }
    assert_eq!(answer.rows.len(), expected.len());
    let mut by_hand: Vec<(i64, f64)> = expected.into_iter().collect();
    by_hand.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    for (row, (id, score)) in by_hand.into_iter().enumerate() {
        assert_eq!(answer.ints("id")[row], id, "row {row}");
        assert!((answer.floats("score")[row] - score).abs() < 1e-12, "row {row}");
    }
}

pub async fn rows_found_by_both_outrank_rows_found_by_one() {
    let database = indexed(Service::shared().await).await;
    let answer = database.query(&fused(&near_half(), RANKS, 100)).await;
    let both: Vec<bool> = (0..answer.rows.len())
        .map(|row| {
            rank(&answer, "near_rank", row).is_some() && rank(&answer, "text_rank", row).is_some()
        })
        .collect();
    let count = both.iter().filter(|both| **both).count();
    assert!(count > 0 && count < both.len(), "{both:?}");
    assert!(both[..count].iter().all(|both| *both), "{both:?}");
}

pub async fn a_row_of_one_pathway_scores_its_reciprocal_rank_and_ties_in_pairs() {
    let database = indexed(Service::shared().await).await;
    let answer = database.query(&fused(&near_half(), RANKS, 100)).await;
    let mut singles: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
    for row in 0..answer.rows.len() {
        let ranks = (rank(&answer, "near_rank", row), rank(&answer, "text_rank", row));
        if let (Some(one), None) | (None, Some(one)) = ranks {
            let expected = 1.0 / (60.0 + one as f64);
            assert!((answer.floats("score")[row] - expected).abs() < 1e-15);
            singles.entry(one).or_default().push(answer.ints("id")[row]);
        }
    }
    let pairs: Vec<_> = singles.values().filter(|ids| ids.len() == 2).collect();
    assert!(!pairs.is_empty(), "{singles:?}");
    assert!(pairs.iter().all(|ids| ids[0] < ids[1]), "the tie-break is the key: {pairs:?}");
}

pub async fn the_vector_half_in_its_own_cte_is_an_index_lookup() {
    let database = indexed(Service::shared().await).await;
    let plan = database.plan(&fused(&near_half(), "base.id", 8)).await;
    assert!(
        plan.contains(
            "USearchExec: table=default::public::listings::embedding, k=20, filtered=false"
        ),
        "{plan}"
    );
}

pub async fn ranking_every_row_first_is_a_full_scan() {
    let database = indexed(Service::shared().await).await;
    let plan = database.plan(&fused(&near_scanning_half(), "base.id", 8)).await;
    assert!(plan.contains("DataSourceExec") && !plan.contains("USearchExec"), "{plan}");
}

pub async fn both_forms_return_the_same_rows_in_the_same_order() {
    let database = indexed(Service::shared().await).await;
    let served = database.query(&fused(&near_half(), "base.id", 40)).await;
    let scanned = database.query(&fused(&near_scanning_half(), "base.id", 40)).await;
    assert_eq!(served.rows, scanned.rows);
}

pub async fn order_by_base_id_resolves_outside_the_projection() {
    let database = indexed(Service::shared().await).await;
    let answer = database.query(&fused(&near_half(), "base.content", 8)).await;
    assert_eq!(answer.columns, ["content", "score"]);
    let with_key = database.query(&fused(&near_half(), "base.id, base.content", 8)).await;
    assert_eq!(answer.texts("content"), with_key.texts("content"));
}

pub async fn the_join_back_carries_ordinary_columns() {
    let database = indexed(Service::shared().await).await;
    let answer = database.query(&fused(&near_half(), "base.id, base.city, base.rating", 3)).await;
    for row in 0..3 {
        let id = answer.ints("id")[row];
        let sql = format!("SELECT city, rating FROM listings WHERE id = {id}");
        assert_eq!(database.query(&sql).await.rows[0], answer.rows[row][1..3]);
    }
}

pub async fn a_bare_sort_name_prefers_the_select_list_alias() {
    let database = Service::shared().await.database().await;
    database.load_csv("t", "id,rating\n1,5\n2,1\n3,3\n").await;
    let alias =
        database.query("SELECT base.id, -base.rating AS rating FROM t base ORDER BY rating").await;
    assert_eq!(alias.ints("id"), [1, 3, 2], "sorted by the negated expression");
    let spelled = database
        .query("SELECT base.id, -base.rating AS negated FROM t base ORDER BY -base.rating")
        .await;
    assert_eq!(alias.ints("id"), spelled.ints("id"));
}
