//! `/v1/uploads` and the storage behind its URLs.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{post, put};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::auth::WORKSPACE_HEADER;
use crate::http::body::{self, JsonObject, Segments};
use crate::http::errors::ApiError;
use crate::state::ServerState;
use crate::store::uploads::{MAX_PARTS, MAX_UPLOAD, NewUpload, Plan};

/// Where storage URLs begin. What follows is the token that is the permission.
pub const STORAGE_PREFIX: &str = "/storage/";

const FINALIZE_HEADER: &str = "x-upload-finalize-token";

pub fn routes() -> Router<ServerState> {
    Router::new()
        .route("/v1/uploads", post(create))
        .route("/v1/uploads/{upload_id}/parts", post(mint))
        .route("/v1/uploads/{upload_id}/finalize", post(finalize))
        .route("/storage/{token}", put(store))
}

async fn create(
    State(state): State<ServerState>,
    headers: HeaderMap,
    JsonObject(mut fields): JsonObject,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let new = NewUpload {
        declared_size: fields.integer("declared_size_bytes")?,
        part_size: fields.integer("part_size")?,
        content_type: fields.string("content_type")?,
    };
    fields.string("filename")?;
    if fields.string("checksum_algo")?.is_some() {
        return Err(ApiError::bad_request(
            "`checksum_algo` is not supported by this server: leave it out",
        ));
    }
    if fields
        .string("content_encoding")?
        .is_some_and(|encoding| !matches!(encoding.as_str(), "" | "identity"))
    {
        return Err(ApiError::bad_request(
            "`content_encoding` is not supported by this server: upload the file uncompressed",
        ));
    }
    let session = state.uploads.create(new)?;
    let mut answer = json!({
        "upload_id": session.upload_id,
        "finalize_token": session.finalize_token,
        "headers": {},
    });
    match session.plan {
        Plan::Single { token } => {
            answer["mode"] = "single".into();
            answer["url"] = url(&headers, &token).into();
        }
        Plan::Multipart { part_size, tokens } => {
            answer["mode"] = "multipart".into();
            answer["part_size"] = part_size.into();
            answer["part_urls"] = tokens.iter().map(|token| url(&headers, token)).collect();
        }
        Plan::Streaming { part_size } => {
            answer["mode"] = "multipart".into();
            answer["part_size"] = part_size.into();
        }
    }
    Ok((StatusCode::CREATED, Json(answer)))
}

/// The storage URL on the address the caller used, which the guard has checked to be this machine.
fn url(headers: &HeaderMap, token: &str) -> String {
    let host =
        headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or("127.0.0.1");
    format!("http://{host}{STORAGE_PREFIX}{token}")
}

async fn mint(
    State(state): State<ServerState>,
    Segments(id): Segments<String>,
    headers: HeaderMap,
    JsonObject(mut fields): JsonObject,
) -> Result<Json<Value>, ApiError> {
    let token = finalize_token(&headers)?;
    let mut numbers: Vec<u32> =
        fields.parsed("part_numbers", "a list of part numbers")?.unwrap_or_default();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.is_empty()
        || numbers.iter().any(|number| *number == 0 || u64::from(*number) > MAX_PARTS)
    {
        return Err(ApiError::bad_request(format!(
            "`part_numbers` must list at least one number from 1 to {MAX_PARTS}"
        )));
    }
    let tokens = state.uploads.mint_parts(&id, token, &numbers)?;
    let parts: Vec<Value> = numbers
        .iter()
        .zip(&tokens)
        .map(|(number, token)| json!({ "part_number": number, "url": url(&headers, token) }))
        .collect();
    Ok(Json(json!({ "parts": parts })))
}

#[derive(Deserialize)]
struct ListedPart {
    part_number: u32,
    e_tag: String,
}

async fn finalize(
    State(state): State<ServerState>,
    Segments(id): Segments<String>,
    headers: HeaderMap,
    JsonObject(mut fields): JsonObject,
) -> Result<Json<Value>, ApiError> {
    let token = finalize_token(&headers)?;
    let listed: Option<Vec<ListedPart>> =
        fields.parsed("parts", "a list of {part_number, e_tag}")?;
    let listed: Option<Vec<(u32, String)>> =
        listed.map(|parts| parts.into_iter().map(|part| (part.part_number, part.e_tag)).collect());
    let done = state.uploads.finalize(&id, token, listed.as_deref())?;
    Ok(Json(json!({
        "upload_id": done.upload_id,
        "status": "ready",
        "size_bytes": done.size,
        "content_type": done.content_type,
        "created_at": done.created_at,
    })))
}

fn finalize_token(headers: &HeaderMap) -> Result<&str, ApiError> {
    headers
        .get(FINALIZE_HEADER)
        .and_then(|value| value.to_str().ok())
        .ok_or_else(|| ApiError::bad_request("the X-Upload-Finalize-Token header is required"))
}

/// One object put under its URL. Errors are XML, as object storage writes them.
async fn store(
    State(state): State<ServerState>,
    Segments(token): Segments<String>,
    request: Request,
) -> Response {
    for name in [header::AUTHORIZATION.as_str(), WORKSPACE_HEADER] {
        if request.headers().contains_key(name) {
            return refused(
                StatusCode::BAD_REQUEST,
                "InvalidArgument",
                &format!("A presigned URL takes no {name} header"),
            );
        }
    }
    let expired = || refused(StatusCode::FORBIDDEN, "AccessDenied", "Request has expired");
    if !state.uploads.knows(&token) {
        return expired();
    }
    let (parts, body) = request.into_parts();
    let bytes = match body::read(parts.headers, body, MAX_UPLOAD).await {
        Ok(bytes) => bytes,
        Err(_) => {
            return refused(
                StatusCode::BAD_REQUEST,
                "EntityTooLarge",
                &format!("The body broke off or exceeds {MAX_UPLOAD} bytes"),
            );
        }
    };
    match state.uploads.put(&token, bytes) {
        None => expired(),
        Some(etag) => match HeaderValue::from_str(&etag) {
            Ok(etag) => (StatusCode::OK, [(header::ETAG, etag)]).into_response(),
            Err(_) => refused(
                StatusCode::INTERNAL_SERVER_ERROR,
                "InternalError",
                "The ETag could not be sent",
            ),
        },
    }
}

fn refused(status: StatusCode, code: &str, message: &str) -> Response {
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>{message}</Message></Error>"
    );
    (status, [(header::CONTENT_TYPE, "application/xml")], body).into_response()
}
