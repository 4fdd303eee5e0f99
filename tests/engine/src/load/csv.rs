//! CSV with a header row. Types are read off all rows unless told; an empty cell is NULL.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema};
use arrow_csv::ReaderBuilder;
use arrow_csv::reader::Format;
use arrow_json::reader::ReaderBuilder as JsonReaderBuilder;

use super::{Rows, Types, batch_of, cast};
use crate::catalog::BATCH_ROWS;
use crate::error::{EngineError, Result};
use crate::identifiers;

pub fn decode(bytes: &[u8], types: &Types) -> Result<Rows> {
    // A byte order mark would become part of the first name.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (found, _) =
        Format::default().with_header(true).infer_schema(bytes, None).map_err(bad_csv)?;
    if found.fields().is_empty()
        || found.fields().iter().all(|field| field.name().trim().is_empty())
    {
        return Err(EngineError::bad_request("CSV: the first line must name the columns"));
    }
    let names: Vec<&str> = found.fields().iter().map(|field| field.name().trim()).collect();
    let names = identifiers::normalize_columns("CSV header", names)?;
    types.check(&names)?;
    let wanted: Vec<DataType> = names
        .iter()
        .zip(found.fields())
        .map(|(name, field)| types.get(name).cloned().unwrap_or_else(|| field.data_type().clone()))
        .map(|data_type| if data_type == DataType::Null { DataType::Utf8 } else { data_type })
        .collect();
    let read: Vec<Field> = names
        .iter()
        .zip(&wanted)
        .map(|(name, wanted)| {
            Field::new(name, if is_read(wanted) { wanted.clone() } else { DataType::Utf8 }, true)
        })
        .collect();
    let reader = ReaderBuilder::new(Arc::new(Schema::new(read)))
        .with_header(true)
        .with_batch_size(BATCH_ROWS)
        .build(bytes)
        .map_err(bad_csv)?;
    let fields: Vec<Field> = names
        .iter()
        .zip(&wanted)
        .map(|(name, wanted)| Field::new(name, wanted.clone(), true))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let mut batches = Vec::new();
    for batch in reader {
        let batch = batch.map_err(bad_csv)?;
        let columns = batch
            .columns()
            .iter()
            .zip(schema.fields())
            .map(|(column, field)| typed(column, field))
            .collect::<Result<Vec<ArrayRef>>>()?;
        batches.push(batch_of(&schema, columns, batch.num_rows())?);
    }
    Ok(Rows { schema, batches })
}

/// Whether the CSV reader makes this type itself; others are read as text first.
fn is_read(data_type: &DataType) -> bool {
    data_type.is_integer()
        || data_type.is_floating()
        || matches!(
            data_type,
            DataType::Utf8
                | DataType::Boolean
                | DataType::Date32
                | DataType::Timestamp(..)
                | DataType::Time64(_)
                | DataType::Decimal128(..)
        )
}

fn typed(column: &ArrayRef, field: &Field) -> Result<ArrayRef> {
    if column.data_type() != field.data_type() && field.data_type().is_nested() {
        return nested(column, field);
    }
    cast(column, field.data_type(), field.name())
}

/// Cells of a list or struct are written as JSON: `[0.5,1.0]`.
fn nested(column: &ArrayRef, field: &Field) -> Result<ArrayRef> {
    let refused =
        |error: String| EngineError::bad_request(format!("column '{}': {error}", field.name()));
    let texts = column.as_string::<i32>();
    let mut lines = String::new();
    for text in texts {
        let text = text.unwrap_or("null");
        // A line a row: a line break inside a cell is white space to JSON.
        let value: Box<serde_json::value::RawValue> =
            serde_json::from_str(text).map_err(|error| refused(format!("{error} in {text:?}")))?;
        lines.push_str("{\"v\":");
        lines.push_str(value.get());
        lines.push_str("}\n");
    }
    let schema = Arc::new(Schema::new(vec![Field::new("v", field.data_type().clone(), true)]));
    let reader = JsonReaderBuilder::new(schema.clone())
        .with_batch_size(BATCH_ROWS)
        .build(lines.as_bytes())
        .map_err(|error| refused(error.to_string()))?;
    let batches = reader
        .collect::<std::result::Result<Vec<RecordBatch>, _>>()
        .map_err(|error| refused(error.to_string()))?;
    let joined = arrow::compute::concat_batches(&schema, &batches)
        .map_err(|error| refused(error.to_string()))?;
    Ok(joined.column(0).clone())
}

fn bad_csv(error: arrow::error::ArrowError) -> EngineError {
    EngineError::bad_request(format!("CSV: {error}"))
}

#[cfg(test)]
mod tests {
    use arrow::array::Array;
    use arrow::datatypes::Float32Type;

    use super::*;
    use crate::load::types;

    #[test]
    fn types_are_read_off_the_rows() {
        let rows = decode(b"a,b,c,d\n1,0.5,true,x\n2,,false,\n", &Types::default()).unwrap();
        let found: Vec<String> =
            rows.schema.fields().iter().map(|field| field.data_type().to_string()).collect();
        assert_eq!(found, ["Int64", "Float64", "Boolean", "Utf8"]);
        assert_eq!(rows.batches[0].column(3).null_count(), 1);
    }

    #[test]
    fn declared_types_must_cover_the_header() {
        let types = |names: &[(&str, &str)]| Types {
            by_name: names
                .iter()
                .map(|(name, t)| ((*name).to_owned(), types::parse(name, t).unwrap()))
                .collect(),
            declared: true,
        };
        assert!(decode(b"a,b\n1,2\n", &types(&[("a", "BIGINT")])).is_err());
        assert!(decode(b"a\n1\n", &types(&[("a", "BIGINT"), ("b", "TEXT")])).is_err());
        let rows =
            decode(b"a,b\n1,07\n", &types(&[("a", "DECIMAL(10,2)"), ("b", "TEXT")])).unwrap();
        assert_eq!(rows.schema.field(0).data_type(), &DataType::Decimal128(10, 2));
        assert_eq!(rows.batches[0].column(1).as_string::<i32>().value(0), "07");
    }

    #[test]
    fn lists_are_json_cells() {
        let types = Types {
            by_name: vec![("v".to_owned(), types::parse("v", "FLOAT[]").unwrap())],
            declared: false,
        };
        let rows = decode(b"id,v\n1,\"[0.5, 1]\"\n2,\n", &types).unwrap();
        let list = rows.batches[0].column(1).as_list::<i32>();
        assert_eq!(list.value(0).as_primitive::<Float32Type>().values(), &[0.5, 1.0]);
        assert!(list.is_null(1));
        assert!(decode(b"id,v\n1,nope\n", &types).is_err());
    }

    #[test]
    fn malformed_text_is_refused() {
        for bad in [&b""[..], b"\n", b"a,b\n1\n", b"a\n\xff\xfe\n"] {
            assert_eq!(
                decode(bad, &Types::default()).map(|_| ()).unwrap_err().status,
                400,
                "{bad:?}"
            );
        }
    }
}
