//! Faults of what goes on after 202: runs, results and jobs.

use std::time::Duration;

use serde_json::{Value, json};

use crate::faults::faulty;
use crate::support::Cities;

const HEADER: &str = "x-local-fault";
const COUNT: &str = "SELECT COUNT(id) AS n FROM default.public.cities";

async fn add(cities: &Cities, faults: Value) {
    cities.server.post("/local/faults", json!({ "faults": faults })).send().await.expect(201);
}

fn row(id: u32) -> Value {
    json!({ "mode": "append", "data": format!("id,name,people\n{id},Bodø,53000\n") })
}

#[tokio::test]
async fn a_query_is_accepted_unasked_and_succeeds() {
    let cities = faulty().await;
    for body in [json!({ "sql": COUNT }), json!({ "sql": COUNT, "async": true })] {
        let fault = "accepted;delay_ms=150";
        let accepted =
            cities.query_with(body).header(HEADER, fault).send().await.expect(202).json();
        assert_eq!(accepted["status"], "running");
        let url = accepted["status_url"].as_str().unwrap();
        let running = cities.get(url).send().await.expect(200).json();
        assert_eq!((&running["status"], &running["row_count"]), (&json!("running"), &Value::Null));
        let result = format!("/v1/results/{}", running["result_id"].as_str().unwrap());
        let pending = cities.get(&result).send().await.expect(202);
        assert_eq!(pending.json()["status"], "pending");
        let run = cities.run(&accepted).await;
        assert_eq!((&run["status"], &run["row_count"]), (&json!("succeeded"), &json!(1)));
        assert!(run["completed_at"].is_string());
        assert_eq!(cities.get(&result).send().await.expect(200).json()["rows"], json!([[5]]));
    }
}

#[tokio::test]
async fn a_query_is_accepted_and_fails() {
    let cities = faulty().await;
    let fault = "accepted-then-failed;message=worker lost";
    let accepted = cities.query(COUNT).header(HEADER, fault).send().await.expect(202).json();
    let run = cities.run(&accepted).await;
    assert_eq!((&run["status"], &run["error_message"]), (&json!("failed"), &json!("worker lost")));
    let result = format!("/v1/results/{}", run["result_id"].as_str().unwrap());
    let failed = cities.get(&result).send().await.expect(409).json();
    assert_eq!(
        failed,
        json!({ "status": "failed", "result_id": run["result_id"], "error_message": "worker lost" })
    );
}

#[tokio::test]
async fn a_statement_the_engine_refuses_is_refused() {
    let cities = faulty().await;
    for fault in ["accepted", "accepted-then-failed"] {
        let answer = cities.query("SELECT nothing").header(HEADER, fault).send().await;
        answer.refused(400, "BAD_REQUEST", "nothing");
        let bad = cities.server.post("/v1/query", json!([1])).header(HEADER, fault);
        bad.send().await.refused(400, "BAD_REQUEST", "JSON object");
    }
}

#[tokio::test]
async fn a_result_is_pending_as_often_as_told_then_ready_or_failed() {
    let cities = faulty().await;
    let answer = cities.query(COUNT).send().await.json();
    let id = answer["result_id"].as_str().unwrap();
    let read = || cities.get(&format!("/v1/results/{id}?limit=0"));
    add(&cities, json!([{ "fault": "result-pending", "times": 2, "retry_after": "0" }])).await;
    for _ in 0..2 {
        let pending = read().send().await.expect(202);
        assert_eq!(pending.json(), json!({ "status": "processing", "result_id": id }));
        assert_eq!(pending.header("retry-after"), Some("0"));
    }
    read().send().await.expect(200);

    add(
        &cities,
        json!([
            { "fault": "result-pending", "status": "pending" },
            { "fault": "result-failed", "message": "lost" },
        ]),
    )
    .await;
    let pending = read().send().await.expect(202);
    assert_eq!(
        (&pending.json()["status"], pending.header("retry-after")),
        (&json!("pending"), Some("1"))
    );
    let failed = read().send().await.expect(409).json();
    assert_eq!(failed, json!({ "status": "failed", "result_id": id, "error_message": "lost" }));
    read().send().await.expect(200);
}

#[tokio::test]
async fn a_load_is_accepted_and_succeeds_or_fails_with_and_without_its_rows() {
    let cities = faulty().await;
    for (fault, status, message, rows) in [
        ("accepted", "succeeded", Value::Null, 6),
        ("accepted-then-failed", "failed", json!("failed on request"), 6),
        ("accepted-then-failed;apply=true;message=disk full", "failed", json!("disk full"), 7),
    ] {
        let load = cities.load(row(6)).header(HEADER, fault);
        let submitted = load.send().await.expect(202).json();
        let job = cities.job(&submitted).await;
        assert_eq!((&job["job_type"], &job["status"]), (&json!("managed_load"), &json!(status)));
        assert_eq!(job["error_message"], message, "{fault}");
        let loaded = if status == "succeeded" { json!(6) } else { Value::Null };
        assert_eq!(job["result"]["row_count"], loaded);
        assert_eq!(cities.rows(COUNT).await, json!([[rows]]), "{fault}");
    }
    let slow = cities.load(row(8)).header(HEADER, "accepted;delay_ms=150").send().await.json();
    let url = slow["status_url"].as_str().unwrap();
    assert_eq!(cities.get(url).send().await.json()["status"], "running");
    assert_eq!(cities.rows(COUNT).await, json!([[8]]), "the rows are there before the job ends");
    assert_eq!(cities.job(&slow).await["status"], "succeeded");
}

#[tokio::test]
async fn an_index_build_fails_with_and_without_its_index() {
    let cities = faulty().await;
    let path = cities.indexes_path("cities");
    let build = |fault: &str| {
        let body = json!({ "index_name": "words", "index_type": "bm25", "columns": ["name"] });
        cities.server.post(&path, body).header(HEADER, fault)
    };
    let names = async || cities.get(&path).send().await.json()["indexes"].clone();
    let failing = build("accepted-then-failed").send().await.expect(202).json();
    let job = cities.job(&failing).await;
    assert_eq!((&job["job_type"], &job["status"]), (&json!("create_index"), &json!("failed")));
    assert_eq!(names().await, json!([]));

    let failing = build("accepted-then-failed;apply=true").send().await.expect(202).json();
    assert_eq!(cities.job(&failing).await["status"], "failed");
    assert_eq!(names().await[0]["index_name"], "words");

    build("accepted").send().await.refused(409, "CONFLICT", "already exists");
    cities.server.delete(&format!("{path}/words")).send().await.expect(204);
    let built = build("accepted").send().await.expect(202).json();
    let job = cities.job(&built).await;
    assert_eq!(
        (&job["status"], &job["result"]["index_name"]),
        (&json!("succeeded"), &json!("words"))
    );
}

#[tokio::test]
async fn a_key_used_under_a_fault_replays_what_was_applied() {
    let cities = faulty().await;
    let mut body = row(6);
    body["idempotency_key"] = "once".into();
    let load = |fault: &str| cities.load(body.clone()).header(HEADER, fault);
    load("accepted-then-failed").send().await.expect(202);
    assert_eq!(cities.rows(COUNT).await, json!([[5]]));
    load("error;status=503;apply=true").send().await.expect(503);
    let again = cities.load(body.clone()).send().await.expect(200).json();
    assert_eq!(again["row_count"], 6);
    assert_eq!(cities.rows(COUNT).await, json!([[6]]));
}

#[tokio::test]
async fn a_job_can_show_a_status_nobody_knows() {
    let cities = faulty().await;
    let submitted = cities.load(row(6)).header(HEADER, "accepted").send().await.json();
    add(
        &cities,
        json!([{ "match": { "path": "/v1/jobs/*" }, "fault": "edit", "set": { "status": "dreaming", "completed_at": null } }]),
    )
    .await;
    let url = submitted["status_url"].as_str().unwrap();
    assert_eq!(cities.get(url).send().await.json()["status"], "dreaming");
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(cities.job(&submitted).await["status"], "succeeded");
}
