//! What every request shares: the engine, the options and the stores.

use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hotdata_local_engine::engine::Engine;
use tokio::sync::Semaphore;

use crate::options::ServerOptions;
use crate::store::jobs::JobStore;
use crate::store::loads::LoadLedger;
use crate::store::results::ResultStore;
use crate::store::runs::RunStore;
use crate::store::uploads::UploadStore;

/// The server's only workspace.
pub const WORKSPACE_ID: &str = "ws_local";

/// Cheap to clone; all clones are one server.
#[derive(Clone)]
pub struct ServerState(Arc<Shared>);

pub struct Shared {
    pub engine: Engine,
    pub options: ServerOptions,
    pub results: ResultStore,
    pub runs: RunStore,
    pub jobs: JobStore,
    pub uploads: UploadStore,
    pub loads: LoadLedger,
    /// One permit a running query.
    pub queries: Arc<Semaphore>,
}

impl ServerState {
    pub fn new(engine: Engine, options: ServerOptions) -> Self {
        Self(Arc::new(Shared {
            engine,
            results: ResultStore::new(options.max_results, options.max_result_bytes),
            runs: RunStore::default(),
            jobs: JobStore::default(),
            uploads: UploadStore::new(options.max_upload_bytes),
            loads: LoadLedger::default(),
            queries: Arc::new(Semaphore::new(options.max_queries)),
            options,
        }))
    }
}

impl Deref for ServerState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// Locks a store. A panic elsewhere while it was held leaves whole records only, so the lock stays usable.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
