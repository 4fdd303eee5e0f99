//! Databases on disk: `databases/<id>/database.json` describes one, a Parquet file beside it holds each table's rows.
//!
//! Files are written under another name and renamed, rows before the description that names them, so that a crash
//! leaves the state before or after. Indexes are rebuilt when a folder is read.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::catalog::{Built, Connection, Database, Index, Schemas, State, Table, TableData};
use crate::embedding::Providers;
use crate::error::{EngineError, Result};
use crate::index::bm25::Bm25Index;
use crate::index::vector::{EmbeddedSource, VectorIndex};
use crate::load::parquet;
use crate::model::{ConnectionRecord, DatabaseRecord, IndexRecord, NewTable};
use crate::time::{is_past, new_id};
use crate::vectors::Metric;

const DESCRIPTION: &str = "database.json";
const VERSION: u32 = 1;

#[derive(Debug)]
pub struct Folder {
    databases: PathBuf,
    /// Locked while the engine runs: two would overwrite each other's files.
    _lock: File,
}

#[derive(Serialize, Deserialize)]
struct Description {
    version: u32,
    order: u64,
    default_schema_chosen: bool,
    record: DatabaseRecord,
    connection: ConnectionRecord,
    schemas: BTreeMap<String, Vec<TableDescription>>,
}

#[derive(Serialize, Deserialize)]
struct TableDescription {
    spec: NewTable,
    file: Option<String>,
    last_sync: Option<String>,
    mixed_upsert: bool,
    #[serde(default)]
    once_generated: Vec<String>,
    indexes: Vec<IndexDescription>,
}

#[derive(Serialize, Deserialize)]
struct IndexDescription {
    record: IndexRecord,
    dimensions: Option<usize>,
}

impl Folder {
    pub fn open(path: PathBuf) -> Result<Self> {
        let databases = path.join("databases");
        fs::create_dir_all(&databases).map_err(|error| failed("create", &databases, error))?;
        let lock = path.join("lock");
        let _lock = File::create(&lock).map_err(|error| failed("create", &lock, error))?;
        _lock.try_lock().map_err(|error| failed("lock the data folder with", &lock, error))?;
        Ok(Self { databases, _lock })
    }

    fn of(&self, database: &str) -> PathBuf {
        self.databases.join(database)
    }

    /// Writes rows to a new file of a database's folder and returns its name.
    pub fn write_rows(&self, database: &str, data: &TableData) -> Result<String> {
        let name = format!("{}.parquet", new_id("rows")?);
        let folder = self.of(database);
        fs::create_dir_all(&folder).map_err(|error| failed("create", &folder, error))?;
        write_whole(&folder.join(&name), |file| {
            parquet::encode(data, std::io::BufWriter::new(file)).map_err(|error| error.to_string())
        })?;
        Ok(name)
    }

    /// Removes a file nothing names any more. One that stays is taken away when the folder is next read.
    pub fn remove_rows(&self, database: &str, name: &str) {
        let _ = fs::remove_file(self.of(database).join(name));
    }

    /// Writes a database's description.
    pub fn save(&self, state: &State, id: &str) -> Result<()> {
        let database = state.database(id)?;
        let connection = state.connection(&database.record.default_connection_id)?;
        let schemas = connection
            .schemas
            .iter()
            .map(|(schema, tables)| {
                (schema.clone(), tables.values().map(|table| describe(table)).collect())
            })
            .collect();
        let description = Description {
            version: VERSION,
            order: database.order,
            default_schema_chosen: database.default_schema_chosen,
            record: database.record.clone(),
            connection: connection.record.clone(),
            schemas,
        };
        let folder = self.of(id);
        fs::create_dir_all(&folder).map_err(|error| failed("create", &folder, error))?;
        let text = serde_json::to_vec_pretty(&description)
            .map_err(|error| EngineError::internal(error.to_string()))?;
        write_whole(&folder.join(DESCRIPTION), |mut file| {
            file.write_all(&text).map_err(|error| error.to_string())
        })
    }

    pub fn delete(&self, database: &str) -> Result<()> {
        let folder = self.of(database);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(failed("remove", &folder, error))
            }
            _ => Ok(()),
        }
    }

    /// Reads every database. Expired ones and files nothing names are removed.
    pub fn read(&self, state: &mut State, providers: &Providers) -> Result<()> {
        for entry in
            fs::read_dir(&self.databases).map_err(|error| failed("read", &self.databases, error))?
        {
            let folder = entry.map_err(|error| failed("read", &self.databases, error))?.path();
            let path = folder.join(DESCRIPTION);
            if !path.exists() {
                // What is left of a database whose creation or removal was never finished.
                fs::remove_dir_all(&folder).map_err(|error| failed("remove", &folder, error))?;
                continue;
            }
            let text = fs::read(&path).map_err(|error| failed("read", &path, error))?;
            let description: Description =
                serde_json::from_slice(&text).map_err(|error| failed("read", &path, error))?;
            if description.version != VERSION {
                return Err(failed(
                    "read",
                    &path,
                    format!("version {} is not {VERSION}", description.version),
                ));
            }
            if is_past(description.record.expires_at.as_deref()) {
                fs::remove_dir_all(&folder).map_err(|error| failed("remove", &folder, error))?;
                continue;
            }
            remove_unnamed(&folder, &description);
            restore(state, providers, &folder, description)?;
        }
        Ok(())
    }
}

fn describe(table: &Table) -> TableDescription {
    TableDescription {
        spec: table.spec.clone(),
        file: table.file.clone(),
        last_sync: table.last_sync.clone(),
        mixed_upsert: table.mixed_upsert,
        once_generated: table.once_generated.clone(),
        // A pending index's job does not outlive the run.
        indexes: table
            .indexes
            .iter()
            .filter(|index| index.built.is_some())
            .map(|index| IndexDescription {
                record: index.record.clone(),
                dimensions: index.dimensions,
            })
            .collect(),
    }
}

fn remove_unnamed(folder: &Path, description: &Description) {
    let named: Vec<&String> =
        description.schemas.values().flatten().filter_map(|table| table.file.as_ref()).collect();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != DESCRIPTION && !named.contains(&&name) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn restore(
    state: &mut State,
    providers: &Providers,
    folder: &Path,
    description: Description,
) -> Result<()> {
    let mut schemas: Schemas = BTreeMap::new();
    for (schema, tables) in description.schemas {
        let restored = schemas.entry(schema).or_default();
        for table in tables {
            let data = match &table.file {
                None => None,
                Some(file) => {
                    let path = folder.join(file);
                    let bytes = fs::read(&path).map_err(|error| failed("read", &path, error))?;
                    let rows = parquet::decode(Bytes::from(bytes))
                        .map_err(|error| failed("read", &path, error))?;
                    Some(Arc::new(TableData::new(rows.schema, rows.batches)))
                }
            };
            let mut indexes = Vec::new();
            for index in table.indexes {
                let Some(data) = &data else { continue };
                let built = build(&index, data, providers)?;
                indexes.push(Index {
                    record: index.record,
                    dimensions: index.dimensions,
                    built: Some(built),
                });
            }
            let name = table.spec.name.clone();
            let table = Table {
                spec: table.spec,
                data,
                indexes,
                last_sync: table.last_sync,
                mixed_upsert: table.mixed_upsert,
                once_generated: table.once_generated,
                file: table.file,
            };
            restored.insert(name, Arc::new(table));
        }
    }
    state.created = state.created.max(description.order);
    let connection = Connection {
        record: description.connection,
        database: Some(description.record.id.clone()),
        schemas,
    };
    state.connections.insert(connection.record.id.clone(), connection);
    let database = Database {
        default_schema_chosen: description.default_schema_chosen,
        order: description.order,
        record: description.record,
    };
    state.databases.insert(database.record.id.clone(), database);
    Ok(())
}

fn build(index: &IndexDescription, data: &TableData, providers: &Providers) -> Result<Built> {
    let record = &index.record;
    let column = record.columns.first().map(String::as_str).unwrap_or_default();
    Ok(match record.index_type.as_str() {
        "sorted" => Built::Sorted,
        "bm25" => Built::Bm25(Arc::new(Bm25Index::build(data, &record.columns)?)),
        _ => {
            let source = match (&record.source_column, &record.embedding_provider_id) {
                (Some(source), Some(provider)) => Some(EmbeddedSource::new(
                    source.clone(),
                    providers.embedder(provider, index.dimensions)?,
                )),
                _ => None,
            };
            let metric = record.metric.as_deref().and_then(Metric::parse).unwrap_or(Metric::L2);
            Built::Vector(Arc::new(VectorIndex::build(data, column, metric, source)?))
        }
    })
}

/// Writes a file under another name, makes sure it is on disk, then gives it its own.
fn write_whole(
    path: &Path,
    write: impl FnOnce(&File) -> std::result::Result<(), String>,
) -> Result<()> {
    let unfinished = path.with_extension("unfinished");
    let written = File::create(&unfinished).map_err(|error| error.to_string()).and_then(|file| {
        write(&file)?;
        file.sync_all().map_err(|error| error.to_string())
    });
    written.and_then(|()| fs::rename(&unfinished, path).map_err(|error| error.to_string())).map_err(
        |error| {
            let _ = fs::remove_file(&unfinished);
            failed("write", path, error)
        },
    )
}

fn failed(what: &str, path: &Path, error: impl std::fmt::Display) -> EngineError {
    EngineError::internal(format!("cannot {what} {}: {error}", path.display()))
}
