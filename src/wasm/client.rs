//! What `class Hotdata` of `pkg/entry/hotdata.js` holds.

use js_sys::Promise;
use wasm_bindgen::prelude::*;

use crate::client::{Client, Limits, Settings};
use crate::error::{Error, Result};
use crate::value::{Fields, Value};

use super::call::{Call, CallName};
use super::error::to_js;
use super::fetch::{Fetch, is_key};
use super::guard::signal_of;
use super::input::{Options, decode, is_given};
use super::promise;

/// A client. One method for all calls: a method costs its share of glue on both sides, and the class in JavaScript has
/// them anyway.
#[wasm_bindgen(skip_typescript)]
pub struct HotdataCore {
    client: Client<Fetch>,
}

#[wasm_bindgen]
impl HotdataCore {
    /// Makes a client; nothing is sent until the first call.
    #[wasm_bindgen(constructor, skip_typescript)]
    pub fn new(options: &JsValue) -> Result<HotdataCore, JsValue> {
        Self::made(options).map_err(to_js)
    }

    /// Starts a call; `first` is what it takes beside its options.
    #[wasm_bindgen(skip_typescript)]
    pub fn call(&self, name: CallName, first: JsValue, options: &JsValue) -> Promise {
        self.start(options, Call { name, first })
    }
}

impl HotdataCore {
    fn made(options: &JsValue) -> Result<Self> {
        let options = Options::read(options, &["apiKey", "fetch"]);
        let settings = Settings::parse(&options.input)?;
        let key = options.host("apiKey");
        if !is_given(&key) {
            return Err(Error::argument(
                "apiKey",
                "is missing: it must be an API key, or a function that gives one",
            ));
        }
        if !key.is_function() && !is_key(&key) {
            return Err(Error::argument(
                "apiKey",
                "must be a string of visible ASCII characters without spaces, or a function that gives one",
            ));
        }
        let fetch = options.function("fetch", "must be a function like fetch")?;
        let transport = Fetch { key, fetch, signal: None };
        Ok(Self { client: Client::new(settings, transport) })
    }

    /// Starts a call with the signal and the time of its options.
    fn start(&self, options: &JsValue, call: Call) -> Promise {
        let client = self.client.clone();
        let options = Options::read(options, call.host_options());
        promise(async move {
            let transport = client.transport().for_call(signal_of(options.host("signal"))?);
            let mut times = Value::Object(Vec::new());
            for name in Limits::OPTIONS {
                times = times.with(name, decode(&options.host(name)));
            }
            let limits = client.limits().with(&Fields::of_answer(&times)?)?;
            call.run(&client.for_call(transport, limits), options).await
        })
    }
}
