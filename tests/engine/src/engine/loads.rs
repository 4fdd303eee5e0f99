//! Loads: rows in, indexes kept in step.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float32Builder, ListBuilder};
use arrow::datatypes::{DataType, Field, Schema};

use super::Engine;
use crate::catalog::{Built, Index, Table, TableData};
use crate::embedding::Embedder;
use crate::error::{EngineError, Result};
use crate::identifiers::{normalize, normalize_columns, normalize_schema};
use crate::index::bm25::Bm25Index;
use crate::index::vector::{EmbeddedSource, VectorIndex, as_text};
use crate::isolate;
use crate::load::{self, Rows, Types, batch_of, merge, types};
use crate::model::{LoadMode, LoadOutcome, LoadRequest, NewTable};
use crate::time::now;

impl Engine {
    /// Applies one load whole or not at all. Rows of an acknowledged load are searchable at once: the table's indexes
    /// are rebuilt before the change shows.
    ///
    /// An undeclared table or schema is created. A table takes one load at a time: a second is 409 `RESOURCE_LOCKED`.
    pub async fn load(
        &self,
        database: &str,
        schema: &str,
        table: &str,
        load: LoadRequest,
    ) -> Result<LoadOutcome> {
        let schema = normalize_schema(schema)?;
        let table = normalize("table", table)?;
        let connection = self.state().database(database)?.record.default_connection_id.clone();
        let held = self.try_lock_table(&connection, &schema, &table)?;
        let (engine, database) = (self.clone(), database.to_owned());
        isolate::run(async move {
            let _held = held;
            engine.load_locked(&database, connection, schema, table, load).await
        })
        .await
    }

    async fn load_locked(
        &self,
        database: &str,
        connection: String,
        schema: String,
        name: String,
        load: LoadRequest,
    ) -> Result<LoadOutcome> {
        let table = self.state().connection(&connection)?.table(&schema, &name).ok().cloned();
        let table = table.unwrap_or_else(|| {
            let spec = NewTable { name: name.clone(), ..NewTable::default() };
            Arc::new(Table { spec, ..Table::default() })
        });
        let mode = load.mode;
        let key = match load.key.as_slice() {
            [] => table.spec.key.clone(),
            key => normalize_columns("key", key.iter().map(String::as_str))?,
        };
        let rows = load::decode(load.source, &told_types(mode, &load.columns, &table)?)?;
        if mode == LoadMode::Replace || table.data.is_none() {
            carries_declared_columns(&table.spec, &rows)?;
        }
        let generated = generated_columns(&table.indexes);
        let rows = without_columns(rows, &generated)?;
        let rows = self.embed_rows(rows, &table.indexes).await?;
        let optional = [generated.as_slice(), &table.once_generated].concat();
        let merged = merge::apply(mode, &key, table.data.as_deref(), rows, &optional)?;
        let data = Arc::new(merged.data);
        let built = rebuild(&table.indexes, &data)?;
        let rows = Some(data.clone());
        let place = (schema.as_str(), name.as_str());
        self.change_table(database, place, rows, Some(&*table), |table| {
            table.last_sync = Some(now());
            table.mixed_upsert = merged.mixed_upsert;
            table.once_generated.retain(|column| data.schema.index_of(column).is_ok());
            for index in &mut table.indexes {
                // Indexes declared meanwhile are built from the new rows when their turn comes.
                if index.built.is_some() {
                    index.built = built.get(&index.record.index_name).cloned();
                }
            }
            Ok(())
        })?;
        Ok(LoadOutcome {
            connection_id: connection,
            schema_name: schema,
            table_name: name,
            row_count: data.rows as u64,
            arrow_schema_json: serde_json::Value::String(schema_json(&data.schema)),
        })
    }

    /// Fills the generated column of a provider-backed index for incoming rows that bring its text.
    async fn embed_rows(&self, rows: Rows, indexes: &[Index]) -> Result<Rows> {
        for index in indexes {
            if let Some(Built::Vector(vector)) = &index.built
                && let Some(source) = &vector.source
                && rows.schema.index_of(&source.column).is_ok()
            {
                return embed_column(rows, &source.column, &vector.column, &source.embedder).await;
            }
        }
        Ok(rows)
    }
}

/// Adds a column of embeddings, NULL where the text is, in the place of one of that name.
pub(super) async fn embed_column(
    rows: Rows,
    source: &str,
    output: &str,
    embedder: &Embedder,
) -> Result<Rows> {
    let rows = without_columns(rows, &[output.to_owned()])?;
    let position =
        rows.schema.index_of(source).map_err(|error| EngineError::internal(error.to_string()))?;
    let item = Arc::new(Field::new_list_field(DataType::Float32, true));
    let mut fields = rows.schema.fields().to_vec();
    fields.push(Arc::new(Field::new(output, DataType::List(item), true)));
    let schema = Arc::new(Schema::new(fields));
    let mut batches = Vec::with_capacity(rows.batches.len());
    for batch in &rows.batches {
        let texts = as_text(batch.column(position))?;
        let texts = texts.as_string::<i64>();
        let present: Vec<String> = texts.iter().flatten().map(str::to_owned).collect();
        let mut vectors = embedder.embed(&present).await?.into_iter();
        let mut column = ListBuilder::new(Float32Builder::new());
        for row in 0..texts.len() {
            let vector = if texts.is_null(row) { None } else { vectors.next() };
            if let Some(vector) = &vector {
                column.values().append_slice(vector);
            }
            column.append(vector.is_some());
        }
        let mut columns = batch.columns().to_vec();
        columns.push(Arc::new(column.finish()) as ArrayRef);
        batches.push(batch_of(&schema, columns, batch.num_rows())?);
    }
    Ok(Rows { schema, batches })
}

/// Every built index over new rows, by name.
fn rebuild(indexes: &[Index], data: &TableData) -> Result<BTreeMap<String, Built>> {
    let mut rebuilt = BTreeMap::new();
    for index in indexes {
        let Some(built) = &index.built else { continue };
        let name = &index.record.index_name;
        if let Some(lost) =
            index.record.columns.iter().find(|column| data.schema.index_of(column).is_err())
        {
            return Err(EngineError::bad_request(format!(
                "the load leaves out column '{lost}', which index '{name}' covers; drop the index first"
            )));
        }
        let built = match built {
            Built::Sorted => Built::Sorted,
            Built::Bm25(_) => Built::Bm25(Arc::new(Bm25Index::build(data, &index.record.columns)?)),
            Built::Vector(old) => {
                let source = old.source.as_ref().map(|source| {
                    EmbeddedSource::new(source.column.clone(), source.embedder.clone())
                });
                Built::Vector(Arc::new(VectorIndex::build(data, &old.column, old.metric, source)?))
            }
        };
        rebuilt.insert(name.clone(), built);
    }
    Ok(rebuilt)
}

fn generated_columns(indexes: &[Index]) -> Vec<String> {
    indexes
        .iter()
        .filter(|index| index.record.source_column.is_some() && index.built.is_some())
        .flat_map(|index| index.record.columns.clone())
        .collect()
}

/// Rows without the values of columns that the engine makes itself.
fn without_columns(rows: Rows, names: &[String]) -> Result<Rows> {
    let kept: Vec<usize> = (0..rows.schema.fields().len())
        .filter(|position| !names.contains(rows.schema.field(*position).name()))
        .collect();
    if kept.len() == rows.schema.fields().len() {
        return Ok(rows);
    }
    let internal = |error: arrow::error::ArrowError| EngineError::internal(error.to_string());
    let schema = Arc::new(rows.schema.project(&kept).map_err(internal)?);
    let batches = rows
        .batches
        .iter()
        .map(|batch| batch.project(&kept).map_err(internal))
        .collect::<Result<_>>()?;
    Ok(Rows { schema, batches })
}

/// The types a decoder works with: those declared in the request, else those of the table the rows go into.
fn told_types(mode: LoadMode, declared: &[(String, String)], table: &Table) -> Result<Types> {
    if !declared.is_empty() {
        let names = normalize_columns("columns", declared.iter().map(|(name, _)| name.as_str()))?;
        let by_name = names
            .into_iter()
            .zip(declared)
            .map(|(name, (_, declared))| types::parse(&name, declared).map(|parsed| (name, parsed)))
            .collect::<Result<_>>()?;
        return Ok(Types { by_name, declared: true });
    }
    let fields = match (&table.data, mode) {
        (None, _) | (_, LoadMode::Replace) => return Ok(Types::default()),
        (Some(data), _) => data.schema.fields(),
    };
    let by_name =
        fields.iter().map(|field| (field.name().clone(), field.data_type().clone())).collect();
    Ok(Types { by_name, declared: false })
}

/// A table's first rows, and those that replace all, must have the columns its declaration names.
fn carries_declared_columns(spec: &NewTable, rows: &Rows) -> Result<()> {
    let partition = spec.partition_by.iter().map(|by| &by.column);
    let sorted = spec.sorted_by.iter().map(|by| &by.column);
    let named = spec.key.iter().chain(&spec.constant_per_key).chain(partition).chain(sorted);
    match named.into_iter().find(|name| rows.schema.index_of(name).is_err()) {
        None => Ok(()),
        Some(name) => Err(EngineError::bad_request(format!(
            "the load has no column '{name}', which the table's declaration names"
        ))),
    }
}

fn schema_json(schema: &Schema) -> String {
    let fields: Vec<serde_json::Value> = schema
        .fields()
        .iter()
        .map(|field| {
            serde_json::json!({
                "name": field.name(), "data_type": field.data_type().to_string(), "nullable": field.is_nullable(),
            })
        })
        .collect();
    serde_json::json!({ "fields": fields }).to_string()
}
