//! `POST /v1/query`: one statement, answered inline, truncated, or as a run to poll.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use hotdata_local_engine::error::EngineError;
use hotdata_local_engine::model::{DatabaseRecord, QueryAnswer};
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinHandle;

use crate::encode::{arrow as arrow_stream, json as json_rows};
use crate::http::async_wait::{Patience, spawn, unpanicked};
use crate::http::body::JsonObject;
use crate::http::errors::ApiError;
use crate::http::scope;
use crate::state::ServerState;
use crate::store::results::{ResultStatus, Rows};

/// Every dialect is read as HotSQL: the local engine translates none.
const DIALECTS: [&str; 4] = ["hotsql", "duckdb", "postgres", "snowflake"];

pub fn routes() -> Router<ServerState> {
    Router::new().route("/v1/query", post(query))
}

/// A statement, and where names that leave catalog and schema out are looked for.
struct Statement {
    sql: String,
    default_catalog: Option<String>,
    default_schema: Option<String>,
}

/// A statement that ran.
struct Done {
    rows: Arc<Rows>,
    result_id: Option<String>,
    warning: Option<String>,
    milliseconds: u64,
}

async fn query(
    State(state): State<ServerState>,
    headers: HeaderMap,
    JsonObject(mut fields): JsonObject,
) -> Result<Response, ApiError> {
    let sql = fields.required("sql")?;
    let database_id = fields.string("database_id")?;
    let statement = Statement {
        sql,
        default_catalog: fields.string("default_catalog")?,
        default_schema: fields.string("default_schema")?,
    };
    fields.choice("dialect", &DIALECTS)?;
    let asked = Patience::from_fields(&mut fields)?;
    let database = scope::database(&state, &headers, database_id.as_deref())?;
    if let Some(catalog) = &statement.default_catalog {
        check_catalog(&state, &database, catalog)?;
    }
    let database = database.id;

    let Ok(permit) = Arc::clone(&state.queries).try_acquire_owned() else {
        return Err(ApiError::new(
            429,
            "OVERLOADED",
            "too many queries are running; send it again",
        )
        .retry_after(1));
    };
    // A run that may be polled names its result from the start, so that a failure can be read there too.
    let promised = match asked {
        Patience::UntilDone if state.options.async_after.is_none() => None,
        _ => Some(state.results.pending(&database)?),
    };
    let run_id = state.runs.start(&database, &statement.sql, promised.clone())?;
    let task = run(&state, permit, &database, statement, &run_id, promised);
    let (patience, reason) = match (asked, state.options.async_after) {
        (Patience::UntilDone, Some(limit)) => (
            Patience::For(limit),
            Some("the query did not finish in the time this server answers inline"),
        ),
        _ => (asked, None),
    };
    match patience.wait(task).await? {
        None => Ok(accepted(&state, &database, &run_id, reason)),
        Some(Err(error)) => Err(error.into()),
        Some(Ok(done)) if wants_arrow(&headers) => {
            answer_arrow(state, database, run_id, done).await
        }
        Some(Ok(done)) => answer_json(state, database, run_id, done).await,
    }
}

/// `default_catalog` must be one the database's queries see. A schema is not checked: one that does not exist is a
/// table not found.
fn check_catalog(
    state: &ServerState,
    database: &DatabaseRecord,
    catalog: &str,
) -> Result<(), ApiError> {
    let mut visible = vec![database.default_catalog.clone()];
    let connections = state.engine.connections();
    visible.extend(database.attachments.iter().filter_map(|attached| {
        attached.alias.clone().or_else(|| {
            let found =
                connections.iter().find(|connection| connection.id == attached.connection_id);
            found.map(|connection| connection.name.clone())
        })
    }));
    if visible.iter().any(|name| name.eq_ignore_ascii_case(catalog)) {
        return Ok(());
    }
    Err(ApiError::bad_request(format!(
        "`default_catalog` must be a catalog of this database ({}), not {catalog:?}",
        visible.join(", ")
    )))
}

/// Starts the statement. It ends its run and its result itself, whoever still waits.
fn run(
    state: &ServerState,
    permit: OwnedSemaphorePermit,
    database: &str,
    statement: Statement,
    run_id: &str,
    promised: Option<String>,
) -> JoinHandle<Result<Done, EngineError>> {
    let (state, database, run_id) = (state.clone(), database.to_owned(), run_id.to_owned());
    spawn(move || async move {
        let started = Instant::now();
        let answered = state.engine.query_with_defaults(
            &database,
            &statement.sql,
            statement.default_catalog.as_deref(),
            statement.default_schema.as_deref(),
        );
        let outcome = unpanicked(answered).await;
        drop(permit);
        let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        match outcome {
            Ok(QueryAnswer { schema, batches, warning }) => {
                let rows = Arc::new(Rows::new(schema, batches));
                if let Some(id) = &promised {
                    state
                        .results
                        .settle(id, ResultStatus::Ready(Arc::clone(&rows), Instant::now()));
                }
                state.runs.finish(&run_id, |run| {
                    run.status = "succeeded";
                    run.row_count = Some(rows.total);
                    run.warning_message = warning.clone();
                    run.execution_time_ms = Some(milliseconds);
                });
                Ok(Done { rows, result_id: promised, warning, milliseconds })
            }
            Err(error) => {
                if let Some(id) = &promised {
                    state.results.settle(id, ResultStatus::Failed(error.message.clone()));
                }
                state.runs.finish(&run_id, |run| {
                    run.status = "failed";
                    run.error_message = Some(error.message.clone());
                    run.execution_time_ms = Some(milliseconds);
                });
                Err(error)
            }
        }
    })
}

/// 202: a run to poll.
pub fn accepted(
    state: &ServerState,
    database: &str,
    run_id: &str,
    reason: Option<&str>,
) -> Response {
    let status = state.runs.get(database, run_id).map_or("running", |run| run.status);
    let mut body = json!({
        "query_run_id": run_id,
        "status": status,
        "status_url": format!("/v1/query-runs/{run_id}"),
    });
    if let Some(reason) = reason {
        body["reason"] = reason.into();
    }
    (StatusCode::ACCEPTED, axum::Json(body)).into_response()
}

/// True when Arrow is asked for and JSON is not.
fn wants_arrow(headers: &HeaderMap) -> bool {
    let accepts = |media: &str| {
        headers
            .get_all(header::ACCEPT)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .any(|part| {
                part.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(media)
            })
    };
    accepts(arrow_stream::MEDIA_TYPE) && !accepts("application/json")
}

/// Keeps the rows of a run that did not promise a result from the start.
fn keep(
    state: &ServerState,
    database: &str,
    run_id: &str,
    done: &Done,
    truncated: bool,
) -> Result<String, EngineError> {
    if let Some(id) = &done.result_id {
        return Ok(id.clone());
    }
    let delay = if truncated { state.options.result_delay } else { std::time::Duration::ZERO };
    let id = state.results.ready(database, Arc::clone(&done.rows), delay)?;
    state.runs.change(run_id, |run| run.result_id = Some(id.clone()));
    Ok(id)
}

async fn answer_json(
    state: ServerState,
    database: String,
    run_id: String,
    done: Done,
) -> Result<Response, ApiError> {
    let budget = json_rows::Budget {
        rows: state.options.inline_rows.unwrap_or(usize::MAX),
        bytes: state.options.inline_bytes,
    };
    let rows = Arc::clone(&done.rows);
    let (mut body, written) = tokio::task::spawn_blocking(move || {
        let mut body = b"{\"rows\":".to_vec();
        json_rows::rows(&rows.batches, budget, &mut body).map(|written| (body, written))
    })
    .await?
    .map_err(|e| ApiError::bad_request(e.to_string()))?;

    let truncated = !written.complete;
    let result_id = keep(&state, &database, &run_id, &done, truncated)?;
    let (columns, nullable) = json_rows::columns(&done.rows.schema);
    // A truncated result is still being persisted when the service answers, so its total is not told here.
    let total: Value = if truncated { Value::Null } else { done.rows.total.into() };
    let rest = json!({
        "columns": columns,
        "nullable": nullable,
        "preview_row_count": written.rows,
        "row_count": written.rows,
        "total_row_count": total,
        "truncated": truncated,
        "result_id": result_id,
        "query_run_id": run_id,
        "execution_time_ms": done.milliseconds,
        "warning": done.warning,
    })
    .to_string();
    // The rows are text already: the other fields are joined to them by their braces.
    body.push(b',');
    body.extend_from_slice(&rest.as_bytes()[1..]);

    let mut response = Response::new(Body::from(body));
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    tell(response.headers_mut(), &run_id, &result_id, &done);
    Ok(response)
}

async fn answer_arrow(
    state: ServerState,
    database: String,
    run_id: String,
    done: Done,
) -> Result<Response, ApiError> {
    let most = state.options.inline_rows.map_or(u64::MAX, |rows| rows as u64);
    let mut stream = None;
    if done.rows.total <= most && done.rows.bytes() <= 2 * state.options.inline_bytes {
        let rows = Arc::clone(&done.rows);
        let whole = tokio::task::spawn_blocking(move || {
            arrow_stream::whole(Arc::clone(&rows.schema), rows.batches.clone())
        })
        .await?
        .map_err(|e| ApiError::bad_request(e.to_string()))?;
        stream = (whole.len() <= state.options.inline_bytes).then_some(whole);
    }
    let result_id = keep(&state, &database, &run_id, &done, stream.is_none())?;
    let mut response = match stream {
        Some(whole) => {
            let mut response = Response::new(Body::from(whole));
            response
                .headers_mut()
                .insert(header::CONTENT_TYPE, HeaderValue::from_static(arrow_stream::MEDIA_TYPE));
            response
        }
        None => accepted(
            &state,
            &database,
            &run_id,
            Some(
                "the result is too large to answer inline: read it from /v1/results with format=arrow",
            ),
        ),
    };
    tell(response.headers_mut(), &run_id, &result_id, &done);
    Ok(response)
}

/// The answer's facts as headers, where an Arrow body has no room for them.
fn tell(headers: &mut HeaderMap, run_id: &str, result_id: &str, done: &Done) {
    let mut set = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    };
    set("x-query-run-id", run_id);
    set("x-result-id", result_id);
    set("x-total-row-count", &done.rows.total.to_string());
    set("x-execution-time-ms", &done.milliseconds.to_string());
    if let Some(warning) = &done.warning {
        set("x-query-warning", &warning.replace(['\r', '\n'], " "));
    }
}
