//! Values of the core as JavaScript's.

use js_sys::JSON;
use wasm_bindgen::prelude::*;

use crate::error::{Code, Result};
use crate::value::Value;

use super::error::caused;

/// A value as plain objects, NULL as null.
pub fn encoded(value: &Value) -> Result<JsValue> {
    parsed(&value.to_json())
}

/// JSON text as JavaScript's own parser reads it.
pub fn parsed(json: &str) -> Result<JsValue> {
    JSON::parse(json)
        .map_err(|thrown| caused(Code::Internal, "An answer cannot be encoded", thrown))
}
