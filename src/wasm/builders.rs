//! The pure builders: options in, SQL out, nothing sent.

use wasm_bindgen::prelude::*;

use crate::error::Result;
use crate::sql::{DistanceSearch, HybridSearch, SemanticSearch, TextSearch};

use super::error::to_js;
use super::input::decode;

/// SQL that ranks the rows of a table by words, over a BM25 index: its columns and `score`, best first.
#[wasm_bindgen(js_name = bm25SearchSql)]
pub fn bm25_search_sql(
    #[wasm_bindgen(unchecked_param_type = "TextSearchOptions & { textBound?: number }")]
    options: &JsValue,
) -> Result<String, JsValue> {
    TextSearch::parse(&decode(options)).and_then(|search| search.sql()).map_err(to_js)
}

/// SQL that ranks the rows of a table by meaning, over a provider-backed vector index: its columns and `_distance`,
/// nearest first.
#[wasm_bindgen(js_name = vectorSearchSql)]
pub fn vector_search_sql(
    #[wasm_bindgen(unchecked_param_type = "TextSearchOptions")] options: &JsValue,
) -> Result<String, JsValue> {
    SemanticSearch::parse(&decode(options)).map(|search| search.sql()).map_err(to_js)
}

/// SQL that ranks the rows of a table by the distance of a vector column from a vector: its columns and `_distance`,
/// nearest first.
#[wasm_bindgen(js_name = vectorDistanceSql)]
pub fn vector_distance_sql(
    #[wasm_bindgen(unchecked_param_type = "VectorSearchOptions")] options: &JsValue,
) -> Result<String, JsValue> {
    DistanceSearch::parse(&decode(options)).map(|search| search.sql()).map_err(to_js)
}

/// SQL that fuses several rankings of a table by rank: its columns and `score`, best first, one row a key.
#[wasm_bindgen(js_name = hybridSearchSql)]
pub fn hybrid_search_sql(
    #[wasm_bindgen(unchecked_param_type = "HybridSearchOptions & { textBound?: number }")]
    options: &JsValue,
) -> Result<String, JsValue> {
    HybridSearch::parse(&decode(options)).and_then(|search| search.sql()).map_err(to_js)
}
