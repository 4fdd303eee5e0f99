//! Answers in place of the engine's own, and damage to the engine's own.

use std::io;
use std::time::Duration;

use axum::body::{self, Body};
use axum::http::response::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::{Stream, StreamExt, future, stream};
use serde_json::{Map, Value};

use crate::faults::connection::Connection;
use crate::http::errors::ApiError;

/// How long what was written is given to leave the machine and be read before the connection goes.
const SETTLE: Duration = Duration::from_millis(50);

const PAGE: &str = "<!DOCTYPE html>\n<html>\n<head><title>Bad Gateway</title></head>\n\
    <body>\n<center><h1>Bad Gateway</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>\n";

/// The error envelope, with the code the service gives this status unless one is named.
pub fn error(status: u16, code: Option<String>, message: Option<String>) -> Response {
    let code = code.unwrap_or_else(|| usual_code(status).to_owned());
    let message = message.unwrap_or_else(|| format!("{code} on request"));
    ApiError::new(status, code, message).into_response()
}

fn usual_code(status: u16) -> &'static str {
    match status {
        400 => "BAD_REQUEST",
        401 => "UNAUTHORIZED",
        403 => "FORBIDDEN",
        404 => "NOT_FOUND",
        409 => "RESOURCE_LOCKED",
        413 => "RESULT_TOO_LARGE",
        429 => "OVERLOADED",
        501 => "PRESIGN_UNSUPPORTED",
        503 => "PERSISTENCE_UNAVAILABLE",
        _ => "INTERNAL_SERVER_ERROR",
    }
}

/// A gateway's page.
pub fn page(status: u16) -> Response {
    with_type(status, "text/html", PAGE.to_owned())
}

/// Whatever text under the type of JSON.
pub fn mislabelled(status: u16, text: String) -> Response {
    with_type(status, "application/json", text)
}

fn with_type(status: u16, media_type: &'static str, text: String) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    (status, [(header::CONTENT_TYPE, media_type)], text).into_response()
}

pub fn retry_after(mut response: Response, text: Option<&str>) -> Response {
    if let Some(text) = text.and_then(|text| HeaderValue::from_str(text).ok()) {
        response.headers_mut().insert(header::RETRY_AFTER, text);
    }
    response
}

/// Resets the connection before anything is written to it. In-process, where there is none, the body breaks off.
pub fn reset(connection: &Connection) -> Response {
    connection.reset();
    Response::new(Body::from_stream(stream::once(future::ready(broken()))))
}

fn broken() -> io::Result<Bytes> {
    Err(io::ErrorKind::ConnectionReset.into())
}

/// How a body ends that is not sent whole.
#[derive(Clone, Copy)]
pub enum End {
    /// The length says how much is missing, and the connection is reset.
    Reset,
    /// The length says how much is missing, and the connection is closed in order.
    Closed,
    /// The length is that of what is sent.
    Framed,
}

/// The first `bytes` of the answer's body, half of it unless told, and never all of it. An answer without a body is a
/// reset, or stays whole where its framing is to be right.
pub async fn cut(
    response: Response,
    bytes: Option<usize>,
    end: End,
    connection: Connection,
) -> Response {
    let (mut parts, whole) = match collect(response).await {
        Ok(collected) => collected,
        Err(response) => return response,
    };
    let length = bytes.unwrap_or(whole.len() / 2).min(whole.len().saturating_sub(1));
    let sent = whole.slice(..length);
    if let End::Framed = end {
        return rewritten(parts, sent);
    }
    if whole.is_empty() {
        return reset(&connection);
    }
    set_length(&mut parts.headers, whole.len());
    let start = stream::iter((!sent.is_empty()).then_some(Ok(sent)));
    let ending = stream::once(async move {
        // What was written leaves for the network while the body has nothing more to give.
        tokio::time::sleep(SETTLE).await;
        match end {
            End::Reset => {
                connection.reset();
                Some(broken())
            }
            _ => None,
        }
    })
    .filter_map(future::ready);
    Response::from_parts(parts, Body::from_stream(start.chain(ending)))
}

/// The whole answer in pieces, each after a pause; the head goes at once.
pub async fn trickle(response: Response, chunk_bytes: usize, delay: Duration) -> Response {
    let (mut parts, whole) = match collect(response).await {
        Ok(collected) => collected,
        Err(response) => return response,
    };
    if whole.is_empty() {
        return rewritten(parts, whole);
    }
    set_length(&mut parts.headers, whole.len());
    Response::from_parts(parts, Body::from_stream(pieces(whole, chunk_bytes, delay)))
}

fn pieces(
    whole: Bytes,
    chunk_bytes: usize,
    delay: Duration,
) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    stream::unfold(whole, move |mut rest| async move {
        if rest.is_empty() {
            return None;
        }
        tokio::time::sleep(delay).await;
        let piece = rest.split_to(chunk_bytes.min(rest.len()));
        Some((Ok(piece), rest))
    })
}

/// The answer with other top-level fields and another status. A body that is not a JSON object stays as it is.
pub async fn edited(
    response: Response,
    set: Map<String, Value>,
    remove: &[String],
    status: Option<u16>,
) -> Response {
    let (mut parts, whole) = match collect(response).await {
        Ok(collected) => collected,
        Err(response) => return response,
    };
    if let Some(status) = status.and_then(|status| StatusCode::from_u16(status).ok()) {
        parts.status = status;
    }
    let body = match serde_json::from_slice::<Map<String, Value>>(&whole) {
        Ok(mut fields) => {
            fields.extend(set);
            fields.retain(|name, _| !remove.contains(name));
            Bytes::from(Value::Object(fields).to_string())
        }
        Err(_) => whole,
    };
    rewritten(parts, body)
}

/// Another body under a head; its length is told anew.
fn rewritten(mut parts: Parts, body: Bytes) -> Response {
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(body))
}

/// The head and the whole body; a body that breaks off is a 500.
pub async fn collect(response: Response) -> Result<(Parts, Bytes), Response> {
    let (parts, body) = response.into_parts();
    match body::to_bytes(body, usize::MAX).await {
        Ok(whole) => Ok((parts, whole)),
        Err(_) => Err(ApiError::internal("the answer broke off").into_response()),
    }
}

fn set_length(headers: &mut HeaderMap, length: usize) {
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
}
