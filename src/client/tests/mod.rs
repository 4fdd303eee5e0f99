//! The client over a scripted transport.

use serde_json::json;

use super::testing::{Parts, Script, run};
use super::*;
use crate::sql::{Column, TableName};
use crate::value::Value;

mod databases;
mod faults;
mod indexes;
mod loads;
mod outcomes;
mod queries;
mod uploads;

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

fn table(name: &str) -> TableName {
    TableName::parse("table", name).unwrap()
}

/// Sends a call and gives its record or records as JSON.
fn asked(script: &Script, endpoint: Result<Endpoint>) -> Result<serde_json::Value> {
    let client = script.client(settings());
    Ok(json_of(&run(client.ask(endpoint?))?))
}

fn json_of(value: &Value) -> serde_json::Value {
    serde_json::from_str(&value.to_json()).unwrap()
}

/// An error of the service as it writes it.
fn refusal(code: &str, message: &str) -> serde_json::Value {
    json!({"error": {"code": code, "message": message}})
}
