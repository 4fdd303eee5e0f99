//! `GET /v1/information_schema`: tables of one connection or of all, declared ones included.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use hotdata_local_engine::model::TableRecord;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::body::Params;
use crate::http::errors::ApiError;
use crate::http::{paging, wildcard};
use crate::state::ServerState;

const LIMIT: usize = 100;
const MAX: usize = 1000;

pub fn routes() -> Router<ServerState> {
    Router::new().route("/v1/information_schema", get(list))
}

#[derive(Deserialize)]
struct Listing {
    connection_id: Option<String>,
    schema: Option<String>,
    table: Option<String>,
    #[serde(default)]
    include_columns: bool,
    limit: Option<usize>,
    cursor: Option<String>,
}

async fn list(
    State(state): State<ServerState>,
    Params(asked): Params<Listing>,
) -> Result<Json<Value>, ApiError> {
    let connections = match &asked.connection_id {
        Some(id) => vec![id.clone()],
        None => state.engine.connections().into_iter().map(|connection| connection.id).collect(),
    };
    let mut tables: Vec<(String, TableRecord)> = Vec::new();
    for id in connections {
        let of_connection = state.engine.tables(&id)?;
        tables.extend(of_connection.into_iter().map(|table| (id.clone(), table)));
    }
    // Names are stored in lower case.
    let fits = |pattern: &Option<String>, name: &str| {
        pattern.as_ref().is_none_or(|pattern| wildcard::matches(&pattern.to_lowercase(), name, '%'))
    };
    tables.retain(|(_, table)| {
        fits(&asked.schema, &table.schema) && fits(&asked.table, &table.table)
    });
    let place =
        |(id, table): &(String, TableRecord)| format!("{id}\0{}\0{}", table.schema, table.table);
    tables.sort_by_cached_key(place);

    let limit = asked.limit.unwrap_or(LIMIT).clamp(1, MAX);
    let page = paging::cut(tables, asked.cursor.as_deref(), limit, place, |one, last| {
        place(one).as_str() > last
    })?;
    let tables: Vec<Value> = page
        .items
        .iter()
        .map(|(_, table)| {
            let mut value = json!({
                "connection": table.connection,
                "schema": table.schema,
                "table": table.table,
                "synced": table.synced,
                "last_sync": table.last_sync,
                "partition_by": table.partition_by,
                "sorted_by": table.sorted_by,
                "constant_per_key": table.constant_per_key,
            });
            if asked.include_columns {
                value["columns"] = json!(table.columns);
            }
            value
        })
        .collect();
    Ok(Json(json!({
        "count": tables.len(),
        "tables": tables,
        "has_more": page.next_cursor.is_some(),
        "next_cursor": page.next_cursor,
        "limit": page.limit,
    })))
}
