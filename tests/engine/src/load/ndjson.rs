//! Newline-delimited JSON: one object a line. Types are read off the rows unless told.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow_json::ReaderBuilder;
use arrow_json::reader::infer_json_schema;

use super::{Rows, Types};
use crate::catalog::BATCH_ROWS;
use crate::error::{EngineError, Result};

/// Rows read for types before all of them are: reading every row twice is slow for large loads.
const SAMPLE_ROWS: usize = 1_000;

pub fn decode(bytes: &[u8], types: &Types) -> Result<Rows> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return Err(EngineError::bad_request(
            "JSON: expected newline-delimited objects, one a line, got an array",
        ));
    }
    // The sample may miss a column or a wider type: then every row decides.
    match read(bytes, infer(bytes, types, Some(SAMPLE_ROWS))?, true) {
        Ok(rows) => Ok(rows),
        Err(_) => read(bytes, infer(bytes, types, None)?, false).map_err(bad_json),
    }
}

fn infer(bytes: &[u8], types: &Types, rows: Option<usize>) -> Result<SchemaRef> {
    let (found, _) = infer_json_schema(bytes, rows).map_err(bad_json)?;
    let fields: Vec<Field> = found
        .fields()
        .iter()
        .map(|field| {
            let told = types.get(&field.name().to_lowercase()).cloned();
            let data_type = told.unwrap_or_else(|| without_nulls(field.data_type()));
            Field::new(field.name(), data_type, true)
        })
        .collect();
    Ok(Arc::new(Schema::new(fields)))
}

/// Nothing but nulls reads as text.
fn without_nulls(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Null => DataType::Utf8,
        DataType::List(item) => {
            DataType::List(Arc::new(Field::new_list_field(without_nulls(item.data_type()), true)))
        }
        other => other.clone(),
    }
}

/// `strict` fails on a field the schema does not have.
fn read(bytes: &[u8], schema: SchemaRef, strict: bool) -> std::result::Result<Rows, ArrowError> {
    let reader = ReaderBuilder::new(schema.clone())
        .with_batch_size(BATCH_ROWS)
        .with_strict_mode(strict)
        .build(bytes)?;
    Ok(Rows { schema, batches: reader.collect::<std::result::Result<_, _>>()? })
}

fn bad_json(error: ArrowError) -> EngineError {
    EngineError::bad_request(format!("JSON: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_off_the_rows() {
        let rows = decode(
            b"{\"id\":1,\"v\":[0.5,1]}\n{\"id\":2,\"t\":\"x\",\"n\":null}\n",
            &Types::default(),
        )
        .unwrap();
        let of = |name: &str| rows.schema.field_with_name(name).unwrap().data_type().to_string();
        assert_eq!(
            (of("id"), of("v"), of("t"), of("n")),
            ("Int64".into(), "List(Float64)".into(), "Utf8".into(), "Utf8".into())
        );
        assert_eq!(rows.batches[0].num_rows(), 2);
    }

    #[test]
    fn late_columns_and_wider_types_are_found() {
        let mut text = "{\"a\":1}\n".repeat(SAMPLE_ROWS + 10);
        text.push_str("{\"a\":1.5,\"late\":\"x\"}\n");
        let rows = decode(text.as_bytes(), &Types::default()).unwrap();
        assert!(rows.schema.field_with_name("late").is_ok());
        assert_eq!(rows.schema.field_with_name("a").unwrap().data_type(), &DataType::Float64);
    }

    #[test]
    fn malformed_text_is_refused() {
        for bad in ["[{\"a\":1}]", "{\"a\":", "{\"a\":1}}", "nope"] {
            assert_eq!(
                decode(bad.as_bytes(), &Types::default()).map(|_| ()).unwrap_err().status,
                400,
                "{bad}"
            );
        }
    }
}
