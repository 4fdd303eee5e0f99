//! One statement: its scope, its answer, its record.

use std::sync::Arc;

use arrow::array::RecordBatch;
use serde_json::{Value, json};

use crate::support::Cities;

#[tokio::test]
async fn the_answer_has_every_field() {
    let cities = Cities::start().await;
    let sql = "SELECT id, name FROM default.public.cities ORDER BY id LIMIT 2";
    let answer = cities.query(sql).send().await.expect(200);
    let body = answer.json();
    assert_eq!(body["columns"], json!(["id", "name"]));
    assert_eq!(body["nullable"], json!([true, true]));
    assert_eq!(body["rows"], json!([[1, "Oslo"], [2, "Bergen"]]));
    for (field, expected) in [("preview_row_count", 2), ("row_count", 2), ("total_row_count", 2)] {
        assert_eq!(body[field], expected, "{field}");
    }
    assert_eq!(body["truncated"], false);
    assert_eq!(body["warning"], Value::Null);
    assert!(body["execution_time_ms"].is_u64());
    assert!(body["result_id"].is_string() && body["query_run_id"].is_string());
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("x-query-run-id"), body["query_run_id"].as_str());

    let run = cities
        .get(&format!("/v1/query-runs/{}", body["query_run_id"].as_str().unwrap()))
        .send()
        .await
        .expect(200)
        .json();
    assert_eq!(run["status"], "succeeded");
    assert_eq!(run["result_id"], body["result_id"]);
    assert_eq!(run["row_count"], 2);
    assert_eq!(run["sql_text"], sql);
    assert!(run["completed_at"].is_string());
}

#[tokio::test]
async fn numbers_keep_their_digits() {
    let cities = Cities::start().await;
    let sql = "SELECT 9007199254740993 AS a, CAST('999999999999999999999999999999999999.99' AS DECIMAL(38, 2)) AS b, \
               CAST('NaN' AS DOUBLE) AS c";
    let text = cities.query(sql).send().await.expect(200).text();
    assert!(
        text.contains("[[9007199254740993,999999999999999999999999999999999999.99,null]]"),
        "{text}"
    );
}

#[tokio::test]
async fn the_scope_is_one_database() {
    let cities = Cities::start().await;
    let other = cities.server.create_database(json!({ "name": "other" })).await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let sql = json!({ "sql": "SELECT 1 AS one" });
    let unscoped = cities.server.post("/v1/query", sql.clone()).send().await;
    unscoped.refused(
        400,
        "BAD_REQUEST",
        "a database is required: set the X-Database-Id header or the database_id body field",
    );
    let by_body = json!({ "sql": "SELECT 1 AS one", "database_id": cities.id });
    cities.server.post("/v1/query", by_body.clone()).send().await.expect(200);
    cities.query_with(by_body).send().await.expect(200);
    let both = json!({ "sql": "SELECT 1 AS one", "database_id": other });
    cities.query_with(both).send().await.refused(400, "BAD_REQUEST", "different databases");
    let named = |id: &str| cities.server.post("/v1/query", sql.clone()).header("x-database-id", id);
    named("not an id!").send().await.refused(
        400,
        "BAD_REQUEST",
        "X-Database-Id is not a database id",
    );
    named("").send().await.refused(400, "BAD_REQUEST", "X-Database-Id is not a database id");
    named("db_unknown").send().await.refused(404, "NOT_FOUND", "db_unknown");
    let hidden = json!({ "sql": "SELECT * FROM default.public.cities", "database_id": other });
    cities.server.post("/v1/query", hidden).send().await.refused(400, "BAD_REQUEST", "cities");
}

#[tokio::test]
async fn runs_are_kept_within_their_database() {
    let cities = Cities::start().await;
    let other = cities.server.create_database(json!({ "name": "other" })).await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let run = cities.query("SELECT 1 AS one").send().await.json()["query_run_id"]
        .as_str()
        .unwrap()
        .to_owned();
    cities.query("SELECT nothing").send().await.expect(400);
    let path = format!("/v1/query-runs/{run}");
    cities.server.get(&path).header("x-database-id", &other).send().await.refused(
        404,
        "NOT_FOUND",
        &run,
    );
    cities.server.get(&path).send().await.refused(400, "BAD_REQUEST", "a database is required");

    let all = cities.get("/v1/query-runs").send().await.expect(200).json();
    assert_eq!(all["count"], 2);
    let failed =
        cities.get("/v1/query-runs?status=failed,interrupted").send().await.expect(200).json();
    assert_eq!(failed["count"], 1);
    assert!(failed["query_runs"][0]["error_message"].as_str().unwrap().contains("nothing"));
    let first = cities.get("/v1/query-runs?limit=1").send().await.expect(200).json();
    assert_eq!(first["query_runs"][0]["status"], "failed");
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = cities
        .get(&format!("/v1/query-runs?limit=1&cursor={cursor}"))
        .send()
        .await
        .expect(200)
        .json();
    assert_eq!(second["query_runs"][0]["id"], run.as_str());
    assert_eq!(second["has_more"], false);
}

#[tokio::test]
async fn arrow_is_answered_where_it_alone_is_asked_for() {
    const ARROW: &str = "application/vnd.apache.arrow.stream";
    let cities = Cities::start().await;
    let sql = "SELECT id, people / 0.0 AS ratio FROM default.public.cities ORDER BY id";
    let answer = cities.query(sql).header("accept", ARROW).send().await.expect(200);
    assert_eq!(answer.header("content-type"), Some(ARROW));
    assert_eq!(answer.header("x-total-row-count"), Some("5"));
    for name in ["x-query-run-id", "x-result-id", "x-execution-time-ms"] {
        assert!(answer.header(name).is_some(), "{name}");
    }
    let batches: Vec<RecordBatch> =
        arrow_ipc::reader::StreamReader::try_new(answer.body.as_slice(), None)
            .unwrap()
            .map(Result::unwrap)
            .collect();
    let schema = batches[0].schema();
    assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 5);
    let ratio = arrow::compute::concat_batches(&schema, &batches).unwrap().column(1).clone();
    let ratio: Arc<dyn arrow::array::Array> = ratio;
    let ratio = arrow::array::AsArray::as_primitive::<arrow::datatypes::Float64Type>(&ratio);
    assert!(ratio.value(0).is_infinite());

    let both = format!("{ARROW}, application/json");
    let answer = cities.query(sql).header("accept", &both).send().await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let failing = cities.query("SELECT nothing").header("accept", ARROW).send().await.expect(400);
    assert_eq!(failing.error().0, "BAD_REQUEST");
}

#[tokio::test]
async fn the_default_catalog_and_schema_are_where_bare_names_resolve() {
    let cities = Cities::start().await;
    let load = format!("/v1/databases/{}/schemas/elsewhere/tables/places/loads", cities.id);
    cities
        .server
        .post(&load, json!({ "mode": "replace", "data": "id\n7\n" }))
        .send()
        .await
        .expect(200);
    let body = json!({ "sql": "SELECT id FROM places", "default_catalog": "default", "default_schema": "elsewhere" });
    assert_eq!(cities.query_with(body).send().await.expect(200).json()["rows"], json!([[7]]));
    let body = json!({ "sql": "SELECT id FROM places", "default_schema": "nowhere" });
    cities.query_with(body).send().await.refused(400, "BAD_REQUEST", "not found");
    let body = json!({ "sql": "SELECT 1 AS one", "default_catalog": "nowhere" });
    cities.query_with(body).send().await.refused(400, "BAD_REQUEST", "nowhere");
}

#[tokio::test]
async fn writes_are_refused() {
    let cities = Cities::start().await;
    for sql in ["CREATE TABLE t AS SELECT 1 AS a", "DROP TABLE default.public.cities", "SET x = 1"]
    {
        cities.query(sql).send().await.expect(400);
    }
    assert_eq!(cities.rows("SELECT COUNT(id) AS n FROM default.public.cities").await, json!([[5]]));
}
