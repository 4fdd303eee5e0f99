//! Hotdata's engine on one machine: DataFusion for SQL, Tantivy for BM25, exact scans for vectors, behind the
//! service's HTTP API. A development tool: tests, the demo page and offline work.
//!
//! [`engine::Engine`] is everything but HTTP, which the `server` crate adds: nothing here opens a socket.
#![forbid(unsafe_code)]

mod attach;
mod catalog;
mod embedding;
pub mod engine;
pub mod error;
mod identifiers;
mod index;
mod isolate;
mod load;
pub mod model;
mod persist;
mod sql;
mod time;
mod vectors;
