//! The caller's `embed`: a function from texts to vectors.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use crate::client::Allowed;
use crate::error::{Code, Error, Result};
use crate::search::Embedder;
use crate::value::Value;
use crate::vector::Vector;

use super::error::caused;
use super::guard::{Ended, ended};
use super::input::decode;

const FAILED: &str = "`embed` failed";

#[wasm_bindgen(raw_module = "./guard.js")]
extern "C" {
    fn embedded(embed: &Function, texts: &Array, signal: Option<&AbortSignal>, ms: u32) -> Promise;
}

/// One call's embedder.
pub struct JsEmbedder {
    pub function: Function,
    pub signal: Option<AbortSignal>,
    pub allowed: Allowed,
}

impl Embedder for JsEmbedder {
    async fn embed(&self, text: &str) -> Result<Vector> {
        let texts = Array::of1(&text.into());
        let (signal, ms) = (self.signal.as_ref(), self.allowed.milliseconds);
        let work = embedded(&self.function, &texts, signal, ms);
        let given = match ended(work, self.allowed).await? {
            Ended::Done(given) => given,
            Ended::Failed(thrown) => return Err(caused(Code::EmbedFailed, FAILED, thrown)),
        };
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
