//! Indexes: declaring, building, dropping.

use std::sync::{Arc, PoisonError};

use super::Engine;
use super::loads::embed_column;
use crate::catalog::{Built, Index, Table, TableData};
use crate::embedding::LOCAL;
use crate::error::{EngineError, Result};
use crate::identifiers::{normalize, normalize_columns};
use crate::index::bm25::{Bm25Index, is_text_type};
use crate::index::vector::{EmbeddedSource, VectorIndex};
use crate::isolate;
use crate::load::Rows;
use crate::model::{IndexRecord, NewIndex};
use crate::time::now;
use crate::vectors::{Metric, is_vector_type};

const READY: &str = "ready";
const PENDING: &str = "pending";
const EMBEDDED_STAYS_ALONE: &str = "Embedding-backed vector indexes cannot coexist with other indexes on the same \
     table. Drop the existing indexes before creating an embedding-backed vector index, or drop the embedding-backed \
     vector index before creating other indexes.";

impl Engine {
    pub fn indexes(
        &self,
        connection_id: &str,
        schema: &str,
        table: &str,
    ) -> Result<Vec<IndexRecord>> {
        let state = self.state();
        let table = state
            .connection(connection_id)?
            .table(&schema.to_lowercase(), &table.to_lowercase())?
            .clone();
        Ok(table.indexes.iter().map(|index| index.record.clone()).collect())
    }

    /// Checks what can be refused at once, records the index as `pending` and returns it.
    pub fn declare_index(
        &self,
        connection_id: &str,
        schema: &str,
        table: &str,
        new: NewIndex,
    ) -> Result<IndexRecord> {
        let (schema, name) = (schema.to_lowercase(), table.to_lowercase());
        self.state().connection(connection_id)?.table(&schema, &name)?;
        let database = self.database_of(connection_id)?;
        self.change(&database, |schemas| {
            let table =
                schemas.get_mut(&schema).and_then(|tables| tables.get_mut(&name)).ok_or_else(
                    || EngineError::not_found(format!("Table '{schema}.{name}' not found")),
                )?;
            let index = self.describe(table, &schema, new)?;
            let record = index.record.clone();
            Arc::make_mut(table).indexes.push(index);
            Ok(record)
        })
    }

    /// Builds a declared index: `ready` after it, gone again if it fails.
    pub async fn build_index(
        &self,
        connection_id: &str,
        schema: &str,
        table: &str,
        index_name: &str,
    ) -> Result<IndexRecord> {
        let (schema, table) = (schema.to_lowercase(), table.to_lowercase());
        let database = self.database_of(connection_id)?;
        let lock = self.table_lock(connection_id, &schema, &table);
        let (engine, connection, index) =
            (self.clone(), connection_id.to_owned(), index_name.to_owned());
        isolate::run(async move {
            let _held = lock.lock_owned().await;
            let outcome =
                engine.build_locked(&database, &connection, &schema, &table, &index).await;
            if outcome.is_err() {
                // Already gone where the table is.
                let _ = engine.forget_index(&database, &schema, &table, &index);
            }
            outcome
        })
        .await
    }

    async fn build_locked(
        &self,
        database: &str,
        connection: &str,
        schema: &str,
        name: &str,
        index_name: &str,
    ) -> Result<IndexRecord> {
        let table = self.state().connection(connection)?.table(schema, name)?.clone();
        let index =
            table.indexes.iter().find(|index| index.record.index_name == index_name).cloned();
        let index = index.ok_or_else(|| index_not_found(index_name))?;
        if index.built.is_some() {
            return Ok(index.record);
        }
        let data = table.data.clone().ok_or_else(|| no_data(schema, name))?;
        let (built, with_column) = self.build(&table, &index, &data).await?;
        self.change_table(database, (schema, name), with_column, None, |table| {
            let found =
                table.indexes.iter_mut().find(|index| index.record.index_name == index_name);
            let index = found.ok_or_else(|| index_not_found(index_name))?;
            index.record.status = READY.to_owned();
            index.record.updated_at = now();
            index.built = Some(built);
            Ok(index.record.clone())
        })
    }

    /// The built index, and the table's rows with a generated column where it makes one.
    async fn build(
        &self,
        table: &Table,
        index: &Index,
        data: &Arc<TableData>,
    ) -> Result<(Built, Option<Arc<TableData>>)> {
        let record = &index.record;
        let column = record.columns.first().cloned().unwrap_or_default();
        match record.index_type.as_str() {
            "sorted" => Ok((Built::Sorted, None)),
            "bm25" => Ok((Built::Bm25(Arc::new(Bm25Index::build(data, &record.columns)?)), None)),
            _ => {
                self.meet_flaky_dimension(table, &column)?;
                let metric = record.metric.as_deref().and_then(Metric::parse).unwrap_or(Metric::L2);
                let Some(source) = record.source_column.clone() else {
                    let built = VectorIndex::build(data, &column, metric, None)?;
                    if built.width == 0 {
                        return Err(no_dimension(&column));
                    }
                    return Ok((Built::Vector(Arc::new(built)), None));
                };
                let provider = record.embedding_provider_id.as_deref().unwrap_or(LOCAL);
                let embedder = self.inner.providers.embedder(provider, index.dimensions)?;
                let rows = Rows { schema: data.schema.clone(), batches: data.batches.clone() };
                let rows = embed_column(rows, &source, &column, &embedder).await?;
                let data = TableData::new(rows.schema, rows.batches);
                let source = EmbeddedSource::new(source, embedder);
                let built = VectorIndex::build(&data, &column, metric, Some(source))?;
                if built.width == 0 {
                    return Err(no_dimension(&column));
                }
                if let Some(asked) = index.dimensions
                    && asked != built.width
                {
                    return Err(EngineError::bad_request(format!(
                        "dimensions: embedding provider '{provider}' gives {} and not {asked}",
                        built.width
                    )));
                }
                Ok((Built::Vector(Arc::new(built)), Some(Arc::new(data))))
            }
        }
    }

    /// The service fails some builds after a mixed upsert; on request every other one fails here, the first included.
    fn meet_flaky_dimension(&self, table: &Table, column: &str) -> Result<()> {
        if !self.inner.flaky_dimension || !table.mixed_upsert {
            return Ok(());
        }
        let mut builds = self.inner.flaky_builds.lock().unwrap_or_else(PoisonError::into_inner);
        *builds += 1;
        if *builds % 2 == 1 { Err(no_dimension(column)) } else { Ok(()) }
    }

    /// Removes an index. A column it generated stays, as an ordinary one that loads may leave out.
    pub fn drop_index(
        &self,
        connection_id: &str,
        schema: &str,
        table: &str,
        index_name: &str,
    ) -> Result<()> {
        let (schema, name) = (schema.to_lowercase(), table.to_lowercase());
        let (database, table) = {
            let database = self.database_of(connection_id)?;
            let state = self.state();
            (database, state.connection(connection_id)?.table(&schema, &name)?.clone())
        };
        let _held = self.try_lock_table(connection_id, &schema, &name)?;
        let index = table.indexes.iter().find(|index| index.record.index_name == index_name);
        let index = index.ok_or_else(|| index_not_found(index_name))?;
        let generated = match index.record.source_column.is_some() && index.built.is_some() {
            true => index.record.columns.clone(),
            false => Vec::new(),
        };
        self.change_table(&database, (&schema, &name), None, None, |table| {
            table.indexes.retain(|index| index.record.index_name != index_name);
            table.once_generated.retain(|column| !generated.contains(column));
            table.once_generated.extend(generated);
            Ok(())
        })
    }

    /// Takes a pending index out of its table.
    fn forget_index(
        &self,
        database: &str,
        schema: &str,
        table: &str,
        index_name: &str,
    ) -> Result<()> {
        self.change(database, |schemas| {
            if let Some(table) = schemas.get_mut(schema).and_then(|tables| tables.get_mut(table)) {
                let table = Arc::make_mut(table);
                table
                    .indexes
                    .retain(|index| index.record.index_name != index_name || index.built.is_some());
            }
            Ok(())
        })
    }

    /// A new index as it will stand in its table, or why it cannot.
    fn describe(&self, table: &Table, schema: &str, new: NewIndex) -> Result<Index> {
        let name = normalize("index_name", &new.index_name)?;
        if !table.spec.sorted_by.is_empty() {
            return Err(EngineError::bad_request(format!(
                "Table '{schema}.{}' was created with sorted_by and cannot be indexed",
                table.spec.name
            )));
        }
        let data = table.data.as_ref().ok_or_else(|| no_data(schema, &table.spec.name))?;
        let columns = normalize_columns("columns", new.columns.iter().map(String::as_str))?;
        let Some(first) = columns.first().cloned() else {
            return Err(EngineError::bad_request("columns: name at least one column"));
        };
        for column in &columns {
            data.column_index(column)
                .map_err(|error| EngineError::bad_request(format!("columns: {error}")))?;
        }
        if table.indexes.iter().any(|index| index.record.index_name == name) {
            return Err(EngineError::conflict(format!(
                "Index '{name}' already exists on this table"
            )));
        }
        let created_at = now();
        let mut record = IndexRecord {
            index_name: name,
            index_type: if new.index_type.is_empty() {
                "sorted".to_owned()
            } else {
                new.index_type.clone()
            },
            columns: columns.clone(),
            metric: None,
            source_column: None,
            status: PENDING.to_owned(),
            algorithm: None,
            vector_precision: None,
            embedding_provider_id: None,
            updated_at: created_at.clone(),
            created_at,
        };
        let data_type = |column: &str| -> Result<arrow::datatypes::DataType> {
            Ok(data.schema.field(data.column_index(column)?).data_type().clone())
        };
        match record.index_type.as_str() {
            "sorted" => {}
            "bm25" => {
                for column in &columns {
                    let found = data_type(column)?;
                    if !is_text_type(&found) {
                        return Err(EngineError::bad_request(format!(
                            "a bm25 index needs a text column; '{column}' is {found}"
                        )));
                    }
                }
            }
            "vector" => {
                self.describe_vector(&mut record, &new, &first, &data_type(&first)?, table)?
            }
            other => {
                return Err(EngineError::bad_request(format!(
                    "index_type: unknown '{other}'; accepted: sorted, bm25, vector"
                )));
            }
        }
        coexists(table, &record)?;
        Ok(Index { record, dimensions: new.dimensions, built: None })
    }

    fn describe_vector(
        &self,
        record: &mut IndexRecord,
        new: &NewIndex,
        column: &str,
        data_type: &arrow::datatypes::DataType,
        table: &Table,
    ) -> Result<()> {
        if record.columns.len() != 1 {
            return Err(EngineError::bad_request(
                "columns: a vector index takes exactly one column",
            ));
        }
        if let Some(algorithm) = &new.algorithm
            && !matches!(algorithm.as_str(), "hnsw" | "ivf")
        {
            return Err(EngineError::bad_request(format!(
                "algorithm: unknown '{algorithm}'; accepted: hnsw, ivf"
            )));
        }
        record.algorithm.clone_from(&new.algorithm);
        record.vector_precision.clone_from(&new.vector_precision);
        let metric = match new.metric.as_deref() {
            None => None,
            Some(name) => Some(Metric::parse(name).ok_or_else(|| {
                EngineError::bad_request(format!(
                    "metric: unknown '{name}'; accepted: l2, cosine, dot"
                ))
            })?),
        };
        let Some(provider) = &new.embedding_provider_id else {
            if !is_vector_type(data_type) {
                return Err(EngineError::bad_request(format!(
                    "a vector index without embedding_provider_id needs a column of vectors; '{column}' is {data_type}"
                )));
            }
            record.metric = Some(metric.unwrap_or(Metric::L2).name().to_owned());
            return Ok(());
        };
        if !is_text_type(data_type) {
            return Err(EngineError::bad_request(format!(
                "an embedding-backed vector index needs a text column; '{column}' is {data_type}"
            )));
        }
        self.inner.providers.embedder(provider, new.dimensions)?;
        let output = match &new.output_column {
            Some(name) => normalize("output_column", name)?,
            None => normalize("output_column", &format!("{column}_embedding"))?,
        };
        let taken = table.data.as_ref().is_some_and(|data| data.schema.index_of(&output).is_ok());
        if taken && !table.once_generated.contains(&output) {
            return Err(EngineError::conflict(format!(
                "output_column: the table already has a column '{output}'"
            )));
        }
        record.metric = Some(metric.unwrap_or(Metric::Cosine).name().to_owned());
        record.embedding_provider_id = Some(provider.clone());
        record.source_column = Some(column.to_owned());
        record.columns = vec![output];
        Ok(())
    }
}

/// An embedding-backed index is alone on its table; a table has at most one vector index.
fn coexists(table: &Table, new: &IndexRecord) -> Result<()> {
    let embedded = |record: &IndexRecord| record.source_column.is_some();
    let others = || table.indexes.iter().map(|index| &index.record);
    if others().any(embedded) || (embedded(new) && !table.indexes.is_empty()) {
        return Err(EngineError::bad_request(EMBEDDED_STAYS_ALONE));
    }
    if new.index_type == "vector"
        && let Some(other) = others().find(|record| record.index_type == "vector")
    {
        return Err(EngineError::bad_request(format!(
            "a table has at most one vector index: drop '{}' first",
            other.index_name
        )));
    }
    Ok(())
}

fn no_data(schema: &str, table: &str) -> EngineError {
    EngineError::bad_request(format!(
        "Table '{schema}.{table}' is declared but has no data; POST a load before indexing"
    ))
}

fn no_dimension(column: &str) -> EngineError {
    EngineError::bad_request(format!("could not detect dimension for '{column}'"))
}

fn index_not_found(name: &str) -> EngineError {
    EngineError::not_found(format!("Index '{name}' not found"))
}
