//! Query rows as JSON, Arrow IPC, CSV, Markdown and Parquet.

pub mod arrow;
pub mod csv;
pub mod flat;
pub mod json;
pub mod markdown;
pub mod parquet;

use ::arrow::array::RecordBatch;
use ::arrow::error::ArrowError;
use bytes::Bytes;

/// A piece of a body, or why it could not be written.
pub type Chunk = Result<Bytes, ArrowError>;

/// The rows from `offset` on, at most `limit` of them. Slices: nothing is copied.
pub fn window(batches: &[RecordBatch], offset: u64, limit: Option<u64>) -> Vec<RecordBatch> {
    let mut skip = offset;
    let mut left = limit.unwrap_or(u64::MAX);
    let mut kept = Vec::new();
    for batch in batches {
        if left == 0 {
            break;
        }
        let rows = batch.num_rows() as u64;
        if skip >= rows {
            skip -= rows;
            continue;
        }
        let take = left.min(rows - skip);
        // Both fit in usize: they are bounded by the batch's row count.
        kept.push(batch.slice(skip as usize, take as usize));
        left -= take;
        skip = 0;
    }
    kept
}
