//! The sample's 68 judged queries: the fusion against one computed by hand, and how good each ranking is.

use std::collections::BTreeMap;

use hotdata_local_engine::model::NewIndex;
use serde_json::json;

use super::fixture::{
    Fixture, Judged, Row, distance_sql, hybrid_sql, ids, judged, papers_hybrid, text_sql, value,
    with_vector,
};

const DEPTH: usize = 40;

struct Lists {
    words: Vec<i64>,
    meaning: Vec<i64>,
    fused: Vec<Row>,
}

async fn lists(fixture: &Fixture, judged: &Judged) -> Lists {
    let words = text_sql(
        json!({"table": "default.public.papers", "column": "content", "query": judged.query,
                                "k": DEPTH, "keyColumn": "id", "columns": ["id"]}),
    );
    let options = json!({"table": "default.public.papers", "column": "embedding", "k": DEPTH, "keyColumn": "id"});
    let meaning = distance_sql(with_vector(options, &judged.vector));
    Lists {
        words: ids(&fixture.query(&words).await),
        meaning: ids(&fixture.query(&meaning).await),
        fused: fixture.query(&hybrid_sql(papers_hybrid(judged, 10))).await,
    }
}

/// Score by key: 1 / (60 + rank) for each list that holds it.
fn fused_by_hand(lists: &Lists) -> Vec<(i64, f64)> {
    let mut scores: BTreeMap<i64, f64> = BTreeMap::new();
    for list in [&lists.words, &lists.meaning] {
        for (at, id) in list.iter().enumerate() {
            *scores.entry(*id).or_default() += 1.0 / (61 + at) as f64;
        }
    }
    let mut scores: Vec<_> = scores.into_iter().collect();
    // A stable sort: equal scores stay in key order.
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
    scores.truncate(10);
    scores
}

#[tokio::test]
async fn fused_ranks_equal_those_computed_by_hand_on_every_judged_query() {
    let fixture = Fixture::papers().await;
    for judged in judged() {
        let lists = lists(&fixture, &judged).await;
        let by_hand = fused_by_hand(&lists);
        let expected: Vec<i64> = by_hand.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids(&lists.fused), expected, "{}", judged.query);
        for (row, (id, score)) in lists.fused.iter().zip(&by_hand) {
            assert!(
                (row["score"].as_f64().unwrap() - score).abs() < 1e-12,
                "{}: {id}",
                judged.query
            );
            let rank = |list: &[i64]| list.iter().position(|one| one == id).map(|at| at as u64 + 1);
            assert_eq!(row.get("text_rank").and_then(|rank| rank.as_u64()), rank(&lists.words));
            assert_eq!(row.get("vector_rank").and_then(|rank| rank.as_u64()), rank(&lists.meaning));
        }
    }
}

/// The ids that a statement written here returns, in its order.
async fn listed(fixture: &Fixture, sql: String) -> Vec<i64> {
    ids(&fixture.query(&sql).await)
}

/// Weighted reciprocal ranks of lists, best first, equal scores in key order.
fn weighted_by_hand(lists: &[(f64, Vec<i64>)], constant: f64, k: usize) -> Vec<(i64, f64)> {
    let mut scores: BTreeMap<i64, f64> = BTreeMap::new();
    for (weight, list) in lists {
        for (at, id) in list.iter().enumerate() {
            *scores.entry(*id).or_default() += weight / (constant + (at + 1) as f64);
        }
    }
    let mut scores: Vec<_> = scores.into_iter().collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
    scores.truncate(k);
    scores
}

#[tokio::test]
async fn weights_filters_depths_and_further_halves_rank_as_computed_by_hand() {
    let fixture = Fixture::papers().await;
    fixture
        .index(
            "papers",
            NewIndex {
                index_name: "title_words".into(),
                columns: vec!["title".into()],
                index_type: "bm25".into(),
                ..NewIndex::default()
            },
        )
        .await;
    // Lists in plain SQL, the vectors' by a scan: nothing here is built by what is under test.
    let words = |column: &str, query: &str, filter: &str, depth: usize| {
        let query = query.replace('\'', "''");
        let pool = if filter.is_empty() { depth } else { 314 };
        format!(
            "SELECT id, score FROM bm25_search('default.public.papers', '{column}', '{query}', {pool}) {filter} ORDER BY score DESC, id LIMIT {depth}"
        )
    };
    let near = |vector: &[f32], filter: &str, depth: usize| {
        let vector: Vec<String> = vector.iter().map(|value| format!("{value:?}")).collect();
        format!(
            "SELECT id FROM papers {filter} ORDER BY cosine_distance(embedding, ARRAY[{}]), id LIMIT {depth}",
            vector.join(",")
        )
    };
    let filters = [
        (json!(null), ""),
        (json!({"id": {"$gte": 150}}), "WHERE id >= 150"),
        (json!({"title": {"$gte": "N", "$lt": "R"}}), "WHERE title >= 'N' AND title < 'R'"),
    ];
    let mut compared = 0;
    for (turn, judged) in judged().iter().step_by(2).enumerate() {
        let (filter, where_) = &filters[turn % filters.len()];
        let depth = [7, 20, 64][turn / 3 % 3];
        let (heavy, constant) = ([1.0, 0.3, 4.0][turn / 9 % 3], [60.0, 1.0, 0.0][turn % 3]);
        let lists = [
            (heavy, listed(&fixture, words("content", &judged.query, where_, depth)).await),
            (1.5, listed(&fixture, near(&judged.vector, where_, depth)).await),
            (0.7, listed(&fixture, words("title", &judged.query, where_, depth)).await),
        ];
        for count in [2, 3] {
            let mut halves = vec![
                json!({"kind": "text", "column": "content", "query": judged.query, "weight": heavy}),
                json!({"kind": "vector", "column": "embedding", "vector": judged.vector, "weight": 1.5}),
                json!({"kind": "text", "column": "title", "query": judged.query, "weight": 0.7}),
            ];
            halves.truncate(count);
            let fused = fixture
                .query(&hybrid_sql(value(json!({
                    "table": "default.public.papers", "halves": halves, "k": 7, "fetchK": depth,
                    "rrfK": constant, "filter": filter, "textBound": 314, "columns": ["id"],
                }))))
                .await;
            let by_hand = weighted_by_hand(&lists[..count], constant, 7);
            let expected: Vec<i64> = by_hand.iter().map(|(id, _)| *id).collect();
            assert_eq!(
                ids(&fused),
                expected,
                "{} {filter} {depth} {heavy} {constant}",
                judged.query
            );
            for (row, (_, score)) in fused.iter().zip(&by_hand) {
                assert!((row["score"].as_f64().unwrap() - score).abs() < 1e-12, "{}", judged.query);
            }
            compared += fused.len();
        }
    }
    // Nearly every search is full: the comparison is of ranks, not of empty lists.
    assert!(compared > 34 * 2 * 6, "{compared}");
}

/// nDCG@10 with the grade as gain and log2(rank + 1) as discount.
fn ndcg(ranked: &[i64], judged: &Judged) -> f64 {
    let gain = |grades: &mut dyn Iterator<Item = f64>| -> f64 {
        grades.take(10).enumerate().map(|(at, grade)| grade / ((at + 2) as f64).log2()).sum()
    };
    let grade = |id: &i64| {
        judged.relevant.get(&id.to_string()).and_then(|grade| grade.as_f64()).unwrap_or(0.0)
    };
    let mut best: Vec<f64> = judged.relevant.values().filter_map(|grade| grade.as_f64()).collect();
    best.sort_by(|a, b| b.total_cmp(a));
    gain(&mut ranked.iter().map(grade)) / gain(&mut best.into_iter())
}

#[tokio::test]
async fn fused_is_the_best_of_the_three_rankings() {
    let fixture = Fixture::papers().await;
    let judged = judged();
    let (mut words, mut meaning, mut fused) = (0.0, 0.0, 0.0);
    for judged in &judged {
        let lists = lists(&fixture, judged).await;
        words += ndcg(&lists.words, judged);
        meaning += ndcg(&lists.meaning, judged);
        fused += ndcg(&ids(&lists.fused), judged);
    }
    let mean = |sum: f64| sum / judged.len() as f64;
    let (words, meaning, fused) = (mean(words), mean(meaning), mean(fused));
    println!(
        "nDCG@10 over {} queries: words {words:.4}, meaning {meaning:.4}, fused {fused:.4}",
        judged.len()
    );
    assert!(fused > words && fused > meaning);
    // Figures computed apart from this engine, words stemmed and without stop words. Tantivy rounds the length of a
    // text to one byte and reads operators in a query (`NLP: …`), so its words may differ by more than the vectors.
    for (found, reference, within) in
        [(words, 0.4852, 0.03), (meaning, 0.4743, 0.0005), (fused, 0.5212, 0.02)]
    {
        assert!((found - reference).abs() < within, "{found:.4} against {reference}");
    }
}
