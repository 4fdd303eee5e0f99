//! Rows as JSON arrays of values, each value as arrow-json writes it.
//!
//! The text is written straight from the arrays: a value tree in between would lose the digits of 64-bit integers
//! and decimals.

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;
use arrow::error::ArrowError;
use arrow_json::writer::{EncoderOptions, NullableEncoder, make_encoder};

/// Where writing rows stops.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    pub rows: usize,
    pub bytes: usize,
}

impl Budget {
    pub const UNBOUNDED: Self = Self { rows: usize::MAX, bytes: usize::MAX };
}

/// How far writing rows came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    pub rows: usize,
    /// False when the budget stopped it.
    pub complete: bool,
}

/// Appends `[[…],[…]]` to `out`, whole rows within the budget. A row that would exceed it is left out.
pub fn rows(
    batches: &[RecordBatch],
    budget: Budget,
    out: &mut Vec<u8>,
) -> Result<Written, ArrowError> {
    let options = EncoderOptions::default();
    let mut written = 0usize;
    out.push(b'[');
    let start = out.len();
    for batch in batches {
        let schema = batch.schema();
        let mut encoders: Vec<NullableEncoder<'_>> = schema
            .fields()
            .iter()
            .zip(batch.columns())
            .map(|(field, column)| make_encoder(field, column.as_ref(), &options))
            .collect::<Result<_, _>>()?;
        for row in 0..batch.num_rows() {
            let before = out.len();
            if written > 0 {
                out.push(b',');
            }
            out.push(b'[');
            for (at, encoder) in encoders.iter_mut().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                if encoder.is_null(row) {
                    out.extend_from_slice(b"null");
                } else {
                    encoder.encode(row, out);
                }
            }
            out.push(b']');
            if written == budget.rows || out.len() - start > budget.bytes {
                out.truncate(before);
                out.push(b']');
                return Ok(Written { rows: written, complete: false });
            }
            written += 1;
        }
    }
    out.push(b']');
    Ok(Written { rows: written, complete: true })
}

/// Column names and whether each may hold null, as JSON arrays. A name may occur twice.
pub fn columns(schema: &Schema) -> (serde_json::Value, serde_json::Value) {
    let names = schema.fields().iter().map(|field| field.name().as_str().into()).collect();
    let nullable = schema.fields().iter().map(|field| field.is_nullable().into()).collect();
    (serde_json::Value::Array(names), serde_json::Value::Array(nullable))
}
