//! `/v1/jobs`: loads and index builds that went on in the background.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::body::{Params, Segments};
use crate::http::errors::ApiError;
use crate::state::ServerState;
use crate::store::jobs::Job;

const STATUSES: [&str; 5] = ["pending", "running", "succeeded", "partially_succeeded", "failed"];
/// The service's job types; only the first two occur here.
const TYPES: [&str; 13] = [
    "create_index",
    "managed_load",
    "noop",
    "bulk_create_databases",
    "database_fork",
    "ducklake_compaction",
    "ducklake_orphan_cleanup",
    "ducklake_table_compaction",
    "ducklake_vacuum",
    "result_deletion",
    "result_retention",
    "stale_result_cleanup",
    "table_constants_update",
];

pub fn routes() -> Router<ServerState> {
    Router::new().route("/v1/jobs", get(list)).route("/v1/jobs/{id}", get(one))
}

#[derive(Deserialize)]
struct Listing {
    job_type: Option<String>,
    /// Comma-separated.
    status: Option<String>,
    limit: Option<usize>,
    offset: Option<usize>,
}

async fn list(
    State(state): State<ServerState>,
    Params(asked): Params<Listing>,
) -> Result<Json<Value>, ApiError> {
    known("job_type", asked.job_type.iter().map(String::as_str), &TYPES)?;
    let statuses = asked.status.iter().flat_map(|list| list.split(','));
    known("status", statuses.map(str::trim), &STATUSES)?;
    let jobs: Vec<Job> = state
        .jobs
        .all()
        .into_iter()
        .filter(|job| asked.job_type.as_deref().is_none_or(|kind| kind == job.job_type))
        .filter(|job| {
            asked.status.as_deref().is_none_or(|statuses| {
                statuses.split(',').any(|status| status.trim() == job.status)
            })
        })
        .skip(asked.offset.unwrap_or(0))
        .take(asked.limit.unwrap_or(50))
        .collect();
    Ok(Json(json!({ "jobs": jobs })))
}

/// Refuses a word the service does not know either.
fn known<'a>(
    what: &str,
    mut given: impl Iterator<Item = &'a str>,
    accepted: &[&str],
) -> Result<(), ApiError> {
    match given.find(|word| !accepted.contains(word)) {
        None => Ok(()),
        Some(word) => Err(ApiError::bad_request(format!(
            "`{what}` must be one of {}, not {word:?}",
            accepted.join(", ")
        ))),
    }
}

async fn one(
    State(state): State<ServerState>,
    Segments(id): Segments<String>,
) -> Result<Json<Job>, ApiError> {
    match state.jobs.get(&id) {
        Some(job) => Ok(Json(job)),
        None => Err(ApiError::not_found(format!("Job '{id}' not found"))),
    }
}
