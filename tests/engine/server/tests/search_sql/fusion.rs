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
    // And with a text rank: the sum is that of the text half alone.
    let rows = fused(&fixture, json!({})).await;
    assert!((rows[1]["score"].as_f64().unwrap() - 1.0 / 61.0).abs() < 1e-12);
}

/// Rows whose key stands twice, in both halves and in either, and rows without one.
fn repeated_keys() -> Vec<serde_json::Value> {
    vec![
        json!({"id": 7, "content": "garden garden garden", "year": 2001, "e": [0.0, 1.0]}),
        json!({"id": 7, "content": "a garden by the street", "year": 2002, "e": [1.0, 0.0]}),
        json!({"id": 8, "content": "garden path", "year": 2001, "e": [0.8, 0.6]}),
        json!({"id": 8, "content": "path", "year": 2002, "e": [0.6, 0.8]}),
        json!({"id": 9, "content": "street", "year": 2002, "e": [0.9, 0.1]}),
        json!({"id": null, "content": "garden", "year": 2002, "e": [1.0, 0.0]}),
        json!({"id": null, "content": "garden of another", "year": 2001, "e": null}),
    ]
}

#[tokio::test]
async fn h23_a_key_comes_once_with_its_best_ranks_and_a_row_without_one_never() {
    let fixture = indexed(&repeated_keys()).await;
    let rows = fused(&fixture, json!({})).await;
    assert_eq!(ids(&rows), [7, 8, 9]);
    // Ranks count rows that have a key: 7 is first by words and by distance, with either of its rows.
    let rank = |row: &Row, name: &str| row.get(name).and_then(|rank| rank.as_u64());
    for (row, words, near) in
        [(&rows[0], Some(1), Some(1)), (&rows[1], Some(3), Some(3)), (&rows[2], None, Some(2))]
    {
        assert_eq!((rank(row, "text_rank"), rank(row, "vector_rank")), (words, near), "{row:?}");
    }
    // Of a key's rows the one whose text comes first stands for it.
    let texts: Vec<_> = rows.iter().map(|row| row["content"].as_str().unwrap()).collect();
    assert_eq!(texts, ["a garden by the street", "garden path", "street"]);
    for _ in 0..20 {
        assert_eq!(fused(&fixture, json!({})).await, rows);
    }
    assert_eq!(ids(&fused(&fixture, json!({"k": 2})).await), [7, 8]);
}

#[tokio::test]
async fn h23_the_row_that_stands_for_a_key_passes_the_filter() {
    let fixture = indexed(&repeated_keys()).await;
    for (year, expected) in [
        (2001, vec![(7, "garden garden garden"), (8, "garden path")]),
        (2002, vec![(7, "a garden by the street"), (8, "path"), (9, "street")]),
    ] {
        let filter =
            json!({"filter": {"year": year}, "textBound": 7, "columns": ["id", "content", "year"]});
        let mut rows = fused(&fixture, filter).await;
        rows.sort_by_key(|row| row["id"].as_i64());
        let found: Vec<_> = rows
            .iter()
            .map(|row| (row["id"].as_i64().unwrap(), row["content"].as_str().unwrap()))
            .collect();
        assert_eq!(found, expected, "{year}");
        assert!(rows.iter().all(|row| row["year"] == year), "{rows:?}");
    }
}

#[tokio::test]
async fn h23_keys_repeated_and_absent_at_random_come_once_each() {
    // The same on every run: x -> 5x + 3 modulo 64 visits every value.
    let lines: Vec<_> = (0..64)
        .scan(1, |x, n| {
            *x = (5 * *x + 3) % 64;
            let key = if *x % 7 == 0 { json!(null) } else { json!(*x % 11) };
            let vector =
                if *x % 5 == 0 { json!(null) } else { json!([1.0, f64::from(n % 9) / 4.0]) };
            Some(json!({"id": key, "content": "garden ".repeat(1 + (n % 4) as usize), "e": vector}))
        })
        .collect();
    let fixture = indexed(&lines).await;
    for (k, fetch) in [(3, 5), (8, 8), (11, 20), (20, 64)] {
        let rows = fused(&fixture, json!({"k": k, "fetchK": fetch})).await;
        let mut keys = ids(&rows);
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), rows.len(), "a key twice in {rows:?}");
        assert!(rows.len() <= k);
    }
    assert_eq!(fused(&fixture, json!({"k": 20, "fetchK": 64})).await.len(), 11);
}

#[tokio::test]
async fn equal_scores_come_in_key_order_on_every_run_and_k_bounds_them() {
    let lines: Vec<_> =
        (0..60).map(|n| json!({"id": 59 - n, "content": "garden", "e": [1.0, 0.0]})).collect();
    let fixture = indexed(&lines).await;
    for _ in 0..20 {
        let rows = fused(&fixture, json!({"k": 3, "fetchK": 60})).await;
        assert_eq!(ids(&rows), [0, 1, 2]);
    }
    // Rows of one half each: they tie in pairs, and a bound may part a pair.
    for words_first in [true, false] {
        let lines: Vec<_> = (0..40)
            .map(|n| {
                let (content, vector) = match (n < 20) == words_first {
                    true => ("garden", json!(null)),
                    false => ("lane", json!([1.0, 0.0])),
                };
                json!({"id": n, "content": content, "e": vector})
            })
            .collect();
        let fixture = indexed(&lines).await;
        let expected: Vec<i64> = (0..20).flat_map(|n| [n, n + 20]).collect();
        for k in (1..=20).chain([40]) {
            let rows = fused(&fixture, json!({"k": k, "fetchK": 40})).await;
            assert_eq!(ids(&rows), expected[..k], "{k}, words first: {words_first}");
        }
    }
}

#[tokio::test]
async fn a_filtered_half_is_cut_in_key_order_where_its_scores_tie() {
    let lines: Vec<_> = (0..30)
        .map(|n| json!({"id": 29 - n, "content": "garden", "year": n % 2, "e": [1.0, 0.0]}))
        .collect();
    let fixture = indexed(&lines).await;
    // The words alone decide: which of equally near rows an index returns is its own choice.
    let filter = json!({"k": 3, "fetchK": 3, "filter": {"year": 1}, "textBound": 30, "weights": {"text": 9}});
    assert_eq!(ids(&fused(&fixture, filter).await), [0, 2, 4]);
}

#[tokio::test]
async fn as_many_rows_come_back_as_match_however_far_down_they_are() {
    // Eight that match, each beyond 200 that rank better by words and by distance.
    let mut lines: Vec<_> = (0..200)
        .map(|n| json!({"id": n, "content": "garden garden", "year": 2000, "e": [1.0, 0.0]}))
        .collect();
    lines.extend((0..8).map(|n| {
        let content = format!("a small garden far away{}", " indeed".repeat(n));
        json!({"id": 300 + n, "content": content, "year": 2024, "e": [0.1 * n as f64, 1.0]})
    }));
    let fixture = indexed(&lines).await;
    let ask = |k: usize, fetch: usize| json!({"k": k, "fetchK": fetch, "filter": {"year": 2024}, "textBound": lines.len()});
    for served in [true, false] {
        if !served {
            let connection = &fixture.database.default_connection_id;
            fixture.engine.drop_index(connection, "public", "t", "e_vectors").unwrap();
        }
        for (k, fetch, expected) in [(1, 1, 1), (5, 5, 5), (8, 8, 8), (8, 20, 8), (20, 20, 8)] {
            let rows = fused(&fixture, ask(k, fetch)).await;
            assert!(ids(&rows).iter().all(|id| *id >= 300), "{rows:?}");
            // Halves of opposite orders, each as deep as `fetchK`: at least so many keys are in either.
            assert_eq!(rows.len(), expected, "{k} of {fetch}, by the index: {served}");
        }
        let rows = fused(&fixture, ask(1, 20)).await;
        assert!(
            rows[0]["text_rank"].as_u64() <= Some(8) && rows[0]["vector_rank"].as_u64() <= Some(8)
        );
    }
    // Without the filter none of them is among the first twenty of either half.
    let rows = fused(&fixture, json!({"k": 20, "fetchK": 20})).await;
    assert!(ids(&rows).iter().all(|id| *id < 300));
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
