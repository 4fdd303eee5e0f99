//! Uploads: bytes into the service's storage, a part at a time, for a load to read.

use crate::error::{Code, Error, Result};
use crate::value::{Fields, Value, missing};

use super::retry::{Attempts, Repeat};
use super::settings::is_safe_address;
use super::transport::{Method, Response, Transport};
use super::{Client, answer};

/// Where bytes come from, a part at a time.
#[allow(async_fn_in_trait)] // Single-threaded by nature: no caller needs the future to be Send.
pub trait ByteSource {
    /// A part, as the transport sends it.
    type Bytes;

    /// How many bytes there are, where that is known beforehand.
    fn size(&self) -> Option<u64>;

    /// What the bytes are (`csv`, `json`, `parquet`), where the source itself tells.
    fn format(&self) -> Option<&'static str>;

    /// The next part and its length: `most` bytes, fewer only at the end, none after it.
    async fn next(&self, most: u64) -> Result<Option<(Self::Bytes, u64)>>;

    /// Takes note that so many bytes have been stored.
    fn stored(&self, bytes: u64);
}

/// What an upload says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewUpload {
    /// A name to recognise it by.
    pub filename: Option<String>,
    /// The media type.
    pub content_type: Option<String>,
}

/// A finished upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// What a load names it by.
    pub upload_id: String,
    /// Its length.
    pub size_bytes: u64,
}

impl Upload {
    /// The record under JavaScript names.
    pub fn to_value(&self) -> Value {
        Value::record([
            ("uploadId", (&self.upload_id).into()),
            ("sizeBytes", self.size_bytes.into()),
        ])
    }
}

impl NewUpload {
    /// The options read by [`NewUpload::parse`].
    pub const OPTIONS: &[&str] = &["filename", "contentType", "format", "columns"];

    /// Reads `{filename?, contentType?}`; `format` and `columns` are the source's.
    pub fn parse(input: &Value) -> Result<Self> {
        let fields = Fields::new("uploadFile", input, Self::OPTIONS)?;
        Ok(Self {
            filename: fields.owned_text("filename")?,
            content_type: fields.owned_text("contentType")?,
        })
    }
}

/// An upload under way, as the service planned it.
struct Session {
    upload_id: String,
    finalize_token: String,
    /// The length of a part; none where everything goes to one address.
    part_size: Option<u64>,
    /// Of the parts from the first on; those of later ones are asked for one by one.
    urls: Vec<String>,
    headers: Vec<(String, String)>,
}

impl Session {
    fn read(fields: &Fields) -> Result<Self> {
        let single = fields.text("mode")? != Some("multipart");
        let mut headers = Vec::new();
        if let Some(Value::Object(given)) = fields.get("headers") {
            for (name, value) in given {
                if let Value::Text(value) = value {
                    headers.push((name.clone(), value.clone()));
                }
            }
        }
        let urls = if single {
            vec![answer::promised(fields, "url")?]
        } else {
            fields.texts("part_urls")?.unwrap_or_default()
        };
        let part_size = fields.whole("part_size", 1..=u64::MAX)?;
        if !single && part_size.is_none() {
            return Err(missing("part_size", "a number beside mode multipart"));
        }
        Ok(Self {
            upload_id: answer::promised(fields, "upload_id")?,
            finalize_token: answer::promised(fields, "finalize_token")?,
            part_size: part_size.filter(|_| !single),
            urls,
            headers,
        })
    }
}

impl<T: Transport> Client<T> {
    /// Uploads everything a source gives. The service keeps it until a load names it.
    pub async fn upload<S: ByteSource<Bytes = T::Bytes>>(
        &self,
        new: &NewUpload,
        source: &S,
    ) -> Result<Upload> {
        let size = source.size();
        if size == Some(0) {
            return Err(empty());
        }
        let session = self.upload_session(new, size).await?;
        let mut etags = Vec::new();
        let mut stored = 0;
        // One address takes everything at once; a part more would be a byte more than was said.
        let most = session.part_size.or(size).unwrap_or(MOST_AT_ONCE);
        while let Some((bytes, length)) = source.next(most).await? {
            let number = etags.len() + 1;
            let url = self.part_url(&session, number, size).await?;
            let etag = self.store(&session, &url, &bytes, number).await?;
            etags.push(etag);
            stored += length;
            source.stored(stored);
        }
        if stored == 0 {
            return Err(empty());
        }
        if let Some(size) = size.filter(|size| *size != stored) {
            return Err(changed_size(size, stored));
        }
        self.finalize(&session, &etags).await?;
        Ok(Upload { upload_id: session.upload_id, size_bytes: stored })
    }

    async fn upload_session(&self, new: &NewUpload, size: Option<u64>) -> Result<Session> {
        let mut request = self.request(Method::Post, &["uploads"])?;
        request.set_json(&Value::object([
            ("declared_size_bytes", size.into()),
            ("filename", new.filename.as_ref().into()),
            ("content_type", new.content_type.as_ref().into()),
        ]));
        // One that is never used comes to nothing.
        request.repeat = Repeat::Freely;
        let (_, answer) = self.exchange(request).await?;
        answer::read(&answer, |fields| Session::read(&fields))
    }

    /// The address of a part, counted from 1.
    async fn part_url(
        &self,
        session: &Session,
        number: usize,
        size: Option<u64>,
    ) -> Result<String> {
        let url = match session.urls.get(number - 1) {
            Some(url) => url.clone(),
            None if session.urls.is_empty() => self.minted_url(session, number).await?,
            None => return Err(changed_size(size.unwrap_or(0), u64::MAX)),
        };
        if is_safe_address(&url) {
            return Ok(url);
        }
        Err(answer::another_shape("a storage address must be https"))
    }

    async fn minted_url(&self, session: &Session, number: usize) -> Result<String> {
        let segments = ["uploads", &session.upload_id, "parts"];
        let mut request = self.request(Method::Post, &segments)?;
        request.headers.push((FINALIZE_TOKEN, session.finalize_token.clone()));
        let numbers = Value::List(vec![(number as u64).into()]);
        request.set_json(&Value::object([("part_numbers", numbers)]));
        request.repeat = Repeat::Freely;
        let (_, answer) = self.exchange(request).await?;
        answer::read(&answer, |fields| {
            let parts = fields.required_items("parts")?;
            let part = parts.first().ok_or_else(|| missing("parts", "the part asked for"))?;
            answer::promised(&Fields::of_answer(part)?, "url")
        })
    }

    /// Stores a part and gives its ETag.
    async fn store(
        &self,
        session: &Session,
        url: &str,
        bytes: &T::Bytes,
        number: usize,
    ) -> Result<String> {
        let mut attempts = Attempts::default();
        let response = loop {
            let stored = self.transport.store(url, &session.headers, bytes, self.allowed()?).await;
            match stored.and_then(answer::checked) {
                Ok(response) => break response,
                Err(failure) => {
                    let failure = failure.within(&format!("Storing part {number}"));
                    attempts.next(self, failure, &Repeat::Freely).await?;
                }
            }
        };
        match response.header("etag") {
            Some(etag) => Ok(etag),
            None if session.part_size.is_none() => Ok(String::new()),
            None => Err(Error::new(
                Code::UnexpectedResponse,
                "The storage gave no ETag for a part; in a browser it has to be among its exposed headers",
            )),
        }
    }

    /// Closes an upload, once: nothing is loaded before, so after any failure the whole can be done again.
    async fn finalize(&self, session: &Session, etags: &[String]) -> Result<()> {
        let segments = ["uploads", &session.upload_id, "finalize"];
        let mut request = self.request(Method::Post, &segments)?;
        request.headers.push((FINALIZE_TOKEN, session.finalize_token.clone()));
        let mut parts = etags.iter().enumerate().map(|(at, etag)| {
            Value::object([("part_number", (at as u64 + 1).into()), ("e_tag", etag.into())])
        });
        let parts = session.part_size.map(|_| Value::list(&mut parts));
        request.set_json(&Value::object([("parts", parts.into())]));
        request.repeat = Repeat::Once;
        self.exchange(request).await?;
        Ok(())
    }
}

/// What one address takes of a source that does not say how long it is.
const MOST_AT_ONCE: u64 = 512 * 1024 * 1024;
const FINALIZE_TOKEN: &str = "x-upload-finalize-token";

fn empty() -> Error {
    Error::argument("data", "must hold at least one byte, and is empty")
}

fn changed_size(said: u64, stored: u64) -> Error {
    let gave = if stored == u64::MAX { "more".to_owned() } else { stored.to_string() };
    Error::argument(
        "data",
        format_args!("must be as long as it says: it said {said} bytes and gave {gave}"),
    )
}
