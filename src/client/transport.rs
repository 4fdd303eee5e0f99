//! What a client needs of its host: one request, one wait, a clock.

use std::fmt::Write as _;

use crate::error::{Error, Result};
use crate::value::{Value, parse};

use super::query::Integers;
use super::retry::Repeat;
use super::time::Allowed;

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
    /// Whether the workspace is named in a header too.
    pub in_workspace: bool,
    /// A JSON body.
    pub body: Option<String>,
    /// Whether sending it again is harmless.
    pub repeat: Repeat,
    /// How a success is read.
    pub reading: Reading,
}

/// How the body of a success is read. A failure's is always read whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// To its end, unless it has more bytes than this.
    Whole(u64),
    /// By whoever asked, as it comes in.
    Stream,
}

/// The most bytes of an answer that is not the rows of a query.
const MAX_ANSWER_BYTES: u64 = 16 * 1024 * 1024;

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
        let repeat = match method {
            Method::Get => Repeat::Freely,
            Method::Post | Method::Delete => Repeat::Once,
        };
        Ok(Self {
            method,
            url,
            query: Vec::new(),
            headers: Vec::new(),
            in_workspace: true,
            body: None,
            repeat,
            reading: Reading::Whole(MAX_ANSWER_BYTES),
        })
    }

    /// Gives it a JSON body.
    pub(super) fn set_json(&mut self, body: &Value) {
        self.headers.push(("content-type", "application/json".to_owned()));
        self.body = Some(body.to_json());
    }
}

/// An answer whose body has arrived, or for [`Reading::Stream`] has begun to.
pub trait Response: Sized {
    /// The rows of a result, held wherever the host holds them best.
    type Rows;
    /// A body that is still coming in.
    type Stream;

    /// The HTTP status.
    fn status(&self) -> u16;

    /// A header's value; `name` in lower case.
    fn header(&self, name: &str) -> Option<String>;

    /// The whole body as text.
    fn text(self) -> String;

    /// A decimal number as the float nearest to it.
    fn float(number: &str) -> f64;

    /// JSON as a value; nothing where the text is none.
    fn parse(json: &str) -> Option<Value> {
        parse(json, Self::float)
    }

    /// A result's body: its JSON without the member `rows`, and those rows with their number. Where the body is no such
    /// result, the whole text and no rows. An error, before they are decoded, where there are so many more rows than
    /// `max_rows` that memory might not do.
    fn table(self, integers: Integers, max_rows: u64) -> Result<Table<Self::Rows>>;

    /// The body as it comes in.
    fn stream(self) -> Self::Stream;
}

/// A result's head as JSON text, and its rows with their number.
pub type Table<Rows> = (String, Option<(Rows, usize)>);

/// The host of a client.
#[allow(async_fn_in_trait)] // Single-threaded by nature: no caller needs the future to be Send.
pub trait Transport {
    /// What a request is answered with.
    type Response: Response;
    /// A piece of a file, held by the host.
    type Bytes;

    /// Sends once, with the credential, and reads the answer within the time. An answer of any status is a success here; no
    /// redirect is followed.
    async fn send(&self, request: &Request, time: Allowed) -> Result<Self::Response>;

    /// Puts bytes where a storage address says, with these headers and no credential or id.
    async fn store(
        &self,
        url: &str,
        headers: &[(String, String)],
        bytes: &Self::Bytes,
        time: Allowed,
    ) -> Result<Self::Response>;

    /// Waits, or fails at once where the caller has aborted.
    async fn sleep(&self, milliseconds: u32) -> Result<()>;

    /// Milliseconds since 1970.
    fn now(&self) -> f64;

    /// A random number from 0 on and below 1.
    fn random(&self) -> f64;
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
