//! `/local/faults`: faults for callers that cannot add a header, and what fired.

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{delete, post};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use crate::faults::fault::Fault;
use crate::faults::rules::{FaultStore, Match, Rule};
use crate::http::body::{JsonObject, Segments};
use crate::http::errors::ApiError;
use crate::http::fields::Fields;
use crate::state::ServerState;

/// Where the control endpoint lives. It names no workspace and is never faulted itself.
pub const PREFIX: &str = "/local/";

pub fn routes() -> Router<ServerState> {
    Router::new()
        .route("/local/faults", post(add).get(list).delete(clear))
        .route("/local/faults/{id}", delete(remove))
}

fn store(state: &ServerState) -> Result<&FaultStore, ApiError> {
    state.faults.as_deref().ok_or_else(|| ApiError::not_found("There is no such path"))
}

async fn add(
    State(state): State<ServerState>,
    JsonObject(mut fields): JsonObject,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let asked: Vec<Map<String, Value>> =
        fields.parsed("faults", "a list of objects")?.unwrap_or_default();
    if asked.is_empty() {
        return Err(ApiError::bad_request("`faults` must list at least one fault"));
    }
    let rules = asked
        .into_iter()
        .enumerate()
        .map(|(at, members)| rule(members).map_err(|error| error.of(&format!("faults[{at}]"))))
        .collect::<Result<Vec<Rule>, ApiError>>()?;
    let added = store(&state)?.add(rules);
    Ok((StatusCode::CREATED, Json(json!({ "faults": added }))))
}

fn rule(mut members: Map<String, Value>) -> Result<Rule, ApiError> {
    let times = match members.remove("times") {
        None => Some(1),
        Some(value) if value == "always" => None,
        Some(value) => match value.as_u64() {
            Some(times) if times > 0 => Some(times),
            _ => {
                return Err(ApiError::bad_request(
                    "`times` must be an integer of 1 or more, or \"always\"",
                ));
            }
        },
    };
    let mut own = Map::new();
    for name in ["match", "skip"] {
        own.extend(members.remove(name).map(|value| (name.to_owned(), value)));
    }
    let mut own = Fields::new(own);
    Ok(Rule {
        of: own
            .parsed::<Match>("match", "an object of method, path and headers")?
            .unwrap_or_default(),
        skip: own.integer("skip")?.unwrap_or(0),
        times,
        fault: Fault::from_members(members).map_err(ApiError::bad_request)?,
    })
}

async fn list(State(state): State<ServerState>) -> Result<Json<Value>, ApiError> {
    let (faults, requests) = store(&state)?.all();
    Ok(Json(json!({ "faults": faults, "requests": requests })))
}

async fn clear(State(state): State<ServerState>) -> Result<StatusCode, ApiError> {
    store(&state)?.clear();
    Ok(StatusCode::NO_CONTENT)
}

async fn remove(
    State(state): State<ServerState>,
    Segments(id): Segments<u64>,
) -> Result<StatusCode, ApiError> {
    if store(&state)?.remove(id) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::not_found(format!("Fault '{id}' not found")))
    }
}
