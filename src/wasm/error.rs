//! Errors across the border: ours out as `HotdataError`, the host's in as a cause.

use std::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::error::{Cause, Code, Error};
use crate::text::shortened;
use crate::value::Value;

use super::encode::encoded;

#[wasm_bindgen(raw_module = "./values.js")]
extern "C" {
    #[wasm_bindgen(js_name = wordsOf)]
    fn words_of(thrown: &JsValue) -> String;
}

#[wasm_bindgen(raw_module = "./errors.js")]
extern "C" {
    type HotdataError;

    #[wasm_bindgen(constructor)]
    fn new(failure: &JsValue, cause: &JsValue) -> HotdataError;
}

/// The error as JavaScript throws it.
pub fn to_js(error: Error) -> JsValue {
    let cause = error
        .cause
        .as_ref()
        .and_then(|cause| cause.0.downcast_ref::<JsValue>())
        .cloned()
        .unwrap_or(JsValue::UNDEFINED);
    if error.code == Code::Aborted && !cause.is_undefined() {
        return cause;
    }
    let failure = Value::object([
        ("code", error.code.as_str().into()),
        ("message", (&error.message).into()),
        ("status", error.status.map(u64::from).into()),
        ("engineMessage", error.engine_message.as_ref().into()),
        ("hint", error.hint.as_ref().into()),
        ("retryable", error.retryable.into()),
        ("queryRunId", error.query_run_id.as_ref().into()),
    ]);
    HotdataError::new(&encoded(&failure).unwrap_or(JsValue::UNDEFINED), &cause).into()
}

/// An error that keeps what the host threw, with the host's words after ours.
pub fn caused(code: Code, what: &str, thrown: JsValue) -> Error {
    let words = words_of(&thrown);
    let message = if words.is_empty() {
        what.to_owned()
    } else {
        format!("{what}: {}", shortened(&words, 500))
    };
    let mut error = Error::new(code, message);
    error.cause = Some(Cause(Rc::new(thrown)));
    error
}

/// The error behind what a script of this package threw: its own, or one that keeps the host's.
pub fn of_thrown(code: Code, what: &str, thrown: JsValue) -> Error {
    let member =
        |name: &str| js_sys::Reflect::get(&thrown, &name.into()).unwrap_or(JsValue::UNDEFINED);
    let ours = (member("name").as_string().as_deref() == Some("HotdataError"))
        .then(|| Code::named(&member("code").as_string()?))
        .flatten();
    let Some(code) = ours else {
        return caused(code, what, thrown);
    };
    let mut error = Error::new(code, member("message").as_string().unwrap_or_default());
    error.status = member("status").as_f64().map(|status| status as u16);
    error.hint = member("hint").as_string();
    error.retryable = member("retryable").is_truthy();
    let cause = member("cause");
    error.cause = (!cause.is_undefined()).then(|| Cause(Rc::new(cause)));
    error
}
