//! Vector indexes: exact scans over the table's own vectors, so that nothing is held twice and answers are exact.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::hash::{DefaultHasher, Hasher};
use std::sync::OnceLock;

use arrow::array::{Array, AsArray, BooleanArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;

use crate::catalog::TableData;
use crate::embedding::Embedder;
use crate::error::{EngineError, Result};
use crate::vectors::{Metric, VectorColumn, is_vector_type};

/// What is known of an indexed vector column.
#[derive(Debug)]
pub struct VectorIndex {
    pub column: String,
    pub metric: Metric,
    /// Of every vector in the column; 0 while it holds none.
    pub width: usize,
    /// Of a provider-backed index.
    pub source: Option<EmbeddedSource>,
}

/// The text column a provider-backed index embeds.
#[derive(Debug)]
pub struct EmbeddedSource {
    pub column: String,
    pub embedder: Embedder,
    rows: OnceLock<TextRows>,
}

impl EmbeddedSource {
    pub fn new(column: String, embedder: Embedder) -> Self {
        Self { column, embedder, rows: OnceLock::new() }
    }

    /// The rows of the column's texts, for finding the stored embedding of one. Made when first asked for.
    pub fn rows(&self, data: &TableData) -> Result<&TextRows> {
        if let Some(rows) = self.rows.get() {
            return Ok(rows);
        }
        let made = TextRows::build(data, &self.column)?;
        Ok(self.rows.get_or_init(|| made))
    }
}

impl VectorIndex {
    /// Reads the width off the data. Fails on a column that holds no vectors or vectors of several widths.
    pub fn build(
        data: &TableData,
        column: &str,
        metric: Metric,
        source: Option<EmbeddedSource>,
    ) -> Result<Self> {
        let position = data.column_index(column)?;
        let data_type = data.schema.field(position).data_type();
        if !is_vector_type(data_type) {
            return Err(EngineError::bad_request(format!(
                "a vector index needs a column of vectors (a list of Float32 or Float64); '{column}' is {data_type}"
            )));
        }
        let mut width = 0;
        let mut row_id = 0;
        for batch in &data.batches {
            let vectors = batch.column(position);
            let vectors = VectorColumn::new(vectors).ok_or_else(|| no_vectors(column))?;
            for row in 0..vectors.len() {
                let found = vectors.width(row).unwrap_or(0);
                if width == 0 {
                    width = found;
                } else if found != 0 && found != width {
                    return Err(EngineError::bad_request(format!(
                        "vectors of the indexed column '{column}' must have one width: \
                         row {row_id} has {found}, rows before it {width}"
                    )));
                }
                row_id += 1;
            }
        }
        Ok(Self { column: column.to_owned(), metric, width, source })
    }
}

fn no_vectors(column: &str) -> EngineError {
    EngineError::internal(format!("column '{column}' changed its type under its index"))
}

/// The `k` nearest rows to a query as `(row id, distance)`, nearest first, ties by row. Rows without a vector, or
/// whose `masks` entry (one array a batch) is not true, are left out.
pub fn nearest(
    data: &TableData,
    column: &str,
    metric: Metric,
    query: &[f32],
    k: usize,
    masks: Option<&[BooleanArray]>,
) -> Result<Vec<(usize, f32)>> {
    let position = data.column_index(column)?;
    let k = k.min(data.rows);
    if k == 0 {
        return Ok(Vec::new());
    }
    let mut best: BinaryHeap<Hit> = BinaryHeap::with_capacity(k + 1);
    let mut scratch = Vec::new();
    let mut start = 0;
    for (number, batch) in data.batches.iter().enumerate() {
        let vectors = batch.column(position);
        let vectors = VectorColumn::new(vectors).ok_or_else(|| no_vectors(column))?;
        let mask = masks.and_then(|masks| masks.get(number));
        for row in 0..vectors.len() {
            if mask.is_some_and(|mask| mask.is_null(row) || !mask.value(row)) {
                continue;
            }
            let Some(vector) = vectors.row(row, &mut scratch) else {
                continue;
            };
            if vector.len() != query.len() {
                return Err(EngineError::bad_request(format!(
                    "{}: query vector length ({}) must match row {} dimensionality ({})",
                    metric.function(),
                    query.len(),
                    start + row,
                    vector.len()
                )));
            }
            let hit = Hit { distance: metric.distance(vector, query), row: start + row };
            if best.len() < k {
                best.push(hit);
            } else if best.peek().is_some_and(|worst| hit < *worst) {
                best.pop();
                best.push(hit);
            }
        }
        start += batch.num_rows();
    }
    Ok(best.into_sorted_vec().into_iter().map(|hit| (hit.row, hit.distance)).collect())
}

/// Ordered by distance, not-a-number last, then by row.
#[derive(Debug, Clone, Copy)]
struct Hit {
    distance: f32,
    row: usize,
}

impl Ord for Hit {
    fn cmp(&self, other: &Self) -> Ordering {
        // A negative NaN would sort first in the total order.
        let of = |hit: &Hit| {
            if hit.distance.is_nan() { f32::NAN } else { hit.distance }
        };
        of(self).total_cmp(&of(other)).then(self.row.cmp(&other.row))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Hit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Hit {}

/// From a text to a row that holds it. Equal texts have equal embeddings, so any row serves.
#[derive(Debug)]
pub struct TextRows {
    rows: HashMap<u64, u32>,
    position: usize,
}

impl TextRows {
    fn build(data: &TableData, column: &str) -> Result<Self> {
        let position = data.column_index(column)?;
        let mut rows = HashMap::with_capacity(data.rows);
        let mut start = 0;
        for batch in &data.batches {
            let texts = as_text(batch.column(position))?;
            let texts = texts.as_string::<i64>();
            for row in 0..texts.len() {
                if texts.is_null(row) {
                    continue;
                }
                let text = texts.value(row);
                let mut key = hash(text);
                while let Some(other) = rows.get(&key) {
                    if is_text_at(data, position, *other as usize, text)? {
                        break;
                    }
                    key = key.wrapping_add(1);
                }
                rows.entry(key).or_insert((start + row) as u32);
            }
            start += batch.num_rows();
        }
        Ok(Self { rows, position })
    }

    /// A row of the table that holds this text.
    pub fn find(&self, data: &TableData, text: &str) -> Result<Option<usize>> {
        let mut key = hash(text);
        while let Some(row) = self.rows.get(&key) {
            if is_text_at(data, self.position, *row as usize, text)? {
                return Ok(Some(*row as usize));
            }
            key = key.wrapping_add(1);
        }
        Ok(None)
    }
}

/// Any text column as `LargeUtf8`.
pub fn as_text(array: &dyn Array) -> Result<arrow::array::ArrayRef> {
    cast(array, &DataType::LargeUtf8).map_err(|error| EngineError::internal(error.to_string()))
}

/// Whether a row of the table holds this text.
pub fn is_text_at(data: &TableData, position: usize, row: usize, text: &str) -> Result<bool> {
    let (batch, row) = data.locate(row);
    let column = data.batches[batch].column(position);
    if let Some(texts) = column.as_string_opt::<i32>() {
        return Ok(texts.is_valid(row) && texts.value(row) == text);
    }
    let one = as_text(&column.slice(row, 1))?;
    Ok(one.is_valid(0) && one.as_string::<i64>().value(0) == text)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, ListArray, RecordBatch, StringArray};
    use arrow::datatypes::Float32Type;

    use super::*;

    fn data(vectors: Vec<Option<Vec<f32>>>) -> TableData {
        let column: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(
            vectors
                .into_iter()
                .map(|row| row.map(|row| row.into_iter().map(Some).collect::<Vec<_>>())),
        ));
        let batch = RecordBatch::try_from_iter([("embedding", column)]).unwrap();
        TableData::new(batch.schema(), vec![batch])
    }

    #[test]
    fn finds_the_nearest_and_leaves_out_nulls_and_masked_rows() {
        let data =
            data(vec![Some(vec![3.0]), None, Some(vec![1.0]), Some(vec![2.0]), Some(vec![1.0])]);
        let ids = |k, masks: Option<&[BooleanArray]>| -> Vec<usize> {
            let hits = nearest(&data, "embedding", Metric::L2, &[1.0], k, masks).unwrap();
            hits.into_iter().map(|hit| hit.0).collect()
        };
        assert_eq!(ids(3, None), [2, 4, 3]);
        assert_eq!(ids(99, None), [2, 4, 3, 0]);
        let mask = BooleanArray::from(vec![Some(true), Some(true), None, Some(true), Some(false)]);
        assert_eq!(ids(99, Some(&[mask])), [3, 0]);
    }

    #[test]
    fn the_width_is_read_off_the_data() {
        let index = |rows| VectorIndex::build(&data(rows), "embedding", Metric::Cosine, None);
        assert_eq!(index(vec![None, Some(vec![1.0, 2.0])]).unwrap().width, 2);
        assert_eq!(index(vec![None]).unwrap().width, 0);
        let error = index(vec![Some(vec![1.0]), Some(vec![1.0, 2.0])]).unwrap_err();
        assert!(error.message.contains("row 1 has 2, rows before it 1"), "{error}");
    }

    #[test]
    fn texts_are_found_again() {
        let column: ArrayRef =
            Arc::new(StringArray::from(vec![Some("a"), None, Some("b"), Some("a")]));
        let batch = RecordBatch::try_from_iter([("t", column)]).unwrap();
        let data = TableData::new(batch.schema(), vec![batch]);
        let rows = TextRows::build(&data, "t").unwrap();
        assert_eq!(rows.find(&data, "a").unwrap(), Some(0));
        assert_eq!(rows.find(&data, "b").unwrap(), Some(2));
        assert_eq!(rows.find(&data, "c").unwrap(), None);
    }
}
