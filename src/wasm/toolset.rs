//! What `class Toolset` of `pkg/entry/toolset.js` holds.

use std::rc::Rc;

use js_sys::{Function, Object, Promise};
use wasm_bindgen::prelude::*;

use crate::client::Client;
use crate::error::Result;
use crate::tools::{self, Definition, ToolsOptions};
use crate::value::{Fields, Value};

use super::embedder::JsEmbedder;
use super::encode::{encoded, parsed};
use super::error::to_js;
use super::fetch::Fetch;
use super::guard::signal_of;
use super::input::{Options, decode};
use super::promise;
use super::source::JsLoader;

/// The tools of one agent.
#[wasm_bindgen(skip_typescript)]
pub struct ToolsetCore {
    inner: Rc<tools::Toolset>,
    client: Client<Fetch>,
    embed: Option<Function>,
}

#[wasm_bindgen]
impl ToolsetCore {
    /// The definitions, as a model and a framework take them.
    #[wasm_bindgen(skip_typescript)]
    pub fn definitions(&self) -> Result<JsValue, JsValue> {
        encoded(&Value::list(&mut self.inner.definitions().iter().map(Definition::to_value)))
            .map_err(to_js)
    }

    /// What was resolved and why: the route of the search, why nothing was fused.
    #[wasm_bindgen(skip_typescript)]
    pub fn notes(&self) -> Vec<String> {
        self.inner.notes().to_vec()
    }

    /// Runs one call of a model. A failed tool is a result with `isError`; only an abort rejects, and options that are
    /// none.
    #[wasm_bindgen(skip_typescript)]
    pub fn call(&self, name: &JsValue, args: &JsValue, options: &JsValue) -> Promise {
        let (inner, client, embed) = (self.inner.clone(), self.client.clone(), self.embed.clone());
        let (name, arguments) = (name.as_string().unwrap_or_default(), decode(args));
        let options = Options::read(options, &["signal"]);
        promise(async move {
            Fields::new("toolset.call", &options.input, &[])?;
            let transport = client.transport().for_call(signal_of(options.host("signal"))?);
            let client = client.for_call(transport, client.limits());
            let allowed = client.allowed()?;
            let embedder = embed.map(|function| JsEmbedder {
                function,
                signal: client.transport().signal.clone(),
                allowed,
            });
            let loader = JsLoader(client.clone());
            let result =
                inner.call(&client, embedder.as_ref(), Some(&loader), &name, &arguments).await?;
            encoded_result(result)
        })
    }
}

impl ToolsetCore {
    /// Resolves the tools over the client's transport.
    pub(super) async fn build(
        client: &Client<Fetch>,
        options: ToolsOptions,
        embed: Option<Function>,
    ) -> Result<Self> {
        let inner = tools::Toolset::build(client, options, embed.is_some()).await?;
        // A later call brings its own signal and time.
        let client = client.for_call(client.transport().for_call(None), client.limits());
        Ok(Self { inner: Rc::new(inner), client, embed })
    }
}

fn encoded_result(result: tools::ToolResult) -> Result<JsValue> {
    let object = Object::new();
    for (name, value) in [
        ("content", JsValue::from(&result.content)),
        ("structured", parsed(&result.structured)?),
        ("isError", result.is_error.into()),
    ] {
        let _ = js_sys::Reflect::set(&object, &name.into(), &value);
    }
    Ok(object.into())
}
