//! Declaring schemas and tables, under a database or under its connection, and removing tables.

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{delete, post};
use axum::{Json, Router};
use hotdata_local_engine::model::{DatabaseRecord, NewTable};
use serde_json::{Value, json};

use crate::http::body::{JsonObject, Segments};
use crate::http::errors::ApiError;
use crate::http::fields::Fields;
use crate::http::scope;
use crate::state::ServerState;

pub fn routes() -> Router<ServerState> {
    Router::new()
        .route("/v1/databases/{database_id}/schemas", post(schema_of_database))
        .route("/v1/databases/{database_id}/schemas/{schema}/tables", post(table_of_database))
        .route("/v1/connections/{connection_id}/schemas", post(schema_of_connection))
        .route("/v1/connections/{connection_id}/schemas/{schema}/tables", post(table_of_connection))
        .route("/v1/connections/{connection_id}/schemas/{schema}/tables/{table}", delete(remove))
}

type Made = Result<(StatusCode, Json<Value>), ApiError>;

async fn schema_of_database(
    State(state): State<ServerState>,
    Segments(id): Segments<String>,
    JsonObject(fields): JsonObject,
) -> Made {
    let database = state.engine.database(&id)?;
    make_schema(&state, &database, fields)
}

async fn schema_of_connection(
    State(state): State<ServerState>,
    Segments(id): Segments<String>,
    JsonObject(fields): JsonObject,
) -> Made {
    let database = scope::database_of_connection(&state, &id)?;
    make_schema(&state, &database, fields)
}

async fn table_of_database(
    State(state): State<ServerState>,
    Segments((id, schema)): Segments<(String, String)>,
    JsonObject(fields): JsonObject,
) -> Made {
    let database = state.engine.database(&id)?;
    make_table(&state, &database, &schema, fields)
}

async fn table_of_connection(
    State(state): State<ServerState>,
    Segments((id, schema)): Segments<(String, String)>,
    JsonObject(fields): JsonObject,
) -> Made {
    let database = scope::database_of_connection(&state, &id)?;
    make_table(&state, &database, &schema, fields)
}

async fn remove(
    State(state): State<ServerState>,
    Segments((connection, schema, table)): Segments<(String, String, String)>,
) -> Result<StatusCode, ApiError> {
    state.engine.drop_table(&connection, &schema, &table)?;
    Ok(StatusCode::NO_CONTENT)
}

fn make_schema(state: &ServerState, database: &DatabaseRecord, mut fields: Fields) -> Made {
    let name = fields.required("name")?;
    let tables: Vec<NewTable> =
        fields.parsed("tables", "a list of table declarations")?.unwrap_or_default();
    state.engine.create_schema(&database.id, &name)?;
    let mut names = Vec::with_capacity(tables.len());
    for table in tables {
        names.push(table.name.to_lowercase());
        state.engine.create_table(&database.id, &name, table)?;
    }
    let body = json!({
        "connection_id": database.default_connection_id,
        "schema": name.to_lowercase(),
        "tables": names,
    });
    Ok((StatusCode::CREATED, Json(body)))
}

fn make_table(
    state: &ServerState,
    database: &DatabaseRecord,
    schema: &str,
    mut fields: Fields,
) -> Made {
    let table = NewTable {
        name: fields.required("name")?,
        key: fields.strings("key")?,
        partition_by: fields
            .parsed("partition_by", "a list of {column, transform}")?
            .unwrap_or_default(),
        sorted_by: fields
            .parsed("sorted_by", "a list of {column, direction, nulls}")?
            .unwrap_or_default(),
        constant_per_key: fields.strings("constant_per_key")?,
    };
    let body = json!({
        "connection_id": database.default_connection_id,
        "schema": schema.to_lowercase(),
        "table": table.name.to_lowercase(),
    });
    state.engine.create_table(&database.id, schema, table)?;
    Ok((StatusCode::CREATED, Json(body)))
}
