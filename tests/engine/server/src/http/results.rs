//! `/v1/results`: kept results in five formats, within their database.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use futures::stream;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::encode::{Chunk, arrow, csv, json as json_rows, markdown, parquet, window};
use crate::http::body::{Params, Segments};
use crate::http::errors::ApiError;
use crate::http::scope;
use crate::state::ServerState;
use crate::store::results::{ResultStatus, Rows, StoredResult};

const LIST_LIMIT: usize = 100;
const LIST_MAX: usize = 1000;

pub fn routes() -> Router<ServerState> {
    Router::new().route("/v1/results", get(list)).route("/v1/results/{id}", get(one))
}

#[derive(Deserialize)]
struct Listing {
    limit: Option<usize>,
    offset: Option<usize>,
}

async fn list(
    State(state): State<ServerState>,
    headers: HeaderMap,
    Params(asked): Params<Listing>,
) -> Result<Json<Value>, ApiError> {
    let database = scope::database(&state, &headers, None)?.id;
    let limit = asked.limit.unwrap_or(LIST_LIMIT).clamp(1, LIST_MAX);
    let offset = asked.offset.unwrap_or(0);
    let results = state.results.of_database(&database);
    let page: Vec<Value> = results
        .iter()
        .skip(offset)
        .take(limit)
        .map(|result| {
            let error = match &result.status {
                ResultStatus::Failed(message) => Some(message.as_str()),
                _ => None,
            };
            json!({
                "id": result.id,
                "status": result.status.name(),
                "created_at": result.created_at,
                "error_message": error,
            })
        })
        .collect();
    Ok(Json(json!({
        "count": page.len(),
        "has_more": results.len() > offset.saturating_add(page.len()),
        "limit": limit,
        "offset": offset,
        "results": page,
    })))
}

#[derive(Deserialize)]
struct Reading {
    format: Option<String>,
    offset: Option<u64>,
    limit: Option<u64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Format {
    Json,
    Arrow,
    Csv,
    Markdown,
    Parquet,
}

impl Format {
    /// `format` decides, else the `Accept` header, else JSON.
    fn of(asked: Option<&str>, headers: &HeaderMap) -> Result<Self, ApiError> {
        if let Some(name) = asked {
            return match name {
                "json" => Ok(Self::Json),
                "arrow" => Ok(Self::Arrow),
                "csv" => Ok(Self::Csv),
                "md" | "markdown" => Ok(Self::Markdown),
                "parquet" => Ok(Self::Parquet),
                other => Err(ApiError::bad_request(format!(
                    "`format` must be json, arrow, csv, md or parquet, not {other:?}"
                ))),
            };
        }
        let accept =
            headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let accepted = accept
            .split(',')
            .filter_map(|part| match part.split(';').next().unwrap_or_default().trim() {
                "application/json" => Some(Self::Json),
                arrow::MEDIA_TYPE => Some(Self::Arrow),
                "text/csv" => Some(Self::Csv),
                "text/markdown" => Some(Self::Markdown),
                parquet::MEDIA_TYPE | "application/parquet" => Some(Self::Parquet),
                _ => None,
            })
            .next();
        Ok(accepted.unwrap_or(Self::Json))
    }
}

async fn one(
    State(state): State<ServerState>,
    headers: HeaderMap,
    Segments(id): Segments<String>,
    Params(asked): Params<Reading>,
) -> Result<Response, ApiError> {
    let format = Format::of(asked.format.as_deref(), &headers)?;
    let database = scope::database(&state, &headers, None)?.id;
    let StoredResult { status, .. } = state
        .results
        .get(&database, &id)
        .ok_or_else(|| ApiError::not_found(format!("Result '{id}' not found")))?;
    match (&status, status.name()) {
        (ResultStatus::Failed(message), name) => {
            let body = json!({ "status": name, "result_id": id, "error_message": message });
            Ok((StatusCode::CONFLICT, Json(body)).into_response())
        }
        (ResultStatus::Ready(rows, _), "ready") => {
            let mut response = read(&state, &id, Arc::clone(rows), format, &asked).await?;
            response.headers_mut().insert(
                HeaderName::from_static("x-total-row-count"),
                HeaderValue::from(rows.total),
            );
            if format != Format::Parquet
                && let Some(next) = next_window(&id, rows.total, &asked)
            {
                response.headers_mut().insert(header::LINK, next);
            }
            Ok(response)
        }
        (_, name) => {
            let body = json!({ "status": name, "result_id": id });
            Ok((StatusCode::ACCEPTED, [(header::RETRY_AFTER, "1")], Json(body)).into_response())
        }
    }
}

/// The `Link` to the rows after a window that ends before the last.
fn next_window(id: &str, total: u64, asked: &Reading) -> Option<HeaderValue> {
    let limit = asked.limit.filter(|limit| *limit > 0)?;
    let next = asked.offset.unwrap_or(0).checked_add(limit).filter(|next| *next < total)?;
    let format = asked.format.as_deref().map(|name| format!("&format={name}")).unwrap_or_default();
    let link = format!("</v1/results/{id}?offset={next}&limit={limit}{format}>; rel=\"next\"");
    HeaderValue::from_str(&link).ok()
}

async fn read(
    state: &ServerState,
    id: &str,
    rows: Arc<Rows>,
    format: Format,
    asked: &Reading,
) -> Result<Response, ApiError> {
    let schema = Arc::clone(&rows.schema);
    // A Parquet file is handed out as it is kept.
    let (offset, limit) = match format {
        Format::Parquet => (0, None),
        _ => (asked.offset.unwrap_or(0), asked.limit),
    };
    let batches = window(&rows.batches, offset, limit);
    let unwritable = |e: ::arrow::error::ArrowError| ApiError::bad_request(e.to_string());
    match format {
        Format::Arrow => {
            streamed(arrow::chunks(schema, batches).map_err(unwritable)?, arrow::MEDIA_TYPE)
        }
        Format::Csv => streamed(csv::chunks(schema, batches), csv::MEDIA_TYPE),
        Format::Markdown => streamed(markdown::chunks(schema, batches), markdown::MEDIA_TYPE),
        Format::Parquet => {
            let file = tokio::task::spawn_blocking(move || parquet::whole(schema, &batches))
                .await?
                .map_err(unwritable)?;
            Ok(whole(file, parquet::MEDIA_TYPE))
        }
        Format::Json => {
            let budget =
                json_rows::Budget { rows: usize::MAX, bytes: state.options.json_result_bytes };
            let (mut body, written) = tokio::task::spawn_blocking(move || {
                let mut body = b"{\"rows\":".to_vec();
                json_rows::rows(&batches, budget, &mut body).map(|written| (body, written))
            })
            .await?
            .map_err(unwritable)?;
            if !written.complete {
                return Err(ApiError::too_large(
                    "RESULT_TOO_LARGE",
                    format!(
                        "the rows exceed {} bytes as JSON: read them as arrow, csv, md or parquet",
                        state.options.json_result_bytes
                    ),
                ));
            }
            let (columns, nullable) = json_rows::columns(&rows.schema);
            let rest = json!({
                "result_id": id,
                "status": "ready",
                "columns": columns,
                "nullable": nullable,
                "row_count": written.rows,
                "total_row_count": rows.total,
            })
            .to_string();
            body.push(b',');
            body.extend_from_slice(&rest.as_bytes()[1..]);
            Ok(whole(body, "application/json"))
        }
    }
}

fn whole(body: Vec<u8>, media_type: &'static str) -> Response {
    let mut response = Response::new(Body::from(body));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// Sends chunks as they are written. The first is written before the answer starts, so that a column the format cannot
/// hold is refused rather than breaking the body off.
fn streamed(
    mut chunks: impl Iterator<Item = Chunk> + Send + 'static,
    media_type: &'static str,
) -> Result<Response, ApiError> {
    let first = chunks.next().transpose().map_err(|e| ApiError::bad_request(e.to_string()))?;
    let body = first.map(Ok).into_iter().chain(chunks);
    let mut response = Response::new(Body::from_stream(stream::iter(body)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    Ok(response)
}
