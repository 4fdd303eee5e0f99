//! What a client is made with.

use crate::error::{Error, Result};
use crate::value::{Fields, Value};

use super::time::Limits;

/// Where the service is unless told.
const DEFAULT_BASE_URL: &str = "https://api.hotdata.dev";
/// One request's time unless told.
const DEFAULT_TIMEOUT_MS: u32 = 60_000;
/// A call's time over all its requests and waits unless told.
const DEFAULT_DEADLINE_MS: u32 = 300_000;
const DEFAULT_MAX_RETRIES: u32 = 4;
const MOST_RETRIES: u64 = 20;
/// The longest time a JavaScript timer keeps.
const MAX_MS: u64 = 2_147_483_647;

/// The settings of a client. The key is not among them: only the transport holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// `https://host[/prefix]`, without `/v1` and without a closing slash.
    pub base_url: String,
    /// The workspace, where it is named.
    pub workspace_id: Option<String>,
    /// The database used where a call names none.
    pub database_id: Option<String>,
    /// The time of a call that brings none of its own.
    pub limits: Limits,
    /// How often one request is sent again after a failure that may pass.
    pub max_retries: u32,
}

impl Settings {
    /// The options of a client; the transport reads `apiKey` and `fetch`.
    pub const OPTIONS: &[&str] = &[
        "apiKey",
        "workspaceId",
        "baseUrl",
        "databaseId",
        "fetch",
        "timeoutMs",
        "deadlineMs",
        "maxRetries",
    ];

    /// Reads `{baseUrl?, workspaceId?, databaseId?, timeoutMs?, deadlineMs?, maxRetries?}`.
    pub fn parse(input: &Value) -> Result<Self> {
        let fields = Fields::new("Hotdata", input, Self::OPTIONS)?;
        let id = |name: &str| -> Result<Option<String>> {
            let id = fields.text(name)?;
            id.map(|id| header_safe(name, id).map(|()| id.to_owned())).transpose()
        };
        let retries = fields.whole("maxRetries", 0..=MOST_RETRIES)?;
        let limits = Limits { timeout_ms: DEFAULT_TIMEOUT_MS, deadline_ms: DEFAULT_DEADLINE_MS };
        Ok(Self {
            base_url: base_url(fields.text("baseUrl")?.unwrap_or(DEFAULT_BASE_URL))?,
            workspace_id: id("workspaceId")?,
            database_id: id("databaseId")?,
            limits: limits.with(&fields)?,
            max_retries: retries.map_or(DEFAULT_MAX_RETRIES, |retries| retries as u32),
        })
    }
}

impl Limits {
    /// The options read by [`Limits::with`], which every call takes.
    pub const OPTIONS: &[&str] = &["timeoutMs", "deadlineMs"];

    /// These, but for what `{timeoutMs?, deadlineMs?}` say.
    pub fn with(self, fields: &Fields) -> Result<Self> {
        let ms = |name: &str, unless_given: u32| -> Result<u32> {
            Ok(fields.whole(name, 1..=MAX_MS)?.map_or(unless_given, |ms| ms as u32))
        };
        Ok(Self {
            timeout_ms: ms("timeoutMs", self.timeout_ms)?,
            deadline_ms: ms("deadlineMs", self.deadline_ms)?,
        })
    }
}

/// An id that can stand in a header: 1 to 255 visible ASCII characters.
pub(super) fn header_safe(argument: &str, id: &str) -> Result<()> {
    if (1..=255).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_graphic()) {
        return Ok(());
    }
    Err(Error::argument(
        argument,
        "must be an id: 1 to 255 visible ASCII characters without spaces",
    ))
}

fn base_url(given: &str) -> Result<String> {
    let refuse = |why: &str| {
        Err(Error::argument(
            "baseUrl",
            format_args!("must be an https address such as {DEFAULT_BASE_URL}; {why}"),
        ))
    };
    let parts = given.split_once(':');
    let Some((scheme, rest)) = parts.and_then(|(s, r)| Some((s, r.strip_prefix("//")?))) else {
        return refuse("this one has no scheme");
    };
    if rest
        .contains(|c: char| c == '?' || c == '#' || c == '@' || c == '\\' || !c.is_ascii_graphic())
    {
        return refuse(
            "a query, a fragment, credentials, backslashes and spaces have no place in it",
        );
    }
    let path_start = rest.find('/').unwrap_or(rest.len());
    let (host, path) = rest.split_at_checked(path_start).unwrap_or((rest, ""));
    if host.is_empty() {
        return refuse("this one has no host");
    }
    match scheme.to_ascii_lowercase().as_str() {
        "https" => {}
        // A key in clear text may cross this machine only.
        "http" if is_loopback(host) => {}
        "http" => return refuse("plain http is for 127.0.0.1 and localhost only"),
        _ => return refuse("this one has another scheme"),
    }
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix("/v1").unwrap_or(path).trim_end_matches('/');
    if path.split('/').any(|segment| segment == "." || segment == "..") {
        return refuse("dot segments have no place in it");
    }
    Ok(format!("{}://{host}{path}", scheme.to_ascii_lowercase()))
}

/// Whether bytes may go to an address: over https, or within this machine.
pub(super) fn is_safe_address(url: &str) -> bool {
    url.starts_with("https://")
        || url.strip_prefix("http://").is_some_and(|rest| {
            let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
            // Before an `@` stands whoever asks, and not whom.
            is_loopback(host) && !host.contains('@')
        })
}

fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let name = name.to_ascii_lowercase();
    name == "localhost" || name == "::1" || is_loopback_address(&name)
}

/// `127.x.x.x`, each part a number of one byte.
fn is_loopback_address(name: &str) -> bool {
    let mut parts = name.split('.');
    let is_byte = |part: &str| part.len() <= 3 && part.parse::<u8>().is_ok();
    parts.next() == Some("127") && parts.clone().count() == 3 && parts.all(is_byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_however_it_is_written() {
        for (given, expected) in [
            ("https://x", "https://x"),
            ("https://x/", "https://x"),
            ("https://x/v1", "https://x"),
            ("https://x/v1/", "https://x"),
            ("HTTPS://x:8443/api/v1//", "https://x:8443/api"),
            ("https://x/prefix", "https://x/prefix"),
            ("http://127.0.0.1:8788", "http://127.0.0.1:8788"),
            ("http://localhost:8788/v1", "http://localhost:8788"),
            ("http://[::1]:1", "http://[::1]:1"),
        ] {
            assert_eq!(base_url(given).unwrap(), expected, "{given}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_without_showing_it() {
        for given in [
            "",
            "x",
            "https://",
            "ftp://x",
            "http://x",
            "http://127.0.0.1.evil.example",
            "http://localhost.evil.example",
            "http://127.0.0.256",
            "http://127.0.1",
            "https://x?key=secret",
            "https://x#f",
            "https://user:secret@x",
            "https://x/a b",
            "https://x\\y",
            "https://x/../y",
        ] {
            let error = base_url(given).unwrap_err();
            assert!(error.message.starts_with("`baseUrl` must be"), "{given}");
            assert!(!error.message.contains("secret"));
        }
    }

    #[test]
    fn ids_cannot_carry_a_header_along() {
        for id in ["", "a b", "a\r\nx: y", "é", &"x".repeat(256)] {
            assert!(header_safe("databaseId", id).is_err());
        }
        header_safe("databaseId", "db_papers").unwrap();
    }
}
