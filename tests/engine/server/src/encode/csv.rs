//! CSV with a header row, one chunk a batch.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow_csv::WriterBuilder;

use crate::encode::{Chunk, flat};

pub const MEDIA_TYPE: &str = "text/csv; charset=utf-8";

/// Null is an empty field; nested values are JSON text.
pub fn chunks(schema: SchemaRef, batches: Vec<RecordBatch>) -> impl Iterator<Item = Chunk> + Send {
    let shown = flat::schema(&schema);
    let header = std::iter::once((RecordBatch::new_empty(schema), true));
    header.chain(batches.into_iter().map(|batch| (batch, false))).map(move |(batch, header)| {
        let mut out = Vec::new();
        let mut writer = WriterBuilder::new().with_header(header).build(&mut out);
        writer.write(&flat::batch(&batch, &shown)?)?;
        drop(writer);
        Ok(out.into())
    })
}
