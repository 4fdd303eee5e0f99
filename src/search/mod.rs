//! Searches as calls, and which index serves a column.

mod call;
mod hint;
mod route;

pub use call::{search_hybrid, search_semantic, search_text};
use hint::with_search_hint;
pub(crate) use hint::{Asks, is_query_syntax, refusal_of};
pub use route::{Question, Route, Routed, Strategy, route};

use crate::error::Result;
use crate::vector::Vector;

/// Turns a question into a vector, with the model that the stored vectors were made with.
#[allow(async_fn_in_trait)] // Single-threaded by nature: no caller needs the future to be Send.
pub trait Embedder {
    /// The vector of one text.
    async fn embed(&self, text: &str) -> Result<Vector>;
}
