//! `/v1/embedding-providers`, read only: providers are given at start.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::http::body::Segments;
use crate::http::errors::ApiError;
use crate::state::ServerState;

pub fn routes() -> Router<ServerState> {
    Router::new()
        .route("/v1/embedding-providers", get(list))
        .route("/v1/embedding-providers/{id}", get(one))
}

async fn list(State(state): State<ServerState>) -> Json<Value> {
    Json(json!({ "embedding_providers": state.engine.embedding_providers() }))
}

async fn one(
    State(state): State<ServerState>,
    Segments(id): Segments<String>,
) -> Result<Json<Value>, ApiError> {
    let found =
        state.engine.embedding_providers().into_iter().find(|provider| provider["id"] == id);
    match found {
        Some(provider) => Ok(Json(provider)),
        None => Err(ApiError::not_found(format!("Embedding provider '{id}' not found"))),
    }
}
