//! `/v1/query-runs`: the record of each query, within its database.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::body::{Params, Segments};
use crate::http::errors::ApiError;
use crate::http::{paging, scope};
use crate::state::ServerState;
use crate::store::runs::Run;

const LIMIT: usize = 100;

pub fn routes() -> Router<ServerState> {
    Router::new().route("/v1/query-runs", get(list)).route("/v1/query-runs/{id}", get(one))
}

#[derive(Deserialize)]
struct Listing {
    limit: Option<usize>,
    cursor: Option<String>,
    /// Comma-separated.
    status: Option<String>,
}

async fn list(
    State(state): State<ServerState>,
    headers: HeaderMap,
    Params(asked): Params<Listing>,
) -> Result<Json<Value>, ApiError> {
    let database = scope::database(&state, &headers, None)?.id;
    let mut runs = state.runs.of_database(&database);
    if let Some(statuses) = &asked.status {
        runs.retain(|run| statuses.split(',').any(|status| status.trim() == run.status));
    }
    let limit = asked.limit.unwrap_or(LIMIT).clamp(1, LIMIT);
    let place = |run: &Run| format!("{} {}", run.created_at, run.id);
    let page = paging::cut(runs, asked.cursor.as_deref(), limit, place, |run, last| {
        place(run).as_str() < last
    })?;
    Ok(Json(json!({
        "query_runs": page.items,
        "count": page.items.len(),
        "has_more": page.next_cursor.is_some(),
        "next_cursor": page.next_cursor,
        "limit": page.limit,
    })))
}

async fn one(
    State(state): State<ServerState>,
    headers: HeaderMap,
    Segments(id): Segments<String>,
) -> Result<Json<Run>, ApiError> {
    let database = scope::database(&state, &headers, None)?.id;
    match state.runs.get(&database, &id) {
        Some(run) => Ok(Json(run)),
        None => Err(ApiError::not_found(format!("Query run '{id}' not found"))),
    }
}
