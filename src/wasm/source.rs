//! The caller's own rows, bytes or URL, as a source of bytes. `pkg/entry/uploading.js` reads them.

use std::pin::Pin;

use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use crate::client::{ByteSource, COLUMNS_GO_WITH, Client, Load};
use crate::error::{Code, Error, Result};
use crate::tools::Loader;
use crate::value::Value;

use super::encode::encoded;
use super::error::of_thrown;
use super::fetch::Fetch;
use super::guard::{Ended, ended};
use super::input::{Options, is_given};

/// The options that hold a source, of which a call takes one.
const SOURCES: [&str; 3] = ["rows", "data", "url"];
/// The options that say more of a source.
const DETAILS: [&str; 3] = ["maxBytes", "allowPrivateHosts", "onProgress"];

/// The options of a call with a source that are the host's own, or read for every call alike.
pub const HOST_OPTIONS: &[&str] = &[
    "signal",
    "timeoutMs",
    "deadlineMs",
    "rows",
    "data",
    "url",
    "maxBytes",
    "allowPrivateHosts",
    "onProgress",
];

#[wasm_bindgen(raw_module = "./uploading.js")]
extern "C" {
    #[wasm_bindgen(js_name = openedSource)]
    fn opened_source(
        given: &JsValue,
        fetch: &Function,
        signal: Option<&AbortSignal>,
        ms: u32,
    ) -> Promise;

    #[wasm_bindgen(js_name = nextPart)]
    fn next_part(
        source: &SourceHandle,
        most: f64,
        signal: Option<&AbortSignal>,
        ms: u32,
    ) -> Promise;

    #[wasm_bindgen(js_name = tellProgress)]
    fn tell_progress(listener: &Function, bytes: f64, total: Option<f64>);

    #[wasm_bindgen(js_name = closeSource)]
    fn close_source(source: &SourceHandle);
}

#[wasm_bindgen]
extern "C" {
    type SourceHandle;

    #[wasm_bindgen(method, getter)]
    fn size(this: &SourceHandle) -> Option<f64>;

    #[wasm_bindgen(method, getter)]
    fn format(this: &SourceHandle) -> Option<String>;
}

/// Loads by the options of `loadTable`, and gives the receipt.
pub fn load_table<'a>(
    client: &'a Client<Fetch>,
    options: &'a Options,
) -> Pin<Box<dyn Future<Output = Result<Value>> + 'a>> {
    Box::pin(async move {
        let load = Load::parse(&options.input, JsSource::count(options))?;
        let source = JsSource::open(options, client).await?;
        client.load(&load, source.as_ref()).await
    })
}

/// The loads of a tool's call: the client's own, with the call's signal and time.
pub struct JsLoader(pub Client<Fetch>);

impl Loader for JsLoader {
    async fn load(&self, options: Value) -> Result<Value> {
        let options = Options::read(&encoded(&options)?, HOST_OPTIONS);
        load_table(&self.0, &options).await
    }
}

/// One call's source. Closed when dropped.
pub struct JsSource {
    handle: SourceHandle,
    client: Client<Fetch>,
    progress: Option<Function>,
}

impl JsSource {
    /// How many sources the options hold.
    pub fn count(options: &Options) -> usize {
        SOURCES.iter().filter(|name| is_given(&options.host(name))).count()
    }

    /// Opens the source that the options hold, if they do; for a URL this sends the first request.
    pub async fn open(options: &Options, client: &Client<Fetch>) -> Result<Option<Self>> {
        match Self::count(options) {
            0 => {
                let stray = DETAILS.iter().find(|name| is_given(&options.host(name)));
                return match stray {
                    Some(name) => {
                        Err(Error::argument(name, "goes with `rows`, `data` or `url` only"))
                    }
                    None => Ok(None),
                };
            }
            1 => {}
            _ => {
                let why = "and `data` and `url` must not be given together: exactly one of them";
                return Err(Error::argument("rows", why));
            }
        }
        let given = Object::new();
        let with_rows = is_given(&options.host("rows"));
        if !with_rows && is_given(&options.host("columns")) {
            return Err(Error::argument("columns", COLUMNS_GO_WITH));
        }
        for name in SOURCES.iter().chain(&DETAILS).chain(&["format", "columns"]) {
            let value = options.host(name);
            if is_given(&value) {
                let _ = Reflect::set(&given, &(*name).into(), &value);
            }
        }
        let progress = options.function("onProgress", "must be a function")?;
        let (transport, allowed) = (client.transport(), client.allowed()?);
        let (fetch, signal) = (transport.function()?, transport.signal.as_ref());
        let work = opened_source(&given, &fetch, signal, allowed.milliseconds);
        match ended(work, allowed).await? {
            Ended::Done(handle) => {
                let handle = handle.unchecked_into();
                Ok(Some(Self { handle, client: client.clone(), progress }))
            }
            Ended::Failed(thrown) => {
                Err(of_thrown(Code::Network, "The source cannot be read", thrown))
            }
        }
    }
}

impl Drop for JsSource {
    fn drop(&mut self) {
        close_source(&self.handle);
    }
}

impl ByteSource for JsSource {
    type Bytes = JsValue;

    fn size(&self) -> Option<u64> {
        self.handle.size().map(|size| size as u64)
    }

    fn format(&self) -> Option<&'static str> {
        match self.handle.format().as_deref() {
            Some("csv") => Some("csv"),
            Some("json") => Some("json"),
            Some("parquet") => Some("parquet"),
            _ => None,
        }
    }

    async fn next(&self, most: u64) -> Result<Option<(JsValue, u64)>> {
        let allowed = self.client.allowed()?;
        let signal = self.client.transport().signal.as_ref();
        let work = next_part(&self.handle, most as f64, signal, allowed.milliseconds);
        match ended(work, allowed).await? {
            Ended::Done(part) if part.is_undefined() => Ok(None),
            Ended::Done(part) => {
                let length = part.unchecked_ref::<js_sys::Uint8Array>().length();
                Ok(Some((part, u64::from(length))))
            }
            Ended::Failed(thrown) => Err(of_thrown(Code::Network, "The source broke off", thrown)),
        }
    }

    fn stored(&self, bytes: u64) {
        let Some(progress) = &self.progress else {
            return;
        };
        tell_progress(progress, bytes as f64, self.handle.size());
    }
}
