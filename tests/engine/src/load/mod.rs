//! From a load's bytes to a table's new rows.

pub mod csv;
pub mod merge;
pub mod ndjson;
pub mod parquet;
pub mod types;

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use crate::error::{EngineError, Result};
use crate::identifiers;
use crate::model::{LoadFormat, LoadSource};

/// Decoded rows with stored column names.
#[derive(Debug, Clone)]
pub struct Rows {
    pub schema: SchemaRef,
    pub batches: Vec<RecordBatch>,
}

/// Types a decoder is told, by stored column name.
#[derive(Debug, Clone, Default)]
pub struct Types {
    pub by_name: Vec<(String, DataType)>,
    /// The request declared them: they must name every column and no other.
    pub declared: bool,
}

impl Types {
    pub fn get(&self, name: &str) -> Option<&DataType> {
        self.by_name.iter().find(|(known, _)| known == name).map(|(_, data_type)| data_type)
    }

    /// Refuses declared types that do not cover the columns exactly.
    fn check(&self, columns: &[String]) -> Result<()> {
        if !self.declared {
            return Ok(());
        }
        let missing = columns.iter().find(|name| self.get(name).is_none());
        let unknown =
            self.by_name.iter().map(|(name, _)| name).find(|name| !columns.contains(name));
        match (missing, unknown) {
            (Some(name), _) => Err(EngineError::bad_request(format!(
                "columns: '{name}' is in the data and not in columns, which must name every column"
            ))),
            (_, Some(name)) => {
                Err(EngineError::bad_request(format!("columns: '{name}' is not in the data")))
            }
            _ => Ok(()),
        }
    }
}

/// Decodes a load's source. Column names come out in lower case.
pub fn decode(source: LoadSource, types: &Types) -> Result<Rows> {
    let rows = match source {
        LoadSource::Batches { schema, batches } => Rows { schema, batches },
        LoadSource::Bytes { bytes, format } => match format.unwrap_or_else(|| sniff(&bytes)) {
            LoadFormat::Csv => csv::decode(&bytes, types)?,
            LoadFormat::Json => ndjson::decode(&bytes, types)?,
            LoadFormat::Parquet => parquet::decode(bytes)?,
        },
    };
    let rows = with_stored_names(rows)?;
    if rows.schema.fields().is_empty() {
        return Err(EngineError::bad_request("the load has no columns"));
    }
    let columns: Vec<String> =
        rows.schema.fields().iter().map(|field| field.name().clone()).collect();
    types.check(&columns)?;
    Ok(rows)
}

/// The format of bytes that came without one: Parquet by its magic number, JSON by its first character, else CSV.
fn sniff(bytes: &[u8]) -> LoadFormat {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if bytes.starts_with(b"PAR1") {
        LoadFormat::Parquet
    } else if first == Some(&b'{') {
        LoadFormat::Json
    } else {
        LoadFormat::Csv
    }
}

/// Lowercases names, makes every column nullable and drops metadata: a table's schema is its names and types.
fn with_stored_names(rows: Rows) -> Result<Rows> {
    let names: Vec<&str> = rows.schema.fields().iter().map(|field| field.name().as_str()).collect();
    let names = identifiers::normalize_columns("columns", names)?;
    let fields: Vec<Field> = names
        .into_iter()
        .zip(rows.schema.fields())
        .map(|(name, field)| Field::new(name, stored_type(field.data_type()), true))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let batches = rows
        .batches
        .into_iter()
        .map(|batch| {
            let columns = batch
                .columns()
                .iter()
                .zip(schema.fields())
                .map(|(column, field)| cast(column, field.data_type(), field.name()))
                .collect::<Result<Vec<ArrayRef>>>()?;
            batch_of(&schema, columns, batch.num_rows())
        })
        .collect::<Result<_>>()?;
    Ok(Rows { schema, batches })
}

/// The type a column is kept in. A column of nothing but NULLs is text; a dictionary is its values.
fn stored_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Null => DataType::Utf8,
        DataType::Dictionary(_, values) => stored_type(values),
        other => other.clone(),
    }
}

pub fn batch_of(schema: &SchemaRef, columns: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options)
        .map_err(|error| EngineError::internal(error.to_string()))
}

/// Casts a loaded column; a value that does not fit is an error that names the column.
pub fn cast(column: &ArrayRef, to: &DataType, name: &str) -> Result<ArrayRef> {
    if column.data_type() == to {
        return Ok(column.clone());
    }
    let options = CastOptions { safe: false, ..CastOptions::default() };
    cast_with_options(column, to, &options)
        .map_err(|error| EngineError::bad_request(format!("column '{name}': {error}")))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    #[test]
    fn formats_are_told_by_the_bytes() {
        assert_eq!(sniff(b"PAR1..."), LoadFormat::Parquet);
        assert_eq!(sniff(b"\n {\"a\":1}"), LoadFormat::Json);
        assert_eq!(sniff(b"a,b\n1,2"), LoadFormat::Csv);
        assert_eq!(sniff(b""), LoadFormat::Csv);
    }

    #[test]
    fn names_are_lowercased_and_must_differ() {
        let load = |text: &str| {
            let bytes = Bytes::copy_from_slice(text.as_bytes());
            decode(LoadSource::Bytes { bytes, format: None }, &Types::default())
        };
        assert_eq!(load("driverId,Name\n1,x\n").unwrap().schema.field(0).name(), "driverid");
        assert!(load("id,ID\n1,2\n").is_err());
        assert!(load("").is_err());
    }
}
