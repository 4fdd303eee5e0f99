use super::*;

fn query(script: &Script, sql: &str) -> Result<u64> {
    let outcome = run(script.client(settings()).query(sql, &QueryOptions::default()))?;
    Ok(outcome.head.row_count)
}

#[test]
fn a_read_is_asked_again_and_a_write_is_not() {
    let lost = || Script::default().fails(Code::Network).json(200, answer());
    assert_eq!(query(&lost(), "SELECT 1").unwrap(), 1);
    let script = lost();
    let error = query(&script, "DELETE FROM t").unwrap_err();
    assert_eq!((error.code, script.lines().len()), (Code::OutcomeUnknown, 1));

    // Shed before it ran: asked again whatever it is.
    let shed = Script::default()
        .json(429, refusal("OVERLOADED", "busy"))
        .header("retry-after", "3")
        .json(200, answer());
    assert_eq!(query(&shed, "DELETE FROM t").unwrap(), 1);
    assert_eq!(*shed.slept.borrow(), [3_375]);
}

#[test]
fn what_the_engine_refuses_is_not_asked_again() {
    for status in [400, 401, 403, 404, 409, 413, 500] {
        let script = Script::default().json(status, refusal("X", "no"));
        assert_eq!(query(&script, "SELECT 1").unwrap_err().message, "no");
        assert_eq!(script.lines().len(), 1, "{status}");
    }
}

#[test]
fn attempts_end_and_the_last_failure_is_told() {
    let mut script = Script::default();
    for _ in 0..5 {
        script =
            script.json(503, refusal("PERSISTENCE_UNAVAILABLE", "down")).header("retry-after", "1");
    }
    let error = query(&script, "SELECT 1").unwrap_err();
    assert_eq!((error.code, error.status, error.retryable), (Code::Unavailable, Some(503), true));
    assert_eq!(script.lines().len(), 5);

    let mut options = settings();
    options["maxRetries"] = json!(0);
    let script = Script::default().json(429, refusal("OVERLOADED", "busy"));
    let client = script.client(options);
    assert!(run(client.query("SELECT 1", &QueryOptions::default())).is_err());
    assert_eq!(script.lines().len(), 1);
}

#[test]
fn one_deadline_holds_attempts_waits_and_polls() {
    let mut options = settings();
    options["deadlineMs"] = json!(10_000);
    let script =
        Script::default().json(429, refusal("OVERLOADED", "busy")).header("retry-after", "11");
    let error = run(script.client(options.clone()).query("SELECT 1", &QueryOptions::default()))
        .unwrap_err();
    assert_eq!(error.code, Code::RateLimited);
    assert_eq!(
        error.hint.as_deref(),
        Some(
            "The service asks to wait 11 s, which is longer than this call has time for (`deadlineMs`)."
        )
    );
    assert!(script.slept.borrow().is_empty());

    let mut script = Script::default()
        .json(429, refusal("OVERLOADED", "busy"))
        .header("retry-after", "4")
        .json(202, json!({"query_run_id": "q_1", "status": "running"}));
    for _ in 0..100 {
        script = script.json(200, json!({"id": "q_1", "status": "cancelled"}));
    }
    let error =
        run(script.client(options).query("SELECT 1", &QueryOptions::default())).unwrap_err();
    // H44: a status that is new is named, and never taken for an end.
    assert!(error.message.starts_with("The query was still \"cancelled\" after 10000 ms"));
    assert!(script.slept.borrow().iter().sum::<u32>() <= 10_000);
    assert_eq!(error.query_run_id.as_deref(), Some("q_1"));
}

#[test]
fn a_passing_fault_does_not_end_a_poll() {
    let script = Script::default()
        .json(202, json!({"query_run_id": "q_1", "status": "running"}))
        .text(502, "text/html", "<html>bad gateway</html>")
        .fails(Code::Timeout)
        .json(200, json!({"id": "q_1", "status": "succeeded", "result_id": "r_1"}))
        .fails(Code::Network)
        .json(200, json!({"columns": ["a"], "rows": [[1]]}));
    assert_eq!(query(&script, "SELECT 1").unwrap(), 1);

    let gone = Script::default()
        .json(202, json!({"query_run_id": "q_1", "status": "running"}))
        .json(404, refusal("NOT_FOUND", "no such run"));
    let error = query(&gone, "SELECT 1").unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (Code::NotFound, "no such run"));
}

#[test]
fn a_time_out_of_a_query_is_not_doubled() {
    let script = Script::default().fails(Code::Timeout);
    assert_eq!(query(&script, "SELECT 1").unwrap_err().code, Code::Timeout);
    assert_eq!(script.lines().len(), 1);
}

#[test]
fn h22_ids_stay_within_their_segment_and_addresses_are_joined_once() {
    for base in ["https://x", "https://x/", "https://x/v1", "https://x/v1/"] {
        let script = Script::default().json(404, refusal("NOT_FOUND", "no"));
        let mut options = settings();
        options["baseUrl"] = json!(base);
        let _ = run(script.client(options).database("a/../b?c#d%"));
        assert_eq!(script.asked.borrow()[0].url, "https://x/v1/databases/a%2F..%2Fb%3Fc%23d%25");
    }
}
