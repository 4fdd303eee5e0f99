//! `bindgen INPUT.wasm OUT_DIR`: writes `core_bg.js`, `core_bg.wasm` and their declarations for the package's entries.

#![forbid(unsafe_code)]

use std::path::PathBuf;

use anyhow::{Result, bail};
use wasm_bindgen_cli_support::{Bindgen, EncodeInto};

fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [input, output] = arguments.as_slice() else {
        bail!("usage: bindgen INPUT.wasm OUT_DIR");
    };
    Bindgen::new()
        .input_path(input)
        .out_name("core")
        // The one output that leaves instantiation to the caller: each entry does it the way its runtime allows.
        .bundler(true)?
        .typescript(true)
        // Every supported runtime has TextEncoder.encodeInto, so the fallback would be dead weight.
        .encode_into(EncodeInto::Always)
        .remove_producers_section(true)
        .generate(output)
}
