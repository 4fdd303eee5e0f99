//! Hotdata for JavaScript agents: SQL, text search, vector search and their fusion, compiled to WebAssembly.
//!
//! Modules depend downwards only: [`tools`] on [`search`], [`search`] on [`client`], [`client`] on [`sql`] and [`lint`],
//! all on [`error`].
//! Only `wasm` knows JavaScript; everything else is plain Rust, without an async runtime, a clock or I/O.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod client;
pub mod error;
pub mod lint;
mod number;
pub mod search;
pub mod sql;
mod text;
pub mod tools;
pub mod value;
pub mod vector;

#[cfg(target_arch = "wasm32")]
mod wasm;
