//! How long a request waits for work that goes on without it.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use hotdata_local_engine::error::{EngineError, Result as EngineResult};
use tokio::task::JoinHandle;

use crate::http::errors::ApiError;
use crate::http::fields::Fields;

const AFTER_MIN: u64 = 1000;
/// The longest wait `async_after_ms` may ask for.
const AFTER_MAX: u64 = 300_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// `async` was not asked for.
    UntilDone,
    /// `async` without `async_after_ms`.
    None,
    /// `async` with `async_after_ms`.
    For(Duration),
}

impl Patience {
    /// Reads `async` and `async_after_ms`; the second needs the first.
    pub fn from_fields(fields: &mut Fields) -> Result<Self, ApiError> {
        let is_async = fields.boolean("async")?;
        match (is_async, fields.integer("async_after_ms")?) {
            (false, None) => Ok(Self::UntilDone),
            (false, Some(_)) => {
                Err(ApiError::bad_request("`async_after_ms` needs `async` to be true"))
            }
            (true, None) => Ok(Self::None),
            (true, Some(after)) if (AFTER_MIN..=AFTER_MAX).contains(&after) => {
                Ok(Self::For(Duration::from_millis(after)))
            }
            (true, Some(after)) => Err(ApiError::bad_request(format!(
                "`async_after_ms` must be {AFTER_MIN} to {AFTER_MAX}, not {after}"
            ))),
        }
    }

    /// What the task came to, or none when it goes on in the background.
    pub async fn wait<T>(self, mut task: JoinHandle<T>) -> Result<Option<T>, ApiError> {
        match self {
            Self::UntilDone => Ok(Some(task.await?)),
            Self::None => Ok(None),
            Self::For(limit) => match tokio::time::timeout(limit, &mut task).await {
                Ok(done) => Ok(Some(done?)),
                Err(_) => Ok(None),
            },
        }
    }
}

/// Runs work of the engine's where it may take a processor for seconds without holding up other requests.
pub fn spawn<T, F>(work: impl FnOnce() -> F + Send + 'static) -> JoinHandle<T>
where
    F: Future<Output = T>,
    T: Send + 'static,
{
    let runtime = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || runtime.block_on(work()))
}

/// Turns a panic of the engine into an error, so that what was taken for the work is always given back.
pub async fn unpanicked<T>(work: impl Future<Output = EngineResult<T>>) -> EngineResult<T> {
    match AssertUnwindSafe(work).catch_unwind().await {
        Ok(outcome) => outcome,
        Err(_) => Err(EngineError::internal("the engine failed unexpectedly")),
    }
}
