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

async fn list(State(state): State<ServerState>, Params(asked): Params<Listing>) -> Json<Value> {
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
    Json(json!({ "jobs": jobs }))
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
