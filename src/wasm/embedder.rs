//! The caller's `embed`: a function from texts to vectors.

use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use crate::error::{Code, Error, Result};
use crate::search::Embedder;
use crate::value::Value;
use crate::vector::Vector;

use super::guard::{Allowed, Guard};
use super::input::decode;

const FAILED: &str = "`embed` failed";

/// One call's embedder.
pub struct JsEmbedder {
    pub function: Function,
    pub signal: Option<AbortSignal>,
    pub allowed: Allowed,
}

impl Embedder for JsEmbedder {
    async fn embed(&self, text: &str) -> Result<Vector> {
        let guard = Guard::start(self.signal.as_ref(), self.allowed)?;
        let options = Object::new();
        let _ = Reflect::set(&options, &"signal".into(), &guard.host_signal());
        let texts = Array::of1(&text.into());
        let given = self.function.call2(&JsValue::UNDEFINED, &texts, &options);
        let given = guard.race(given, Code::EmbedFailed, FAILED).await?;
        let vectors = match decode(&given) {
            Value::List(vectors) => vectors,
            _ => return Err(wrong("an array with one vector for the one text")),
        };
        match vectors.as_slice() {
            [Value::Numbers(vector)] => vector.clone().checked("vector").map_err(|error| {
                Error::new(Code::EmbedFailed, error.message.as_str()).within(FAILED)
            }),
            [_] => Err(wrong("vectors as arrays of numbers or Float32Array")),
            _ => Err(wrong(&format!("one vector for the one text, and gave {}", vectors.len()))),
        }
    }
}

fn wrong(expected: &str) -> Error {
    Error::new(Code::EmbedFailed, format!("`embed` must give {expected}"))
}
