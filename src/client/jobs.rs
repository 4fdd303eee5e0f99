//! Jobs: work the service goes on with after it has answered.

use crate::error::{Code, Error, Result};
use crate::value::Value;

use super::poll::Poll;
use super::transport::{Method, Transport};
use super::{Client, answer};

impl<T: Transport> Client<T> {
    /// Polls a job to its end and gives its result, which is what the call would have answered at once.
    pub(super) async fn job_result(&self, id: &str, started: f64) -> Result<Value> {
        let mut poll = Poll::new(started, self.settings.deadline_ms);
        loop {
            let request = self.request(Method::Get, &["jobs", id]).await?;
            let (_, answer) = self.exchange(request).await?;
            let (status, failure, result) = answer::read(&answer, |fields| {
                let status = fields.owned_text("status")?.unwrap_or_else(|| "null".to_owned());
                Ok((status, fields.owned_text("error_message")?, fields.get("result").cloned()))
            })?;
            match (status.as_str(), result) {
                ("succeeded", Some(result)) => return Ok(result),
                ("succeeded", None) => {
                    return Err(answer::another_shape(&format!(
                        "job {id} succeeded without a result"
                    )));
                }
                ("partially_succeeded" | "failed", _) => {
                    let told = failure.clone().unwrap_or_else(|| {
                        format!("Job {id} ended as {status}, with nothing to say why")
                    });
                    let mut error = Error::new(Code::EngineError, told);
                    error.engine_message = failure;
                    return Err(error);
                }
                _ => {}
            }
            if !poll.pause(&self.transport).await? {
                return Err(self.still_running(&format!("Job {id} was still \"{status}\"")));
            }
        }
    }
}
