//! Jobs: work the service goes on with after it has answered.

use crate::error::{Code, Result};
use crate::value::shape::incoming;
use crate::value::{Value, missing};

use super::poll::Poll;
use super::records::JOB;
use super::retry::unknown;
use super::runs::{failed, status};
use super::transport::{Method, Transport};
use super::{Client, answer};

impl<T: Transport> Client<T> {
    /// Polls a job until it has succeeded, wholly or in part, and gives its record under JavaScript names; an error with
    /// its message where it failed, and where it is to be `whole`, as the work of one write, also where a part of it did.
    pub async fn finished_job(&self, id: &str, whole: bool) -> Result<Value> {
        let how_to_go_on = format!("waitForJob(\"{id}\") goes on waiting.");
        let mut poll = Poll::new();
        loop {
            let seen = self.exchange(self.request(Method::Get, &["jobs", id])?).await;
            let seen = seen.and_then(|(_, answer)| {
                answer::read(&answer, |fields| {
                    let failure = fields.owned_text("error_message")?;
                    let result = fields.get("result").cloned();
                    Ok((status(&fields)?, incoming(&fields, JOB)?, failure, result))
                })
            });
            let (status, record, failure, result) = match seen {
                Ok(seen) => seen,
                // The write is accepted: made again, it would be done twice.
                Err(error) if whole => return Err(unknown(error, &how_to_go_on)),
                Err(error) => return Err(error),
            };
            match status.as_str() {
                "succeeded" => return Ok(record),
                "partially_succeeded" if !whole => return Ok(record),
                "partially_succeeded" | "failed" => {
                    let what = format!("Job {id} ended as {status}");
                    let mut error = failed(Code::EngineError, what, failure);
                    // A write tells what of it landed.
                    error.hint = result.map(|told| {
                        format!("The job ended as {status} and tells: {}", told.to_json())
                    });
                    return Err(error);
                }
                _ => {}
            }
            if !poll.pause(self, None).await? {
                let what = format!("Job {id} was still \"{status}\"");
                return Err(self.still_running(&what, &how_to_go_on));
            }
        }
    }

    /// What a job that did all of its work came to: what the call that started it would have answered at once.
    pub(super) async fn job_result(&self, id: &str) -> Result<Value> {
        let job = self.finished_job(id, true).await?;
        answer::read(&job, |fields| {
            let result = fields.get("result").cloned();
            result.ok_or_else(|| missing("result", "given for a job that succeeded"))
        })
        .map_err(|error| error.with_hint("The job has succeeded: what it was asked for is done."))
    }
}

/// The job that an answer of 202 names.
pub(super) fn accepted(answer: &Value) -> Result<String> {
    answer::read(answer, |fields| answer::promised(&fields, "id"))
}
