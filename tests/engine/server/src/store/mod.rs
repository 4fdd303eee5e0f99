//! What the HTTP side keeps in memory besides the engine: results, query runs, jobs, uploads, loads.

pub mod ids;
pub mod jobs;
pub mod loads;
pub mod results;
pub mod runs;
pub mod uploads;
