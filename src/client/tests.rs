use serde_json::json;

use super::testing::{Script, run};
use super::*;
use crate::sql::{Column, TableName};
use crate::value::Value;

const WITH_IDS: &str = "ws_1";

fn settings() -> serde_json::Value {
    json!({"baseUrl": "https://x", "workspaceId": WITH_IDS, "databaseId": "db_1"})
}

fn answer() -> serde_json::Value {
    json!({"columns": ["a"], "nullable": [true], "rows": [[1]], "preview_row_count": 1, "row_count": 1,
           "total_row_count": 1, "truncated": false, "result_id": null, "query_run_id": "q_1",
           "execution_time_ms": 2.5, "warning": null})
}

fn header<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    request.headers.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
}

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

#[test]
fn a_truncated_answer_never_passes_its_preview_off_as_the_whole() {
    let mut body = answer();
    body["truncated"] = json!(true);
    body["total_row_count"] = json!(null);
    body["result_id"] = json!("r_1");
    let script = Script::default().json(200, body);
    let head =
        run(script.client(settings()).query("SELECT", &QueryOptions::default())).unwrap().head;
    assert_eq!((head.row_count, head.total_row_count, head.truncated), (1, None, true));
    assert_eq!(head.result_id.as_deref(), Some("r_1"));
}

#[test]
fn an_accepted_query_is_followed_in_its_own_database() {
    let script = Script::default()
        .json(202, json!({"query_run_id": "q_1", "status": "running", "status_url": "/x"}))
        .json(200, json!({"id": "q_1", "status": "running"}))
        .json(200, json!({"id": "q_1", "status": "brand_new"}))
        .json(200, json!({"id": "q_1", "status": "succeeded", "result_id": "r_1", "row_count": 7,
                          "warning_message": "w", "execution_time_ms": 9.0}))
        .json(202, json!({"status": "processing", "result_id": "r_1"}))
        .json(200, json!({"result_id": "r_1", "status": "ready", "columns": ["a"], "rows": [[1]], "row_count": 1}));
    let outcome =
        run(script.client(settings()).query("SELECT", &QueryOptions::on(Some("db_2")))).unwrap();
    assert_eq!(outcome.head.query_run_id, "q_1");
    assert_eq!(outcome.head.total_row_count, Some(7));
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

#[test]
fn a_listing_follows_its_cursors_and_notices_a_circle() {
    let page = |id: &str, next: Option<&str>| json!({"databases": [{"id": id, "default_catalog": "default", "surprise": 1}], "has_more": next.is_some(), "next_cursor": next});
    let script = Script::default().json(200, page("a", Some("c1"))).json(200, page("b", None));
    let databases = run(script.client(settings()).databases(Some("x y"))).unwrap();
    assert_eq!(databases.iter().map(|d| d.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(script.lines()[1], "GET /databases?limit=100&search=x y&cursor=c1");

    let script = Script::default().json(200, page("a", Some("c"))).json(200, page("a", Some("c")));
    let error = run(script.client(settings()).databases(None)).unwrap_err();
    assert!(error.message.contains("there are more after 2 of them"), "{}", error.message);
}

#[test]
fn indexes_are_listed_under_the_catalogs_connection() {
    let database = json!({"id": "db_1", "default_catalog": "default", "default_connection_id": "conn_1",
                          "attachments": [{"connection_id": "conn_f1", "alias": "f1"}]});
    let listing = json!({"indexes": [
        {"index_name": "i", "index_type": "vector", "columns": ["e"], "metric": "cosine", "status": "ready", "new": 1},
        {"index_name": "j", "index_type": "spatial", "columns": ["g"], "status": "resting"}]});
    let script = Script::default()
        .json(200, database.clone())
        .json(200, listing.clone())
        .json(200, listing)
        .json(200, database);
    let client = script.client(settings());
    let own = TableName::parse("table", "default.public.papers").unwrap();
    let indexes = run(client.indexes(None, &own)).unwrap();
    assert_eq!(indexes[0].metric.as_deref(), Some("cosine"));
    assert_eq!(
        (indexes[1].index_type, indexes[1].status),
        (IndexType::Unknown, IndexStatus::Unknown)
    );
    run(client.indexes(None, &TableName::parse("table", "f1.public.results").unwrap())).unwrap();
    assert_eq!(
        script.lines(),
        [
            "GET /databases/db_1",
            "GET /connections/conn_1/tables/public/papers/indexes",
            "GET /connections/conn_f1/tables/public/results/indexes",
        ]
    );
    let error = run(client.indexes(None, &TableName::parse("table", "nope.public.t").unwrap()))
        .unwrap_err();
    assert_eq!(error.code, Code::NotFound);
    // Looked up once more before that is said: it may have been attached since.
    assert_eq!(script.lines().last().unwrap(), "GET /databases/db_1");
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
    let table = TableName::parse("table", "default.public.t").unwrap();
    let column = Column::parse("column", "content").unwrap();
    let bound = || run(client.text_bound(&table, &column, &QueryOptions::default())).unwrap();
    assert_eq!((bound(), bound()), (10, 10));
    script.pass_time(60_001.0);
    assert_eq!((bound(), bound()), (11, 11));
    let load = Load::parse(&Value::from(json!({"table": "t", "mode": "append", "csv": "a\n1\n"})))
        .unwrap();
    run(client.load(&load)).unwrap();
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
            "`csv` or `uploadId` or `resultId` must be given",
        ),
        (
            json!({"table": "t", "mode": "append", "csv": "a", "resultId": "r"}),
            "`csv` or `uploadId`",
        ),
        (json!({"table": "t", "mode": "append", "csv": "x".repeat(MAX)}), "`csv` must be at most"),
        (
            json!({"table": "t", "mode": "append", "csv": "a", "columns": {"a": 1}}),
            "`columns` must be an object",
        ),
    ] {
        let error = Load::parse(&Value::from(options)).unwrap_err();
        assert!(error.message.starts_with(says), "{}", error.message);
    }
    let receipt = json!({"schema_name": "public", "table_name": "t", "row_count": 1});
    let script = Script::default()
        .json(202, json!({"id": "job_1", "status": "pending", "status_url": "/x"}))
        .json(200, json!({"id": "job_1", "status": "running"}))
        .json(200, json!({"id": "job_1", "status": "succeeded", "result": receipt}));
    let load = Load::parse(&Value::from(
        json!({"table": "t", "mode": "upsert", "key": ["id"], "uploadId": "u_1"}),
    ))
    .unwrap();
    let receipt = run(script.client(settings()).load(&load)).unwrap();
    assert_eq!(receipt.row_count, 1);
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
    assert_eq!(run(script.client(settings()).load(&load)).unwrap_err().message, "bad row 3");
}

const MAX: usize = 2 * 1024 * 1024 + 1;

#[test]
fn an_unknown_database_says_where_ids_come_from() {
    let script = Script::default()
        .json(404, json!({"error": {"code": "NOT_FOUND", "message": "no such database"}}));
    let error = run(script.client(settings()).database("sales")).unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (Code::NotFound, "no such database"));
    assert!(error.hint.as_deref().unwrap().contains("listDatabases()"));
}

#[test]
fn a_new_database_is_checked_and_sent_as_the_api_names_it() {
    let input = json!({"name": "n", "expiresAt": "24h", "ifNotExists": true,
                       "schemas": [{"name": "public", "tables": [{"name": "t", "key": ["id"]}]}]});
    let new = NewDatabase::parse(&Value::from(input)).unwrap();
    let script = Script::default().json(201, json!({"id": "db_9"}));
    assert_eq!(run(script.client(settings()).create_database(&new)).unwrap().id, "db_9");
    assert_eq!(
        script.bodies(),
        [json!({"name": "n", "expires_at": "24h", "if_not_exists": true,
        "schemas": [{"name": "public", "tables": [{"name": "t", "key": ["id"]}]}]})]
    );
    for (options, says) in [
        (json!({"ifNotExists": true}), "`name` is missing"),
        (json!({"schemas": "public"}), "`schemas` must be a list"),
        (json!({"schemas": [{"tables": []}]}), "`name` is missing"),
        (
            json!({"schemas": [{"name": "s", "tables": [{"name": "t", "key": "id"}]}]}),
            "`key` must be an array of strings",
        ),
    ] {
        let error = NewDatabase::parse(&Value::from(options)).unwrap_err();
        assert!(error.message.starts_with(says), "{}", error.message);
    }
}
