//! The HTTP API of the local engine: the service's paths, headers, status codes and error envelopes over
//! `hotdata-local-engine`.
//!
//! [`router`] serves one [`ServerState`]; the binary adds flags, the sample data and a listener on 127.0.0.1.
#![forbid(unsafe_code)]

pub mod embedding_http;
pub mod encode;
pub mod http;
pub mod options;
pub mod seed;
pub mod state;
pub mod store;

pub use http::router;
pub use options::ServerOptions;
pub use state::ServerState;
