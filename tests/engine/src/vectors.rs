//! Reading vectors out of Arrow columns, and the three distances.

use std::ops::Range;

use arrow::array::{Array, AsArray, FixedSizeListArray, LargeListArray, ListArray};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Float32Type, Float64Type};
use serde::{Deserialize, Serialize};

/// How near two vectors are: lower is nearer for all three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Squared Euclidean distance.
    L2,
    /// 1 - cosine; 1 beside a zero vector.
    Cosine,
    /// Minus the inner product.
    Dot,
}

impl Metric {
    pub const ALL: [Metric; 3] = [Metric::L2, Metric::Cosine, Metric::Dot];

    /// From the wire's name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|metric| metric.name() == name)
    }

    /// The wire's name.
    pub fn name(self) -> &'static str {
        match self {
            Metric::L2 => "l2",
            Metric::Cosine => "cosine",
            Metric::Dot => "dot",
        }
    }

    /// The SQL function that computes it.
    pub fn function(self) -> &'static str {
        match self {
            Metric::L2 => "l2_distance",
            Metric::Cosine => "cosine_distance",
            Metric::Dot => "negative_dot_product",
        }
    }

    pub fn from_function(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|metric| metric.function() == name)
    }

    /// The distance of two vectors of one width.
    pub fn distance(self, a: &[f32], b: &[f32]) -> f32 {
        match self {
            Metric::L2 => distance_kernel::l2_f32(a, b),
            Metric::Cosine => distance_kernel::cosine_f32(a, b),
            Metric::Dot => distance_kernel::negative_dot_f32(a, b),
        }
    }
}

/// Whether a column of this type holds vectors: a list of `Float32` or `Float64`.
pub fn is_vector_type(data_type: &DataType) -> bool {
    match data_type {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            matches!(item.data_type(), DataType::Float32 | DataType::Float64)
        }
        _ => false,
    }
}

/// A column of vectors, read without copying where its values are `Float32`.
pub struct VectorColumn<'a> {
    rows: Rows<'a>,
    values: Values<'a>,
    value_nulls: Option<&'a NullBuffer>,
}

enum Rows<'a> {
    List(&'a ListArray),
    Large(&'a LargeListArray),
    Fixed(&'a FixedSizeListArray),
}

enum Values<'a> {
    F32(&'a [f32]),
    F64(&'a [f64]),
}

impl<'a> VectorColumn<'a> {
    /// `None` when [`is_vector_type`] says no.
    pub fn new(array: &'a dyn Array) -> Option<Self> {
        let (rows, values) = if let Some(list) = array.as_list_opt::<i32>() {
            (Rows::List(list), list.values())
        } else if let Some(list) = array.as_list_opt::<i64>() {
            (Rows::Large(list), list.values())
        } else {
            let list = array.as_fixed_size_list_opt()?;
            (Rows::Fixed(list), list.values())
        };
        let value_nulls = values.nulls().filter(|nulls| nulls.null_count() > 0);
        let values = if let Some(values) = values.as_primitive_opt::<Float32Type>() {
            Values::F32(values.values())
        } else {
            Values::F64(values.as_primitive_opt::<Float64Type>()?.values())
        };
        Some(Self { rows, values, value_nulls })
    }

    pub fn len(&self) -> usize {
        match self.rows {
            Rows::List(list) => list.len(),
            Rows::Large(list) => list.len(),
            Rows::Fixed(list) => list.len(),
        }
    }

    /// Where a row's values stand; `None` for a NULL row or one with a NULL inside.
    fn range(&self, row: usize) -> Option<Range<usize>> {
        let (null, range) = match self.rows {
            Rows::List(list) => {
                let offsets = list.offsets();
                (list.is_null(row), offsets[row] as usize..offsets[row + 1] as usize)
            }
            Rows::Large(list) => {
                let offsets = list.offsets();
                (list.is_null(row), offsets[row] as usize..offsets[row + 1] as usize)
            }
            Rows::Fixed(list) => {
                let start = list.value_offset(row) as usize;
                (list.is_null(row), start..start + list.value_length() as usize)
            }
        };
        let holed =
            self.value_nulls.is_some_and(|nulls| range.clone().any(|value| nulls.is_null(value)));
        (!null && !holed).then_some(range)
    }

    /// The width of a row; `None` where the row is no vector.
    pub fn width(&self, row: usize) -> Option<usize> {
        self.range(row).map(|range| range.len())
    }

    /// A row's vector, in `scratch` where it has to be narrowed; `None` where the row is no vector.
    pub fn row<'s>(&'s self, row: usize, scratch: &'s mut Vec<f32>) -> Option<&'s [f32]> {
        let range = self.range(row)?;
        Some(match self.values {
            Values::F32(values) => &values[range],
            Values::F64(values) => {
                distance_kernel::narrow(&values[range], scratch);
                scratch
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{Float32Array, Float64Array, Int64Array};
    use arrow::datatypes::Field;

    use super::*;

    fn vector(column: &dyn Array, row: usize) -> Option<Vec<f32>> {
        let column = VectorColumn::new(column)?;
        column.row(row, &mut Vec::new()).map(<[f32]>::to_vec)
    }

    #[test]
    fn reads_lists_of_either_float_and_skips_nulls() {
        let wide = ListArray::from_iter_primitive::<Float64Type, _, _>([
            Some(vec![Some(1.0), Some(0.5)]),
            None,
            Some(vec![Some(1.0), None]),
        ]);
        assert_eq!(vector(&wide, 0), Some(vec![1.0, 0.5]));
        assert_eq!(vector(&wide, 1), None);
        assert_eq!(vector(&wide, 2), None);
        let large =
            LargeListArray::from_iter_primitive::<Float32Type, _, _>([Some(vec![Some(3.0)])]);
        assert_eq!(vector(&large, 0), Some(vec![3.0]));
    }

    #[test]
    fn a_slice_reads_its_own_rows() {
        let item = Arc::new(Field::new("item", DataType::Float32, true));
        let fixed = FixedSizeListArray::new(
            item,
            2,
            Arc::new(Float32Array::from(vec![1.0, 2.0, 3.0, 4.0])),
            None,
        );
        assert_eq!(vector(&fixed.slice(1, 1), 0), Some(vec![3.0, 4.0]));
        let list = ListArray::from_iter_primitive::<Float32Type, _, _>([
            Some(vec![Some(1.0)]),
            Some(vec![Some(2.0), Some(3.0)]),
        ]);
        assert_eq!(vector(&list.slice(1, 1), 0), Some(vec![2.0, 3.0]));
    }

    #[test]
    fn other_columns_hold_no_vectors() {
        let integers =
            ListArray::from_iter_primitive::<arrow::datatypes::Int64Type, _, _>([Some(vec![
                Some(1),
            ])]);
        assert!(VectorColumn::new(&integers).is_none());
        assert!(VectorColumn::new(&Int64Array::from(vec![1])).is_none());
        assert!(VectorColumn::new(&Float64Array::from(vec![1.0])).is_none());
    }
}
