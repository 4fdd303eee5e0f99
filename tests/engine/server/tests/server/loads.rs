//! Loads: sources, formats, modes, repeats, locks.

use serde_json::{Value, json};

use crate::support::{CITIES, Cities};

const COUNT: &str = "SELECT COUNT(id) AS n FROM default.public.cities";

#[tokio::test]
async fn inline_csv_answers_with_the_schema() {
    let cities = Cities::start().await;
    let body = json!({ "mode": "replace", "data": "id,name\n1,a\n2,b\n" });
    let answer = cities.load_into("Fresh", body).send().await.expect(200).json();
    assert_eq!(answer["connection_id"], cities.connection.as_str());
    assert_eq!(
        (&answer["schema_name"], &answer["table_name"]),
        (&json!("public"), &json!("fresh"))
    );
    assert_eq!(answer["row_count"], 2);
    let schema: Value =
        serde_json::from_str(answer["arrow_schema_json"].as_str().unwrap()).unwrap();
    assert_eq!(schema["fields"][1]["name"], "name", "{schema}");

    let by_connection =
        format!("/v1/connections/{}/schemas/public/tables/fresh/loads", cities.connection);
    let body = json!({ "mode": "append", "data": "id,name\n3,c\n" });
    assert_eq!(
        cities.server.post(&by_connection, body).send().await.expect(200).json()["row_count"],
        3
    );
}

#[tokio::test]
async fn what_a_load_must_name() {
    let cities = Cities::start().await;
    let long = "k".repeat(256);
    for (body, part) in [
        (json!({ "data": CITIES }), "`mode` is required"),
        (json!({ "mode": "merge", "data": CITIES }), "replace, append, delete, update, upsert"),
        (json!({ "mode": "replace" }), "exactly one of `data`, `upload_id` and `result_id`"),
        (json!({ "mode": "replace", "data": CITIES, "upload_id": "u" }), "exactly one"),
        (json!({ "mode": "replace", "data": CITIES, "format": "parquet" }), "`format` must be csv"),
        (json!({ "mode": "replace", "data": CITIES, "format": "xml" }), "csv, json, parquet"),
        (
            json!({ "mode": "replace", "result_id": "r", "format": "csv" }),
            "`format` is not valid with `result_id`",
        ),
        (
            json!({ "mode": "replace", "upload_id": "u", "idempotency_key": "k" }),
            "only valid with inline `data`",
        ),
        (json!({ "mode": "replace", "data": CITIES, "idempotency_key": "" }), "1 to 255"),
        (json!({ "mode": "replace", "data": CITIES, "idempotency_key": long }), "1 to 255"),
        (json!({ "mode": "replace", "data": CITIES, "columns": { "id": 5 } }), "`columns`"),
        (
            json!({ "mode": "replace", "data": CITIES, "columns": ["id"] }),
            "`columns` must be an object",
        ),
        (
            json!({ "mode": "upsert", "data": CITIES, "key": "id" }),
            "`key` must be a list of strings",
        ),
        (json!({ "mode": "replace", "data": CITIES, "async_after_ms": 5000 }), "needs `async`"),
    ] {
        cities.load(body).send().await.refused(400, "BAD_REQUEST", part);
    }
    cities.load(json!({ "mode": "replace", "upload_id": "none" })).send().await.refused(
        404,
        "NOT_FOUND",
        "none",
    );
    cities.load(json!({ "mode": "replace", "result_id": "none" })).send().await.refused(
        404,
        "NOT_FOUND",
        "none",
    );
    assert_eq!(cities.rows(COUNT).await, json!([[5]]));
}

#[tokio::test]
async fn inline_data_has_its_own_bound() {
    let cities = Cities::start().await;
    let mut data = String::from("id\n");
    while data.len() <= 2 * 1024 * 1024 {
        data.push_str("12345678901234\n");
    }
    let answer = cities.load_into("big", json!({ "mode": "replace", "data": data })).send().await;
    answer.refused(413, "INLINE_DATA_TOO_LARGE", "upload_id");
}

#[tokio::test]
async fn declared_types_are_kept() {
    let cities = Cities::start().await;
    let body = json!({
        "mode": "replace",
        "data": "code,price\n007,1.50\n",
        "columns": { "code": "VARCHAR", "price": { "type": "DECIMAL", "precision": 10, "scale": 2 } },
    });
    cities.load_into("typed", body).send().await.expect(200);
    let text = cities
        .query("SELECT code, price FROM default.public.typed")
        .send()
        .await
        .expect(200)
        .text();
    assert!(text.contains(r#"[["007",1.50]]"#), "{text}");
}

#[tokio::test]
async fn a_result_becomes_a_table() {
    let cities = Cities::start().await;
    let answer =
        cities.query("SELECT id, name FROM default.public.cities WHERE id < 3").send().await.json();
    let body = json!({ "mode": "replace", "result_id": answer["result_id"] });
    assert_eq!(cities.load_into("copy", body).send().await.expect(200).json()["row_count"], 2);
    // It is never a job, asked for or not.
    let body = json!({ "mode": "append", "result_id": answer["result_id"], "async": true });
    assert_eq!(cities.load_into("copies", body).send().await.expect(200).json()["row_count"], 2);
    let rows = cities.rows("SELECT name FROM default.public.copy ORDER BY id").await;
    assert_eq!(rows, json!([["Oslo"], ["Bergen"]]));
}

#[tokio::test]
async fn an_append_adds_columns_and_leaves_none_out() {
    let cities = Cities::start().await;
    let wider =
        json!({ "mode": "append", "data": "id,name,people,country\n6,Umeå,90000,Sweden\n" });
    cities.load(wider).send().await.expect(200);
    let sql = "SELECT id, country FROM default.public.cities WHERE id > 4 ORDER BY id";
    assert_eq!(cities.rows(sql).await, json!([[5, null], [6, "Sweden"]]));
    let narrower = json!({ "mode": "append", "data": "id,name,people\n7,Oulu,210000\n" });
    cities.load(narrower).send().await.refused(400, "BAD_REQUEST", "missing column 'country'");
}

#[tokio::test]
async fn a_key_makes_a_load_safe_to_repeat() {
    let cities = Cities::start().await;
    let body = |data: &str, mode: &str| json!({ "mode": mode, "data": data, "idempotency_key": "batch-1" });
    let row = "id,name,people\n6,Bodø,53000\n";
    let first = cities.load(body(row, "append")).send().await.expect(200).json();
    let again = cities.load(body(row, "append")).send().await.expect(200).json();
    assert_eq!(first, again);
    assert_eq!(cities.rows(COUNT).await, json!([[6]]));
    let other_data = cities.load(body("id,name,people\n7,Alta,20000\n", "append")).send().await;
    other_data.refused(409, "IDEMPOTENCY_KEY_CONFLICT", "idempotency_key");
    cities.load(body(row, "replace")).send().await.refused(
        409,
        "IDEMPOTENCY_KEY_CONFLICT",
        "idempotency_key",
    );
    cities.load_into("elsewhere", body(row, "append")).send().await.refused(
        409,
        "IDEMPOTENCY_KEY_CONFLICT",
        "idempotency_key",
    );
    assert_eq!(cities.rows(COUNT).await, json!([[6]]));
    // A load that failed used its key up for nothing.
    let bad = json!({ "mode": "append", "data": "id\n8\n", "idempotency_key": "batch-2" });
    cities.load(bad.clone()).send().await.expect(400);
    cities.load(bad).send().await.expect(400);
    let good = json!({ "mode": "append", "data": "id,name,people\n8,Moss,50000\n", "idempotency_key": "batch-2" });
    cities.load(good).send().await.expect(200);
}

#[tokio::test]
async fn asked_for_it_is_a_job() {
    let cities = Cities::start().await;
    let body = json!({ "mode": "append", "data": "id,name,people\n6,Bodø,53000\n", "async": true });
    let submitted = cities.load(body).send().await.expect(202).json();
    assert_eq!(submitted["status"], "pending");
    let job = cities.job(&submitted).await;
    assert_eq!((&job["job_type"], &job["status"]), (&json!("managed_load"), &json!("succeeded")));
    assert_eq!(job["result"]["row_count"], 6);
    assert!(job["completed_at"].is_string());

    let failing = cities
        .load(json!({ "mode": "append", "data": "id\n9\n", "async": true }))
        .send()
        .await
        .expect(202);
    let job = cities.job(&failing.json()).await;
    assert_eq!((&job["status"], &job["result"]), (&json!("failed"), &Value::Null));
    assert!(job["error_message"].is_string());

    let quick = json!({ "mode": "append", "data": "id,name,people\n7,Alta,1\n", "async": true, "async_after_ms": 60_000 });
    assert_eq!(cities.load(quick).send().await.expect(200).json()["row_count"], 7);
    let jobs =
        cities.get("/v1/jobs?job_type=managed_load&status=failed").send().await.expect(200).json();
    assert_eq!(jobs["jobs"].as_array().unwrap().len(), 1);
    for (wrong, part) in [("job_type=load", "`job_type`"), ("status=failed,done", "\"done\"")] {
        let call = cities.get(&format!("/v1/jobs?{wrong}"));
        call.send().await.refused(400, "BAD_REQUEST", part);
    }
}

#[tokio::test]
async fn a_busy_table_is_locked_for_other_loads() {
    let cities = Cities::start().await;
    let mut data = String::from("id,name,people\n");
    for id in 0..60_000 {
        data.push_str(&format!("{id},city {id},{id}\n"));
    }
    let slow = json!({ "mode": "replace", "data": data, "async": true });
    let submitted = cities.load(slow).send().await.expect(202).json();
    let locked = cities.load(json!({ "mode": "replace", "data": CITIES })).send().await;
    locked.refused(409, "RESOURCE_LOCKED", "busy");
    assert_eq!(locked.header("retry-after"), Some("1"));
    cities
        .load_into("another", json!({ "mode": "replace", "data": CITIES }))
        .send()
        .await
        .expect(200);
    cities.job(&submitted).await;
    cities.load(json!({ "mode": "replace", "data": CITIES })).send().await.expect(200);
}
