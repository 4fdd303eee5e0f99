//! The SQL that `hotdata-wasm` builds, proved by running it: plans, rows, ranks.

mod aggregate;
mod fixture;
mod fusion;
mod guard;
mod guide;
mod hostile;
mod lints;
mod plans;
mod relevance;
mod single;
