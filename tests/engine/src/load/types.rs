//! Type names a load may declare.

use std::str::FromStr;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, TimeUnit};

use crate::error::{EngineError, Result};

/// The Arrow type of a declared name: the service's SQL names (`BIGINT`, `DECIMAL(10,2)`, …), any of them followed
/// by `[]` for a list, or an Arrow type as `information_schema` prints it (`List(Float32)`).
pub fn parse(column: &str, name: &str) -> Result<DataType> {
    let trimmed = name.trim();
    sql_type(&trimmed.to_uppercase())
        .or_else(|| DataType::from_str(trimmed).ok())
        .filter(|data_type| data_type != &DataType::Null)
        .ok_or_else(|| {
            EngineError::bad_request(format!(
                "columns: unknown type {name:?} of '{column}'; accepted: VARCHAR, TEXT, STRING, CHAR, BOOLEAN, \
                 TINYINT, SMALLINT, INTEGER, BIGINT, UTINYINT, USMALLINT, UINTEGER, UBIGINT, REAL, FLOAT, DOUBLE, \
                 DECIMAL(p,s), NUMERIC(p,s), DATE, TIME, TIMESTAMP, TIMESTAMPTZ, BINARY, BLOB, UUID, JSON, and a \
                 type followed by [] for a list"
            ))
        })
}

fn sql_type(name: &str) -> Option<DataType> {
    if let Some(item) = name.strip_suffix("[]") {
        let item = sql_type(item.trim())?;
        return Some(DataType::List(Arc::new(Field::new_list_field(item, true))));
    }
    let (base, arguments) = match name.split_once('(') {
        None => (name, Vec::new()),
        Some((base, rest)) => {
            let arguments =
                rest.strip_suffix(')')?.split(',').map(|part| part.trim().parse::<u8>().ok());
            (base.trim(), arguments.collect::<Option<Vec<u8>>>()?)
        }
    };
    let simple = match base {
        "VARCHAR" | "TEXT" | "STRING" | "CHAR" | "UUID" | "JSON" => DataType::Utf8,
        "BOOLEAN" | "BOOL" => DataType::Boolean,
        "TINYINT" => DataType::Int8,
        "SMALLINT" => DataType::Int16,
        "INTEGER" | "INT" => DataType::Int32,
        "BIGINT" => DataType::Int64,
        "UTINYINT" => DataType::UInt8,
        "USMALLINT" => DataType::UInt16,
        "UINTEGER" => DataType::UInt32,
        "UBIGINT" => DataType::UInt64,
        "REAL" | "FLOAT" => DataType::Float32,
        "DOUBLE" => DataType::Float64,
        "DATE" => DataType::Date32,
        "TIME" => DataType::Time64(TimeUnit::Microsecond),
        "TIMESTAMP" => DataType::Timestamp(TimeUnit::Microsecond, None),
        "TIMESTAMPTZ" => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        "BINARY" | "BLOB" => DataType::Binary,
        "DECIMAL" | "NUMERIC" => {
            let precision = arguments.first().copied().unwrap_or(18);
            let scale =
                arguments.get(1).copied().unwrap_or(if arguments.is_empty() { 3 } else { 0 });
            let fits = (1..=38).contains(&precision) && scale <= precision && arguments.len() <= 2;
            return fits.then_some(DataType::Decimal128(precision, scale.cast_signed()));
        }
        _ => return None,
    };
    // A length bounds nothing here.
    (arguments.is_empty() || matches!(base, "VARCHAR" | "CHAR")).then_some(simple)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let parsed = |name| {
            parse("c", name).map(|data_type| data_type.to_string()).map_err(|error| error.status)
        };
        assert_eq!(parsed("bigint"), Ok("Int64".to_owned()));
        assert_eq!(parsed("DECIMAL(10, 2)"), Ok("Decimal128(10, 2)".to_owned()));
        assert_eq!(parsed("VARCHAR(20)"), Ok("Utf8".to_owned()));
        assert_eq!(parsed("FLOAT[]"), Ok("List(Float32)".to_owned()));
        assert_eq!(parsed("List(Float32)"), Ok("List(Float32)".to_owned()));
        for bad in ["", "NOPE", "DECIMAL(99,2)", "DECIMAL(2,9)", "BIGINT(3)", "DECIMAL(1", "Null"] {
            assert_eq!(parsed(bad), Err(400), "{bad}");
        }
    }
}
