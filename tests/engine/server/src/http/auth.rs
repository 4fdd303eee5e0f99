//! What every request must bring: a `Host` of this machine, a bearer token, the workspace.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::faults::control;
use crate::http::errors::ApiError;
use crate::http::loopback::is_loopback_authority;
use crate::http::uploads::STORAGE_PREFIX;
use crate::state::ServerState;

pub const WORKSPACE_HEADER: &str = "x-workspace-id";

pub async fn guard(State(state): State<ServerState>, request: Request, next: Next) -> Response {
    if let Err(error) = check_host(&request) {
        return error.into_response();
    }
    let path = request.uri().path();
    // Storage takes no credentials: whoever holds a URL may put one object.
    if path.starts_with(STORAGE_PREFIX) {
        return next.run(request).await;
    }
    if let Err(error) = check_bearer(request.headers(), state.options.key.as_deref()) {
        return error.into_response();
    }
    let controls_faults = state.faults.is_some() && path.starts_with(control::PREFIX);
    if path != "/v1/workspaces" && !controls_faults {
        // The service does not say what is missing.
        let Some(id) = request.headers().get(WORKSPACE_HEADER) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let named = state.workspaces.iter().find(|one| one.id.as_bytes() == id.as_bytes());
        if named.is_none_or(|workspace| !workspace.active) {
            return ApiError::not_found("Workspace not found").into_response();
        }
    }
    next.run(request).await
}

/// A page of another site can reach 127.0.0.1 by pointing its own name there; its `Host` gives it away.
fn check_host(request: &Request) -> Result<(), ApiError> {
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|value| value.to_str().ok())
        .or_else(|| request.uri().authority().map(|authority| authority.as_str()));
    match host {
        Some(host) if is_loopback_authority(host) => Ok(()),
        _ => Err(ApiError::new(
            403,
            "FORBIDDEN",
            "the Host header must be 127.0.0.1, localhost or [::1]",
        )),
    }
}

fn check_bearer(headers: &HeaderMap, key: Option<&str>) -> Result<(), ApiError> {
    let token = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token.trim())
        .filter(|token| !token.is_empty());
    match (token, key) {
        (None, _) => Err(ApiError::new(
            401,
            "UNAUTHORIZED",
            "an API key is required: set the Authorization header to `Bearer <key>`",
        )),
        (Some(token), Some(key)) if token != key => {
            Err(ApiError::new(401, "UNAUTHORIZED", "the API key is not valid"))
        }
        _ => Ok(()),
    }
}
