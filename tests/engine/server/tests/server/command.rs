//! The command: its flags, its one line, its end.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

const ENGINE: &str = env!("CARGO_BIN_EXE_hotdata-local-engine");

/// A running engine, ended when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the command and reads its standard output up to the line that says it listens.
fn start(arguments: &[&str], port: &str) -> (Running, Vec<String>) {
    let child = Command::new(ENGINE)
        .args(arguments)
        .env("PORT", port)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut running = Running(child);
    let mut lines = Vec::new();
    for line in BufReader::new(running.0.stdout.take().unwrap()).lines() {
        lines.push(line.unwrap());
        if lines.last().is_some_and(|line| line.starts_with("listening on ")) {
            break;
        }
    }
    (running, lines)
}

fn refused(arguments: &[&str], port: &str) -> String {
    let output = Command::new(ENGINE).args(arguments).env("PORT", port).output().unwrap();
    assert!(!output.status.success(), "{arguments:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn it_says_where_it_listens_and_serves_there() {
    let (_running, lines) = start(&["--seed", "--key", "hd_only"], "0");
    assert_eq!(lines.len(), 2, "{lines:?}");
    let database = lines[0].strip_prefix("database papers: ").unwrap();
    let base = lines[1].strip_prefix("listening on ").unwrap();
    assert!(base.starts_with("http://127.0.0.1:"), "{base}");

    let client = reqwest::Client::new();
    let call = |key: &str| {
        client
            .get(format!("{base}/v1/databases/{database}"))
            .header("authorization", format!("Bearer {key}"))
            .header("x-workspace-id", "ws_local")
            .send()
    };
    let answer = call("hd_only").await.unwrap();
    assert_eq!(answer.status(), 200);
    let body: serde_json::Value = answer.json().await.unwrap();
    assert_eq!(body["name"], "papers");
    assert_eq!(call("hd_other").await.unwrap().status(), 401);

    let port = base.rsplit(':').next().unwrap();
    assert!(refused(&[], port).contains("cannot listen on 127.0.0.1"), "a port that is taken");
}

#[test]
fn wrong_flags_are_refused_with_what_is_accepted() {
    for (arguments, part) in [
        (&["--attach", "f1"][..], "expected ALIAS=DIR"),
        (&["--embedding-service", "a=http://example.test,m"], "on this machine"),
        (&["--embedding-service", "a=http://127.0.0.1"], "expected ID=URL,MODEL"),
        (&["--origin", "example.test"], "expected an origin"),
        (&["--origin", "https://example.test/page"], "without a path"),
        (&["--port", "70000"], "70000"),
        (&["--max-queries", "0"], "--max-queries must be at least 1"),
        (&["--attach", "f1=/nonexistent-folder"], "nonexistent-folder"),
        (&["--workspace", "a b"], "expected letters, digits"),
        (&["--workspace", "ws_local"], "not ws_local"),
        (&["--workspace", "ws_a", "--inactive-workspace", "ws_a"], "ws_a is named twice"),
    ] {
        let message = refused(arguments, "0");
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
    assert!(refused(&[], "many").contains("the PORT variable must be a number"));
}

#[tokio::test(flavor = "multi_thread")]
async fn it_serves_several_workspaces_and_faults() {
    let flags = ["--workspace", "ws_two", "--inactive-workspace", "ws_old", "--faults"];
    let (_running, lines) = start(&flags, "0");
    let base = lines[0].strip_prefix("listening on ").unwrap();
    let client = reqwest::Client::new();
    let get = |path: &str| {
        client
            .get(format!("{base}{path}"))
            .bearer_auth("hd_any")
            .header("x-workspace-id", "ws_two")
            .header("x-local-fault", "error;status=429")
            .send()
    };
    assert_eq!(get("/v1/databases").await.unwrap().status(), 429);
    let log: serde_json::Value = get("/local/faults").await.unwrap().json().await.unwrap();
    assert_eq!(log["requests"][0]["fault"], "error");
}

#[cfg(unix)]
#[test]
fn sigterm_ends_it_in_order() {
    let (mut running, _) = start(&[], "0");
    let sent = Command::new("kill").args(["-TERM", &running.0.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert!(running.0.wait().unwrap().success());
}
