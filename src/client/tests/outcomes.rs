//! What a caller may conclude from a failure: whether something was done, and whether to call again.

use super::*;

const NONE: Option<&Parts> = None;

fn lock() -> serde_json::Value {
    refusal("RESOURCE_LOCKED", "another load has the table")
}

fn load(script: &Script, options: serde_json::Value) -> Result<Value> {
    let csv = json!({"table": "t", "mode": "append", "csv": "a\n1\n"});
    let load = Load::parse(&csv.into(), 0).unwrap();
    let mut settings = settings();
    settings.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    run(script.client(settings).load(&load, NONE))
}

fn accepted() -> Script {
    Script::default().json(202, json!({"id": "job_1", "status": "pending"}))
}

#[test]
fn a_busy_table_may_be_free_later() {
    let script = Script::default().json(409, lock());
    let error = load(&script, json!({"maxRetries": 0})).unwrap_err();
    assert_eq!((error.code, error.retryable), (Code::Conflict, true));
    let script = Script::default().json(409, refusal("CONFLICT", "another"));
    assert!(!load(&script, json!({})).unwrap_err().retryable);
}

#[test]
fn a_load_lost_and_then_turned_away_may_have_been_applied() {
    let turned_away = [
        (429, refusal("OVERLOADED", "busy")),
        (503, refusal("PERSISTENCE_UNAVAILABLE", "down")),
        (409, lock()),
        (401, refusal("UNAUTHORIZED", "expired")),
        (500, refusal("INTERNAL_SERVER_ERROR", "broken")),
    ];
    for (status, body) in turned_away {
        let script =
            Script::default().fails(Code::Network).json(status, body).header("retry-after", "0");
        let error = load(&script, json!({"maxRetries": 1})).unwrap_err();
        assert_eq!((error.code, error.retryable), (Code::OutcomeUnknown, false), "{status}");
        assert_eq!(error.status, Some(status));
        assert!(error.hint.as_deref().unwrap().contains("idempotencyKey"));
    }
    // A wait that the call has no time for.
    let script = Script::default()
        .fails(Code::Network)
        .json(429, json!({}))
        .header("retry-after", "99999999");
    assert_eq!(load(&script, json!({})).unwrap_err().code, Code::OutcomeUnknown);
    // Looked at and refused: the attempt before was, too.
    let script = Script::default().fails(Code::Network).json(400, refusal("BAD_REQUEST", "row 3"));
    assert_eq!(load(&script, json!({})).unwrap_err().code, Code::BadRequest);
    // Never lost.
    let script = Script::default().json(429, refusal("OVERLOADED", "busy"));
    let error = load(&script, json!({"maxRetries": 0})).unwrap_err();
    assert_eq!((error.code, error.retryable), (Code::RateLimited, true));
}

#[test]
fn a_job_out_of_sight_is_not_started_again() {
    let unseen = [
        accepted().fails(Code::Network),
        accepted().json(429, refusal("OVERLOADED", "busy")),
        accepted().json(404, refusal("NOT_FOUND", "no such job")),
        accepted().text(200, "text/html", "<html>"),
        accepted().json(200, json!({"status": 7})),
    ];
    for script in unseen {
        let error = load(&script, json!({"maxRetries": 0})).unwrap_err();
        assert_eq!(
            (error.code, error.retryable),
            (Code::OutcomeUnknown, false),
            "{}",
            error.message
        );
        assert_eq!(error.hint.as_deref(), Some("waitForJob(\"job_1\") goes on waiting."));
    }
    // Asked for by itself, it may be asked for again.
    let script = Script::default().fails(Code::Network);
    let mut options = settings();
    options["maxRetries"] = json!(0);
    let error = run(script.client(options).finished_job("job_1", false)).unwrap_err();
    assert_eq!((error.code, error.retryable), (Code::Network, true));
}

#[test]
fn an_abort_while_work_is_followed_stays_an_abort() {
    let script = accepted().fails(Code::Aborted);
    assert_eq!(load(&script, json!({})).unwrap_err().code, Code::Aborted);
}

#[test]
fn an_index_out_of_sight_is_not_built_again() {
    let new = json!({"table": "default.public.t", "indexType": "bm25", "columns": ["a"]});
    let new = NewIndex::parse(&new.into()).unwrap();
    let database = json!({"id": "db_1", "default_connection_id": "conn_1"});
    let record = json!({"index_name": "t_a_bm25", "index_type": "bm25", "columns": ["a"], "status": "pending"});
    let mut options = settings();
    options["maxRetries"] = json!(0);
    let script = Script::default()
        .json(200, database.clone())
        .json(201, record.clone())
        .fails(Code::Network);
    let error = run(script.client(options).create_index(&new)).unwrap_err();
    assert_eq!((error.code, error.retryable), (Code::OutcomeUnknown, false));
    assert_eq!(error.hint.as_deref(), Some("listIndexes() shows whether it is being built."));

    // A job's result is optional: the listing tells.
    let ready = record.as_object().unwrap().clone();
    let mut ready = json!(ready);
    ready["status"] = json!("ready");
    let script = Script::default()
        .json(200, database)
        .json(202, json!({"id": "job_1", "status": "pending"}))
        .json(200, json!({"id": "job_1", "status": "succeeded"}))
        .json(200, json!({"indexes": [ready]}));
    let index = run(script.client(settings()).create_index(&new)).unwrap();
    assert_eq!(json_of(&index)["status"], "ready");
}

#[test]
fn a_statement_that_writes_is_not_run_again_for_an_answer_out_of_sight() {
    let accepted =
        || Script::default().json(202, json!({"query_run_id": "q_1", "status": "running"}));
    let done = json!({"id": "q_1", "status": "succeeded", "result_id": "r_1"});
    let mut options = settings();
    options["maxRetries"] = json!(0);
    for script in [accepted().fails(Code::Network), accepted().json(200, done).fails(Code::Timeout)]
    {
        let client = script.client(options.clone());
        let error = run(client.query("DELETE FROM t", &QueryOptions::default())).unwrap_err();
        assert_eq!((error.code, error.retryable), (Code::OutcomeUnknown, false));
        assert_eq!(error.query_run_id.as_deref(), Some("q_1"));
    }
    let read = accepted().fails(Code::Network);
    let error = run(read.client(options).query("SELECT 1", &QueryOptions::default())).unwrap_err();
    assert_eq!((error.code, error.retryable), (Code::Network, true));
}

#[test]
fn an_unreadable_result_names_its_run() {
    let script = || {
        Script::default()
            .json(202, json!({"query_run_id": "q_1", "status": "running"}))
            .json(200, json!({"id": "q_1", "status": "succeeded", "result_id": "r_1"}))
            .text(200, "text/html", "<html>")
    };
    let options = QueryOptions::default();
    let errors = [
        run(script().client(settings()).query("SELECT 1", &options)).unwrap_err(),
        run(script().client(settings()).query_raw("SELECT 1", &options)).unwrap_err(),
        run(script().client(settings()).query_arrow("SELECT 1", &options)).map(drop).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.code, Code::UnexpectedResponse);
        assert_eq!(error.query_run_id.as_deref(), Some("q_1"));
    }
}

#[test]
fn what_never_left_is_no_unknown_outcome() {
    let mut options = settings();
    options["deadlineMs"] = json!(10);
    let script = Script::default();
    let client = script.client(options);
    script.pass_time(11.0);
    let load = json!({"table": "t", "mode": "append", "csv": "a\n1\n"});
    let error = run(client.load(&Load::parse(&load.into(), 0).unwrap(), NONE)).unwrap_err();
    assert_eq!((error.code, script.lines().len()), (Code::Timeout, 0));
}

#[test]
fn a_removal_is_believed_only_as_the_service_says_it() {
    let delete = |script: &Script| run(script.client(settings()).delete_database("db_1"));
    delete(&Script::default().text(204, "", "")).unwrap();
    delete(&Script::default().json(200, json!({"id": "db_1"}))).unwrap();
    for (content_type, body) in [("text/html", "<html>log in</html>"), ("application/json", "")] {
        let script = Script::default().text(200, content_type, body);
        assert_eq!(delete(&script).unwrap_err().code, Code::UnexpectedResponse);
    }
}

#[test]
fn an_upload_is_closed_only_as_the_service_says_it() {
    let plan =
        json!({"upload_id": "u", "finalize_token": "f", "mode": "single", "url": "https://s/1"});
    let script =
        Script::default().json(201, plan).text(200, "", "").text(200, "text/html", "<html>");
    let source = Parts::of(b"a\n1\n", Some(4));
    let upload = run(script.client(settings()).upload(&NewUpload::default(), &source));
    assert_eq!(upload.unwrap_err().code, Code::UnexpectedResponse);
}
