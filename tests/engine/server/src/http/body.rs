//! Request parts, with refusals in the envelope rather than the framework's plain text.

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::http::errors::ApiError;
use crate::http::fields::Fields;
use crate::state::ServerState;

/// A JSON body's bound. Two MiB of inline CSV stay below it however they are escaped.
const JSON_LIMIT: u64 = 16 * 1024 * 1024;

/// A JSON object body. An empty body is an empty object.
pub struct JsonObject(pub Fields);

impl FromRequest<ServerState> for JsonObject {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &ServerState) -> Result<Self, ApiError> {
        let bytes = read(request.headers().clone(), request.into_body(), JSON_LIMIT).await?;
        if bytes.is_empty() {
            return Ok(Self(Fields::new(Map::new())));
        }
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(map)) => Ok(Self(Fields::new(map))),
            Ok(_) => Err(ApiError::bad_request("the request body must be a JSON object")),
            Err(e) => Err(ApiError::bad_request(format!("the request body is not JSON: {e}"))),
        }
    }
}

/// Path segments.
pub struct Segments<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<ServerState> for Segments<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ServerState) -> Result<Self, ApiError> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(segments)) => Ok(Self(segments)),
            Err(e) => {
                Err(ApiError::bad_request(format!("the path is not valid: {}", e.body_text())))
            }
        }
    }
}

/// Query parameters.
pub struct Params<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<ServerState> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ServerState) -> Result<Self, ApiError> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(params)) => Ok(Self(params)),
            Err(e) => Err(ApiError::bad_request(format!(
                "the query string is not valid: {}",
                e.body_text()
            ))),
        }
    }
}

/// Reads a body of at most `limit` bytes; a longer one is 413 as soon as that is known.
pub async fn read(headers: HeaderMap, body: Body, limit: u64) -> Result<Bytes, ApiError> {
    let too_large = || {
        ApiError::too_large("PAYLOAD_TOO_LARGE", format!("the request body exceeds {limit} bytes"))
    };
    let declared = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<u64>().ok());
    if declared.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let mut pieces = body.into_data_stream();
    let mut whole = BytesMut::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| ApiError::bad_request("the request body broke off"))?;
        if (whole.len() + piece.len()) as u64 > limit {
            return Err(too_large());
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole.freeze())
}
