//! `GET /v1/information_schema`: tables of one connection or of all, declared ones included.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use hotdata_local_engine::model::TableRecord;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::body::Params;
use crate::http::errors::ApiError;
use crate::http::paging;
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
    tables.retain(|(_, table)| {
        asked.schema.as_deref().is_none_or(|pattern| matches(pattern, &table.schema))
            && asked.table.as_deref().is_none_or(|pattern| matches(pattern, &table.table))
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

/// A name against a pattern in which `%` stands for any characters. Names are stored in lower case.
fn matches(pattern: &str, name: &str) -> bool {
    let pattern = pattern.to_lowercase();
    let mut pieces = pattern.split('%');
    let Some(mut rest) = pieces.next().and_then(|start| name.strip_prefix(start)) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(end) = pieces.pop() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn percent_stands_for_any_characters() {
        for (pattern, name, expected) in [
            ("papers", "papers", true),
            ("papers", "papers_semantic", false),
            ("papers%", "papers_semantic", true),
            ("%semantic", "papers_semantic", true),
            ("p%s%c", "papers_semantic", true),
            ("%", "", true),
            ("PAPERS", "papers", true),
            ("a%a", "a", false),
            ("%x%", "papers", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
