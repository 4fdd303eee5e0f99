//! Which searches the vector index serves.

use serde_json::json;

use super::fixture::{
    Fixture, distance_sql, hybrid_sql, judged, papers_hybrid, value, with_vector,
};

/// Rows of two-wide vectors, one of them without.
async fn small() -> Fixture {
    Fixture::rows(&[
        json!({"id": 1, "content": "quiet garden", "year": 2019, "e": [1.0, 0.0]}),
        json!({"id": 2, "content": "loud street", "year": 2020, "e": [0.6, 0.8]}),
        json!({"id": 3, "content": "garden street", "year": 2021, "e": [0.0, 1.0]}),
    ])
    .await
}

#[tokio::test]
async fn explicit_vector_sql_is_served_by_the_index_and_only_by_it() {
    let fixture = small().await;
    for (metric, unserved) in [("cosine", "l2"), ("l2", "dot"), ("dot", "cosine")] {
        let sql = |metric: &str, filter: serde_json::Value| {
            distance_sql(value(
                json!({"table": "default.public.t", "column": "e", "vector": [1, 0],
                                      "keyColumn": "id", "columns": ["content"], "metric": metric, "filter": filter}),
            ))
        };
        let plan = fixture.plan(&sql(metric, json!(null))).await;
        assert!(plan.contains("DataSourceExec") && !plan.contains("USearchExec"), "{plan}");

        fixture.index_vectors("e", metric).await;
        let plan = fixture.plan(&sql(metric, json!(null))).await;
        assert!(
            plan.contains("USearchExec: table=default::public::t::e, k=5, filtered=false"),
            "{plan}"
        );
        assert!(!plan.contains("DataSourceExec"), "{plan}");
        let plan = fixture.plan(&sql(metric, json!({"year": 2020}))).await;
        assert!(plan.contains("k=5, filtered=true"), "{plan}");
        let plan = fixture.plan(&sql(unserved, json!(null))).await;
        assert!(!plan.contains("USearchExec"), "{plan}");

        let connection = &fixture.database.default_connection_id;
        fixture.engine.drop_index(connection, "public", "t", "e_vectors").unwrap();
    }
}

#[tokio::test]
async fn the_vector_half_of_a_fusion_is_served_by_the_index() {
    let fixture = small().await;
    fixture.index_words("content").await;
    let sql = |filter: serde_json::Value| {
        hybrid_sql(value(
            json!({"table": "default.public.t", "column": "content", "vectorColumn": "e",
                                "query": "garden", "vector": [1, 0], "filter": filter, "textBound": 3}),
        ))
    };
    let without = fixture.plan(&sql(json!(null))).await;
    assert!(!without.contains("USearchExec"), "{without}");
    fixture.index_vectors("e", "cosine").await;
    let plan = fixture.plan(&sql(json!(null))).await;
    assert!(
        plan.contains("USearchExec: table=default::public::t::e, k=20, filtered=false"),
        "{plan}"
    );
    only_the_join_scans(&plan);
    assert_eq!(without.matches("DataSourceExec").count(), 2, "{without}");
    for filter in [json!({"year": {"$gte": 2020}}), json!({"$not": {"content": "x"}})] {
        let plan = fixture.plan(&sql(filter)).await;
        assert!(plan.contains("filtered=true"), "{plan}");
        only_the_join_scans(&plan);
    }
}

/// The distances are of rows the index named, and the one scan is the join back to the table for the columns.
fn only_the_join_scans(plan: &str) {
    let below = plan.lines().skip_while(|line| !line.contains("cosine_distance(")).skip(1);
    let source = below.map(str::trim).find(|line| *line != "CooperativeExec").unwrap();
    assert!(source.starts_with("USearchExec: "), "{plan}");
    assert_eq!(plan.matches("cosine_distance(").count(), 1, "{plan}");
    assert_eq!(plan.matches("DataSourceExec").count(), 1, "{plan}");
}

#[tokio::test]
async fn the_sample_is_served_by_its_indexes() {
    let fixture = Fixture::papers().await;
    let judged = &judged()[0];
    let plan = fixture.plan(&hybrid_sql(papers_hybrid(judged, 10))).await;
    assert!(
        plan.contains(
            "USearchExec: table=default::public::papers::embedding, k=40, filtered=false"
        ),
        "{plan}"
    );
    only_the_join_scans(&plan);
    let options =
        json!({"table": "default.public.papers", "column": "embedding", "keyColumn": "id"});
    let plan = fixture.plan(&distance_sql(with_vector(options, &judged.vector))).await;
    assert!(plan.contains("USearchExec: table=default::public::papers::embedding, k=5"), "{plan}");
    assert!(!plan.contains("DataSourceExec"), "{plan}");
}
