//! `interface Toolset`.

use std::rc::Rc;

use js_sys::{Array, Function, Object, Promise};
use wasm_bindgen::prelude::*;

use crate::client::Client;
use crate::error::Result;
use crate::tools::{self, Definition, ToolsOptions};
use crate::value::{Fields, Value};

use super::embedder::JsEmbedder;
use super::encode::{encoded, parsed};
use super::fetch::Fetch;
use super::guard::signal_of;
use super::input::{Options, decode};
use super::promise;

/// The tools of one agent.
#[wasm_bindgen]
pub struct Toolset {
    inner: Rc<tools::Toolset>,
    client: Client<Fetch>,
    embed: Option<Function>,
    definitions: JsValue,
    notes: JsValue,
}

#[wasm_bindgen]
impl Toolset {
    /// The definitions, as a model and a framework take them.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly ToolDefinition[]")]
    pub fn tools(&self) -> JsValue {
        self.definitions.clone()
    }

    /// What was resolved and why: the route of the search, why nothing was fused.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly string[]")]
    pub fn notes(&self) -> JsValue {
        self.notes.clone()
    }

    /// Runs one call of a model. A failed tool is a result with `isError`; only an abort rejects, and options that are
    /// none.
    #[wasm_bindgen(unchecked_return_type = "Promise<ToolResult>")]
    pub fn call(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "unknown")] args: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "{ signal?: AbortSignal }")]
        options: &JsValue,
    ) -> Promise {
        let (inner, client, embed) = (self.inner.clone(), self.client.clone(), self.embed.clone());
        let (name, arguments) = (name.as_string().unwrap_or_default(), decode(args));
        let options = Options::read(options, &["signal"]);
        promise(async move {
            Fields::new("toolset.call", &options.input, &[])?;
            let transport = client.transport().for_call(signal_of(options.host("signal"))?);
            let embedder = embed.map(|function| JsEmbedder {
                function,
                signal: transport.signal.clone(),
                allowed: transport.allowed(),
            });
            let client = client.over(transport);
            let result = inner.call(&client, embedder.as_ref(), &name, &arguments).await?;
            encoded_result(result)
        })
    }
}

impl Toolset {
    /// Resolves the tools over the client's transport.
    pub(super) async fn build(
        client: &Client<Fetch>,
        options: ToolsOptions,
        embed: Option<Function>,
    ) -> Result<Self> {
        let inner = tools::Toolset::build(client, options, embed.is_some()).await?;
        let definitions =
            encoded(&Value::list(&mut inner.definitions().iter().map(Definition::to_value)))?;
        let notes: Array = inner.notes().iter().map(JsValue::from).collect();
        Object::freeze(definitions.unchecked_ref::<Object>());
        Object::freeze(notes.unchecked_ref::<Object>());
        // A later call brings its own signal and time.
        let client = client.over(client.transport().for_call(None));
        Ok(Self { inner: Rc::new(inner), client, embed, definitions, notes: notes.into() })
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
