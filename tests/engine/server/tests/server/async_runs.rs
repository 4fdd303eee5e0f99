//! 202: runs to poll, asked for or not, and shedding.

use std::time::Duration;

use hotdata_local_server::ServerOptions;
use serde_json::{Value, json};

use crate::support::Cities;

const SLOW: &str = "SELECT SUM(a.value * b.value) AS s FROM generate_series(1, 3000) a CROSS JOIN generate_series(1, 3000) b";

#[tokio::test]
async fn asked_for_it_is_a_run_to_poll() {
    let cities = Cities::start().await;
    let body = json!({ "sql": "SELECT id FROM default.public.cities ORDER BY id", "async": true });
    let accepted = cities.query_with(body).send().await.expect(202).json();
    assert_eq!(
        accepted["status_url"],
        format!("/v1/query-runs/{}", accepted["query_run_id"].as_str().unwrap())
    );
    let run = cities.run(&accepted).await;
    assert_eq!(run["status"], "succeeded");
    assert_eq!(run["row_count"], 5);
    let result = cities
        .get(&format!("/v1/results/{}", run["result_id"].as_str().unwrap()))
        .send()
        .await
        .expect(200)
        .json();
    assert_eq!(result["rows"], json!([[1], [2], [3], [4], [5]]));
}

#[tokio::test]
async fn a_run_that_fails_tells_so_and_so_does_its_result() {
    let cities = Cities::start().await;
    let accepted = cities
        .query_with(json!({ "sql": "SELECT nothing", "async": true }))
        .send()
        .await
        .expect(202)
        .json();
    let run = cities.run(&accepted).await;
    assert_eq!(run["status"], "failed");
    let message = run["error_message"].as_str().unwrap();
    assert!(message.contains("nothing"), "{message}");
    let result = cities
        .get(&format!("/v1/results/{}", run["result_id"].as_str().unwrap()))
        .send()
        .await
        .expect(409);
    assert_eq!(result.json()["status"], "failed");
    assert_eq!(result.json()["error_message"], message);
}

#[tokio::test]
async fn a_quick_one_is_answered_within_async_after_ms() {
    let cities = Cities::start().await;
    let body = json!({ "sql": "SELECT 1 AS one", "async": true, "async_after_ms": 60_000 });
    assert_eq!(cities.query_with(body).send().await.expect(200).json()["rows"], json!([[1]]));
}

#[tokio::test]
async fn the_server_may_fall_back_to_it_unasked() {
    let cities = Cities::with(ServerOptions {
        async_after: Some(Duration::ZERO),
        ..ServerOptions::default()
    })
    .await;
    let accepted = cities.query(SLOW).send().await.expect(202).json();
    assert!(accepted["reason"].is_string());
    let run = cities.run(&accepted).await;
    assert_eq!(run["status"], "succeeded", "{run}");
    let result = cities
        .get(&format!("/v1/results/{}", run["result_id"].as_str().unwrap()))
        .send()
        .await
        .expect(200);
    assert_eq!(result.json()["total_row_count"], 1);
}

#[tokio::test]
async fn a_pending_result_is_202_with_a_retry_after() {
    let cities = Cities::start().await;
    let accepted =
        cities.query_with(json!({ "sql": SLOW, "async": true })).send().await.expect(202).json();
    let run = cities.get(accepted["status_url"].as_str().unwrap()).send().await.expect(200).json();
    assert_eq!(run["status"], "running");
    let path = format!("/v1/results/{}?limit=0", run["result_id"].as_str().unwrap());
    let waiting = cities.get(&path).send().await.expect(202);
    assert_eq!(waiting.json(), json!({ "status": "pending", "result_id": run["result_id"] }));
    assert_eq!(waiting.header("retry-after"), Some("1"));
    cities.run(&accepted).await;
    let ready = cities.get(&path).send().await.expect(200);
    assert_eq!(ready.json()["rows"], json!([]));
    assert_eq!(ready.json()["status"], "ready");
    assert_eq!(ready.header("x-total-row-count"), Some("1"));
}

#[tokio::test]
async fn a_query_too_many_is_shed_before_it_runs() {
    let cities = Cities::with(ServerOptions { max_queries: 1, ..ServerOptions::default() }).await;
    let accepted =
        cities.query_with(json!({ "sql": SLOW, "async": true })).send().await.expect(202).json();
    let shed = cities.query("SELECT 1 AS one").send().await;
    shed.refused(429, "OVERLOADED", "too many");
    assert_eq!(shed.header("retry-after"), Some("1"));
    cities.run(&accepted).await;
    cities.query("SELECT 1 AS one").send().await.expect(200);
    let runs: Value = cities.get("/v1/query-runs").send().await.json();
    assert_eq!(runs["count"], 2);
}
