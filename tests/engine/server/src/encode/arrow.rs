//! An Arrow IPC stream, one chunk a batch.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow_ipc::writer::StreamWriter;
use bytes::Bytes;

use crate::encode::Chunk;

pub const MEDIA_TYPE: &str = "application/vnd.apache.arrow.stream";

/// The schema message, the batches, the end marker.
pub fn chunks(
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> Result<impl Iterator<Item = Chunk> + Send, ArrowError> {
    let mut writer = StreamWriter::try_new(Vec::new(), &schema)?;
    let steps = batches.into_iter().map(Some).chain(std::iter::once(None));
    Ok(steps.map(move |step| {
        match step {
            Some(batch) => writer.write(&batch)?,
            None => writer.finish()?,
        }
        Ok(Bytes::from(std::mem::take(writer.get_mut())))
    }))
}

/// The whole stream at once.
pub fn whole(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Vec<u8>, ArrowError> {
    let mut writer = StreamWriter::try_new(Vec::new(), &schema)?;
    for batch in &batches {
        writer.write(batch)?;
    }
    writer.into_inner()
}
