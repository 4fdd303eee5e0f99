//! The JavaScript face: the only code that knows `JsValue`. It decodes, calls the core and encodes.

mod builders;
mod call;
mod client;
mod embedder;
mod encode;
mod error;
mod fetch;
mod guard;
mod input;
mod rows;
mod source;
mod toolset;
mod types;

use std::pin::Pin;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::future_to_promise;

/// Smaller than the standard one by a hundredth of the download, and faster.
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// A promise for the future's value, or for its error as a `HotdataError` (an abort: as the caller's own reason).
fn promise(future: impl Future<Output = crate::error::Result<JsValue>> + 'static) -> Promise {
    boxed_promise(Box::pin(future))
}

/// One body for every call: the machinery around a future is large, and is generated once a type.
fn boxed_promise(future: Pin<Box<dyn Future<Output = crate::error::Result<JsValue>>>>) -> Promise {
    future_to_promise(async move { future.await.map_err(error::to_js) })
}
