//! Query runs: a query the service goes on with after it has answered 202.

use crate::error::{Code, Error, Result};
use crate::value::Fields;

use super::poll::Poll;
use super::table::Beside;
use super::transport::{Method, Transport};
use super::{Client, answer};

impl<T: Transport> Client<T> {
    /// Polls a run to its end, in the database it runs in; an error where it did not succeed.
    pub(super) async fn finished_run(&self, database: &str, id: &str) -> Result<Beside> {
        let mut poll = Poll::new();
        loop {
            let request = self.scoped(Method::Get, &["query-runs", id], database)?;
            let (_, answer) = self.exchange(request).await?;
            let (status, failure, beside) = answer::read(&answer, |fields| {
                let beside = Beside::of_run(&fields, id)?;
                Ok((status(&fields)?, fields.owned_text("error_message")?, beside))
            })?;
            match status.as_str() {
                "succeeded" => return Ok(beside),
                "failed" | "interrupted" => {
                    let what = format!("The query run ended as {status}");
                    return Err(failed(Code::QueryFailed, what, failure));
                }
                _ => {}
            }
            if !poll.pause(self, None).await? {
                let what = format!("The query was still \"{status}\"");
                return Err(self.still_running(&what, "getQueryRun() tells how it goes on."));
            }
        }
    }
}

/// The status of a run or a job, of whatever words.
pub(super) fn status(fields: &Fields) -> Result<String> {
    Ok(fields.owned_text("status")?.unwrap_or_else(|| "null".to_owned()))
}

/// The error of a run or a job that failed, in the engine's own words where there are any.
pub(super) fn failed(code: Code, what: String, told: Option<String>) -> Error {
    let message = told.clone().unwrap_or_else(|| format!("{what}, with nothing to say why"));
    let mut error = Error::new(code, message);
    error.engine_message = told;
    error
}
