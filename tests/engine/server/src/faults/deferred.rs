//! Requests answered 202 whether asked or not, and how the run or job they leave behind ends.

use std::time::Duration;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde_json::{Map, Value, json};

use crate::faults::answers::collect;
use crate::faults::fault::{Deferred, Unready, result_id};
use crate::http::errors::ApiError;
use crate::http::{indexes, query};
use crate::state::ServerState;
use crate::store::results::ResultStatus;

/// How a run or job ends.
pub struct Ending {
    pub after: Duration,
    /// None: as the request really did.
    pub failure: Option<String>,
}

/// The body of a request that is to be answered only once it is done. What is no JSON object stays for the handler to
/// refuse.
pub fn synchronous(parts: &mut Parts, body: Bytes) -> Body {
    let Ok(mut fields) = serde_json::from_slice::<Map<String, Value>>(&body) else {
        return Body::from(body);
    };
    fields.remove("async");
    fields.remove("async_after_ms");
    let body = Value::Object(fields).to_string();
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    Body::from(body)
}

/// Turns the answer to a finished request into 202. `handled` is none where the request was not handed to the engine;
/// an answer that is no success passes as it is.
pub async fn answer(
    state: &ServerState,
    what: Deferred,
    handled: Option<Response>,
    ending: Ending,
) -> Response {
    match (what, handled) {
        (_, Some(response)) if !finished(&response) => response,
        (Deferred::Run, Some(response)) => run(state, response, ending),
        (Deferred::Run, None) => ApiError::internal("the query was not run").into_response(),
        (Deferred::Job(kind), handled) => {
            let result = match handled {
                None => Value::Null,
                Some(response) => match collect(response).await {
                    Ok((_, body)) => serde_json::from_slice(&body).unwrap_or_default(),
                    Err(response) => return response,
                },
            };
            job(state, kind, result, ending)
        }
    }
}

/// 202 is no end: the server may give one of its own accord.
fn finished(response: &Response) -> bool {
    matches!(response.status(), StatusCode::OK | StatusCode::CREATED)
}

fn job(state: &ServerState, kind: &'static str, result: Value, ending: Ending) -> Response {
    let id = match state.jobs.start(kind) {
        Ok(id) => id,
        Err(error) => return ApiError::from(error).into_response(),
    };
    let (jobs, told) = (state.clone(), id.clone());
    tokio::spawn(async move {
        tokio::time::sleep(ending.after).await;
        jobs.jobs.finish(&told, ending.failure.map_or(Ok(result), Err));
    });
    indexes::submitted(&id)
}

fn run(state: &ServerState, response: Response, ending: Ending) -> Response {
    let id = |name: &str| text(response.headers(), name).unwrap_or_default().to_owned();
    let (run_id, result_id) = (id("x-query-run-id"), id("x-result-id"));
    let Some(run) = state.runs.reopen(&run_id) else {
        return ApiError::internal("the query left no run").into_response();
    };
    let result = state.results.settle(&result_id, ResultStatus::Pending);
    let body = query::accepted(state, &run.database_id, &run_id, Some("a fault asked for it"));
    let state = state.clone();
    tokio::spawn(async move {
        tokio::time::sleep(ending.after).await;
        let Some(message) = ending.failure else {
            result.map(|status| state.results.settle(&result_id, status));
            state.runs.finish(&run_id, |open| {
                let completed_at = open.completed_at.take();
                *open = run;
                open.completed_at = completed_at;
            });
            return;
        };
        state.results.settle(&result_id, ResultStatus::Failed(message.clone()));
        state.runs.finish(&run_id, |run| {
            run.status = "failed";
            run.error_message = Some(message);
        });
    });
    body
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A result that is not there yet.
pub fn result_pending(path: &str, status: Unready) -> Response {
    let body = json!({ "status": status, "result_id": result_id(path) });
    (StatusCode::ACCEPTED, axum::Json(body)).into_response()
}

/// A result that will never be there.
pub fn result_failed(path: &str, message: String) -> Response {
    let body =
        json!({ "status": "failed", "result_id": result_id(path), "error_message": message });
    (StatusCode::CONFLICT, axum::Json(body)).into_response()
}
