//! `/v1/databases`: creating, listing, forking, deleting, attaching.

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use hotdata_local_engine::model::{DatabaseRecord, NewDatabase, NewFork};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::body::{JsonObject, Params, Segments};
use crate::http::errors::ApiError;
use crate::http::paging;
use crate::state::ServerState;

const LIMIT: usize = 100;

pub fn routes() -> Router<ServerState> {
    Router::new()
        .route("/v1/databases", get(list).post(create))
        .route("/v1/databases/count", get(count))
        .route("/v1/databases/{database_id}", get(one).delete(remove))
        .route("/v1/databases/{database_id}/fork", post(fork))
        .route("/v1/databases/{database_id}/catalogs", post(attach))
        .route("/v1/databases/{database_id}/catalogs/{connection_id}", delete(detach))
}

#[derive(Deserialize)]
struct Listing {
    limit: Option<usize>,
    cursor: Option<String>,
    search: Option<String>,
}

/// Newest first; those whose name holds `search`, whatever its case.
fn found(state: &ServerState, search: Option<&str>) -> Vec<DatabaseRecord> {
    let mut databases = state.engine.databases();
    if let Some(search) = search.map(str::to_lowercase) {
        databases.retain(|one| {
            one.name.as_deref().is_some_and(|name| name.to_lowercase().contains(&search))
        });
    }
    databases
}

async fn list(
    State(state): State<ServerState>,
    Params(asked): Params<Listing>,
) -> Result<Json<Value>, ApiError> {
    let databases = found(&state, asked.search.as_deref());
    let limit = asked.limit.unwrap_or(LIMIT).clamp(1, LIMIT);
    let place = |one: &DatabaseRecord| format!("{} {}", one.created_at, one.id);
    let page = paging::cut(databases, asked.cursor.as_deref(), limit, place, |one, last| {
        place(one).as_str() < last
    })?;
    let databases: Vec<Value> = page.items.iter().map(summary).collect();
    Ok(Json(json!({
        "count": databases.len(),
        "databases": databases,
        "has_more": page.next_cursor.is_some(),
        "next_cursor": page.next_cursor,
        "limit": page.limit,
    })))
}

async fn count(State(state): State<ServerState>, Params(asked): Params<Listing>) -> Json<Value> {
    Json(json!({ "total": found(&state, asked.search.as_deref()).len() }))
}

async fn one(
    State(state): State<ServerState>,
    Segments(id): Segments<String>,
) -> Result<Json<Value>, ApiError> {
    Ok(Json(detail(&state.engine.database(&id)?)))
}

async fn create(
    State(state): State<ServerState>,
    JsonObject(mut fields): JsonObject,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let new = NewDatabase {
        name: fields.string("name")?,
        expires_at: fields.string("expires_at")?,
        default_catalog: fields.string("default_catalog")?,
        default_schema: fields.string("default_schema")?,
        if_not_exists: fields.boolean("if_not_exists")?,
        schemas: fields.parsed("schemas", "a list of schema declarations")?.unwrap_or_default(),
    };
    let (record, created) = state.engine.create_database(new)?;
    let status = if created { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(made(&record, created))))
}

async fn remove(
    State(state): State<ServerState>,
    Segments(id): Segments<String>,
) -> Result<StatusCode, ApiError> {
    state.engine.delete_database(&id)?;
    state.results.forget_database(&id);
    Ok(StatusCode::NO_CONTENT)
}

async fn fork(
    State(state): State<ServerState>,
    Segments(id): Segments<String>,
    JsonObject(mut fields): JsonObject,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let new = NewFork {
        name: fields.string("name")?,
        expires_at: fields.string("expires_at")?,
        description: fields.string("description")?,
    };
    let record = state.engine.fork_database(&id, new)?;
    Ok((StatusCode::CREATED, Json(made(&record, true))))
}

async fn attach(
    State(state): State<ServerState>,
    Segments(id): Segments<String>,
    JsonObject(mut fields): JsonObject,
) -> Result<StatusCode, ApiError> {
    let connection = fields.required("connection_id")?;
    let alias = fields.string("alias")?;
    state.engine.attach_catalog(&id, &connection, alias.as_deref())?;
    Ok(StatusCode::NO_CONTENT)
}

async fn detach(
    State(state): State<ServerState>,
    Segments((id, connection)): Segments<(String, String)>,
) -> Result<StatusCode, ApiError> {
    state.engine.detach_catalog(&id, &connection)?;
    Ok(StatusCode::NO_CONTENT)
}

fn summary(record: &DatabaseRecord) -> Value {
    json!({
        "id": record.id,
        "name": record.name,
        "default_catalog": record.default_catalog,
        "default_schema": record.default_schema,
        "created_at": record.created_at,
        "expires_at": record.expires_at,
        "forked_from": forked_from(record),
    })
}

fn detail(record: &DatabaseRecord) -> Value {
    let mut value = summary(record);
    value["default_connection_id"] = record.default_connection_id.as_str().into();
    value["attachments"] = json!(record.attachments);
    value
}

fn made(record: &DatabaseRecord, created: bool) -> Value {
    let mut value = detail(record);
    value["created"] = created.into();
    value
}

/// The parent's id and what its name was, and when and why the fork was made.
fn forked_from(record: &DatabaseRecord) -> Value {
    match &record.forked_from {
        None => Value::Null,
        Some(id) => json!({
            "database_id": id,
            "name": record.fork_source_name,
            "description": record.fork_description,
            "forked_at": record.created_at,
        }),
    }
}
