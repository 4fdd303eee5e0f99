use super::*;

#[test]
fn a_query_carries_its_scope_and_decodes() {
    let script = Script::default().json(200, answer());
    let client = script.client(settings());
    let outcome = run(client.query("SELECT 1 AS a", &QueryOptions::default())).unwrap();
    assert_eq!(outcome.head.columns, ["a"]);
    assert_eq!((outcome.head.row_count, outcome.head.total_row_count), (1, Some(1)));
    assert_eq!(outcome.rows, json!([[1]]));
    let asked = script.asked.borrow();
    assert_eq!(header(&asked[0], "x-workspace-id"), Some("ws_1"));
    assert_eq!(header(&asked[0], "x-database-id"), Some("db_1"));
    assert_eq!(script.bodies(), [json!({"sql": "SELECT 1 AS a"})]);
}

#[test]
fn every_digit_of_a_raw_cell_is_kept() {
    let body = r#"{"columns":["a","b"],"rows":[[9007199254740993,1.50]],"preview_row_count":1,"query_run_id":"q"}"#;
    let script = Script::default().text(200, "application/json", body);
    let table =
        run(script.client(settings()).query_raw("SELECT", &QueryOptions::default())).unwrap();
    let cells: Vec<_> = table.rows[0].iter().map(String::as_str).collect();
    assert_eq!(cells, ["9007199254740993", "1.50"]);
}

#[test]
fn a_row_of_another_length_is_refused() {
    let body =
        json!({"columns": ["a", "b"], "rows": [[1]], "preview_row_count": 1, "query_run_id": "q"});
    let script = Script::default().json(200, body);
    let error =
        run(script.client(settings()).query_raw("SELECT", &QueryOptions::default())).unwrap_err();
    assert_eq!(error.message, "A row has 1 cells where the answer has 2 columns");
}

#[test]
fn columns_of_one_name_are_told_apart_and_said_to_be() {
    let mut body = answer();
    body["columns"] = json!(["id", "id", "id_2", "id"]);
    body["rows"] = json!([[1, 2, 3, 4]]);
    body["warning"] = json!("w.");
    let script = Script::default().json(200, body);
    let head =
        run(script.client(settings()).query("SELECT", &QueryOptions::default())).unwrap().head;
    assert_eq!(head.columns, ["id", "id_3", "id_2", "id_4"]);
    assert_eq!(
        head.warning.as_deref(),
        Some("w. Columns of one name were told apart as id_3, id_4: give them aliases.")
    );
}

fn preview() -> serde_json::Value {
    let mut body = answer();
    body["truncated"] = json!(true);
    body["total_row_count"] = json!(null);
    body["result_id"] = json!("r_1");
    body["warning"] = json!("w.");
    body
}

fn stored(rows: serde_json::Value) -> serde_json::Value {
    json!({"result_id": "r_1", "status": "ready", "columns": ["a"], "nullable": [true], "rows": rows})
}

#[test]
fn h7_a_truncated_answer_is_followed_to_its_whole_result() {
    let script = Script::default()
        .json(200, preview())
        .json(202, json!({"status": "processing", "result_id": "r_1"}))
        .header("retry-after", "2")
        .json(200, stored(json!([[1], [2], [3]])))
        .header("x-total-row-count", "3");
    let outcome =
        run(script.client(settings()).query("SELECT", &QueryOptions::on(Some("db_2")))).unwrap();
    let head = outcome.head;
    assert_eq!((head.row_count, head.total_row_count, head.truncated), (3, Some(3), false));
    assert_eq!(head.warning.as_deref(), Some("w."));
    assert_eq!((head.query_run_id.as_str(), head.execution_time_ms), ("q_1", 2.5));
    assert_eq!(head.result_id.as_deref(), Some("r_1"));
    assert_eq!(outcome.rows, json!([[1], [2], [3]]));
    assert_eq!(
        script.lines()[1..],
        ["GET /results/r_1?format=json", "GET /results/r_1?format=json"]
    );
    let scopes = script.asked.borrow();
    assert!(scopes.iter().all(|request| header(request, "x-database-id") == Some("db_2")));
    assert_eq!(*script.slept.borrow(), [2_000]);
}

#[test]
fn h7_a_part_is_never_passed_off_as_the_whole() {
    let short = Script::default()
        .json(200, preview())
        .json(200, stored(json!([[1], [2]])))
        .header("x-total-row-count", "5000");
    let error =
        run(short.client(settings()).query("SELECT", &QueryOptions::default())).unwrap_err();
    assert_eq!(error.code, Code::UnexpectedResponse);
    assert!(error.message.ends_with("the whole result came with 2 of 5000 rows"));
    assert_eq!(error.query_run_id.as_deref(), Some("q_1"));

    let mut lost = preview();
    lost["result_id"] = json!(null);
    let lost = Script::default().json(200, lost);
    let error = run(lost.client(settings()).query("SELECT", &QueryOptions::default())).unwrap_err();
    assert!(error.message.contains("`result_id`"), "{}", error.message);

    let gone = Script::default().json(200, preview()).json(404, refusal("NOT_FOUND", "no result"));
    let error = run(gone.client(settings()).query("SELECT", &QueryOptions::default())).unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (Code::NotFound, "no result"));
}

#[test]
fn more_than_is_wanted_fails_and_names_the_ways_out() {
    let options = |max_rows: u64| QueryOptions { max_rows, ..QueryOptions::default() };
    // What is known to be too much is not fetched.
    let mut known = preview();
    known["total_row_count"] = json!(5_000);
    let script = Script::default().json(200, known);
    let error = run(script.client(settings()).query("SELECT", &options(4_999))).unwrap_err();
    assert_eq!(error.code, Code::TooLarge);
    assert_eq!(error.message, "The answer has 5000 rows, more than 4999 (`maxRows`)");
    assert!(error.hint.as_deref().unwrap().contains("queryArrow()"));
    assert_eq!(script.lines().len(), 1);

    let script = Script::default().json(200, preview()).json(200, stored(json!([[1], [2], [3]])));
    let error = run(script.client(settings()).query("SELECT", &options(2))).unwrap_err();
    assert_eq!(error.message, "The answer has 3 rows, more than 2 (`maxRows`)");

    let script =
        Script::default().json(200, preview()).json(413, refusal("RESULT_TOO_LARGE", "9 MiB"));
    let error = run(script.client(settings()).query("SELECT", &options(2))).unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (Code::TooLarge, "9 MiB"));
    assert!(error.hint.as_deref().unwrap().contains("queryArrow()"));
}

#[test]
fn the_raw_rows_of_a_truncated_answer_say_what_is_missing() {
    let script = Script::default().json(200, preview());
    let table =
        run(script.client(settings()).query_raw("SELECT", &QueryOptions::default())).unwrap();
    assert!(table.head.truncated);
    assert_eq!(
        table.head.warning.as_deref(),
        Some("w. Only 1 rows are here: the answer is larger than the service sends at once.")
    );
    assert_eq!(script.lines().len(), 1);
}

#[test]
fn arrow_comes_as_a_stream_at_once_or_later() {
    const ARROW: &str = "application/vnd.apache.arrow.stream";
    let at_once = Script::default()
        .text(200, ARROW, "bytes")
        .header("x-query-run-id", "q_1")
        .header("x-total-row-count", "7")
        .header("x-execution-time-ms", "2.5");
    let client = at_once.client(settings());
    let outcome = run(client.query_arrow("SELECT", &QueryOptions::default())).unwrap();
    assert_eq!(outcome.stream, "bytes");
    assert_eq!(
        (outcome.head.total_row_count, outcome.head.execution_time_ms),
        (Some(7), Some(2.5))
    );
    assert_eq!(outcome.head.query_run_id.as_deref(), Some("q_1"));
    assert_eq!(header(&at_once.asked.borrow()[0], "accept"), Some(ARROW));
    assert_eq!(at_once.asked.borrow()[0].reading, Reading::Stream);

    let stored = Script::default()
        .json(202, json!({"status": "processing"}))
        .header("x-result-id", "r_1")
        .header("x-query-run-id", "q_1")
        .text(200, ARROW, "bytes");
    let outcome =
        run(stored.client(settings()).query_arrow("SELECT", &QueryOptions::default())).unwrap();
    assert_eq!(outcome.head.result_id.as_deref(), Some("r_1"));
    assert_eq!(outcome.head.query_run_id.as_deref(), Some("q_1"));
    assert_eq!(stored.lines()[1], "GET /results/r_1?format=arrow");

    let later = Script::default()
        .json(202, json!({"query_run_id": "q_1", "status": "running"}))
        .json(200, json!({"id": "q_1", "status": "succeeded", "result_id": "r_1", "row_count": 3}))
        .text(200, ARROW, "bytes");
    let outcome =
        run(later.client(settings()).query_arrow("SELECT", &QueryOptions::default())).unwrap();
    assert_eq!(outcome.head.total_row_count, Some(3));

    let other = Script::default().json(200, answer());
    let error =
        run(other.client(settings()).query_arrow("SELECT", &QueryOptions::default())).unwrap_err();
    assert!(error.message.contains("where an Arrow stream was asked for"), "{}", error.message);
}

#[test]
fn a_result_is_read_by_its_id() {
    let script = Script::default().json(200, stored(json!([[1]]))).header("x-total-row-count", "1");
    let outcome = run(script.client(settings()).result("r_1", &QueryOptions::default())).unwrap();
    assert_eq!(outcome.head.result_id.as_deref(), Some("r_1"));
    let failed = json!({"status": "failed", "result_id": "r_1", "error_message": "out of memory"});
    let script = Script::default().json(409, failed);
    let error = run(script.client(settings()).result("r_1", &QueryOptions::default())).unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (Code::QueryFailed, "out of memory"));
}

#[test]
fn an_accepted_query_is_followed_in_its_own_database() {
    let script = Script::default()
        .json(202, json!({"query_run_id": "q_1", "status": "running", "status_url": "/x"}))
        .json(200, json!({"id": "q_1", "status": "running"}))
        .json(200, json!({"id": "q_1", "status": "brand_new"}))
        .json(200, json!({"id": "q_1", "status": "succeeded", "result_id": "r_1", "row_count": 1,
                          "warning_message": "w", "execution_time_ms": 9.0}))
        .json(202, json!({"status": "processing", "result_id": "r_1"}))
        .json(200, json!({"result_id": "r_1", "status": "ready", "columns": ["a"], "rows": [[1]], "row_count": 1}));
    let outcome =
        run(script.client(settings()).query("SELECT", &QueryOptions::on(Some("db_2")))).unwrap();
    assert_eq!(outcome.head.query_run_id, "q_1");
    assert_eq!(outcome.head.total_row_count, Some(1));
    assert_eq!(outcome.head.warning.as_deref(), Some("w"));
    assert_eq!(outcome.head.execution_time_ms, 9.0);
    assert_eq!(
        script.lines(),
        [
            "POST /query",
            "GET /query-runs/q_1",
            "GET /query-runs/q_1",
            "GET /query-runs/q_1",
            "GET /results/r_1?format=json",
            "GET /results/r_1?format=json"
        ]
    );
    assert!(
        script
            .asked
            .borrow()
            .iter()
            .all(|request| header(request, "x-database-id") == Some("db_2"))
    );
    assert_eq!(*script.slept.borrow(), [100, 200, 100]);
}

#[test]
fn a_run_that_fails_or_never_ends_says_so() {
    let accepted =
        || Script::default().json(202, json!({"query_run_id": "q_1", "status": "running"}));
    let script = accepted()
        .json(200, json!({"id": "q_1", "status": "failed", "error_message": "no such thing"}));
    let error =
        run(script.client(settings()).query("SELECT", &QueryOptions::default())).unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (Code::QueryFailed, "no such thing"));
    assert_eq!(error.query_run_id.as_deref(), Some("q_1"));

    let mut script = accepted();
    for _ in 0..50 {
        script = script.json(200, json!({"id": "q_1", "status": null}));
    }
    let mut options = settings();
    options["deadlineMs"] = json!(5_000);
    let error = run(script.client(options).query("SELECT", &QueryOptions::default())).unwrap_err();
    assert_eq!(error.code, Code::Timeout);
    assert!(
        error.message.starts_with("The query was still \"null\" after 5000 ms (`deadlineMs`)"),
        "{}",
        error.message
    );
    assert!(script.slept.borrow().iter().sum::<u32>() <= 5_000);
}

#[test]
fn nothing_is_sent_without_a_database_or_a_statement() {
    let script = Script::default();
    let client = script.client(json!({"baseUrl": "https://x", "workspaceId": "ws_1"}));
    for (sql, database, says) in [
        ("SELECT 1", None, "`databaseId` is missing"),
        ("SELECT 1", Some("a\r\nb: c"), "`databaseId` must be an id"),
        (" ", Some("db_1"), "`sql` must hold a statement"),
    ] {
        let error = run(client.query(sql, &QueryOptions::on(database))).unwrap_err();
        assert!(error.message.starts_with(says), "{}", error.message);
    }
    assert!(script.lines().is_empty());
}

#[test]
fn the_only_active_workspace_is_found_once_and_never_chosen() {
    let one = json!({"ok": true, "workspaces": [
        {"public_id": "ws_old", "name": "Old", "active": false},
        {"public_id": "ws_new", "name": "New", "active": true}]});
    let script = Script::default().json(200, one).json(200, answer()).json(200, answer());
    let client = script.client(json!({"baseUrl": "https://x", "databaseId": "db_1"}));
    for _ in 0..2 {
        run(client.query("SELECT", &QueryOptions::default())).unwrap();
    }
    assert_eq!(script.lines(), ["GET /workspaces", "POST /query", "POST /query"]);
    assert_eq!(header(&script.asked.borrow()[2], "x-workspace-id"), Some("ws_new"));

    for (listing, says) in [
        (
            json!([{"public_id": "a", "name": "A", "active": true}, {"public_id": "b", "name": "B", "active": true}]),
            "a (A), b (B)",
        ),
        (json!([]), "none"),
    ] {
        let script = Script::default().json(200, json!({"ok": true, "workspaces": listing}));
        let client = script.client(json!({"baseUrl": "https://x", "databaseId": "db_1"}));
        let error = run(client.query("SELECT", &QueryOptions::default())).unwrap_err();
        assert!(error.message.ends_with(says), "{}", error.message);
    }
}
