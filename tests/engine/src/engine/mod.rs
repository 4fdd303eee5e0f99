//! Databases, tables, indexes and SQL: everything the HTTP API is a face of.

mod connections;
mod databases;
mod indexes;
mod loads;
mod query;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use async_trait::async_trait;
use futures::lock::{Mutex as AsyncMutex, OwnedMutexGuard};

use crate::catalog::{State, Table, TableData};
use crate::embedding::Providers;
use crate::error::{EngineError, Result};
use crate::persist::Folder;
use crate::sql::Behaviour;

/// Calls an OpenAI-compatible `/v1/embeddings` address for a `service` provider. The server brings one: this crate
/// opens no socket.
#[async_trait]
pub trait EmbeddingClient: Send + Sync + std::fmt::Debug {
    /// One vector a text, in order.
    async fn embed(&self, url: &str, model: &str, texts: &[String]) -> Result<Vec<Vec<f32>>>;
}

/// How an engine starts. `Default` is an empty engine in memory.
#[derive(Debug, Clone, Default)]
pub struct EngineOptions {
    /// Where databases are kept between runs; none: in memory only.
    pub data_dir: Option<PathBuf>,
    /// `(alias, folder)`: a connection whose tables are the folder's Parquet and CSV files.
    pub attach: Vec<(String, PathBuf)>,
    /// Answer a quoted mixed-case column that does not exist with 400 and an empty body, as the service does.
    pub empty_body_for_quoted_case: bool,
    /// Fail one of two index builds after a mixed upsert with `could not detect dimension`.
    pub flaky_dimension: bool,
    /// `catalog.schema.table` names, in lower case, of tables that reject a projection naming none of their columns,
    /// as some of the service's do. They hold in every database that has a table so named.
    pub strict_projection: Vec<String>,
    /// Search what can be read of a text that tantivy's query parser rejects, in place of its `Syntax Error: …`.
    pub lenient_search_text: bool,
    /// `(provider id, base address, model)` of each `service` embedding provider.
    pub embedding_services: Vec<(String, String, String)>,
    /// Needed when `embedding_services` is not empty.
    pub embedding_client: Option<Arc<dyn EmbeddingClient>>,
}

/// Cheap to clone; all clones are one engine.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    state: RwLock<State>,
    /// Held while a table's rows or indexes change.
    table_locks: Mutex<HashMap<TableKey, Arc<AsyncMutex<()>>>>,
    providers: Providers,
    folder: Option<Folder>,
    behaviour: Behaviour,
    flaky_dimension: bool,
    /// Builds that met the flaky dimension: every other one fails.
    flaky_builds: Mutex<u64>,
    strict_projection: Vec<String>,
}

/// Connection, schema, table.
type TableKey = (String, String, String);

impl Engine {
    /// Reads the data folder and the attached folders. Fails where one cannot be read, naming it.
    pub fn open(options: EngineOptions) -> Result<Self> {
        let providers = Providers::new(options.embedding_services, options.embedding_client)?;
        let folder = options.data_dir.map(Folder::open).transpose()?;
        let mut state = State::default();
        for (alias, path) in &options.attach {
            crate::attach::register(&mut state, alias, path)?;
        }
        if let Some(folder) = &folder {
            folder.read(&mut state, &providers)?;
        }
        Ok(Self {
            inner: Arc::new(Inner {
                state: RwLock::new(state),
                table_locks: Mutex::default(),
                providers,
                folder,
                behaviour: Behaviour {
                    empty_body_for_quoted_case: options.empty_body_for_quoted_case,
                    lenient_search_text: options.lenient_search_text,
                },
                flaky_dimension: options.flaky_dimension,
                flaky_builds: Mutex::new(0),
                strict_projection: options.strict_projection,
            }),
        })
    }

    /// Wire-shaped records, the built-in provider first.
    pub fn embedding_providers(&self) -> Vec<serde_json::Value> {
        self.inner.providers.records()
    }

    fn state(&self) -> RwLockReadGuard<'_, State> {
        // A panic under the lock leaves whole values: changes are prepared before it is taken.
        self.inner.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&self) -> RwLockWriteGuard<'_, State> {
        self.inner.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn table_lock(&self, connection: &str, schema: &str, table: &str) -> Arc<AsyncMutex<()>> {
        let key = (connection.to_owned(), schema.to_owned(), table.to_owned());
        let mut locks = self.inner.table_locks.lock().unwrap_or_else(PoisonError::into_inner);
        // Locks nobody holds need not be kept.
        locks.retain(|_, lock| Arc::strong_count(lock) > 1);
        locks.entry(key).or_default().clone()
    }

    /// Takes a table for changing it, or says that it is busy.
    fn try_lock_table(
        &self,
        connection: &str,
        schema: &str,
        table: &str,
    ) -> Result<OwnedMutexGuard<()>> {
        self.table_lock(connection, schema, table).try_lock_owned().ok_or_else(|| {
            EngineError::new(
                409,
                "RESOURCE_LOCKED",
                format!("table '{schema}.{table}' is busy with another load or index build; try again later"),
            )
        })
    }

    /// Keeps a database's description, if there is a folder for it.
    fn save(&self, state: &State, database: &str) -> Result<()> {
        match &self.inner.folder {
            Some(folder) => folder.save(state, database),
            None => Ok(()),
        }
    }

    /// Changes a table and, with `rows`, what it holds: all of it is kept, or nothing changes. `absent` is the table
    /// to start from where there is none.
    fn change_table<T>(
        &self,
        database: &str,
        (schema, name): (&str, &str),
        rows: Option<Arc<TableData>>,
        absent: Option<&Table>,
        change: impl FnOnce(&mut Table) -> Result<T>,
    ) -> Result<T> {
        let file = match (&self.inner.folder, &rows) {
            (Some(folder), Some(rows)) => Some(folder.write_rows(database, rows)?),
            _ => None,
        };
        let changed = self.change(database, |schemas| {
            let current = schemas.get(schema).and_then(|tables| tables.get(name));
            let mut table = match (current, absent) {
                (Some(current), _) => (**current).clone(),
                (None, Some(absent)) => absent.clone(),
                (None, None) => return Err(table_not_found(schema, name)),
            };
            let value = change(&mut table)?;
            let mut replaced = None;
            if rows.is_some() {
                table.data = rows;
                replaced = std::mem::replace(&mut table.file, file.clone());
            }
            let tables = schemas.entry(schema.to_owned()).or_default();
            tables.insert(name.to_owned(), Arc::new(table));
            Ok((value, replaced))
        });
        let unused = match &changed {
            Ok((_, replaced)) => replaced,
            Err(_) => &file,
        };
        if let (Some(folder), Some(unused)) = (&self.inner.folder, unused) {
            folder.remove_rows(database, unused);
        }
        changed.map(|(value, _)| value)
    }
}

fn table_not_found(schema: &str, table: &str) -> EngineError {
    EngineError::not_found(format!("Table '{schema}.{table}' not found"))
}
