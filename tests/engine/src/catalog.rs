//! What the engine holds: connections with their tables, and the databases that scope queries.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::compute::{concat_batches, interleave};
use arrow::datatypes::{Schema, SchemaRef};

use crate::error::{EngineError, Result};
use crate::index::bm25::Bm25Index;
use crate::index::vector::VectorIndex;
use crate::model::{ConnectionRecord, DatabaseRecord, IndexRecord, NewTable};

/// Rows of a batch, and of what a search hands on.
pub const BATCH_ROWS: usize = 8192;

/// A table's rows, immutable. Row ids count from 0 through the batches.
#[derive(Debug)]
pub struct TableData {
    pub schema: SchemaRef,
    pub batches: Vec<RecordBatch>,
    pub rows: usize,
    starts: Vec<usize>,
}

impl TableData {
    /// Cuts large batches without copying and joins small neighbours, so that many small loads stay fast to scan.
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        let mut even: Vec<RecordBatch> = Vec::with_capacity(batches.len());
        for batch in batches {
            let mut from = 0;
            while from < batch.num_rows() {
                let rows = BATCH_ROWS.min(batch.num_rows() - from);
                let piece = batch.slice(from, rows);
                from += rows;
                let joined = even
                    .last()
                    .filter(|last| last.num_rows() + rows <= BATCH_ROWS)
                    .and_then(|last| concat_batches(&schema, [last, &piece]).ok());
                match joined {
                    Some(joined) => {
                        even.pop();
                        even.push(joined);
                    }
                    None => even.push(piece),
                }
            }
        }
        let mut starts = Vec::with_capacity(even.len());
        let mut rows = 0;
        for batch in &even {
            starts.push(rows);
            rows += batch.num_rows();
        }
        Self { schema, batches: even, rows, starts }
    }

    /// Where a column stands, by its stored name.
    pub fn column_index(&self, name: &str) -> Result<usize> {
        self.schema
            .index_of(name)
            .map_err(|_| EngineError::bad_request(format!("the table has no column '{name}'")))
    }

    /// The batch of a row and its place there. The row must exist.
    pub fn locate(&self, row: usize) -> (usize, usize) {
        let batch = self.starts.partition_point(|start| *start <= row) - 1;
        (batch, row - self.starts[batch])
    }

    /// Rows by id, in the order given, with the columns of `projection` and after them `extra`, one value a row.
    pub fn gather(
        &self,
        rows: &[usize],
        projection: Option<&[usize]>,
        extra: Option<(&Schema, &ArrayRef)>,
    ) -> Result<Vec<RecordBatch>> {
        let all: Vec<usize> = (0..self.schema.fields().len()).collect();
        let projection = projection.unwrap_or(&all);
        let mut batches = Vec::new();
        for (number, rows) in rows.chunks(BATCH_ROWS).enumerate() {
            let places: Vec<(usize, usize)> = rows.iter().map(|row| self.locate(*row)).collect();
            let mut fields = Vec::with_capacity(projection.len() + 1);
            let mut columns = Vec::with_capacity(projection.len() + 1);
            for position in projection {
                let sources: Vec<&dyn Array> =
                    self.batches.iter().map(|batch| batch.column(*position).as_ref()).collect();
                fields.push(self.schema.fields()[*position].clone());
                columns.push(interleave(&sources, &places).map_err(internal)?);
            }
            if let Some((schema, values)) = extra {
                fields.extend(schema.fields().iter().cloned());
                columns.push(values.slice(number * BATCH_ROWS, rows.len()));
            }
            let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
            let schema = Arc::new(Schema::new(fields));
            batches.push(
                RecordBatch::try_new_with_options(schema, columns, &options).map_err(internal)?,
            );
        }
        Ok(batches)
    }
}

fn internal(error: arrow::error::ArrowError) -> EngineError {
    EngineError::internal(error.to_string())
}

/// A table at one moment. Changed by putting another in its place.
#[derive(Debug, Clone, Default)]
pub struct Table {
    pub spec: NewTable,
    /// `None` while the table is declared and was never loaded.
    pub data: Option<Arc<TableData>>,
    pub indexes: Vec<Index>,
    pub last_sync: Option<String>,
    /// The last load was an upsert that both rewrote rows and added some.
    pub mixed_upsert: bool,
    /// Columns a dropped index generated: loads may leave them out, and another index may fill them again.
    pub once_generated: Vec<String>,
    /// The data's file in the database's folder, of an engine with a data folder.
    pub file: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Index {
    pub record: IndexRecord,
    /// As asked for when the index was declared.
    pub dimensions: Option<usize>,
    /// `None` while the index is pending.
    pub built: Option<Built>,
}

#[derive(Debug, Clone)]
pub enum Built {
    /// Serves no query of its own: a sorted index changes plans of the service, never answers.
    Sorted,
    Bm25(Arc<Bm25Index>),
    Vector(Arc<VectorIndex>),
}

impl Table {
    /// The built BM25 index over a column.
    pub fn bm25(&self, column: &str) -> Option<&Arc<Bm25Index>> {
        self.indexes.iter().find_map(|index| match &index.built {
            Some(Built::Bm25(built)) if built.covers(column) => Some(built),
            _ => None,
        })
    }

    /// The built vector index: a table has at most one.
    pub fn vector(&self) -> Option<&Arc<VectorIndex>> {
        self.indexes.iter().find_map(|index| match &index.built {
            Some(Built::Vector(built)) => Some(built),
            _ => None,
        })
    }

    /// The built provider-backed index over a text column.
    pub fn embedded(&self, column: &str) -> Option<&Arc<VectorIndex>> {
        self.vector()
            .filter(|index| index.source.as_ref().is_some_and(|source| source.column == column))
    }
}

/// Tables by schema and name.
pub type Schemas = BTreeMap<String, BTreeMap<String, Arc<Table>>>;

#[derive(Debug, Clone)]
pub struct Connection {
    pub record: ConnectionRecord,
    /// The database whose own connection this is; `None` for a registered source.
    pub database: Option<String>,
    pub schemas: Schemas,
}

impl Connection {
    pub fn table(&self, schema: &str, table: &str) -> Result<&Arc<Table>> {
        self.schemas
            .get(schema)
            .and_then(|tables| tables.get(table))
            .ok_or_else(|| EngineError::not_found(format!("Table '{schema}.{table}' not found")))
    }
}

#[derive(Debug, Clone)]
pub struct Database {
    pub record: DatabaseRecord,
    /// Whether `record.default_schema` was asked for or stands for the only declared schema.
    pub default_schema_chosen: bool,
    /// Counts creations, as times may be equal.
    pub order: u64,
}

#[derive(Debug, Default)]
pub struct State {
    pub databases: BTreeMap<String, Database>,
    pub connections: BTreeMap<String, Connection>,
    pub created: u64,
}

impl State {
    /// A database that exists and has not expired.
    pub fn database(&self, id: &str) -> Result<&Database> {
        self.databases
            .get(id)
            .filter(|database| !crate::time::is_past(database.record.expires_at.as_deref()))
            .ok_or_else(|| database_not_found(id))
    }

    pub fn database_mut(&mut self, id: &str) -> Result<&mut Database> {
        self.database(id)?;
        self.databases.get_mut(id).ok_or_else(|| database_not_found(id))
    }

    /// A connection that exists and whose database, if any, has not expired.
    pub fn connection(&self, id: &str) -> Result<&Connection> {
        self.connections
            .get(id)
            .filter(|connection| {
                connection
                    .database
                    .as_deref()
                    .is_none_or(|database| self.database(database).is_ok())
            })
            .ok_or_else(|| connection_not_found(id))
    }

    pub fn connection_mut(&mut self, id: &str) -> Result<&mut Connection> {
        self.connection(id)?;
        self.connections.get_mut(id).ok_or_else(|| connection_not_found(id))
    }
}

fn database_not_found(id: &str) -> EngineError {
    EngineError::not_found(format!("Database '{id}' not found"))
}

fn connection_not_found(id: &str) -> EngineError {
    EngineError::not_found(format!("Connection '{id}' not found"))
}

#[cfg(test)]
mod tests {
    use arrow::array::{AsArray, Int64Array};
    use arrow::datatypes::Int64Type;

    use super::*;

    fn batch(values: std::ops::Range<i64>) -> RecordBatch {
        let column: ArrayRef = Arc::new(Int64Array::from_iter_values(values));
        RecordBatch::try_from_iter([("id", column)]).unwrap()
    }

    #[test]
    fn batches_are_evened_out_and_rows_found() {
        let rows = BATCH_ROWS as i64;
        let data = TableData::new(
            batch(0..1).schema(),
            vec![
                batch(0..3),
                batch(3..3),
                batch(3..5),
                batch(5..5 + 2 * rows),
                batch(5 + 2 * rows..6 + 2 * rows),
            ],
        );
        let sizes: Vec<usize> = data.batches.iter().map(RecordBatch::num_rows).collect();
        assert_eq!(sizes.iter().sum::<usize>(), data.rows);
        assert!(sizes.iter().all(|size| *size <= BATCH_ROWS && *size > 0), "{sizes:?}");
        let wanted = [7, 0, data.rows - 1, 4];
        let found = data.gather(&wanted, None, None).unwrap();
        let ids = found[0].column(0).as_primitive::<Int64Type>().values().to_vec();
        assert_eq!(ids, wanted.map(|row| row as i64));
    }

    #[test]
    fn gathering_no_columns_keeps_the_row_count() {
        let data = TableData::new(batch(0..3).schema(), vec![batch(0..3)]);
        assert_eq!(data.gather(&[2, 1], Some(&[]), None).unwrap()[0].num_rows(), 2);
    }
}
