//! Which workspace's server a request goes to.

use axum::Router;
use axum::extract::Request;
use tower::ServiceExt;

use crate::http::auth::WORKSPACE_HEADER;
use crate::http::uploads::STORAGE_PREFIX;
use crate::state::ServerState;

/// One router a workspace. The first answers what names none.
pub fn by_workspace(served: Vec<(ServerState, Router)>) -> Router {
    Router::new().fallback(move |request: Request| {
        let router = pick(&served, &request);
        async move { router.oneshot(request).await.unwrap_or_else(|never| match never {}) }
    })
}

fn pick(served: &[(ServerState, Router)], request: &Request) -> Router {
    let found = match request.uri().path().strip_prefix(STORAGE_PREFIX) {
        Some(token) => served.iter().find(|(state, _)| state.uploads.knows(token)),
        None => request.headers().get(WORKSPACE_HEADER).and_then(|id| {
            served.iter().find(|(state, _)| state.workspace.as_bytes() == id.as_bytes())
        }),
    };
    found.or(served.first()).map(|(_, router)| router.clone()).unwrap_or_default()
}
