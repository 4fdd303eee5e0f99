//! The pure functions: options in, SQL out, or SQL in and what is to be said of it; nothing sent.

use wasm_bindgen::prelude::*;

use crate::error::Result;
use crate::lint::{KnownIndex, lint};
use crate::sql::{DistanceSearch, HybridSearch, SemanticSearch, TextSearch};

use super::encode::encoded;
use super::error::to_js;
use super::input::decode;
use crate::value::{Fields, Value};

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

/// What SQL does not do as it seems to, in the order of the text; nothing is sent. With `indexes`, as `listIndexes` gives
/// them, also what no index serves.
#[wasm_bindgen(js_name = lintSql, unchecked_return_type = "Lint[]")]
pub fn lint_sql(
    #[wasm_bindgen(unchecked_param_type = "string")] sql: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "LintContext")] context: &JsValue,
) -> Result<JsValue, JsValue> {
    // Text with half of a surrogate pair is read too: a place in it is a place all the same.
    let sql = sql.as_string().map_or_else(|| decode(sql), Value::Text);
    let sql = Value::object([("sql", sql)]);
    let linted = || -> Result<JsValue> {
        let sql = Fields::of_answer(&sql)?.required_text("sql")?;
        let found = lint(sql, &KnownIndex::parse(&decode(context))?);
        encoded(&Value::list(&mut found.iter().map(|lint| lint.to_value(sql))))
    };
    linted().map_err(to_js)
}
