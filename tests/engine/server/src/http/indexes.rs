//! Indexes of a table, and of the workspace.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get};
use axum::{Json, Router};
use hotdata_local_engine::model::{IndexRecord, NewIndex};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::async_wait::{Patience, spawn, unpanicked};
use crate::http::body::{JsonObject, Params, Segments};
use crate::http::errors::ApiError;
use crate::http::fields::Fields;
use crate::http::{paging, scope};
use crate::state::ServerState;
use crate::store::loads::TableKey;

const LIMIT: usize = 100;
const MAX: usize = 1000;

pub fn routes() -> Router<ServerState> {
    Router::new()
        .route("/v1/indexes", get(list_all))
        .route(
            "/v1/connections/{connection_id}/tables/{schema}/{table}/indexes",
            get(list).post(create),
        )
        .route(
            "/v1/connections/{connection_id}/tables/{schema}/{table}/indexes/{index_name}",
            delete(remove),
        )
}

type TablePath = Segments<(String, String, String)>;

async fn list(
    State(state): State<ServerState>,
    Segments((connection, schema, table)): TablePath,
) -> Result<Json<Value>, ApiError> {
    let indexes = state.engine.indexes(&connection, &schema, &table)?;
    Ok(Json(json!({ "indexes": indexes })))
}

async fn create(
    State(state): State<ServerState>,
    Segments((connection, schema, table)): TablePath,
    JsonObject(mut fields): JsonObject,
) -> Result<Response, ApiError> {
    let patience = Patience::from_fields(&mut fields)?;
    let new = new_index(fields)?;
    let name = state.engine.declare_index(&connection, &schema, &table, new)?.index_name;

    let job = match patience {
        Patience::UntilDone => None,
        _ => Some(state.jobs.start("create_index")?),
    };
    let key: TableKey = (connection.clone(), schema.to_lowercase(), table.to_lowercase());
    state.loads.start_build(&key);
    let task = {
        let (state, job) = (state.clone(), job.clone());
        spawn(move || async move {
            let built =
                unpanicked(state.engine.build_index(&connection, &schema, &table, &name)).await;
            state.loads.end_build(&key);
            if let Some(job) = &job {
                let outcome = match &built {
                    Ok(record) => Ok(json!(record)),
                    Err(error) => Err(error.message.clone()),
                };
                state.jobs.finish(job, outcome);
            }
            built
        })
    };
    match (patience.wait(task).await?, job) {
        (Some(Ok(record)), _) => Ok((StatusCode::CREATED, Json(record)).into_response()),
        // The service tells of a build that fails on its job alone.
        (_, Some(job)) => Ok(submitted(&job)),
        (Some(Err(error)), None) => Err(error.into()),
        (None, None) => Err(ApiError::internal("the build was lost")),
    }
}

fn new_index(mut fields: Fields) -> Result<NewIndex, ApiError> {
    let new = NewIndex {
        index_name: fields.required("index_name")?,
        columns: fields.strings("columns")?,
        index_type: fields
            .choice("index_type", &["sorted", "bm25", "vector"])?
            .unwrap_or("sorted")
            .to_owned(),
        metric: fields.choice("metric", &["l2", "cosine", "dot"])?.map(str::to_owned),
        embedding_provider_id: fields.string("embedding_provider_id")?,
        output_column: fields.string("output_column")?,
        dimensions: fields
            .integer("dimensions")?
            .map(|width| {
                usize::try_from(width)
                    .map_err(|_| ApiError::bad_request("`dimensions` is too large"))
            })
            .transpose()?,
        algorithm: fields.choice("algorithm", &["hnsw", "ivf"])?.map(str::to_owned),
        vector_precision: fields
            .choice("vector_precision", &["float64", "float32", "float16", "float8", "int8"])?
            .map(str::to_owned),
        description: fields.string("description")?,
    };
    if new.columns.is_empty() {
        return Err(ApiError::bad_request("`columns` is required: name at least one column"));
    }
    Ok(new)
}

/// 202: a job to poll.
pub fn submitted(job: &str) -> Response {
    let body = json!({ "id": job, "status": "pending", "status_url": format!("/v1/jobs/{job}") });
    (StatusCode::ACCEPTED, Json(body)).into_response()
}

async fn remove(
    State(state): State<ServerState>,
    Segments((connection, schema, table, index)): Segments<(String, String, String, String)>,
) -> Result<StatusCode, ApiError> {
    state.engine.drop_index(&connection, &schema, &table, &index)?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
struct Listing {
    connection_id: Option<String>,
    schema: Option<String>,
    table: Option<String>,
    index_type: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

struct Entry {
    connection: String,
    schema: String,
    table: String,
    index: IndexRecord,
}

/// The workspace's indexes, or one database's when `X-Database-Id` names it.
async fn list_all(
    State(state): State<ServerState>,
    headers: HeaderMap,
    Params(asked): Params<Listing>,
) -> Result<Json<Value>, ApiError> {
    let connections: Vec<String> = if headers.contains_key(scope::DATABASE_HEADER) {
        let database = scope::database(&state, &headers, None)?;
        let attached = database.attachments.into_iter().map(|attachment| attachment.connection_id);
        std::iter::once(database.default_connection_id).chain(attached).collect()
    } else {
        state.engine.connections().into_iter().map(|connection| connection.id).collect()
    };
    let fits =
        |asked: &Option<String>, value: &str| asked.as_deref().is_none_or(|asked| asked == value);
    let mut entries = Vec::new();
    for connection in connections.into_iter().filter(|id| fits(&asked.connection_id, id)) {
        for table in state.engine.tables(&connection)? {
            if !fits(&asked.schema, &table.schema) || !fits(&asked.table, &table.table) {
                continue;
            }
            for index in state.engine.indexes(&connection, &table.schema, &table.table)? {
                if fits(&asked.index_type, &index.index_type) {
                    entries.push(Entry {
                        connection: connection.clone(),
                        schema: table.schema.clone(),
                        table: table.table.clone(),
                        index,
                    });
                }
            }
        }
    }
    let place = |one: &Entry| {
        format!("{}\0{}\0{}\0{}", one.connection, one.schema, one.table, one.index.index_name)
    };
    entries.sort_by_cached_key(place);
    let limit = asked.limit.unwrap_or(LIMIT).clamp(1, MAX);
    let page = paging::cut(entries, asked.cursor.as_deref(), limit, place, |one, last| {
        place(one).as_str() > last
    })?;
    let indexes: Vec<Value> = page
        .items
        .iter()
        .map(|one| {
            let mut value = json!(one.index);
            value["connection_id"] = one.connection.as_str().into();
            value["schema_name"] = one.schema.as_str().into();
            value["table_name"] = one.table.as_str().into();
            value
        })
        .collect();
    Ok(Json(json!({
        "count": indexes.len(),
        "indexes": indexes,
        "has_more": page.next_cursor.is_some(),
        "next_cursor": page.next_cursor,
        "limit": page.limit,
    })))
}
