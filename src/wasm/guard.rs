//! The end of a piece of work before it is done: the caller's abort, or its time. `pkg/entry/guard.js` watches.

use std::rc::Rc;

use js_sys::{Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

use crate::client::Allowed;
use crate::error::{Cause, Code, Error, Result};

use super::input::is_given;

#[wasm_bindgen(raw_module = "./values.js")]
extern "C" {
    #[wasm_bindgen(js_name = signalState)]
    fn signal_state(signal: &JsValue) -> JsValue;
}

#[wasm_bindgen(raw_module = "./guard.js")]
extern "C" {
    #[wasm_bindgen(js_name = paused)]
    fn paused_for(signal: Option<&AbortSignal>, ms: u32) -> Promise;
}

#[wasm_bindgen]
extern "C" {
    type Ending;

    #[wasm_bindgen(method, getter)]
    fn how(this: &Ending) -> u8;

    #[wasm_bindgen(method, getter)]
    fn value(this: &Ending) -> JsValue;

    #[wasm_bindgen(method, getter)]
    fn unsent(this: &Ending) -> JsValue;
}

/// What work came to that nobody aborted and that did not outlast its time.
pub enum Ended {
    /// Its value.
    Done(JsValue),
    /// What it threw.
    Failed(JsValue),
}

/// Awaits what `guard.js` watches.
pub async fn ended(work: Promise, allowed: Allowed) -> Result<Ended> {
    // It resolves however the work ends.
    let ending = JsFuture::from(work).await.unwrap_or(JsValue::UNDEFINED);
    let ending: Ending = ending.unchecked_into();
    // The numbers are those of guard.js.
    match ending.how() {
        0 => Ok(Ended::Done(ending.value())),
        1 => Ok(Ended::Failed(ending.value())),
        2 => Err(aborted(ending.value())),
        _ => {
            let mut error = allowed.ran_out();
            error.unapplied = ending.unsent().is_truthy();
            Err(error)
        }
    }
}

/// Waits, or fails at once where the caller aborts.
pub async fn paused(signal: Option<&AbortSignal>, milliseconds: u32) -> Result<()> {
    let ending = JsFuture::from(paused_for(signal, milliseconds)).await;
    let ending: Ending = ending.unwrap_or(JsValue::UNDEFINED).unchecked_into();
    if ending.how() == 2 { Err(aborted(ending.value())) } else { Ok(()) }
}

/// The error of an abort; the caller's reason is its cause, and what JavaScript rejects with.
fn aborted(reason: JsValue) -> Error {
    let mut error = Error::new(Code::Aborted, "The call was aborted");
    error.cause = Some(Cause(Rc::new(reason)));
    error
}

/// The `signal` member of a call's options. Fails where it has been aborted already.
pub fn signal_of(value: JsValue) -> Result<Option<AbortSignal>> {
    if !is_given(&value) {
        return Ok(None);
    }
    // By shape: a signal of another realm is no instance of this one's class.
    let state = signal_state(&value);
    if state.is_undefined() {
        return Err(Error::argument("signal", "must be an AbortSignal"));
    }
    let member = |name: &str| Reflect::get(&state, &name.into()).unwrap_or(JsValue::UNDEFINED);
    if member("aborted").is_truthy() {
        return Err(aborted(member("reason")));
    }
    Ok(Some(value.unchecked_into()))
}
