//! Faults on request, for tests of clients: a server started with `--faults` fails as gateways, networks and busy
//! services do, when the header `x-local-fault` or the endpoint `/local/faults` asks for it.
//!
//! The engine's README lists every fault and says of each whether the request is applied.

pub mod answers;
pub mod connection;
pub mod control;
mod deferred;
pub mod fault;
pub mod rules;

use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::body;
use crate::http::errors::ApiError;
use crate::state::ServerState;
use crate::store::uploads::MAX_UPLOAD;
use answers::End;
use connection::Connection;
use deferred::Ending;
use fault::{Deferred, Fault};
use rules::Seen;

pub const HEADER: &str = "x-local-fault";

/// Handles a request, or makes it fail as asked.
pub async fn inject(State(state): State<ServerState>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let Some(faults) = state.faults.as_deref().filter(|_| !is_control(&parts)) else {
        return next.run(Request::from_parts(parts, body)).await;
    };
    let (fault, rule) = match from_header(&parts) {
        Err(error) => return error.into_response(),
        Ok(Some(fault)) => (Some(fault), None),
        Ok(None) => faults.fire(&parts).map_or((None, None), |(fault, id)| (Some(fault), Some(id))),
    };
    let mut seen = Seen {
        method: parts.method.to_string(),
        path: parts.uri.to_string(),
        fault: fault.as_ref().map(Fault::name),
        rule,
        applied: false,
        status: None,
    };
    let path = parts.uri.path().to_owned();
    let deferred = Deferred::of(&parts.method, &path);
    let connection = parts
        .extensions
        .get::<ConnectInfo<Connection>>()
        .map_or_else(Connection::default, |found| found.0.clone());

    let handled = match &fault {
        None => Some(next.run(Request::from_parts(parts, body)).await),
        Some(fault) => match hand_over(fault, deferred, parts, body, next).await {
            Ok(handled) => handled,
            Err(error) => return error.into_response(),
        },
    };
    if let Some(response) = &handled {
        seen.status = Some(response.status().as_u16());
        seen.applied = response.status().as_u16() < 400;
    }
    faults.note(seen);
    match fault {
        None => handled.unwrap_or_default(),
        Some(fault) => answer(&state, fault, deferred, &path, handled, connection).await,
    }
}

fn is_control(request: &Parts) -> bool {
    request.uri.path().starts_with(control::PREFIX)
}

fn from_header(request: &Parts) -> Result<Option<Fault>, ApiError> {
    let Some(value) = request.headers.get(HEADER) else {
        return Ok(None);
    };
    let fault = value
        .to_str()
        .map_err(|_| "it must be ASCII".to_owned())
        .and_then(Fault::from_header)
        .map_err(|problem| ApiError::bad_request(format!("{HEADER}: {problem}")))?;
    if fault.fits(&request.method, request.uri.path()) {
        return Ok(Some(fault));
    }
    let problem = format!("{HEADER}: {} cannot happen to this request", fault.name());
    Err(ApiError::bad_request(problem))
}

/// The engine's answer, or none where the request is read and dropped.
async fn hand_over(
    fault: &Fault,
    deferred: Option<Deferred>,
    mut parts: Parts,
    body: Body,
    next: Next,
) -> Result<Option<Response>, ApiError> {
    let applies = fault.applies(deferred);
    let is_deferred = matches!(fault, Fault::Accepted { .. } | Fault::AcceptedThenFailed { .. });
    if applies && !is_deferred {
        return Ok(Some(next.run(Request::from_parts(parts, body)).await));
    }
    // Read in any case: an unread body would turn an orderly answer into a reset.
    let whole = body::read(HeaderMap::new(), body, MAX_UPLOAD).await?;
    if !applies {
        return Ok(None);
    }
    let body = deferred::synchronous(&mut parts, whole);
    Ok(Some(next.run(Request::from_parts(parts, body)).await))
}

async fn answer(
    state: &ServerState,
    fault: Fault,
    deferred: Option<Deferred>,
    path: &str,
    handled: Option<Response>,
    connection: Connection,
) -> Response {
    let retry_after = fault.retry_after().map(str::to_owned);
    let own = |handled: Option<Response>| handled.unwrap_or_default();
    let answer = match fault {
        Fault::Error { status, code, message, .. } => answers::error(status, code, message),
        Fault::Reset { .. } => answers::reset(&connection),
        Fault::ResetMidBody { bytes } => {
            answers::cut(own(handled), bytes, End::Reset, connection).await
        }
        Fault::TruncatedBody { bytes } => {
            answers::cut(own(handled), bytes, End::Closed, connection).await
        }
        Fault::CutJson { bytes } => {
            answers::cut(own(handled), bytes, End::Framed, connection).await
        }
        Fault::SlowBody { chunk_bytes, delay_ms } => {
            answers::trickle(own(handled), chunk_bytes, Duration::from_millis(delay_ms)).await
        }
        Fault::Delay { delay_ms } => {
            tokio::time::sleep(Duration::from_millis(delay_ms)).await;
            own(handled)
        }
        Fault::Html { status, .. } => answers::page(status),
        Fault::Empty { status, .. } => answers::mislabelled(status, String::new()),
        Fault::Text { status, text, .. } => answers::mislabelled(status, text),
        Fault::Hang { .. } => std::future::pending().await,
        Fault::Accepted { delay_ms } => {
            let ending = Ending { after: Duration::from_millis(delay_ms), failure: None };
            follow(state, deferred, handled, ending).await
        }
        Fault::AcceptedThenFailed { message, delay_ms, .. } => {
            let ending = Ending { after: Duration::from_millis(delay_ms), failure: Some(message) };
            follow(state, deferred, handled, ending).await
        }
        Fault::ResultPending { status, .. } => deferred::result_pending(path, status),
        Fault::ResultFailed { message } => deferred::result_failed(path, message),
        Fault::Edit { set, remove, status } => {
            answers::edited(own(handled), set, &remove, status).await
        }
    };
    answers::retry_after(answer, retry_after.as_deref())
}

async fn follow(
    state: &ServerState,
    deferred: Option<Deferred>,
    handled: Option<Response>,
    ending: Ending,
) -> Response {
    match deferred {
        Some(what) => deferred::answer(state, what, handled, ending).await,
        None => handled.unwrap_or_default(),
    }
}
