//! The error envelope `{"error": {"code", "message"}}`.

use std::borrow::Cow;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hotdata_local_engine::error::EngineError;
use serde_json::json;
use tokio::task::JoinError;

/// What a request is refused or fails with.
#[derive(Debug, Clone)]
pub struct ApiError {
    status: StatusCode,
    code: Cow<'static, str>,
    /// Empty: the answer has no body, as the service's has for a quoted mixed-case column.
    message: String,
    /// Seconds.
    retry_after: Option<u32>,
}

impl ApiError {
    pub fn new(
        status: u16,
        code: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            code: code.into(),
            message: message.into(),
            retry_after: None,
        }
    }

    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, "BAD_REQUEST", message)
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(404, "NOT_FOUND", message)
    }

    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(500, "INTERNAL_SERVER_ERROR", message)
    }

    pub fn too_large(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(413, code, message)
    }

    /// Says first what the message is about.
    pub fn of(mut self, what: &str) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }

    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }
}

impl From<EngineError> for ApiError {
    fn from(error: EngineError) -> Self {
        // A table another load or build is busy with is free again shortly.
        let retry_after = (error.code == "RESOURCE_LOCKED").then_some(1);
        Self { retry_after, ..Self::new(error.status, error.code, error.message) }
    }
}

/// A background task that panicked.
impl From<JoinError> for ApiError {
    fn from(_: JoinError) -> Self {
        Self::internal("the request failed unexpectedly")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = if self.message.is_empty() {
            self.status.into_response()
        } else {
            let body = json!({ "error": { "code": self.code, "message": self.message } });
            (self.status, Json(body)).into_response()
        };
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
