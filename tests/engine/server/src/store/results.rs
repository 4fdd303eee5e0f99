//! Results of queries, kept for reading again, for loads and for what a truncated answer left out.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arrow::array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow::datatypes::SchemaRef;
use hotdata_local_engine::error::Result;

use crate::state::lock;
use crate::store::ids;

/// The rows of a result that is ready.
#[derive(Debug)]
pub struct Rows {
    pub schema: SchemaRef,
    pub batches: Vec<RecordBatch>,
    pub total: u64,
    bytes: usize,
}

impl Rows {
    /// Batches that keep much larger arrays alive than they show are copied, so that what is counted is what is held.
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        let batches: Vec<RecordBatch> = batches.into_iter().map(compact).collect();
        Self {
            total: batches.iter().map(|batch| batch.num_rows() as u64).sum(),
            bytes: batches.iter().map(RecordBatch::get_array_memory_size).sum(),
            schema,
            batches,
        }
    }

    /// Bytes of Arrow data held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

fn compact(batch: RecordBatch) -> RecordBatch {
    let columns: Option<Vec<ArrayRef>> = batch.columns().iter().map(compact_array).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    match columns
        .map(|columns| RecordBatch::try_new_with_options(batch.schema(), columns, &options))
    {
        Some(Ok(compacted)) => compacted,
        _ => batch,
    }
}

fn compact_array(array: &ArrayRef) -> Option<ArrayRef> {
    const SLACK: usize = 64 * 1024;
    let shown = array.to_data().get_slice_memory_size().ok()?;
    if array.get_array_memory_size() <= 2 * shown + SLACK {
        return Some(Arc::clone(array));
    }
    let rows = UInt32Array::from_iter_values(0..u32::try_from(array.len()).ok()?);
    arrow::compute::take(array, &rows, None).ok()
}

#[derive(Debug, Clone)]
pub enum ResultStatus {
    Pending,
    /// Readable from the instant on.
    Ready(Arc<Rows>, Instant),
    Failed(String),
}

impl ResultStatus {
    /// The word on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Ready(_, from) if Instant::now() < *from => "processing",
            Self::Ready(..) => "ready",
            Self::Failed(_) => "failed",
        }
    }
}

#[derive(Debug, Clone)]
pub struct StoredResult {
    pub id: String,
    pub database_id: String,
    pub created_at: String,
    pub status: ResultStatus,
}

impl StoredResult {
    fn bytes(&self) -> usize {
        match &self.status {
            ResultStatus::Ready(rows, _) => rows.bytes(),
            _ => 0,
        }
    }
}

/// Bounded by count and by bytes: the oldest results go first.
pub struct ResultStore {
    kept: Mutex<VecDeque<StoredResult>>,
    max_results: usize,
    max_bytes: usize,
}

impl ResultStore {
    pub fn new(max_results: usize, max_bytes: usize) -> Self {
        Self { kept: Mutex::default(), max_results, max_bytes }
    }

    /// A result that is yet to come.
    pub fn pending(&self, database_id: &str) -> Result<String> {
        self.add(database_id, ResultStatus::Pending)
    }

    /// A result that is there, readable after `delay`.
    pub fn ready(&self, database_id: &str, rows: Arc<Rows>, delay: Duration) -> Result<String> {
        self.add(database_id, ResultStatus::Ready(rows, Instant::now() + delay))
    }

    /// Ends a pending result and answers with the status it had. One that was dropped meanwhile stays dropped.
    pub fn settle(&self, id: &str, status: ResultStatus) -> Option<ResultStatus> {
        let mut kept = lock(&self.kept);
        let before = kept
            .iter_mut()
            .find(|result| result.id == id)
            .map(|result| std::mem::replace(&mut result.status, status));
        self.trim(&mut kept);
        before
    }

    /// The result, if it is one of this database's.
    pub fn get(&self, database_id: &str, id: &str) -> Option<StoredResult> {
        lock(&self.kept)
            .iter()
            .rev()
            .find(|result| result.id == id && result.database_id == database_id)
            .cloned()
    }

    /// One database's results, newest first.
    pub fn of_database(&self, database_id: &str) -> Vec<StoredResult> {
        lock(&self.kept)
            .iter()
            .rev()
            .filter(|result| result.database_id == database_id)
            .cloned()
            .collect()
    }

    pub fn forget_database(&self, database_id: &str) {
        lock(&self.kept).retain(|result| result.database_id != database_id);
    }

    fn add(&self, database_id: &str, status: ResultStatus) -> Result<String> {
        let id = ids::random_id("rslt_")?;
        let mut kept = lock(&self.kept);
        kept.push_back(StoredResult {
            id: id.clone(),
            database_id: database_id.to_owned(),
            created_at: ids::now(),
            status,
        });
        self.trim(&mut kept);
        Ok(id)
    }

    fn trim(&self, kept: &mut VecDeque<StoredResult>) {
        let mut bytes: usize = kept.iter().map(StoredResult::bytes).sum();
        while kept.len() > 1 && (kept.len() > self.max_results || bytes > self.max_bytes) {
            match kept.pop_front() {
                Some(oldest) => bytes -= oldest.bytes(),
                None => break,
            }
        }
    }
}
