//! The one error type of the package and its documented list of codes.

use std::any::Any;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// What went wrong, as a stable string a program can branch on ([`Code::as_str`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// An argument is missing or not acceptable. Nothing was sent.
    InvalidArgument,
    /// The engine refused the request as written (400): SQL that does not plan or run, an unknown field.
    BadRequest,
    /// The credential is missing, wrong or expired (401).
    Unauthorized,
    /// The credential may not do this (403).
    Forbidden,
    /// No such database, table, result or path (404).
    NotFound,
    /// The request collides with what exists or is under way (409).
    Conflict,
    /// The answer or the request is larger than a limit, the service's (413) or the caller's own.
    TooLarge,
    /// The service asks to slow down (429).
    RateLimited,
    /// The service is up but cannot answer for the moment (502, 503, 504).
    Unavailable,
    /// The service failed (any other 5xx).
    EngineError,
    /// A query ran and failed after it was accepted.
    QueryFailed,
    /// The caller's own `embed` failed.
    EmbedFailed,
    /// The request did not reach the service, or its answer did not arrive.
    Network,
    /// The time allowed ran out.
    Timeout,
    /// A write was sent and its outcome is not known: it may have been applied.
    OutcomeUnknown,
    /// The caller's signal was aborted.
    Aborted,
    /// The answer is not what the API promises: HTML, an empty body, a redirect.
    UnexpectedResponse,
    /// A fault in this package.
    Internal,
}

impl Code {
    /// The code as JavaScript sees it.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::InvalidArgument => "invalid_argument",
            Code::BadRequest => "bad_request",
            Code::Unauthorized => "unauthorized",
            Code::Forbidden => "forbidden",
            Code::NotFound => "not_found",
            Code::Conflict => "conflict",
            Code::TooLarge => "too_large",
            Code::RateLimited => "rate_limited",
            Code::Unavailable => "unavailable",
            Code::EngineError => "engine_error",
            Code::QueryFailed => "query_failed",
            Code::EmbedFailed => "embed_failed",
            Code::Network => "network",
            Code::Timeout => "timeout",
            Code::OutcomeUnknown => "outcome_unknown",
            Code::Aborted => "aborted",
            Code::UnexpectedResponse => "unexpected_response",
            Code::Internal => "internal",
        }
    }

    /// The code of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|code| code.as_str() == name).copied()
    }

    const ALL: &[Code] = &[
        Code::InvalidArgument,
        Code::BadRequest,
        Code::Unauthorized,
        Code::Forbidden,
        Code::NotFound,
        Code::Conflict,
        Code::TooLarge,
        Code::RateLimited,
        Code::Unavailable,
        Code::EngineError,
        Code::QueryFailed,
        Code::EmbedFailed,
        Code::Network,
        Code::Timeout,
        Code::OutcomeUnknown,
        Code::Aborted,
        Code::UnexpectedResponse,
        Code::Internal,
    ];

    /// The code for an HTTP status that is not a success.
    pub fn of_status(status: u16) -> Self {
        match status {
            401 => Code::Unauthorized,
            403 => Code::Forbidden,
            404 => Code::NotFound,
            409 => Code::Conflict,
            413 => Code::TooLarge,
            429 => Code::RateLimited,
            502..=504 => Code::Unavailable,
            500.. => Code::EngineError,
            400..500 => Code::BadRequest,
            _ => Code::UnexpectedResponse,
        }
    }
}

/// What lies under an error, kept as it came: in JavaScript the original `Error` or abort reason.
#[derive(Clone)]
pub struct Cause(pub Rc<dyn Any>);

impl fmt::Debug for Cause {
    // A cause may hold anything a host put into it; its text is not ours to print.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cause")
    }
}

/// A failure of any part of the package: a pointer to its [`Parts`], so that a result costs little where nothing fails.
#[derive(Debug, Clone)]
pub struct Error(Box<Parts>);

/// What an [`Error`] holds.
#[derive(Debug, Clone)]
pub struct Parts {
    /// What kind of failure it is.
    pub code: Code,
    /// One readable sentence; for an engine's refusal, the engine's own words.
    pub message: String,
    /// The HTTP status, where an answer came.
    pub status: Option<u16>,
    /// The engine's own message, untouched.
    pub engine_message: Option<String>,
    /// What to try next, where something is known.
    pub hint: Option<String>,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// The query run the failure belongs to.
    pub query_run_id: Option<String>,
    /// The error underneath.
    pub cause: Option<Cause>,
    /// The engine's own code of the failure (`RESOURCE_LOCKED`).
    pub engine_code: Option<String>,
    /// The `Retry-After` header it came with.
    pub retry_after: Option<String>,
    /// Whether the service certainly has not applied what it was sent: it never arrived, or was turned away.
    pub unapplied: bool,
    /// Whether an attempt before this one may have been applied.
    pub after_lost: bool,
}

/// Shorthand for a result with this crate's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error with nothing but a code and a message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            code,
            message: message.into(),
            status: None,
            engine_message: None,
            hint: None,
            retryable: matches!(
                code,
                Code::RateLimited | Code::Unavailable | Code::Network | Code::Timeout
            ),
            query_run_id: None,
            cause: None,
            engine_code: None,
            retry_after: None,
            unapplied: false,
            after_lost: false,
        }))
    }

    /// A refused argument: `name` as the caller spells it, `accepted` as "must be …" continues.
    pub fn argument(name: &str, accepted: impl fmt::Display) -> Self {
        Self::new(Code::InvalidArgument, format!("`{name}` {accepted}"))
    }

    /// Says where in a larger value the fault lies: `halves[1]`.
    pub fn within(mut self, place: &str) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }

    /// Adds what to try next.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl Deref for Error {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut Parts {
        &mut self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_maps_to_one_code() {
        for (status, code) in [
            (400, "bad_request"),
            (401, "unauthorized"),
            (403, "forbidden"),
            (404, "not_found"),
            (409, "conflict"),
            (413, "too_large"),
            (422, "bad_request"),
            (429, "rate_limited"),
            (500, "engine_error"),
            (503, "unavailable"),
            (599, "engine_error"),
            (302, "unexpected_response"),
        ] {
            assert_eq!(Code::of_status(status).as_str(), code, "{status}");
        }
    }
}
