//! Workspaces and connections.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::http::body::Segments;
use crate::http::errors::ApiError;
use crate::state::{ServerState, WORKSPACE_ID};

pub fn routes() -> Router<ServerState> {
    Router::new()
        .route("/v1/workspaces", get(workspaces))
        .route("/v1/connections", get(connections))
        .route("/v1/connections/{connection_id}", get(connection))
}

async fn workspaces(State(state): State<ServerState>) -> Json<Value> {
    let workspaces: Vec<Value> = state
        .workspaces
        .iter()
        .map(|workspace| {
            json!({
                "public_id": workspace.id,
                "name": workspace.id.strip_prefix("ws_").unwrap_or(&workspace.id),
                "active": workspace.active,
                "favorite": workspace.id == WORKSPACE_ID,
                "provision_status": "provisioned",
            })
        })
        .collect();
    Json(json!({ "ok": true, "workspaces": workspaces }))
}

async fn connections(State(state): State<ServerState>) -> Json<Value> {
    Json(json!({ "connections": state.engine.connections() }))
}

async fn connection(
    State(state): State<ServerState>,
    Segments(id): Segments<String>,
) -> Result<Json<Value>, ApiError> {
    let connections = state.engine.connections();
    let found = connections
        .iter()
        .find(|connection| connection.id == id)
        .ok_or_else(|| ApiError::not_found(format!("Connection '{id}' not found")))?;
    let tables = state.engine.tables(&id)?;
    Ok(Json(json!({
        "id": found.id,
        "name": found.name,
        "source_type": found.source_type,
        "table_count": tables.len(),
        "synced_table_count": tables.iter().filter(|table| table.synced).count(),
    })))
}
