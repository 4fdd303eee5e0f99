//! The HTTP API of the local engine: the service's paths, headers, status codes and error envelopes over
//! `hotdata-local-engine`.
//!
//! [`router`] serves one [`ServerState`], [`serve`] does so on a socket; the binary adds flags and the sample data.
#![forbid(unsafe_code)]

pub mod embedding_http;
pub mod encode;
pub mod faults;
pub mod http;
pub mod options;
pub mod seed;
pub mod state;
pub mod store;

pub use faults::connection::serve;
pub use http::router;
pub use options::ServerOptions;
pub use state::ServerState;
