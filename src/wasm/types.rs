//! The TypeScript of the values that cross the border; classes and functions bring their own.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const CLIENT: &str = include_str!("types/client.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const SEARCH: &str = include_str!("types/search.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const SERVICE: &str = include_str!("types/service.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const TOOLS: &str = include_str!("types/tools.d.ts");
