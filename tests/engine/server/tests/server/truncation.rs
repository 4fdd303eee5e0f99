//! Answers too large to send inline, and what is kept of them.

use std::time::Duration;

use hotdata_local_server::ServerOptions;
use serde_json::{Value, json};

use crate::support::Cities;

const SQL: &str = "SELECT id, name FROM default.public.cities ORDER BY id";

async fn two_rows_inline() -> Cities {
    Cities::with(ServerOptions { inline_rows: Some(2), ..ServerOptions::default() }).await
}

#[tokio::test]
async fn a_preview_and_a_result_with_every_row() {
    let cities = two_rows_inline().await;
    let answer = cities.query(SQL).send().await.expect(200).json();
    assert_eq!(answer["rows"], json!([[1, "Oslo"], [2, "Bergen"]]));
    assert_eq!(answer["truncated"], true);
    assert_eq!((&answer["preview_row_count"], &answer["row_count"]), (&json!(2), &json!(2)));
    assert_eq!(answer["total_row_count"], Value::Null);
    assert_eq!(answer["warning"], Value::Null);

    let id = answer["result_id"].as_str().unwrap();
    let result = cities.get(&format!("/v1/results/{id}")).send().await.expect(200);
    assert_eq!(result.json()["rows"].as_array().unwrap().len(), 5);
    assert_eq!(result.header("x-total-row-count"), Some("5"));
    let run = cities
        .get(&format!("/v1/query-runs/{}", answer["query_run_id"].as_str().unwrap()))
        .send()
        .await
        .json();
    assert_eq!(run["row_count"], 5);
}

#[tokio::test]
async fn exactly_the_bound_is_not_truncated() {
    let cities = two_rows_inline().await;
    let answer = cities
        .query("SELECT id FROM default.public.cities ORDER BY id LIMIT 2")
        .send()
        .await
        .json();
    assert_eq!(answer["truncated"], false);
    assert_eq!(answer["total_row_count"], 2);
}

#[tokio::test]
async fn bytes_bound_it_too() {
    let cities = Cities::with(ServerOptions { inline_bytes: 30, ..ServerOptions::default() }).await;
    let answer = cities.query(SQL).send().await.expect(200).json();
    assert_eq!(answer["rows"], json!([[1, "Oslo"], [2, "Bergen"]]));
    assert_eq!(answer["truncated"], true);
    // Not even one row fits: an empty preview, and the result still has it.
    let wide = cities.query("SELECT repeat('x', 100) AS wide").send().await.expect(200).json();
    assert_eq!(wide["rows"], json!([]));
    assert_eq!(wide["truncated"], true);
    let path = format!("/v1/results/{}", wide["result_id"].as_str().unwrap());
    assert_eq!(cities.get(&path).send().await.expect(200).json()["row_count"], 1);
}

#[tokio::test]
async fn arrow_too_large_is_202_with_the_result_to_read() {
    let cities = two_rows_inline().await;
    let accept = "application/vnd.apache.arrow.stream";
    let answer = cities.query(SQL).header("accept", accept).send().await.expect(202);
    let id = answer.header("x-result-id").unwrap();
    assert!(answer.json()["query_run_id"].is_string());
    let stream = cities.get(&format!("/v1/results/{id}?format=arrow")).send().await.expect(200);
    let rows: usize = arrow_ipc::reader::StreamReader::try_new(stream.body.as_slice(), None)
        .unwrap()
        .map(|batch| batch.unwrap().num_rows())
        .sum();
    assert_eq!(rows, 5);
}

#[tokio::test]
async fn the_result_may_take_a_while_to_be_readable() {
    let cities = Cities::with(ServerOptions {
        inline_rows: Some(1),
        result_delay: Duration::from_millis(200),
        ..ServerOptions::default()
    })
    .await;
    let answer = cities.query(SQL).send().await.expect(200).json();
    let path = format!("/v1/results/{}", answer["result_id"].as_str().unwrap());
    let waiting = cities.get(&path).send().await.expect(202);
    assert_eq!(waiting.json()["status"], "processing");
    tokio::time::sleep(Duration::from_millis(250)).await;
    cities.get(&path).send().await.expect(200);
}

#[tokio::test]
async fn what_is_kept_is_bounded_and_the_oldest_goes_first() {
    let cities = Cities::with(ServerOptions { max_results: 2, ..ServerOptions::default() }).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(cities.query(SQL).send().await.json()["result_id"].as_str().unwrap().to_owned());
    }
    let read = |id: &str| cities.get(&format!("/v1/results/{id}"));
    read(&ids[0]).send().await.refused(404, "NOT_FOUND", &format!("Result '{}' not found", ids[0]));
    read(&ids[1]).send().await.expect(200);
    read(&ids[2]).send().await.expect(200);

    let tight =
        Cities::with(ServerOptions { max_result_bytes: 1, ..ServerOptions::default() }).await;
    let first = tight.query(SQL).send().await.json()["result_id"].as_str().unwrap().to_owned();
    tight.get(&format!("/v1/results/{first}")).send().await.expect(200);
    let second = tight.query(SQL).send().await.json()["result_id"].as_str().unwrap().to_owned();
    tight.get(&format!("/v1/results/{first}")).send().await.expect(404);
    tight.get(&format!("/v1/results/{second}")).send().await.expect(200);
}
