//! What can be made to go wrong, and how it is asked for.

use axum::http::{HeaderValue, Method};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// A fault by name with its parameters. [`super`] describes each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fault {
    Error {
        status: u16,
        #[serde(default, deserialize_with = "optional_text")]
        code: Option<String>,
        #[serde(default, deserialize_with = "optional_text")]
        message: Option<String>,
        #[serde(default, deserialize_with = "optional_text")]
        retry_after: Option<String>,
        #[serde(default)]
        apply: bool,
    },
    Reset {
        #[serde(default)]
        apply: bool,
    },
    ResetMidBody {
        bytes: Option<usize>,
    },
    TruncatedBody {
        bytes: Option<usize>,
    },
    CutJson {
        bytes: Option<usize>,
    },
    SlowBody {
        #[serde(default = "chunk_bytes")]
        chunk_bytes: usize,
        #[serde(default = "chunk_delay")]
        delay_ms: u64,
    },
    Delay {
        #[serde(default = "whole_delay")]
        delay_ms: u64,
    },
    Html {
        #[serde(default = "bad_gateway")]
        status: u16,
        #[serde(default, deserialize_with = "optional_text")]
        retry_after: Option<String>,
        #[serde(default)]
        apply: bool,
    },
    Empty {
        #[serde(default = "ok")]
        status: u16,
        #[serde(default, deserialize_with = "optional_text")]
        retry_after: Option<String>,
        #[serde(default)]
        apply: bool,
    },
    Text {
        #[serde(default = "ok")]
        status: u16,
        #[serde(default = "gateway_text", deserialize_with = "text")]
        text: String,
        #[serde(default, deserialize_with = "optional_text")]
        retry_after: Option<String>,
        #[serde(default)]
        apply: bool,
    },
    Hang {
        #[serde(default)]
        apply: bool,
    },
    Accepted {
        #[serde(default)]
        delay_ms: u64,
    },
    AcceptedThenFailed {
        #[serde(default = "failure", deserialize_with = "text")]
        message: String,
        #[serde(default)]
        delay_ms: u64,
        #[serde(default)]
        apply: bool,
    },
    ResultPending {
        #[serde(default)]
        status: Unready,
        #[serde(default = "one_second", deserialize_with = "text")]
        retry_after: String,
    },
    ResultFailed {
        #[serde(default = "failure", deserialize_with = "text")]
        message: String,
    },
    Edit {
        #[serde(default)]
        set: Map<String, Value>,
        #[serde(default)]
        remove: Vec<String>,
        status: Option<u16>,
    },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unready {
    Pending,
    #[default]
    Processing,
}

/// Which requests answer 202 and go on, and what they leave behind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Deferred {
    Run,
    /// A job of this type.
    Job(&'static str),
}

impl Deferred {
    pub fn of(method: &Method, path: &str) -> Option<Self> {
        match path {
            _ if method != Method::POST => None,
            "/v1/query" => Some(Self::Run),
            _ if path.ends_with("/loads") => Some(Self::Job("managed_load")),
            _ if path.ends_with("/indexes") => Some(Self::Job("create_index")),
            _ => None,
        }
    }
}

impl Fault {
    /// Reads a fault from its JSON: `fault` names it, the other members are its parameters.
    pub fn from_members(members: Map<String, Value>) -> Result<Self, String> {
        let fault: Self =
            serde_json::from_value(Value::Object(members)).map_err(|e| e.to_string())?;
        fault.check()?;
        Ok(fault)
    }

    /// Reads `NAME[;param=value…]`. A value that is not JSON is text.
    pub fn from_header(text: &str) -> Result<Self, String> {
        let mut pieces = text.split(';').map(str::trim);
        let mut members = Map::new();
        members.insert("fault".to_owned(), pieces.next().unwrap_or_default().into());
        for piece in pieces.filter(|piece| !piece.is_empty()) {
            let (name, value) = piece
                .split_once('=')
                .ok_or_else(|| format!("{piece:?} is not of the form param=value"))?;
            let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
            if members.insert(name.to_owned(), value).is_some() {
                return Err(format!("{name:?} is given twice"));
            }
        }
        Self::from_members(members)
    }

    fn check(&self) -> Result<(), String> {
        let (status, least) = match self {
            Self::Error { status, .. } => (Some(*status), 400),
            Self::Html { status, .. } | Self::Empty { status, .. } | Self::Text { status, .. } => {
                (Some(*status), 200)
            }
            Self::Edit { status, .. } => (*status, 200),
            _ => (None, 200),
        };
        if let Some(status) = status
            && !(least..600).contains(&status)
        {
            return Err(format!("`status` must be {least} to 599, not {status}"));
        }
        if let Some(text) = self.retry_after()
            && HeaderValue::from_str(text).is_err()
        {
            return Err("`retry_after` must be text a header can hold".to_owned());
        }
        if matches!(self, Self::SlowBody { chunk_bytes: 0, .. }) {
            return Err("`chunk_bytes` must be at least 1".to_owned());
        }
        Ok(())
    }

    pub fn retry_after(&self) -> Option<&str> {
        match self {
            Self::Error { retry_after, .. }
            | Self::Html { retry_after, .. }
            | Self::Empty { retry_after, .. }
            | Self::Text { retry_after, .. } => retry_after.as_deref(),
            Self::ResultPending { retry_after, .. } => Some(retry_after),
            _ => None,
        }
    }

    /// The name it is asked for by.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Error { .. } => "error",
            Self::Reset { .. } => "reset",
            Self::ResetMidBody { .. } => "reset-mid-body",
            Self::TruncatedBody { .. } => "truncated-body",
            Self::CutJson { .. } => "cut-json",
            Self::SlowBody { .. } => "slow-body",
            Self::Delay { .. } => "delay",
            Self::Html { .. } => "html",
            Self::Empty { .. } => "empty",
            Self::Text { .. } => "text",
            Self::Hang { .. } => "hang",
            Self::Accepted { .. } => "accepted",
            Self::AcceptedThenFailed { .. } => "accepted-then-failed",
            Self::ResultPending { .. } => "result-pending",
            Self::ResultFailed { .. } => "result-failed",
            Self::Edit { .. } => "edit",
        }
    }

    /// Whether the request is handed to the engine.
    pub fn applies(&self, deferred: Option<Deferred>) -> bool {
        match self {
            Self::Error { apply, .. }
            | Self::Reset { apply }
            | Self::Html { apply, .. }
            | Self::Empty { apply, .. }
            | Self::Text { apply, .. }
            | Self::Hang { apply } => *apply,
            // A query changes nothing, and its run has to be there to be polled.
            Self::AcceptedThenFailed { apply, .. } => *apply || deferred == Some(Deferred::Run),
            Self::ResultPending { .. } | Self::ResultFailed { .. } => false,
            _ => true,
        }
    }

    /// Whether it can happen to this request.
    pub fn fits(&self, method: &Method, path: &str) -> bool {
        match self {
            Self::Accepted { .. } | Self::AcceptedThenFailed { .. } => {
                Deferred::of(method, path).is_some()
            }
            Self::ResultPending { .. } | Self::ResultFailed { .. } => {
                method == Method::GET && result_id(path).is_some()
            }
            _ => true,
        }
    }
}

/// The id in `/v1/results/{id}`.
pub fn result_id(path: &str) -> Option<&str> {
    path.strip_prefix("/v1/results/").filter(|id| !id.is_empty() && !id.contains('/'))
}

/// Text, for which a number may stand too: in a header both look alike.
fn optional_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        Value::Number(number) => Ok(Some(number.to_string())),
        other => Err(serde::de::Error::custom(format!("expected text, not {other}"))),
    }
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    optional_text(deserializer)?.ok_or_else(|| serde::de::Error::custom("expected text, not null"))
}

fn chunk_bytes() -> usize {
    16
}

fn chunk_delay() -> u64 {
    20
}

fn whole_delay() -> u64 {
    1000
}

fn ok() -> u16 {
    200
}

fn bad_gateway() -> u16 {
    502
}

fn one_second() -> String {
    "1".to_owned()
}

fn gateway_text() -> String {
    "upstream connect error".to_owned()
}

fn failure() -> String {
    "failed on request".to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> Result<Fault, String> {
        match value {
            Value::Object(members) => Fault::from_members(members),
            _ => Err("not an object".into()),
        }
    }

    #[test]
    fn header_and_json_say_the_same() {
        for (header, body) in [
            ("reset", json!({ "fault": "reset" })),
            ("reset; apply=true", json!({ "fault": "reset", "apply": true })),
            (
                "error;status=429;retry_after=2",
                json!({ "fault": "error", "status": 429, "retry_after": "2" }),
            ),
            (
                "error;status=503;retry_after=Wed, 21 Oct 2026 07:28:00 GMT;",
                json!({ "fault": "error", "status": 503, "retry_after": "Wed, 21 Oct 2026 07:28:00 GMT" }),
            ),
            (
                "result-pending;status=pending",
                json!({ "fault": "result-pending", "status": "pending", "retry_after": 1 }),
            ),
            (
                "edit;set={\"status\":\"odd\"}",
                json!({ "fault": "edit", "set": { "status": "odd" } }),
            ),
        ] {
            assert_eq!(Fault::from_header(header), read(body), "{header}");
            let fault = Fault::from_header(header).unwrap();
            assert_eq!(serde_json::to_value(&fault).unwrap()["fault"], fault.name());
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (header, part) in [
            ("", "unknown variant"),
            ("explode", "`error`, `reset`"),
            ("reset;applies=true", "unknown field `applies`, expected `apply`"),
            ("reset;apply", "\"apply\" is not of the form param=value"),
            ("reset;apply=true;apply=false", "\"apply\" is given twice"),
            ("reset;apply=perhaps", "expected a boolean"),
            ("error", "missing field `status`"),
            ("error;status=200", "`status` must be 400 to 599"),
            ("html;status=99", "`status` must be 200 to 599"),
            ("edit;status=600", "`status` must be 200 to 599"),
            ("slow-body;chunk_bytes=0", "`chunk_bytes` must be at least 1"),
            ("result-pending;status=ready", "`pending` or `processing`"),
            ("text;text=[]", "expected text"),
        ] {
            let message = Fault::from_header(header).unwrap_err();
            assert!(message.contains(part), "{header}: {message}");
        }
        let message = read(json!({ "fault": "html", "retry_after": "a\nb" })).unwrap_err();
        assert!(message.contains("`retry_after`"), "{message}");
    }
}
