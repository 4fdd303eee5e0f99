//! The record of every query run.

use std::collections::VecDeque;
use std::sync::Mutex;

use hotdata_local_engine::error::Result;
use serde::Serialize;

use crate::state::lock;
use crate::store::ids;

/// Runs beyond this many are forgotten, oldest first.
const KEPT: usize = 5000;

#[derive(Debug, Clone, Serialize)]
pub struct Run {
    pub id: String,
    #[serde(skip)]
    pub database_id: String,
    /// `running`, `succeeded` or `failed`.
    pub status: &'static str,
    pub sql_text: String,
    pub sql_hash: String,
    pub snapshot_id: String,
    pub created_at: String,
    pub completed_at: Option<String>,
    pub result_id: Option<String>,
    pub row_count: Option<u64>,
    pub error_message: Option<String>,
    pub warning_message: Option<String>,
    pub execution_time_ms: Option<u64>,
}

#[derive(Default)]
pub struct RunStore(Mutex<VecDeque<Run>>);

impl RunStore {
    pub fn start(&self, database_id: &str, sql: &str, result_id: Option<String>) -> Result<String> {
        let id = ids::random_id("qrun_")?;
        let mut runs = lock(&self.0);
        if runs.len() == KEPT {
            runs.pop_front();
        }
        runs.push_back(Run {
            id: id.clone(),
            database_id: database_id.to_owned(),
            status: "running",
            sql_text: sql.to_owned(),
            sql_hash: ids::digest(&[sql.as_bytes()]),
            snapshot_id: format!("snap_{}", ids::digest(&[database_id.as_bytes()])),
            created_at: ids::now(),
            completed_at: None,
            result_id,
            row_count: None,
            error_message: None,
            warning_message: None,
            execution_time_ms: None,
        });
        Ok(id)
    }

    /// Ends a run; `change` sets what it came to.
    pub fn finish(&self, id: &str, change: impl FnOnce(&mut Run)) {
        self.change(id, |run| {
            run.completed_at = Some(ids::now());
            change(run);
        });
    }

    /// Shows a run that has ended as running again, and answers with it as it was.
    pub fn reopen(&self, id: &str) -> Option<Run> {
        let mut runs = lock(&self.0);
        let run = runs.iter_mut().rev().find(|run| run.id == id)?;
        let open = Run {
            status: "running",
            completed_at: None,
            row_count: None,
            error_message: None,
            warning_message: None,
            execution_time_ms: None,
            ..run.clone()
        };
        Some(std::mem::replace(run, open))
    }

    pub fn change(&self, id: &str, change: impl FnOnce(&mut Run)) {
        if let Some(run) = lock(&self.0).iter_mut().rev().find(|run| run.id == id) {
            change(run);
        }
    }

    pub fn get(&self, database_id: &str, id: &str) -> Option<Run> {
        lock(&self.0)
            .iter()
            .rev()
            .find(|run| run.id == id && run.database_id == database_id)
            .cloned()
    }

    /// One database's runs, newest first.
    pub fn of_database(&self, database_id: &str) -> Vec<Run> {
        lock(&self.0).iter().rev().filter(|run| run.database_id == database_id).cloned().collect()
    }
}
