//! `cosine_distance`, `l2_distance` and `negative_dot_product`.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, Float32Array, Float32Builder, new_null_array};
use arrow::datatypes::DataType;
use datafusion::common::{exec_datafusion_err, exec_err, plan_err};
use datafusion::error::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::scalar::ScalarValue;

use crate::vectors::{Metric, VectorColumn, is_vector_type};

/// The distance of two vectors, as `Float32`; NULL where either is.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct DistanceFunction {
    metric: Metric,
    signature: Signature,
}

impl DistanceFunction {
    pub fn new(metric: Metric) -> Self {
        // `any`: DataFusion must not turn a list of integers into floats, as the service does not.
        Self { metric, signature: Signature::any(2, Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for DistanceFunction {
    fn name(&self) -> &str {
        self.metric.function()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        for argument in arguments {
            if !is_vector_type(argument) && argument != &DataType::Null {
                return plan_err!(
                    "{}: arguments must be lists of floats, got {argument}",
                    self.name()
                );
            }
        }
        Ok(DataType::Float32)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = arguments.number_rows;
        let [left, right] = arguments.args.as_slice() else {
            return exec_err!("{}: expected 2 arguments", self.name());
        };
        if left.data_type() == DataType::Null || right.data_type() == DataType::Null {
            return Ok(ColumnarValue::Scalar(ScalarValue::Float32(None)));
        }
        match (left, right) {
            (ColumnarValue::Scalar(left), ColumnarValue::Scalar(right)) => {
                let distances = self.pairs(&*left.to_array()?, &*right.to_array()?)?;
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&distances, 0)?))
            }
            (ColumnarValue::Array(column), ColumnarValue::Scalar(query))
            | (ColumnarValue::Scalar(query), ColumnarValue::Array(column)) => {
                Ok(ColumnarValue::Array(self.to_one(column, &*query.to_array()?, rows)?))
            }
            (ColumnarValue::Array(left), ColumnarValue::Array(right)) => {
                Ok(ColumnarValue::Array(Arc::new(self.pairs(left, right)?)))
            }
        }
    }
}

impl DistanceFunction {
    fn vectors<'a>(&self, array: &'a dyn Array) -> Result<VectorColumn<'a>> {
        VectorColumn::new(array).ok_or_else(|| {
            exec_datafusion_err!(
                "{}: arguments must be lists of floats, got {}",
                self.name(),
                array.data_type()
            )
        })
    }

    fn to_one(&self, column: &ArrayRef, query: &dyn Array, rows: usize) -> Result<ArrayRef> {
        let query = self.vectors(query)?;
        let mut query_scratch = Vec::new();
        let Some(query) = query.row(0, &mut query_scratch) else {
            return Ok(new_null_array(&DataType::Float32, rows));
        };
        let vectors = self.vectors(column)?;
        let mut distances = Float32Builder::with_capacity(vectors.len());
        let mut scratch = Vec::new();
        for row in 0..vectors.len() {
            let Some(vector) = vectors.row(row, &mut scratch) else {
                distances.append_null();
                continue;
            };
            if vector.len() != query.len() {
                return exec_err!(
                    "{}: query vector length ({}) must match row {row} dimensionality ({})",
                    self.name(),
                    query.len(),
                    vector.len()
                );
            }
            distances.append_value(self.metric.distance(vector, query));
        }
        Ok(Arc::new(distances.finish()))
    }

    fn pairs(&self, left: &dyn Array, right: &dyn Array) -> Result<Float32Array> {
        let (left, right) = (self.vectors(left)?, self.vectors(right)?);
        let mut distances = Float32Builder::with_capacity(left.len());
        let (mut left_scratch, mut right_scratch) = (Vec::new(), Vec::new());
        for row in 0..left.len() {
            let a = left.row(row, &mut left_scratch);
            let b = right.row(row, &mut right_scratch);
            match (a, b) {
                (Some(a), Some(b)) if a.len() == b.len() => {
                    distances.append_value(self.metric.distance(a, b));
                }
                (Some(a), Some(b)) => {
                    return exec_err!(
                        "{}: vector lengths differ in row {row} ({} and {})",
                        self.name(),
                        a.len(),
                        b.len()
                    );
                }
                _ => distances.append_null(),
            }
        }
        Ok(distances.finish())
    }
}
