use super::*;

const NONE: Option<&Parts> = None;

fn csv() -> Load {
    Load::parse(&Value::from(json!({"table": "t", "mode": "append", "csv": "a\n1\n"})), 0).unwrap()
}

fn receipt() -> serde_json::Value {
    json!({"schema_name": "public", "table_name": "t", "row_count": 1})
}

#[test]
fn a_bound_is_counted_once_a_minute_and_again_after_a_load() {
    let count = |n: u64| {
        let mut body = answer();
        body["rows"] = json!([[n]]);
        body
    };
    let receipt = json!({"connection_id": "c", "schema_name": "public", "table_name": "t", "row_count": 2, "arrow_schema_json": {}});
    let script = Script::default()
        .json(200, count(10))
        .json(200, count(11))
        .json(200, receipt)
        .json(200, count(12));
    let client = script.client(settings());
    let papers = table("default.public.t");
    let column = Column::parse("column", "content").unwrap();
    let bound = || run(client.text_bound(&papers, &column, &QueryOptions::default())).unwrap();
    assert_eq!((bound(), bound()), (10, 10));
    script.pass_time(60_001.0);
    assert_eq!((bound(), bound()), (11, 11));
    run(client.load(&csv(), NONE)).unwrap();
    assert_eq!(bound(), 12);
    assert_eq!(
        script.bodies()[0],
        json!({"sql": "SELECT COUNT(\"content\") AS bound FROM \"default\".\"public\".\"t\""})
    );
}

#[test]
fn a_load_names_one_source_and_follows_its_job() {
    for (options, says) in [
        (json!({"table": "t", "csv": "a\n"}), "`mode` is missing"),
        (json!({"table": "t", "mode": "merge", "csv": "a\n"}), "`mode` must be one of"),
        (
            json!({"table": "t", "mode": "append"}),
            "`rows` or `csv`, `data`, `url`, `uploadId` or `resultId` must be given",
        ),
        (json!({"table": "t", "mode": "append", "csv": "a", "resultId": "r"}), "`rows` or `csv`"),
        (json!({"table": "t", "mode": "append", "csv": "x".repeat(MAX)}), "`csv` must be at most"),
        (
            json!({"table": "t", "mode": "append", "uploadId": "u", "idempotencyKey": "k"}),
            "`idempotencyKey` goes with `csv` only",
        ),
        (
            json!({"table": "t", "mode": "append", "csv": "a", "idempotencyKey": "a b"}),
            "`idempotencyKey` must be 1 to 255",
        ),
        (
            json!({"table": "t", "mode": "append", "uploadId": "u", "columns": {"a": "BIGINT"}}),
            "`columns` goes with `rows` or `csv` only",
        ),
        (json!({"table": "t", "mode": "upsert", "csv": "a"}), "`key` is missing"),
        (json!({"table": "t", "mode": "delete", "csv": "a", "key": []}), "`key` is missing"),
        (
            json!({"table": "t", "mode": "append", "csv": "a", "columns": {"a": 1}}),
            "`columns` must be an object",
        ),
    ] {
        let error = Load::parse(&Value::from(options), 0).unwrap_err();
        assert!(error.message.starts_with(says), "{}", error.message);
    }
    let receipt = json!({"schema_name": "public", "table_name": "t", "row_count": 1});
    let script = Script::default()
        .json(202, json!({"id": "job_1", "status": "pending", "status_url": "/x"}))
        .json(200, json!({"id": "job_1", "status": "running"}))
        .json(200, json!({"id": "job_1", "status": "succeeded", "result": receipt}));
    let load = Load::parse(
        &Value::from(json!({"table": "t", "mode": "upsert", "key": ["id"], "uploadId": "u_1"})),
        0,
    )
    .unwrap();
    let receipt = run(script.client(settings()).load(&load, NONE)).unwrap();
    assert_eq!(json_of(&receipt), json!({"schemaName": "public", "tableName": "t", "rowCount": 1}));
    assert_eq!(script.bodies(), [json!({"mode": "upsert", "key": ["id"], "upload_id": "u_1"})]);
    assert_eq!(
        script.lines(),
        [
            "POST /databases/db_1/schemas/public/tables/t/loads",
            "GET /jobs/job_1",
            "GET /jobs/job_1"
        ]
    );

    let script = Script::default()
        .json(202, json!({"id": "job_1", "status": "pending"}))
        .json(200, json!({"id": "job_1", "status": "failed", "error_message": "bad row 3"}));
    assert_eq!(run(script.client(settings()).load(&load, NONE)).unwrap_err().message, "bad row 3");
}

const MAX: usize = 2 * 1024 * 1024 + 1;

#[test]
fn h36_inline_rows_carry_one_key_over_all_attempts() {
    let script = Script::default()
        .fails(Code::Network)
        .json(503, refusal("PERSISTENCE_UNAVAILABLE", "later"))
        .header("retry-after", "0")
        .json(504, json!({}))
        .json(200, receipt());
    run(script.client(settings()).load(&csv(), NONE)).unwrap();
    let bodies = script.bodies();
    assert_eq!(bodies.len(), 4);
    assert!(bodies.iter().all(|body| *body == bodies[0]));
    let key = bodies[0]["idempotency_key"].as_str().unwrap();
    assert!((20..=255).contains(&key.len()), "{key}");

    let own = json!({"table": "t", "mode": "append", "csv": "a\n1\n", "idempotencyKey": "mine"});
    let script = Script::default().json(200, receipt());
    run(script.client(settings()).load(&Load::parse(&own.into(), 0).unwrap(), NONE)).unwrap();
    assert_eq!(script.bodies()[0]["idempotency_key"], "mine");
}

#[test]
fn h36_a_load_without_an_outcome_says_how_to_go_on() {
    let mut script = Script::default();
    for _ in 0..5 {
        script = script.fails(Code::Network);
    }
    let error = run(script.client(settings()).load(&csv(), NONE)).unwrap_err();
    assert_eq!((error.code, error.retryable), (Code::OutcomeUnknown, false));
    let key = script.bodies()[0]["idempotency_key"].as_str().unwrap().to_owned();
    assert!(error.hint.as_deref().unwrap().contains(&format!("`idempotencyKey: \"{key}\"`")));

    // Rows of a result carry nothing that the service would know them by: one attempt.
    let of_result = json!({"table": "t", "mode": "append", "resultId": "r_1"});
    let load = Load::parse(&of_result.into(), 0).unwrap();
    let script = Script::default().fails(Code::Network);
    let error = run(script.client(settings()).load(&load, NONE)).unwrap_err();
    assert_eq!(error.code, Code::OutcomeUnknown);
    assert!(error.hint.as_deref().unwrap().starts_with("Count the rows"));
    assert_eq!(script.lines().len(), 1);

    let conflict = refusal("IDEMPOTENCY_KEY_CONFLICT", "another body");
    let script = Script::default().json(409, conflict).header("retry-after", "0");
    let error = run(script.client(settings()).load(&csv(), NONE)).unwrap_err();
    assert_eq!((error.code, script.lines().len()), (Code::Conflict, 1));
}

#[test]
fn an_answer_that_is_none_leaves_the_outcome_open() {
    for (content_type, body) in
        [("application/json", ""), ("text/html", "<html>"), ("application/json", "{\"a\": 1}")]
    {
        let script = Script::default().text(200, content_type, body);
        let error = run(script.client(settings()).load(&csv(), NONE)).unwrap_err();
        assert_eq!(error.code, Code::OutcomeUnknown, "{body}");
    }
}

#[test]
fn a_job_that_did_a_part_of_its_work_tells_what_landed() {
    let script = Script::default().json(202, json!({"id": "job_1", "status": "pending"})).json(
        200,
        json!({"id": "job_1", "status": "partially_succeeded", "error_message": "row 7",
                          "result": {"row_count": 6}}),
    );
    let error = run(script.client(settings()).load(&csv(), NONE)).unwrap_err();
    assert_eq!(error.message, "row 7");
    assert_eq!(
        error.hint.as_deref(),
        Some("The job ended as partially_succeeded and tells: {\"row_count\":6}")
    );
}

#[test]
fn a_callers_bytes_are_uploaded_then_loaded() {
    let load = json!({"table": "t", "mode": "append", "columns": {"a": "BIGINT"}});
    let load = Load::parse(&load.into(), 1).unwrap();
    let source = Parts::of(b"a\n1\n", Some(4));
    let script = Script::default()
        .json(201, json!({"upload_id": "u_1", "finalize_token": "f", "mode": "single", "url": "https://s/1", "headers": {}}))
        .text(200, "", "")
        .json(200, json!({}))
        .json(200, receipt());
    run(script.client(settings()).load(&load, Some(&source))).unwrap();
    assert_eq!(script.bodies()[2], json!({"mode": "append", "format": "csv", "upload_id": "u_1"}));
    let unknown = Parts { format: None, ..Parts::of(b"x", None) };
    let script = Script::default();
    let error = run(script.client(settings()).load(&load, Some(&unknown))).unwrap_err();
    assert!(error.message.starts_with("`format` is missing"), "{}", error.message);
    assert!(script.lines().is_empty());
}

#[test]
fn a_job_that_succeeded_without_a_result_says_that_it_did() {
    let script = Script::default()
        .json(202, json!({"id": "job_1", "status": "pending"}))
        .json(200, json!({"id": "job_1", "status": "succeeded"}));
    let error = run(script.client(settings()).load(&csv(), NONE)).unwrap_err();
    assert!(error.hint.as_deref().unwrap().starts_with("The job has succeeded"));
}
