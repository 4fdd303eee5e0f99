//! The transport over `fetch`: the global one, or the caller's.

use std::rc::Rc;

use gloo_net::http::{Headers, QueryParams};
use js_sys::{Function, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use crate::client::{Request, Response, Transport};
use crate::error::{Code, Error, Result};

use super::error::caused;
use super::guard::{Allowed, Guard};
use super::rows;

#[wasm_bindgen(raw_module = "./values.js")]
extern "C" {
    #[wasm_bindgen(js_name = responseStatus)]
    fn response_status(value: &JsValue) -> Option<u16>;

    #[wasm_bindgen(js_name = bodyOf)]
    fn body_of(response: &web_sys::Response) -> JsValue;
}

/// The API key: itself, or a function asked at every attempt.
#[derive(Clone)]
pub enum Key {
    Text(Rc<str>),
    Function(Function),
}

/// Sends with one key, for one call's signal.
#[derive(Clone)]
pub struct Fetch {
    pub key: Key,
    /// The caller's own `fetch`; none: the global one at the time of the call.
    pub fetch: Option<Function>,
    pub timeout_ms: u32,
    pub deadline_ms: u32,
    /// When the call has to be over, in milliseconds of [`Transport::now`].
    pub ends_at: f64,
    pub signal: Option<AbortSignal>,
}

impl Transport for Fetch {
    type Response = FetchResponse;

    async fn send(&self, request: Request) -> Result<FetchResponse> {
        let guard = Guard::start(self.signal.as_ref(), self.allowed())?;
        let key = self.key(&guard).await?;
        let no_answer = format!("No answer from {}", request.url);
        let (url, init) = prepared(request, &key, &guard.host_signal())?;
        let sent = self.function()?.call2(&JsValue::UNDEFINED, &url.into(), &init);
        let answer = guard.race(sent, Code::Network, &no_answer).await?;
        // By shape: a caller's fetch may answer with a Response class of its own.
        let status = response_status(&answer).ok_or_else(|| {
            Error::new(
                Code::UnexpectedResponse,
                "`fetch` answered with something else than a Response",
            )
        })?;
        Ok(FetchResponse { response: answer.unchecked_into(), status, guard })
    }

    async fn sleep(&self, milliseconds: u32) -> Result<()> {
        let pause = Allowed { milliseconds, option: "deadlineMs", set_to: self.deadline_ms };
        Guard::start(self.signal.as_ref(), pause)?.wait().await
    }

    fn now(&self) -> f64 {
        js_sys::Date::now()
    }
}

impl Fetch {
    /// For one call that starts now.
    pub fn for_call(&self, signal: Option<AbortSignal>) -> Self {
        let ends_at = self.now() + f64::from(self.deadline_ms);
        Self { ends_at, signal, ..self.clone() }
    }

    /// What a request may take of the call's time.
    pub fn allowed(&self) -> Allowed {
        let left = (self.ends_at - self.now()).max(0.0) as u32;
        if left < self.timeout_ms {
            Allowed { milliseconds: left, option: "deadlineMs", set_to: self.deadline_ms }
        } else {
            let set_to = self.timeout_ms;
            Allowed { milliseconds: set_to, option: "timeoutMs", set_to }
        }
    }

    fn function(&self) -> Result<Function> {
        if let Some(fetch) = &self.fetch {
            return Ok(fetch.clone());
        }
        let global = Reflect::get(&js_sys::global(), &"fetch".into()).unwrap_or(JsValue::UNDEFINED);
        global.dyn_into().map_err(|_| {
            Error::argument("fetch", "is missing: this runtime has no fetch of its own")
        })
    }

    async fn key(&self, guard: &Guard) -> Result<Rc<str>> {
        let function = match &self.key {
            Key::Text(key) => return Ok(key.clone()),
            Key::Function(function) => function,
        };
        let failed = "`apiKey` failed to give a key";
        let given = function.call0(&JsValue::UNDEFINED);
        let given = guard.race(given, Code::Unauthorized, failed).await?;
        let key =
            given.as_string().ok_or_else(|| Error::argument("apiKey", "must give a string"))?;
        checked_key(&key)?;
        Ok(key.into())
    }
}

/// Checks that a key can stand in a header; the message never shows it.
pub fn checked_key(key: &str) -> Result<()> {
    if !key.is_empty() && key.len() <= 8_192 && key.bytes().all(|b| b.is_ascii_graphic()) {
        return Ok(());
    }
    Err(Error::argument(
        "apiKey",
        "must be visible ASCII characters without spaces or line breaks, and is not",
    ))
}

/// The address and a plain object of what every `fetch` knows, and no more: workerd refuses `mode` and `credentials`.
fn prepared(request: Request, key: &str, signal: &AbortSignal) -> Result<(String, Object)> {
    let headers = Headers::new();
    headers.set("accept", "application/json");
    headers.set("authorization", &format!("Bearer {key}"));
    for (name, value) in &request.headers {
        headers.set(name, value);
    }
    let mut url = request.url;
    if !request.query.is_empty() {
        let query = QueryParams::new();
        for (name, value) in &request.query {
            query.append(name, value);
        }
        url = format!("{url}?{query}");
    }
    let init = Object::new();
    let set = |name: &str, value: JsValue| {
        Reflect::set(&init, &name.into(), &value)
            .map(drop)
            .map_err(|e| caused(Code::Internal, "A request cannot be built", e))
    };
    set("method", request.method.as_str().into())?;
    set("headers", headers.into_raw().into())?;
    if let Some(body) = request.body {
        set("body", body.into())?;
    }
    set("signal", signal.into())?;
    // A redirect would carry the key to wherever it points.
    set("redirect", "manual".into())?;
    Ok((url, init))
}

/// An answer; the guard goes on watching while its body is read. gloo-net's own reading of bodies traps where a body
/// fails with something that is no `Error`.
pub struct FetchResponse {
    response: web_sys::Response,
    status: u16,
    guard: Guard,
}

impl FetchResponse {
    async fn bytes(&self) -> Result<Uint8Array> {
        let broken = "The answer broke off";
        let bytes = Ok(body_of(&self.response));
        let bytes = self.guard.race(bytes, Code::Network, broken).await?;
        Ok(bytes.unchecked_into())
    }
}

impl Response for FetchResponse {
    type Rows = JsValue;

    fn status(&self) -> u16 {
        self.status
    }

    fn header(&self, name: &str) -> Option<String> {
        self.response.headers().get(name).ok().flatten()
    }

    async fn text(self) -> Result<String> {
        let bytes = self.bytes().await?;
        Ok(text_of(&bytes))
    }

    async fn table(self, bigints: bool) -> Result<(String, Option<(JsValue, usize)>)> {
        let bytes = self.bytes().await?;
        Ok(match rows::split(&bytes, bigints) {
            Some((head, rows, count)) => (head, Some((rows, count))),
            // The core finds the head unreadable and says what came instead.
            None => (text_of(&bytes), None),
        })
    }
}

fn text_of(bytes: &Uint8Array) -> String {
    String::from_utf8(bytes.to_vec())
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
