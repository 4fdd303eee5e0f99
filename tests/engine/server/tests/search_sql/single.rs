//! Searches by one ranking.

use hotdata_wasm::value::Value;
use hotdata_wasm::vector::Vector;
use serde_json::json;

use super::fixture::{Fixture, distance_sql, hybrid_sql, ids, semantic_sql, text_sql, value};

#[tokio::test]
async fn words_come_best_first_and_ties_in_key_order() {
    let fixture = Fixture::rows(&[
        json!({"id": 3, "content": "garden"}),
        json!({"id": 1, "content": "garden"}),
        json!({"id": 2, "content": "garden garden garden"}),
        json!({"id": 4, "content": "street"}),
    ])
    .await;
    fixture.index_words("content").await;
    let sql = text_sql(
        json!({"table": "default.public.t", "column": "content", "query": "garden", "keyColumn": "id"}),
    );
    let rows = fixture.query(&sql).await;
    assert_eq!(ids(&rows), [2, 1, 3]);
    assert_eq!(rows[0].keys().map(String::as_str).collect::<Vec<_>>(), ["id", "content", "score"]);
}

#[tokio::test]
async fn every_filter_keeps_what_it_says() {
    let fixture = Fixture::rows(&[
        json!({"id": 1, "content": "garden", "n": 1, "s": "a", "b": true, "d": 1.5}),
        json!({"id": 2, "content": "garden", "n": 2, "s": "o'b", "b": false, "d": -2.5}),
        json!({"id": 3, "content": "garden", "n": null, "s": null, "b": null, "d": null}),
    ])
    .await;
    fixture.index_words("content").await;
    for (filter, expected) in [
        (json!({"n": 1}), vec![1]),
        (json!({"n": null}), vec![3]),
        (json!({"n": {"$ne": 1}}), vec![2, 3]),
        (json!({"n": {"$ne": null}}), vec![1, 2]),
        (json!({"n": {"$gte": 2}}), vec![2]),
        (json!({"d": {"$lt": 0}}), vec![2]),
        (json!({"s": "o'b"}), vec![2]),
        (json!({"b": true}), vec![1]),
        (json!({"n": {"$in": [1, null]}}), vec![1, 3]),
        (json!({"n": {"$in": []}}), vec![]),
        (json!({"n": {"$nin": [1]}}), vec![2, 3]),
        (json!({"n": {"$nin": [1, null]}}), vec![2]),
        (json!({"n": {"$nin": []}}), vec![1, 2, 3]),
        (json!({"$not": {"n": 1}}), vec![2, 3]),
        (json!({"n": {"$not": {"$gt": 1}}}), vec![1, 3]),
        (json!({"$or": [{"n": 1}, {"s": null}]}), vec![1, 3]),
        (json!({"$and": [{"n": {"$gt": 0}}, {"n": {"$lt": 2}}]}), vec![1]),
        (json!({"N": 2, "b": false}), vec![2]),
    ] {
        let sql =
            text_sql(json!({"table": "default.public.t", "column": "content", "query": "garden",
                                  "keyColumn": "id", "filter": filter, "textBound": 3}));
        assert_eq!(ids(&fixture.query(&sql).await), expected, "{filter}");
    }
}

#[tokio::test]
async fn a_vector_search_drops_rows_without_a_vector_and_ranks_by_its_metric() {
    let fixture = Fixture::rows(&[
        json!({"id": 1, "e": [2.0, 0.0]}),
        json!({"id": 2, "e": [0.9, 0.1]}),
        json!({"id": 3, "e": null}),
        json!({"id": 4, "e": [-1.0, 0.0]}),
    ])
    .await;
    for (metric, expected) in [("cosine", [1, 2, 4]), ("l2", [2, 1, 4]), ("dot", [1, 2, 4])] {
        let sql = distance_sql(value(
            json!({"table": "default.public.t", "column": "e", "vector": [1, 0],
                                            "keyColumn": "id", "metric": metric}),
        ));
        assert_eq!(ids(&fixture.query(&sql).await), expected, "{metric}");
    }
}

#[tokio::test]
async fn h2_a_vector_of_whole_numbers_is_searched_with_and_without_an_index() {
    let fixture = Fixture::rows(&[
        json!({"id": 1, "content": "garden", "e": [0.0, 1.0, 0.0]}),
        json!({"id": 2, "content": "garden", "e": [1.0, 0.0, 0.0]}),
    ])
    .await;
    fixture.index_words("content").await;
    for (metric, of_integers) in
        [("cosine", "cosine_distance"), ("l2", "l2_distance"), ("dot", "negative_dot_product")]
    {
        for vector in [Vector::F64(vec![1.0, 0.0, 0.0]), Vector::F32(vec![1.0, 0.0, -0.0])] {
            let options = |more: serde_json::Value| {
                let mut options =
                    json!({"table": "default.public.t", "keyColumn": "id", "metric": metric});
                options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
                let Value::Object(mut members) = value(options) else { panic!("an object") };
                members.push(("vector".into(), Value::Numbers(vector.clone())));
                Value::Object(members)
            };
            let near = distance_sql(options(json!({"column": "e"})));
            let fused = hybrid_sql(options(
                json!({"column": "content", "vectorColumn": "e", "query": "garden"}),
            ));
            for sql in [&near, &fused] {
                assert!(
                    sql.contains("ARRAY[1.0,0.0,0.0]") || sql.contains("ARRAY[1.0,0.0,-0.0]"),
                    "{sql}"
                );
            }
            assert_eq!(ids(&fixture.query(&near).await), [2, 1], "{metric}, scanned");
            assert_eq!(fixture.query(&fused).await.len(), 2);
            fixture.index_vectors("e", metric).await;
            assert!(fixture.plan(&near).await.contains("USearchExec"), "{metric}");
            assert_eq!(ids(&fixture.query(&near).await), [2, 1], "{metric}, by the index");
            let connection = &fixture.database.default_connection_id;
            fixture.engine.drop_index(connection, "public", "t", "e_vectors").unwrap();
        }
        // What a point saves: the engine knows no distance of integers.
        let bare = format!("SELECT id FROM t ORDER BY {of_integers}(e, ARRAY[1,0,0]) LIMIT 2");
        assert!(fixture.try_query(&bare).await.is_err(), "{metric}");
    }
}

#[tokio::test]
async fn every_float_reads_back_in_the_engine() {
    let fixture = Fixture::rows(&[json!({"id": 1, "e": [1.0, 0.0, 0.0, 0.0]})]).await;
    let sql =
        distance_sql(value(json!({"table": "default.public.t", "column": "e", "keyColumn": "id",
                                        "metric": "l2", "vector": [1e30, -2e-20, 5, -0.0]})));
    assert!(sql.contains("ARRAY[1e+30,-2e-20,5.0,-0.0]"), "{sql}");
    assert_eq!(ids(&fixture.query(&sql).await), [1]);
}

#[tokio::test]
async fn meaning_is_searched_with_text_and_filtered_by_a_scan() {
    let fixture = Fixture::papers().await;
    let options = |filter: serde_json::Value| {
        json!({"table": "default.public.papers_semantic", "column": "content", "keyColumn": "id", "k": 3,
               "query": "knowledge graph embedding", "filter": filter})
    };
    let nearest = fixture.query(&semantic_sql(options(json!(null)))).await;
    assert_eq!(nearest.len(), 3);
    let distances: Vec<f64> =
        nearest.iter().map(|row| row["_distance"].as_f64().unwrap()).collect();
    assert!(distances.is_sorted(), "{distances:?}");
    let first = ids(&nearest)[0];
    let others = fixture.query(&semantic_sql(options(json!({"id": {"$ne": first}})))).await;
    assert_eq!(ids(&others)[..2], ids(&nearest)[1..]);
}
