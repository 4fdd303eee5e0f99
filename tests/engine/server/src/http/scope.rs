//! Which database a request is about.

use axum::http::HeaderMap;
use hotdata_local_engine::model::DatabaseRecord;

use crate::http::errors::ApiError;
use crate::state::ServerState;

pub const DATABASE_HEADER: &str = "x-database-id";

/// Contract: "A database scope is required".
const REQUIRED: &str =
    "a database is required: set the X-Database-Id header or the database_id body field";

/// The database named by the header or the body; both may name it if they agree. A malformed id is 400, an unknown
/// one 404.
pub fn database(
    state: &ServerState,
    headers: &HeaderMap,
    body: Option<&str>,
) -> Result<DatabaseRecord, ApiError> {
    let header = match headers.get(DATABASE_HEADER) {
        None => None,
        Some(value) => Some(value.to_str().map_err(|_| malformed("X-Database-Id"))?),
    };
    let id = match (header, body) {
        (None, None) => return Err(ApiError::bad_request(REQUIRED)),
        (Some(header), Some(body)) if header != body => {
            return Err(ApiError::bad_request(
                "the X-Database-Id header and the database_id body field name different databases",
            ));
        }
        (Some(header), _) => {
            check(header, "X-Database-Id")?;
            header
        }
        (None, Some(body)) => {
            check(body, "database_id")?;
            body
        }
    };
    Ok(state.engine.database(id)?)
}

/// The database whose own tables a connection holds.
pub fn database_of_connection(
    state: &ServerState,
    connection_id: &str,
) -> Result<DatabaseRecord, ApiError> {
    let databases = state.engine.databases();
    if let Some(found) =
        databases.into_iter().find(|one| one.default_connection_id == connection_id)
    {
        return Ok(found);
    }
    if state.engine.connections().iter().any(|one| one.id == connection_id) {
        return Err(ApiError::bad_request(format!(
            "Connection '{connection_id}' is not a managed database's: its tables cannot be changed here"
        )));
    }
    Err(ApiError::not_found(format!("Connection '{connection_id}' not found")))
}

fn check(id: &str, what: &str) -> Result<(), ApiError> {
    let well_formed = !id.is_empty()
        && id.len() <= 128
        && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if well_formed { Ok(()) } else { Err(malformed(what)) }
}

fn malformed(what: &str) -> ApiError {
    ApiError::bad_request(format!(
        "{what} is not a database id: expected up to 128 letters, digits, `_` and `-`"
    ))
}
