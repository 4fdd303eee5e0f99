//! The transport over `fetch`: the global one, or the caller's. `pkg/entry/exchange.js` sends and reads.

use gloo_net::http::QueryParams;
use js_sys::{Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use crate::client::{Allowed, Integers, Reading, Request, Response, Table, Transport};
use crate::error::{Code, Error, Result};

use super::error::caused;
use super::guard::{Ended, ended, paused};
use super::rows;

/// The most bytes read of what storage answers.
const MOST_OF_STORAGE: f64 = 65_536.0;

#[wasm_bindgen(raw_module = "./exchange.js")]
extern "C" {
    #[allow(clippy::too_many_arguments)] // One crossing a request.
    fn exchange(
        fetch: &Function,
        key: &JsValue,
        method: &str,
        url: &str,
        headers: &str,
        body: &JsValue,
        most: f64,
        signal: Option<&AbortSignal>,
        ms: u32,
    ) -> Promise;

    #[wasm_bindgen(js_name = isKey)]
    pub fn is_key(key: &JsValue) -> bool;

    #[wasm_bindgen(js_name = headerOf)]
    fn header_of(answer: &Answer, name: &str) -> Option<String>;

    #[wasm_bindgen(js_name = textOf)]
    fn text_of(body: &Uint8Array) -> String;

    #[wasm_bindgen(js_name = faultAt)]
    fn fault_at(value: &JsValue) -> String;

    #[wasm_bindgen(js_name = thrownBy)]
    fn thrown_by(value: &JsValue) -> JsValue;
}

#[wasm_bindgen]
extern "C" {
    type Answer;

    #[wasm_bindgen(method, getter)]
    fn status(this: &Answer) -> u16;

    #[wasm_bindgen(method, getter)]
    fn body(this: &Answer) -> JsValue;
}

/// Sends with one key, for one call's signal.
#[derive(Clone)]
pub struct Fetch {
    /// The API key, or a function asked at every attempt.
    pub key: JsValue,
    /// The caller's own `fetch`; none: the global one at the time of the call.
    pub fetch: Option<Function>,
    pub signal: Option<AbortSignal>,
}

impl Transport for Fetch {
    type Response = FetchResponse;
    type Bytes = JsValue;

    async fn send(&self, request: &Request, time: Allowed) -> Result<FetchResponse> {
        let mut url = request.url.clone();
        if !request.query.is_empty() {
            let query = QueryParams::new();
            for (name, value) in &request.query {
                query.append(name, value);
            }
            url = format!("{url}?{query}");
        }
        let mut lines = String::new();
        for (name, value) in &request.headers {
            header_line(&mut lines, name, value);
        }
        let most = match request.reading {
            Reading::Whole(most) => most as f64,
            Reading::Stream => -1.0,
        };
        let body = request.body.as_deref().map_or(JsValue::UNDEFINED, JsValue::from);
        self.exchanged(request.method.as_str(), &url, &lines, (&self.key, &body), most, time).await
    }

    async fn store(
        &self,
        url: &str,
        headers: &[(String, String)],
        bytes: &JsValue,
        time: Allowed,
    ) -> Result<FetchResponse> {
        let mut lines = String::new();
        for (name, value) in headers {
            header_line(&mut lines, name, value);
        }
        let key = &JsValue::UNDEFINED;
        self.exchanged("PUT", url, &lines, (key, bytes), MOST_OF_STORAGE, time).await
    }

    async fn sleep(&self, milliseconds: u32) -> Result<()> {
        paused(self.signal.as_ref(), milliseconds).await
    }

    fn now(&self) -> f64 {
        js_sys::Date::now()
    }

    fn random(&self) -> f64 {
        js_sys::Math::random()
    }
}

/// A header as `exchange.js` takes it. A line break in one would make another header of the rest.
fn header_line(lines: &mut String, name: &str, value: &str) {
    let clean = |text: &str| !text.contains(['\n', '\r', '\0']);
    if clean(name) && clean(value) {
        for text in [name, "\n", value, "\n"] {
            lines.push_str(text);
        }
    }
}

impl Fetch {
    /// The same for one call.
    pub fn for_call(&self, signal: Option<AbortSignal>) -> Self {
        Self { signal, ..self.clone() }
    }

    /// The function that sends.
    pub fn function(&self) -> Result<Function> {
        if let Some(fetch) = &self.fetch {
            return Ok(fetch.clone());
        }
        let global = Reflect::get(&js_sys::global(), &"fetch".into()).unwrap_or(JsValue::UNDEFINED);
        global.dyn_into().map_err(|_| {
            Error::argument("fetch", "is missing: this runtime has no fetch of its own")
        })
    }

    async fn exchanged(
        &self,
        method: &str,
        url: &str,
        headers: &str,
        (key, body): (&JsValue, &JsValue),
        most: f64,
        time: Allowed,
    ) -> Result<FetchResponse> {
        let (fetch, signal) = (self.function()?, self.signal.as_ref());
        let ms = time.milliseconds;
        let work = exchange(&fetch, key, method, url, headers, body, most, signal, ms);
        match ended(work, time).await? {
            Ended::Done(answer) => Ok(FetchResponse(answer.unchecked_into())),
            Ended::Failed(fault) => Err(failure(&fault, url, most as u64)),
        }
    }
}

fn failure(fault: &JsValue, url: &str, most: u64) -> Error {
    let thrown = thrown_by(fault);
    match fault_at(fault).as_str() {
        "key" if thrown.is_undefined() => Error::argument(
            "apiKey",
            "must give a key: a string of visible ASCII characters without spaces",
        ),
        "key" => caused(Code::Unauthorized, "`apiKey` failed to give a key", thrown),
        "shape" => Error::new(
            Code::UnexpectedResponse,
            "`fetch` answered with something else than a Response",
        ),
        "size" => Error::new(
            Code::TooLarge,
            format!(
                "The answer is larger than {most} bytes (`maxBytes` sets the limit of a query's)"
            ),
        ),
        at => {
            // Storage addresses are permissions: what stands behind the path is not for messages.
            let place = url.split('?').next().unwrap_or_default();
            let unsent = at == "unsent";
            let what = if unsent { "No connection to" } else { "No whole answer from" };
            let mut error = caused(Code::Network, &format!("{what} {place}"), thrown);
            error.unapplied = unsent;
            error
        }
    }
}

/// An answer, and its body wherever JavaScript holds it.
pub struct FetchResponse(Answer);

impl Response for FetchResponse {
    type Rows = JsValue;
    type Stream = JsValue;

    fn status(&self) -> u16 {
        self.0.status()
    }

    fn header(&self, name: &str) -> Option<String> {
        header_of(&self.0, name)
    }

    fn text(self) -> String {
        text_of(self.0.body().unchecked_ref())
    }

    fn float(number: &str) -> f64 {
        js_sys::parse_float(number)
    }

    fn table(self, integers: Integers, max_rows: u64) -> Result<Table<JsValue>> {
        let body: Uint8Array = self.0.body().unchecked_into();
        rows::within(&body, max_rows)?;
        Ok(match rows::split(&body, integers == Integers::BigInts) {
            Some((head, rows, count)) => (head, Some((rows, count))),
            // The core finds the head unreadable and says what came instead.
            None => (text_of(&body), None),
        })
    }

    fn stream(self) -> JsValue {
        self.0.body()
    }
}
