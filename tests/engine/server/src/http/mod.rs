//! The routes, one module a family, and what stands before all of them.

mod async_wait;
mod auth;
pub(crate) mod body;
mod cors;
mod databases;
mod dispatch;
mod embedding_providers;
pub(crate) mod errors;
pub(crate) mod fields;
pub(crate) mod indexes;
mod information_schema;
mod jobs;
mod loads;
mod loopback;
mod paging;
pub(crate) mod query;
mod query_runs;
mod results;
mod scope;
mod tables;
mod uploads;
pub(crate) mod wildcard;
mod workspaces;

use std::panic::AssertUnwindSafe;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use futures::FutureExt;

use crate::faults::{self, control};
use crate::state::ServerState;
use errors::ApiError;

/// Everything the server answers. `Host` must name this machine, so a request made in-process sets it too.
pub fn router(state: ServerState) -> Router {
    let app = if state.others.is_empty() {
        routes(&state)
    } else {
        let all = std::iter::once(&state).chain(&state.others);
        dispatch::by_workspace(all.map(|one| (one.clone(), routes(one))).collect())
    };
    let cors = cors::layer(&state.options);
    app.layer(middleware::from_fn_with_state(state, auth::guard))
        .layer(middleware::from_fn(catch_panic))
        .layer(cors)
}

/// What one workspace answers.
fn routes(state: &ServerState) -> Router {
    let mut routes = Router::new()
        .merge(workspaces::routes())
        .merge(query::routes())
        .merge(query_runs::routes())
        .merge(results::routes())
        .merge(databases::routes())
        .merge(tables::routes())
        .merge(loads::routes())
        .merge(uploads::routes())
        .merge(information_schema::routes())
        .merge(indexes::routes())
        .merge(jobs::routes())
        .merge(embedding_providers::routes());
    if state.faults.is_some() {
        routes = routes.merge(control::routes());
    }
    routes = routes
        .fallback(|| async { ApiError::not_found("There is no such path") })
        .method_not_allowed_fallback(|| async {
            ApiError::new(405, "METHOD_NOT_ALLOWED", "This path does not answer that method")
        });
    if state.faults.is_some() {
        routes = routes.layer(middleware::from_fn_with_state(state.clone(), faults::inject));
    }
    routes.with_state(state.clone())
}

/// A handler that panics answers 500 instead of dropping the connection.
async fn catch_panic(request: Request, next: Next) -> Response {
    match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => response,
        Err(_) => ApiError::internal("the request failed unexpectedly").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::StatusCode;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_500_in_the_envelope() {
        async fn fail() -> &'static str {
            panic!("on purpose")
        }
        let app = Router::new().route("/", get(fail)).layer(middleware::from_fn(catch_panic));
        let response = app.oneshot(Request::new(Body::empty())).await.unwrap();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = axum::body::to_bytes(response.into_body(), 1024).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["error"]["code"], "INTERNAL_SERVER_ERROR");
        assert!(!body.to_string().contains("on purpose"));
    }
}
