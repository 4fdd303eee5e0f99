//! The TypeScript of the values that cross the border; classes and functions bring their own.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");
