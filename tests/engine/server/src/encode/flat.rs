//! What a table of text can show: nested values as JSON text, NaN and infinities as null.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, PrimitiveArray, RecordBatch, RecordBatchOptions, StringBuilder,
};
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Field, FieldRef, Float16Type, Float32Type, Float64Type, Schema,
    SchemaRef,
};
use arrow::error::ArrowError;
use arrow_json::writer::{EncoderOptions, make_encoder};

/// The schema [`batch`] gives its batches.
pub fn schema(schema: &Schema) -> SchemaRef {
    let fields: Vec<Field> = schema
        .fields()
        .iter()
        .map(|field| {
            let shown =
                if is_flat(field.data_type()) { field.data_type().clone() } else { DataType::Utf8 };
            // Nullable throughout: a non-finite value of a non-null column becomes null.
            Field::new(field.name(), shown, true)
        })
        .collect();
    Arc::new(Schema::new(fields))
}

/// The batch with only columns a text table can show.
pub fn batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let columns = batch
        .schema()
        .fields()
        .iter()
        .zip(batch.columns())
        .map(|(field, column)| match column.data_type() {
            DataType::Float16 => Ok(finite::<Float16Type>(column, |v| v.is_finite())),
            DataType::Float32 => Ok(finite::<Float32Type>(column, f32::is_finite)),
            DataType::Float64 => Ok(finite::<Float64Type>(column, f64::is_finite)),
            data_type if is_flat(data_type) => Ok(Arc::clone(column)),
            _ => as_json(field, column),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
}

fn is_flat(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_flat(values),
        other => !other.is_nested(),
    }
}

fn finite<T: ArrowPrimitiveType>(column: &ArrayRef, is_finite: fn(T::Native) -> bool) -> ArrayRef {
    let array: &PrimitiveArray<T> = column.as_primitive::<T>();
    if array.iter().flatten().all(is_finite) {
        return Arc::clone(column);
    }
    Arc::new(
        array.iter().map(|value| value.filter(|v| is_finite(*v))).collect::<PrimitiveArray<T>>(),
    )
}

fn as_json(field: &FieldRef, column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let options = EncoderOptions::default();
    let mut encoder = make_encoder(field, column.as_ref(), &options)?;
    let mut texts = StringBuilder::with_capacity(column.len(), 0);
    let mut text = Vec::new();
    for row in 0..column.len() {
        if encoder.is_null(row) {
            texts.append_null();
        } else {
            text.clear();
            encoder.encode(row, &mut text);
            texts.append_value(String::from_utf8_lossy(&text));
        }
    }
    Ok(Arc::new(texts.finish()))
}
