//! The end of a piece of work before it is done: the caller's abort, or its time.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal};

use crate::error::{Cause, Code, Error, Result};

use super::error::caused;

#[wasm_bindgen]
extern "C" {
    // The bare globals: `window` is missing in Node and in workers.
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &JsValue, milliseconds: i32) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

#[wasm_bindgen(raw_module = "./values.js")]
extern "C" {
    #[wasm_bindgen(js_name = signalState)]
    fn signal_state(signal: &JsValue) -> JsValue;
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Open,
    Aborted,
    TimedOut,
}

/// How long a piece of work may take, and by which option.
#[derive(Debug, Clone, Copy)]
pub struct Allowed {
    pub milliseconds: u32,
    pub option: &'static str,
    /// What the option is set to.
    pub set_to: u32,
}

impl Allowed {
    fn ran_out(self) -> Error {
        Error::new(
            Code::Timeout,
            format!("No answer within {} ms (`{}` sets the time)", self.set_to, self.option),
        )
    }
}

/// Watches one piece of work. Dropping it leaves no timer and no listener behind.
pub struct Guard {
    /// Aborted when the guard ends the work; what the host is handed instead of the caller's own signal.
    controller: AbortController,
    signal: Option<AbortSignal>,
    end: Rc<Cell<End>>,
    allowed: Allowed,
    ended: Promise,
    on_abort: Closure<dyn FnMut()>,
    timer: JsValue,
    _on_time: Closure<dyn FnMut()>,
}

impl Guard {
    /// Starts the time. Fails where the caller has aborted already.
    pub fn start(signal: Option<&AbortSignal>, allowed: Allowed) -> Result<Self> {
        if let Some(signal) = signal.filter(|signal| member_of(signal, "aborted").is_truthy()) {
            return Err(aborted(signal));
        }
        if allowed.milliseconds == 0 {
            return Err(allowed.ran_out());
        }
        let controller = AbortController::new()
            .map_err(|e| caused(Code::Internal, "AbortController is missing", e))?;
        let end = Rc::new(Cell::new(End::Open));
        // Resolved, never rejected: nobody may be waiting when it comes.
        let mut resolve: Option<Function> = None;
        let ended = Promise::new(&mut |resolver, _| resolve = Some(resolver));
        let finish = |as_what: End| {
            let (end, resolve, controller) = (end.clone(), resolve.clone(), controller.clone());
            Closure::<dyn FnMut()>::new(move || {
                end.set(as_what);
                controller.abort();
                if let Some(resolve) = &resolve {
                    let _ = resolve.call0(&JsValue::UNDEFINED);
                }
            })
        };
        let (on_abort, on_time) = (finish(End::Aborted), finish(End::TimedOut));
        if let Some(signal) = signal {
            let listener = on_abort.as_ref().unchecked_ref();
            signal
                .add_event_listener_with_callback("abort", listener)
                .map_err(|e| caused(Code::InvalidArgument, "`signal` cannot be listened to", e))?;
        }
        let timer =
            set_timeout(on_time.as_ref(), i32::try_from(allowed.milliseconds).unwrap_or(i32::MAX));
        Ok(Self {
            controller,
            signal: signal.cloned(),
            end,
            allowed,
            ended,
            on_abort,
            timer,
            _on_time: on_time,
        })
    }

    /// The signal for the host.
    pub fn host_signal(&self) -> AbortSignal {
        self.controller.signal()
    }

    /// The work's value, its failure under the given code and words, or why it ended before. A host that ignores its
    /// signal is not waited for.
    pub async fn race(
        &self,
        work: Result<JsValue, JsValue>,
        code: Code,
        what: &str,
    ) -> Result<JsValue> {
        let outcome = match work {
            Ok(work) => {
                let work = Promise::resolve(&work);
                JsFuture::from(Promise::race(&Array::of2(&work, &self.ended))).await
            }
            Err(thrown) => Err(thrown),
        };
        match (self.end.get(), outcome) {
            (End::Open, Ok(value)) => Ok(value),
            (End::Open, Err(thrown)) => Err(caused(code, what, thrown)),
            (End::Aborted, _) => Err(self
                .signal
                .as_ref()
                .map_or_else(|| Error::new(Code::Aborted, "The call was aborted"), aborted)),
            (End::TimedOut, _) => Err(self.allowed.ran_out()),
        }
    }

    /// Waits until the time is over.
    pub async fn wait(self) -> Result<()> {
        let _ = JsFuture::from(self.ended.clone()).await;
        match (self.end.get(), &self.signal) {
            (End::Aborted, Some(signal)) => Err(aborted(signal)),
            _ => Ok(()),
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        clear_timeout(&self.timer);
        if let Some(signal) = &self.signal {
            let _ = signal.remove_event_listener_with_callback(
                "abort",
                self.on_abort.as_ref().unchecked_ref(),
            );
        }
    }
}

/// The error of an abort; the caller's reason is its cause, and what JavaScript rejects with.
fn aborted(signal: &AbortSignal) -> Error {
    let reason = member_of(signal, "reason");
    let mut error = Error::new(Code::Aborted, "The call was aborted");
    error.cause = Some(Cause(Rc::new(reason)));
    error
}

/// A member of a signal, undefined where it cannot be read.
fn member_of(signal: &AbortSignal, name: &str) -> JsValue {
    Reflect::get(&signal_state(signal), &name.into()).unwrap_or(JsValue::UNDEFINED)
}

/// The `signal` member of a call's options.
pub fn signal_of(value: JsValue) -> Result<Option<AbortSignal>> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    // By shape: a signal of another realm is no instance of this one's class.
    if !signal_state(&value).is_undefined() {
        return Ok(Some(value.unchecked_into()));
    }
    Err(Error::argument("signal", "must be an AbortSignal"))
}
