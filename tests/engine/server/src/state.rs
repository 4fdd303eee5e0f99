//! What every request shares: the engine, the options and the stores.

use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hotdata_local_engine::engine::Engine;
use tokio::sync::Semaphore;

use crate::faults::rules::FaultStore;
use crate::options::ServerOptions;
use crate::store::jobs::JobStore;
use crate::store::loads::LoadLedger;
use crate::store::results::ResultStore;
use crate::store::runs::RunStore;
use crate::store::uploads::UploadStore;

/// The workspace every server has.
pub const WORKSPACE_ID: &str = "ws_local";

/// A workspace as it is listed.
#[derive(Debug, Clone, PartialEq)]
pub struct Workspace {
    pub id: String,
    pub active: bool,
}

/// Cheap to clone; all clones are one server.
#[derive(Clone)]
pub struct ServerState(Arc<Shared>);

/// One workspace's engine and stores.
pub struct Shared {
    pub workspace: String,
    /// All there are, this one included.
    pub workspaces: Arc<[Workspace]>,
    /// The servers of the other active ones; only the first workspace's knows them.
    pub others: Vec<ServerState>,
    pub engine: Engine,
    pub options: ServerOptions,
    pub results: ResultStore,
    pub runs: RunStore,
    pub jobs: JobStore,
    pub uploads: UploadStore,
    pub loads: LoadLedger,
    /// One permit a running query.
    pub queries: Arc<Semaphore>,
    /// None: the server was not started with faults.
    pub faults: Option<Arc<FaultStore>>,
}

impl ServerState {
    pub fn new(engine: Engine, options: ServerOptions) -> Self {
        Self::with_workspaces(engine, Vec::new(), options)
    }

    /// Further active workspaces, each with an engine of its own; `options` names the inactive ones.
    pub fn with_workspaces(
        engine: Engine,
        others: Vec<(String, Engine)>,
        options: ServerOptions,
    ) -> Self {
        let active = others.iter().map(|(id, _)| (id.as_str(), true));
        let inactive = options.inactive_workspaces.iter().map(|id| (id.as_str(), false));
        let workspaces: Arc<[Workspace]> = std::iter::once((WORKSPACE_ID, true))
            .chain(active)
            .chain(inactive)
            .map(|(id, active)| Workspace { id: id.to_owned(), active })
            .collect();
        let faults = options.faults.then(Arc::default);
        let others = others
            .into_iter()
            .map(|(id, engine)| {
                let (workspaces, faults) = (Arc::clone(&workspaces), faults.clone());
                Self::of_workspace(id, workspaces, Vec::new(), engine, faults, options.clone())
            })
            .collect();
        Self::of_workspace(WORKSPACE_ID.to_owned(), workspaces, others, engine, faults, options)
    }

    fn of_workspace(
        workspace: String,
        workspaces: Arc<[Workspace]>,
        others: Vec<Self>,
        engine: Engine,
        faults: Option<Arc<FaultStore>>,
        options: ServerOptions,
    ) -> Self {
        Self(Arc::new(Shared {
            workspace,
            workspaces,
            others,
            engine,
            faults,
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
