//! A Parquet file. Its footer comes last and names every part, so it is written whole.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

pub const MEDIA_TYPE: &str = "application/vnd.apache.parquet";

/// A result without columns has no Parquet form and is an error, like a column type Parquet lacks.
pub fn whole(schema: SchemaRef, batches: &[RecordBatch]) -> Result<Vec<u8>, ArrowError> {
    if schema.fields().is_empty() {
        return Err(ArrowError::InvalidArgumentError(
            "a result without columns cannot be written as Parquet".into(),
        ));
    }
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties))?;
    for batch in batches {
        writer.write(batch)?;
    }
    Ok(writer.into_inner()?)
}
