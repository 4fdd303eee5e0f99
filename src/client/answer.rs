//! Answers: which is a success, how its body decodes, and what a failure says.

use crate::error::{Code, Error, Result};
use crate::text::shortened;
use crate::value::{Fields, Value, missing};

use super::retry;
use super::transport::Response;

/// The longest text of another's making that goes into a message.
const MAX_MESSAGE_CHARS: usize = 2_000;

/// The answer if it is a success, else its error.
pub(super) fn checked<R: Response>(response: R) -> Result<R> {
    let status = response.status();
    if (200..300).contains(&status) {
        return Ok(response);
    }
    let content_type = response.header("content-type").unwrap_or_default();
    let retry_after = response.header("retry-after");
    let body = response.text();
    let mut error = failure(status, &content_type, &body, R::parse(&body));
    error.retry_after = retry_after;
    Err(error)
}

/// Reads from an answer what the caller is after.
pub(super) fn read<A>(answer: &Value, read: impl FnOnce(Fields) -> Result<A>) -> Result<A> {
    Fields::of_answer(answer).and_then(read).map_err(|error| another_shape(&error.message))
}

/// A success's body as a value, or an error that says what came instead of JSON.
pub(super) fn json<R: Response>(response: R) -> Result<Value> {
    let status = response.status();
    let content_type = response.header("content-type").unwrap_or_default();
    let body = response.text();
    parsed(status, &content_type, &body, R::parse(&body))
}

/// What a body was parsed to, or an error that says what came instead of JSON.
pub(super) fn parsed(
    status: u16,
    content_type: &str,
    body: &str,
    value: Option<Value>,
) -> Result<Value> {
    value.ok_or_else(|| {
        let found = if body.trim().is_empty() {
            "an empty body".to_owned()
        } else if looks_like_html(content_type, body) {
            "an HTML page".to_owned()
        } else if is_type(content_type, "json") {
            "broken JSON".to_owned()
        } else {
            format!("a body of type \"{}\"", shortened(content_type, 80))
        };
        let mut error = Error::new(
            Code::UnexpectedResponse,
            format!("HTTP {status} came with {found} where the API answers with JSON"),
        );
        error.status = Some(status);
        error
    })
}

/// The error for a success whose body is something else than what was asked for.
pub(super) fn not_of_type(wanted: &str, status: u16, content_type: &str) -> Error {
    let found = shortened(content_type, 80);
    let message =
        format!("HTTP {status} came with a body of type \"{found}\" where {wanted} was asked for");
    let mut error = Error::new(Code::UnexpectedResponse, message);
    error.status = Some(status);
    error
}

/// The error for JSON that lacks what the API promises; `why` names the member and never its value.
pub(super) fn another_shape(why: &str) -> Error {
    let message = format!("The answer is JSON of another shape than the API's: {why}");
    Error::new(Code::UnexpectedResponse, message)
}

/// A string the API always gives.
pub(super) fn promised(fields: &Fields, name: &str) -> Result<String> {
    fields.owned_text(name)?.ok_or_else(|| missing(name, "a string"))
}

/// The error for an answer that is not a success.
fn failure(status: u16, content_type: &str, body: &str, value: Option<Value>) -> Error {
    let (engine_message, engine_code) = told(content_type, body, value);
    let code = Code::of_status(status);
    let message = match &engine_message {
        Some(message) => message.clone(),
        None if (300..400).contains(&status) || status == 0 => {
            "The service answered with a redirect, which is not followed: check `baseUrl`"
                .to_owned()
        }
        None if looks_like_html(content_type, body) => {
            format!("{}: the answer is an HTML page, not the API's", status_line(status))
        }
        None => format!("{}, with nothing to say why", status_line(status)),
    };
    let mut error = Error::new(code, message);
    error.status = (status > 0).then_some(status);
    // A redirect that is not shown.
    error.unapplied = status == 0;
    error.engine_message = engine_message;
    error.engine_code = engine_code;
    error.retryable |= retry::is_locked(&error);
    error
}

/// The engine's own words, `error.message`, `error_message` or plain text, and its own code.
fn told(content_type: &str, body: &str, value: Option<Value>) -> (Option<String>, Option<String>) {
    let (message, code) = match value {
        Some(answer) => told_in(&answer),
        None if looks_like_html(content_type, body) => (None, None),
        None => (Some(body.trim().to_owned()), None),
    };
    let message = message.map(|text| shortened(&text, MAX_MESSAGE_CHARS));
    (message.filter(|text| !text.trim().is_empty()), code)
}

fn told_in(answer: &Value) -> (Option<String>, Option<String>) {
    let text = |of: &Value, name: &str| match of {
        Value::Object(_) => Fields::of_answer(of).and_then(|of| of.owned_text(name)).ok().flatten(),
        _ => None,
    };
    let inner = Fields::of_answer(answer).ok().and_then(|fields| fields.get("error"));
    match inner {
        Some(Value::Text(message)) => (Some(message.clone()), None),
        Some(inner) => (text(inner, "message"), text(inner, "code")),
        None => (text(answer, "error_message").or_else(|| text(answer, "message")), None),
    }
}

fn looks_like_html(content_type: &str, body: &str) -> bool {
    is_type(content_type, "html") || body.trim_start().starts_with('<')
}

/// Whether a content type is of that subtype (`text/html; charset=utf-8`, `application/problem+json`).
fn is_type(content_type: &str, subtype: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim_end();
    kind.ends_with(subtype)
}

fn status_line(status: u16) -> String {
    let phrase = match status {
        400 => " Bad Request",
        401 => " Unauthorized",
        403 => " Forbidden",
        404 => " Not Found",
        409 => " Conflict",
        413 => " Content Too Large",
        429 => " Too Many Requests",
        500 => " Internal Server Error",
        502 => " Bad Gateway",
        503 => " Service Unavailable",
        504 => " Gateway Timeout",
        _ => "",
    };
    format!("HTTP {status}{phrase}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::testing::Canned;

    fn failed(status: u16, content_type: &str, body: &str) -> Error {
        failure(status, content_type, body, Canned::parse(body))
    }

    #[test]
    fn a_failure_keeps_the_engines_words() {
        for (content_type, body, message) in [
            (
                "application/json",
                r#"{"error":{"code":"BAD_REQUEST","message":"Invalid function 'x'."}}"#,
                "Invalid function 'x'.",
            ),
            (
                "application/json",
                r#"{"status":"failed","result_id":"r","error_message":"gone"}"#,
                "gone",
            ),
            ("application/json", r#"{"error":"plain"}"#, "plain"),
            ("application/json", "Authorization was not valid", "Authorization was not valid"),
        ] {
            let error = failed(400, content_type, body);
            assert_eq!(error.message, message);
            assert_eq!(error.engine_message.as_deref(), Some(message));
            assert_eq!((error.code, error.status), (Code::BadRequest, Some(400)));
        }
    }

    #[test]
    fn a_failure_without_words_says_what_came() {
        for (status, content_type, body, message) in [
            (400, "", "", "HTTP 400 Bad Request, with nothing to say why"),
            (
                502,
                "text/html",
                "<html>nginx</html>",
                "HTTP 502 Bad Gateway: the answer is an HTML page, not the API's",
            ),
            (418, "application/json", "{}", "HTTP 418, with nothing to say why"),
        ] {
            let error = failed(status, content_type, body);
            assert_eq!(error.message, message);
            assert_eq!(error.engine_message, None);
        }
        assert!(failed(0, "", "").message.contains("redirect"));
        assert!(failed(307, "", "").message.contains("redirect"));
    }

    #[test]
    fn messages_are_cut_between_characters() {
        for length in 1_995..=2_005 {
            let text = format!("{}日本👍{}", "a".repeat(length), "b".repeat(50));
            let error = failed(400, "text/plain", &text);
            assert!(error.message.chars().count() <= MAX_MESSAGE_CHARS + 1);
            assert!(error.message.ends_with('…'));
        }
    }

    #[test]
    fn what_is_no_json_is_said_to_be() {
        for (content_type, body, says) in [
            ("application/json", "", "an empty body"),
            ("text/html", "<html>", "an HTML page"),
            ("application/json", "{", "broken JSON "),
            ("text/plain", "ok", "a body of type \"text/plain\""),
        ] {
            let error = parsed(200, content_type, body, Canned::parse(body)).unwrap_err();
            assert!(error.message.contains(says), "{}", error.message);
            assert_eq!(error.code, Code::UnexpectedResponse);
        }
    }
}
