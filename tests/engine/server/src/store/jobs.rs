//! Background jobs: loads and index builds that answered 202.

use std::collections::VecDeque;
use std::sync::Mutex;

use hotdata_local_engine::error::Result;
use serde::Serialize;
use serde_json::Value;

use crate::state::lock;
use crate::store::ids;

/// Finished jobs beyond this many are forgotten, oldest first.
const KEPT: usize = 1000;

#[derive(Debug, Clone, Serialize)]
pub struct Job {
    pub id: String,
    /// `create_index` or `managed_load`.
    pub job_type: &'static str,
    /// `running`, `succeeded` or `failed`.
    pub status: &'static str,
    pub error_message: Option<String>,
    pub result: Option<Value>,
    pub attempts: u32,
    pub created_at: String,
    pub completed_at: Option<String>,
}

#[derive(Default)]
pub struct JobStore(Mutex<VecDeque<Job>>);

impl JobStore {
    pub fn start(&self, job_type: &'static str) -> Result<String> {
        let id = ids::random_id("job_")?;
        let mut jobs = lock(&self.0);
        jobs.push_back(Job {
            id: id.clone(),
            job_type,
            status: "running",
            error_message: None,
            result: None,
            attempts: 1,
            created_at: ids::now(),
            completed_at: None,
        });
        if jobs.len() > KEPT
            && let Some(oldest) = jobs.iter().position(|job| job.completed_at.is_some())
        {
            jobs.remove(oldest);
        }
        Ok(id)
    }

    /// Ends a job with its result or its error message.
    pub fn finish(&self, id: &str, outcome: Result<Value, String>) {
        let mut jobs = lock(&self.0);
        if let Some(job) = jobs.iter_mut().rev().find(|job| job.id == id) {
            job.completed_at = Some(ids::now());
            match outcome {
                Ok(result) => {
                    job.status = "succeeded";
                    job.result = Some(result);
                }
                Err(message) => {
                    job.status = "failed";
                    job.error_message = Some(message);
                }
            }
        }
    }

    pub fn get(&self, id: &str) -> Option<Job> {
        lock(&self.0).iter().find(|job| job.id == id).cloned()
    }

    /// Newest first.
    pub fn all(&self) -> Vec<Job> {
        lock(&self.0).iter().rev().cloned().collect()
    }
}
