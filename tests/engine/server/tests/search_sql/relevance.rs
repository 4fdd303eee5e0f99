//! The sample's 68 judged queries: the fusion against one computed by hand, and how good each ranking is.

use std::collections::BTreeMap;

use serde_json::json;

use super::fixture::{
    Fixture, Judged, Row, distance_sql, hybrid_sql, ids, judged, papers_hybrid, text_sql,
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
