//! Parquet, read whole; and written, for an engine with a data folder.

use std::io::Write;

use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use super::Rows;
use crate::catalog::{BATCH_ROWS, TableData};
use crate::error::{EngineError, Result};

pub fn decode(bytes: Bytes) -> Result<Rows> {
    let refused = |error: String| EngineError::bad_request(format!("Parquet: {error}"));
    let builder = ParquetRecordBatchReaderBuilder::try_new(bytes)
        .map_err(|error| refused(error.to_string()))?;
    let schema = builder.schema().clone();
    let reader =
        builder.with_batch_size(BATCH_ROWS).build().map_err(|error| refused(error.to_string()))?;
    let batches = reader
        .collect::<std::result::Result<_, _>>()
        .map_err(|error| refused(error.to_string()))?;
    Ok(Rows { schema, batches })
}

/// Writes a table's rows plainly: compression and dictionaries are slow in a development build.
pub fn encode(data: &TableData, to: impl Write + Send) -> std::result::Result<(), ParquetError> {
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .build();
    let mut writer = ArrowWriter::try_new(to, data.schema.clone(), Some(properties))?;
    for batch in &data.batches {
        writer.write(batch)?;
    }
    writer.close()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Int64Array, ListArray, RecordBatch};
    use arrow::datatypes::Float32Type;

    use super::*;

    #[test]
    fn rows_survive_writing_and_reading() {
        let ids: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None]));
        let vectors: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>([
            Some(vec![Some(0.5)]),
            None,
        ]));
        let batch = RecordBatch::try_from_iter([("id", ids), ("v", vectors)]).unwrap();
        let data = TableData::new(batch.schema(), vec![batch.clone()]);
        let mut file = Vec::new();
        encode(&data, &mut file).unwrap();
        assert_eq!(decode(Bytes::from(file)).unwrap().batches, vec![batch]);
    }

    #[test]
    fn malformed_bytes_are_refused() {
        for bad in [&b"PAR1"[..], b"", b"PAR1\0\0\0\0PAR1"] {
            assert_eq!(decode(Bytes::from_static(bad)).map(|_| ()).unwrap_err().status, 400);
        }
    }
}
