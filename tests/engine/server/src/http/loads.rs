//! `POST …/loads`: rows into a table, from inline CSV, an upload or a result.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use bytes::Bytes;
use hotdata_local_engine::model::{
    DatabaseRecord, LoadFormat, LoadMode, LoadOutcome, LoadRequest, LoadSource,
};
use serde_json::{Map, Value, json};

use crate::http::async_wait::{Patience, spawn, unpanicked};
use crate::http::body::{JsonObject, Segments};
use crate::http::errors::ApiError;
use crate::http::fields::Fields;
use crate::http::{indexes, scope};
use crate::state::ServerState;
use crate::store::ids;
use crate::store::loads::{Replay, TableKey};
use crate::store::results::ResultStatus;
use crate::store::uploads::Claim;

/// Inline `data` is bounded; uploads are for more.
const INLINE_LIMIT: usize = 2 * 1024 * 1024;
const KEY_LIMIT: usize = 255;

pub fn routes() -> Router<ServerState> {
    Router::new()
        .route(
            "/v1/databases/{database_id}/schemas/{schema}/tables/{table}/loads",
            post(of_database),
        )
        .route(
            "/v1/connections/{connection_id}/schemas/{schema}/tables/{table}/loads",
            post(of_connection),
        )
}

async fn of_database(
    State(state): State<ServerState>,
    Segments((id, schema, table)): Segments<(String, String, String)>,
    JsonObject(fields): JsonObject,
) -> Result<Response, ApiError> {
    let database = state.engine.database(&id)?;
    load(state, database, schema, table, fields).await
}

async fn of_connection(
    State(state): State<ServerState>,
    Segments((id, schema, table)): Segments<(String, String, String)>,
    JsonObject(fields): JsonObject,
) -> Result<Response, ApiError> {
    let database = scope::database_of_connection(&state, &id)?;
    load(state, database, schema, table, fields).await
}

/// A load's body, checked.
struct Asked {
    mode: LoadMode,
    mode_name: &'static str,
    key: Vec<String>,
    source: Source,
    format: Option<LoadFormat>,
    columns: Vec<(String, String)>,
    idempotency_key: Option<String>,
    patience: Patience,
}

enum Source {
    Data(String),
    Upload(String),
    Result(String),
}

fn read(mut fields: Fields) -> Result<Asked, ApiError> {
    const MODES: [&str; 5] = ["replace", "append", "delete", "update", "upsert"];
    let mode_name = fields.choice("mode", &MODES)?.ok_or_else(|| {
        ApiError::bad_request(format!("`mode` is required: one of {}", MODES.join(", ")))
    })?;
    let mode = match mode_name {
        "replace" => LoadMode::Replace,
        "append" => LoadMode::Append,
        "delete" => LoadMode::Delete,
        "update" => LoadMode::Update,
        _ => LoadMode::Upsert,
    };
    let format = fields.choice("format", &["csv", "json", "parquet"])?.map(|name| match name {
        "csv" => LoadFormat::Csv,
        "json" => LoadFormat::Json,
        _ => LoadFormat::Parquet,
    });
    let source =
        match (fields.string("data")?, fields.string("upload_id")?, fields.string("result_id")?) {
            (Some(data), None, None) => Source::Data(data),
            (None, Some(id), None) => Source::Upload(id),
            (None, None, Some(id)) => Source::Result(id),
            _ => {
                return Err(ApiError::bad_request(
                    "exactly one of `data`, `upload_id` and `result_id` is required",
                ));
            }
        };
    let columns = column_types(fields.object("columns")?.unwrap_or_default())?;
    let idempotency_key = fields.string("idempotency_key")?;
    match &source {
        Source::Data(data) if data.len() > INLINE_LIMIT => {
            return Err(ApiError::too_large(
                "INLINE_DATA_TOO_LARGE",
                format!(
                    "`data` exceeds {INLINE_LIMIT} bytes: upload the file and load it by `upload_id`"
                ),
            ));
        }
        Source::Data(_) if format.is_some_and(|format| format != LoadFormat::Csv) => {
            return Err(ApiError::bad_request(
                "`format` must be csv with inline `data`: upload other formats and load them by `upload_id`",
            ));
        }
        Source::Result(_) if format.is_some() => {
            return Err(ApiError::bad_request("`format` is not valid with `result_id`"));
        }
        Source::Upload(_) | Source::Result(_) if idempotency_key.is_some() => {
            return Err(ApiError::bad_request(
                "`idempotency_key` is only valid with inline `data`: a load by `upload_id` is safe to repeat",
            ));
        }
        Source::Upload(_) | Source::Result(_) if !columns.is_empty() => {
            return Err(ApiError::bad_request("`columns` is only valid with inline `data`"));
        }
        _ => {}
    }
    if idempotency_key.as_ref().is_some_and(|key| key.is_empty() || key.chars().count() > KEY_LIMIT)
    {
        return Err(ApiError::bad_request(format!(
            "`idempotency_key` must be 1 to {KEY_LIMIT} characters"
        )));
    }
    let asked = Patience::from_fields(&mut fields)?;
    // A load of a result is never a job.
    let patience = match source {
        Source::Result(_) => Patience::UntilDone,
        _ => asked,
    };
    Ok(Asked {
        mode,
        mode_name,
        key: fields.strings("key")?,
        source,
        format,
        columns,
        idempotency_key,
        patience,
    })
}

/// Column types, each a name such as `DECIMAL(10,2)` or `{type, precision?, scale?}`.
fn column_types(columns: Map<String, Value>) -> Result<Vec<(String, String)>, ApiError> {
    columns
        .into_iter()
        .map(|(name, given)| match &given {
            Value::String(text) => Ok((name, text.clone())),
            Value::Object(spec) => {
                let text = spec.get("type").and_then(Value::as_str);
                let precision = spec.get("precision").filter(|value| !value.is_null());
                let scale = spec.get("scale").filter(|value| !value.is_null());
                match (text, precision, scale) {
                    (Some(text), None, None) => Ok((name, text.to_owned())),
                    (Some(text), Some(precision), None) => {
                        Ok((name, format!("{text}({precision})")))
                    }
                    (Some(text), Some(precision), Some(scale)) => {
                        Ok((name, format!("{text}({precision},{scale})")))
                    }
                    _ => Err(bad_type(&name)),
                }
            }
            _ => Err(bad_type(&name)),
        })
        .collect()
}

fn bad_type(column: &str) -> ApiError {
    ApiError::bad_request(format!(
        "`columns`: the type of {column:?} must be a type name or {{type, precision, scale}}"
    ))
}

async fn load(
    state: ServerState,
    database: DatabaseRecord,
    schema: String,
    table: String,
    fields: Fields,
) -> Result<Response, ApiError> {
    let asked = read(fields)?;
    let key: TableKey =
        (database.default_connection_id.clone(), schema.to_lowercase(), table.to_lowercase());
    let target = format!("{} of {}.{}.{}", asked.mode_name, database.id, key.1, key.2);
    let keyed = match (&asked.idempotency_key, &asked.source) {
        (Some(idempotency_key), Source::Data(data)) => {
            let columns = json!(asked.columns).to_string();
            let parts = [target.as_bytes(), data.as_bytes(), columns.as_bytes()];
            let key_columns = asked.key.join("\0");
            let fingerprint = ids::digest(&[&parts[..], &[key_columns.as_bytes()]].concat());
            match state.loads.replay(idempotency_key, &fingerprint) {
                Replay::Same(answer) => return Ok(Json(answer).into_response()),
                Replay::Conflict => {
                    return Err(ApiError::new(
                        409,
                        "IDEMPOTENCY_KEY_CONFLICT",
                        "this `idempotency_key` was used for another load",
                    ));
                }
                Replay::New => Some((idempotency_key.clone(), fingerprint)),
            }
        }
        _ => None,
    };

    if !state.loads.take(&key) {
        return Err(ApiError::new(
            409,
            "RESOURCE_LOCKED",
            format!("table {}.{} is busy with another load or index build", key.1, key.2),
        )
        .retry_after(1));
    }
    // Given back by the task, or here when there is none.
    let source = match claim(&state, &database, &asked, &target) {
        Ok(Claimed::Source(source)) => source,
        Ok(Claimed::Receipt(answer)) => {
            state.loads.release(&key);
            return Ok(Json(answer).into_response());
        }
        Err(error) => {
            state.loads.release(&key);
            return Err(error);
        }
    };
    let job = match asked.patience {
        Patience::UntilDone => None,
        _ => match state.jobs.start("managed_load") {
            Ok(job) => Some(job),
            Err(error) => {
                settle_upload(&state, &asked.source, &target, None);
                state.loads.release(&key);
                return Err(error.into());
            }
        },
    };
    let patience = asked.patience;
    let task = {
        let (state, job) = (state.clone(), job.clone());
        spawn(move || async move {
            let request =
                LoadRequest { mode: asked.mode, key: asked.key, source, columns: asked.columns };
            let loaded =
                unpanicked(state.engine.load(&database.id, &schema, &table, request)).await;
            let outcome = loaded.map(answer);
            state.loads.release(&key);
            settle_upload(&state, &asked.source, &target, outcome.as_ref().ok());
            if let (Some((idempotency_key, fingerprint)), Ok(answer)) = (keyed, &outcome) {
                state.loads.record(idempotency_key, fingerprint, answer.clone());
            }
            if let Some(job) = &job {
                state.jobs.finish(job, outcome.clone().map_err(|error| error.message));
            }
            outcome
        })
    };
    match (patience.wait(task).await?, job) {
        (Some(Ok(answer)), _) => Ok((StatusCode::OK, Json(answer)).into_response()),
        (Some(Err(error)), _) => Err(error.into()),
        (None, Some(job)) => Ok(indexes::submitted(&job)),
        (None, None) => Err(ApiError::internal("the load was lost")),
    }
}

enum Claimed {
    Source(LoadSource),
    /// The upload was loaded before, and this was the answer.
    Receipt(Value),
}

fn claim(
    state: &ServerState,
    database: &DatabaseRecord,
    asked: &Asked,
    target: &str,
) -> Result<Claimed, ApiError> {
    match &asked.source {
        Source::Data(data) => Ok(Claimed::Source(LoadSource::Bytes {
            bytes: Bytes::from(data.clone()),
            format: Some(LoadFormat::Csv),
        })),
        Source::Upload(id) => match state.uploads.claim(id, target)? {
            Claim::Receipt(answer) => Ok(Claimed::Receipt(answer)),
            Claim::Bytes { bytes, content_type } => Ok(Claimed::Source(LoadSource::Bytes {
                bytes,
                format: asked.format.or_else(|| content_type.as_deref().and_then(format_of)),
            })),
        },
        Source::Result(id) => {
            let status = state.results.get(&database.id, id).map(|result| result.status);
            match status {
                None => Err(ApiError::not_found(format!("Result '{id}' not found"))),
                Some(ResultStatus::Ready(rows, _)) => Ok(Claimed::Source(LoadSource::Batches {
                    schema: rows.schema.clone(),
                    batches: rows.batches.clone(),
                })),
                Some(other) => Err(ApiError::new(
                    409,
                    "CONFLICT",
                    format!("Result '{id}' is not ready: it is {}", other.name()),
                )),
            }
        }
    }
}

/// The format a content type names; none for one that says nothing, such as `application/octet-stream`.
fn format_of(content_type: &str) -> Option<LoadFormat> {
    match content_type.split(';').next().unwrap_or_default().trim() {
        "text/csv" | "application/csv" => Some(LoadFormat::Csv),
        "application/json"
        | "application/x-ndjson"
        | "application/jsonl"
        | "application/x-jsonlines" => Some(LoadFormat::Json),
        "application/vnd.apache.parquet" | "application/parquet" | "application/x-parquet" => {
            Some(LoadFormat::Parquet)
        }
        _ => None,
    }
}

fn settle_upload(state: &ServerState, source: &Source, target: &str, answer: Option<&Value>) {
    if let Source::Upload(id) = source {
        state.uploads.settle(id, target, answer.cloned());
    }
}

fn answer(outcome: LoadOutcome) -> Value {
    // A string on the wire, holding JSON.
    let schema = match outcome.arrow_schema_json {
        Value::String(text) => text,
        value => value.to_string(),
    };
    json!({
        "connection_id": outcome.connection_id,
        "schema_name": outcome.schema_name,
        "table_name": outcome.table_name,
        "row_count": outcome.row_count,
        "arrow_schema_json": schema,
    })
}
