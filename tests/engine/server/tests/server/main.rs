//! The HTTP API, called in-process. One binary, so that the engine is linked once.

mod async_runs;
mod attached;
mod command;
mod cors;
mod databases;
mod embedding_service;
mod encodings;
mod envelope;
mod fault_endings;
mod fault_sockets;
mod faults;
mod guard;
mod indexes;
mod loads;
mod queries;
mod results;
mod seed;
mod support;
mod tables;
mod truncation;
mod uploads;
mod workspaces;
