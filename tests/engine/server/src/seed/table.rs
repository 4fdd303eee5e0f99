//! The sample's tables as Arrow batches.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, Float32Array, Int64Array, ListArray, RecordBatch, StringArray,
};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, Int64Type, Schema, SchemaRef};
use hotdata_local_engine::error::{EngineError, Result};

use super::corpus::{Corpus, WIDTH};

pub struct Rows {
    pub schema: SchemaRef,
    pub batches: Vec<RecordBatch>,
}

/// One row of the `papers` shape, before it is put into columns.
pub struct Row {
    pub id: i64,
    pub title: String,
    pub summary: String,
    pub content: String,
    pub embedding: Vec<f32>,
}

/// `id` BIGINT, `title`, `abstract`, `content`, `embedding` List(Float32).
pub fn schema() -> SchemaRef {
    let item = Arc::new(Field::new_list_field(DataType::Float32, true));
    Arc::new(Schema::new(vec![
        Field::new("id", DataType::Int64, true),
        Field::new("title", DataType::Utf8, true),
        Field::new("abstract", DataType::Utf8, true),
        Field::new("content", DataType::Utf8, true),
        Field::new("embedding", DataType::List(item), true),
    ]))
}

pub fn papers(corpus: &Corpus) -> Result<Rows> {
    let rows: Vec<Row> = corpus
        .papers
        .iter()
        .zip(&corpus.vectors)
        .map(|(paper, vector)| Row {
            id: paper.id,
            title: paper.title.clone(),
            summary: paper.summary.clone(),
            content: paper.content(),
            embedding: vector.clone(),
        })
        .collect();
    let schema = schema();
    Ok(Rows { batches: vec![batch(&schema, &rows)?], schema })
}

/// `id` BIGINT and `content` only: a table whose vectors the engine makes itself.
pub fn contents(corpus: &Corpus) -> Result<Rows> {
    let schema: SchemaRef = Arc::new(Schema::new(vec![
        Field::new("id", DataType::Int64, true),
        Field::new("content", DataType::Utf8, true),
    ]));
    let ids: Int64Array = corpus.papers.iter().map(|paper| paper.id).collect();
    let contents = StringArray::from_iter_values(corpus.papers.iter().map(|paper| paper.content()));
    let columns: Vec<ArrayRef> = vec![Arc::new(ids), Arc::new(contents)];
    Ok(Rows {
        batches: vec![RecordBatch::try_new(Arc::clone(&schema), columns).map_err(unmade)?],
        schema,
    })
}

pub fn batch(schema: &SchemaRef, rows: &[Row]) -> Result<RecordBatch> {
    let values: Vec<f32> = rows.iter().flat_map(|row| row.embedding.iter().copied()).collect();
    let embedding = ListArray::try_new(
        Arc::new(Field::new_list_field(DataType::Float32, true)),
        OffsetBuffer::from_lengths(rows.iter().map(|_| WIDTH)),
        Arc::new(Float32Array::from(values)),
        None,
    )
    .map_err(unmade)?;
    let columns: Vec<ArrayRef> = vec![
        Arc::new(rows.iter().map(|row| row.id).collect::<Int64Array>()),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.title))),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.summary))),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.content))),
        Arc::new(embedding),
    ];
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(unmade)
}

/// The value of a one-row, one-column integer answer.
pub fn only_integer(batches: &[RecordBatch]) -> Option<i64> {
    let batch = batches.iter().find(|batch| batch.num_rows() > 0)?;
    let column = batch.columns().first()?.as_primitive_opt::<Int64Type>()?;
    (!column.is_null(0)).then(|| column.value(0))
}

fn unmade(error: arrow::error::ArrowError) -> EngineError {
    EngineError::internal(format!("the sample table could not be made: {error}"))
}
