//! Which browser pages may call the server: loopback origins and those named at start.

use std::time::Duration;

use axum::http::{HeaderName, Method, header};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::faults;
use crate::http::loopback::is_loopback_origin;
use crate::options::ServerOptions;

pub fn layer(options: &ServerOptions) -> CorsLayer {
    let origins = options.origins.clone();
    let fault = options.faults.then(|| HeaderName::from_static(faults::HEADER));
    let allowed = [
        header::AUTHORIZATION,
        header::CONTENT_TYPE,
        header::ACCEPT,
        HeaderName::from_static("x-workspace-id"),
        HeaderName::from_static("x-database-id"),
        HeaderName::from_static("x-upload-finalize-token"),
    ];
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(move |origin, _| {
            origin.to_str().is_ok_and(|origin| {
                is_loopback_origin(origin) || origins.iter().any(|allowed| allowed == origin)
            })
        }))
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers(allowed.into_iter().chain(fault).collect::<Vec<_>>())
        .expose_headers([
            header::RETRY_AFTER,
            header::ETAG,
            header::LINK,
            HeaderName::from_static("x-total-row-count"),
            HeaderName::from_static("x-query-run-id"),
            HeaderName::from_static("x-result-id"),
            HeaderName::from_static("x-execution-time-ms"),
            HeaderName::from_static("x-query-warning"),
        ])
        .max_age(Duration::from_secs(600))
}
