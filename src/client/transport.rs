//! What a client needs of its host: one request, one wait, a clock.

use std::fmt::Write as _;

use crate::error::{Error, Result};
use crate::value::Value;

/// An HTTP method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Creates, or runs a query.
    Post,
    /// Removes.
    Delete,
}

impl Method {
    /// The method as HTTP spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Delete => "DELETE",
        }
    }
}

/// A request, without its credential: the transport adds that, so nothing here can print it.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The whole address but for the query.
    pub url: String,
    /// Query parameters, not yet encoded.
    pub query: Vec<(&'static str, String)>,
    /// Headers beside the credential; names in lower case, values already checked.
    pub headers: Vec<(&'static str, String)>,
    /// A JSON body.
    pub body: Option<String>,
}

impl Request {
    /// A request to `{base}/v1/{segments}`. Each segment becomes one segment of the path, whatever it holds.
    pub(super) fn new(method: Method, base: &str, segments: &[&str]) -> Result<Self> {
        let mut url = format!("{base}/v1");
        for segment in segments {
            // These three cannot be written as a path segment: an address parser drops them.
            if matches!(*segment, "" | "." | "..") {
                return Err(Error::argument(
                    "id",
                    format_args!("must be an id, not \"{segment}\""),
                ));
            }
            url.push('/');
            for byte in segment.bytes() {
                if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                    url.push(char::from(byte));
                } else {
                    let _ = write!(url, "%{byte:02X}");
                }
            }
        }
        Ok(Self { method, url, query: Vec::new(), headers: Vec::new(), body: None })
    }

    /// Gives it a JSON body.
    pub(super) fn set_json(&mut self, body: &Value) {
        self.headers.push(("content-type", "application/json".to_owned()));
        self.body = Some(body.to_json());
    }
}

/// An answer whose body has not been read.
#[allow(async_fn_in_trait)] // Single-threaded by nature: no caller needs the future to be Send.
pub trait Response: Sized {
    /// The rows of a result, held wherever the host holds them best.
    type Rows;

    /// The HTTP status.
    fn status(&self) -> u16;

    /// A header's value; `name` in lower case.
    fn header(&self, name: &str) -> Option<String>;

    /// The whole body as text.
    async fn text(self) -> Result<String>;

    /// A result's body: its JSON without the member `rows`, and those rows with their number; with `bigints`, a column of
    /// integers that JavaScript's numbers would change comes as bigints. Where the body is no such result, the whole text
    /// and no rows.
    async fn table(self, bigints: bool) -> Result<(String, Option<(Self::Rows, usize)>)>;
}

/// The host of a client.
#[allow(async_fn_in_trait)] // Single-threaded by nature: no caller needs the future to be Send.
pub trait Transport {
    /// What a request is answered with.
    type Response: Response;

    /// Sends once, with the credential. An answer of any status is a success here; no redirect is followed.
    async fn send(&self, request: Request) -> Result<Self::Response>;

    /// Waits, or fails at once where the caller has aborted.
    async fn sleep(&self, milliseconds: u32) -> Result<()>;

    /// Milliseconds since some fixed moment.
    fn now(&self) -> f64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_segment_whatever_it_holds() {
        let url =
            |id: &str| Request::new(Method::Get, "https://x", &["databases", id]).map(|r| r.url);
        assert_eq!(url("db_1").unwrap(), "https://x/v1/databases/db_1");
        assert_eq!(
            url("a/../b?c#d%é").unwrap(),
            "https://x/v1/databases/a%2F..%2Fb%3Fc%23d%25%C3%A9"
        );
        for id in ["", ".", ".."] {
            assert!(url(id).is_err());
        }
    }
}
