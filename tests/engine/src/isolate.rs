//! Runs work a request asked for where it can harm nothing else.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::pin;

use futures::channel::oneshot;
use futures::future::{Either, select};

use crate::error::{EngineError, Result};

/// Planning recurses over expressions, with large frames in a development build.
/// [`crate::sql::statement::MAX_DEPTH`] is what fits. Reserved, not touched until needed.
const STACK_BYTES: usize = 256 << 20;

/// Runs a future to its end on a thread of its own with a large stack. A panic becomes an error, and dropping the
/// returned future stops the work at its next await.
pub async fn run<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    let (mut sender, receiver) = oneshot::channel::<Result<T>>();
    let runtime = tokio::runtime::Handle::try_current().ok();
    std::thread::Builder::new()
        .name("engine-work".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| {
                let until_cancelled = async {
                    match select(pin!(work), sender.cancellation()).await {
                        Either::Left((outcome, _)) => Some(outcome),
                        Either::Right(_) => None,
                    }
                };
                match runtime {
                    Some(runtime) => runtime.block_on(until_cancelled),
                    None => futures::executor::block_on(until_cancelled),
                }
            }));
            let outcome = match outcome {
                Ok(Some(outcome)) => outcome,
                Ok(None) => return,
                Err(panic) => {
                    Err(EngineError::internal(format!("the engine failed: {}", words(&*panic))))
                }
            };
            // The caller may be gone.
            let _ = sender.send(outcome);
        })
        .map_err(|error| EngineError::internal(format!("no thread for the request: {error}")))?;
    receiver.await.unwrap_or_else(|_| Err(EngineError::internal("the engine stopped the request")))
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "unknown cause".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let outcome: Result<()> =
            futures::executor::block_on(run(async { panic!("broken {}", 1) }));
        let error = outcome.unwrap_err();
        assert_eq!((error.status, error.message.as_str()), (500, "the engine failed: broken 1"));
    }

    #[tokio::test]
    async fn work_may_await_and_answer() {
        let outcome = run(async {
            tokio::task::yield_now().await;
            Ok(7)
        });
        assert_eq!(outcome.await.unwrap(), 7);
    }
}
