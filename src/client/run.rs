//! Query runs: a query the service goes on with after it has answered 202.

use crate::error::{Code, Error, Result};
use crate::value::Fields;

use super::poll::Poll;
use super::transport::{Method, Response, Transport};
use super::{Client, answer};

/// A run that has succeeded.
#[derive(Debug)]
pub(super) struct Run {
    pub id: String,
    pub result_id: Option<String>,
    pub row_count: Option<u64>,
    pub warning: Option<String>,
    pub execution_time_ms: Option<f64>,
}

impl<T: Transport> Client<T> {
    /// Polls a run to its end and fetches its result, all in the database it ran in.
    pub(super) async fn follow(
        &self,
        database: &str,
        id: &str,
        started: f64,
    ) -> Result<(T::Response, Run)> {
        let followed = async {
            let run = self.finished(database, id, started).await?;
            let response = self.result(database, &run, started).await?;
            Ok((response, run))
        };
        followed.await.map_err(|mut error: Error| {
            error.query_run_id = Some(id.to_owned());
            error
        })
    }

    async fn finished(&self, database: &str, id: &str, started: f64) -> Result<Run> {
        let mut poll = Poll::new(started, self.settings.deadline_ms);
        loop {
            let mut request = self.request(Method::Get, &["query-runs", id]).await?;
            request.headers.push(("x-database-id", database.to_owned()));
            let (_, answer) = self.exchange(request).await?;
            let (status, failure, run) = answer::read(&answer, |fields| read(&fields, id))?;
            match status.as_str() {
                "succeeded" => return Ok(run),
                "failed" | "interrupted" => {
                    let told = failure.clone().unwrap_or_else(|| {
                        format!("The query run ended as {status}, with nothing to say why")
                    });
                    let mut error = Error::new(Code::QueryFailed, told);
                    error.engine_message = failure;
                    return Err(error);
                }
                _ => {}
            }
            if !poll.pause(&self.transport).await? {
                return Err(self.still_running(&format!("The query was still \"{status}\"")));
            }
        }
    }

    /// The result of a run that has succeeded, once it is stored.
    async fn result(&self, database: &str, run: &Run, started: f64) -> Result<T::Response> {
        let id = run.result_id.as_deref().ok_or_else(|| {
            Error::new(Code::UnexpectedResponse, "The query run succeeded and names no result")
        })?;
        let mut poll = Poll::new(started, self.settings.deadline_ms);
        loop {
            let mut request = self.request(Method::Get, &["results", id]).await?;
            request.headers.push(("x-database-id", database.to_owned()));
            request.query.push(("format", "json".to_owned()));
            let response = self.send(request).await?;
            if response.status() != 202 {
                return Ok(response);
            }
            if !poll.pause(&self.transport).await? {
                return Err(self.still_running("The query's result was not stored yet"));
            }
        }
    }
}

/// The status, what went wrong, and the rest for a run that succeeded.
fn read(fields: &Fields, id: &str) -> Result<(String, Option<String>, Run)> {
    let status = fields.owned_text("status")?.unwrap_or_else(|| "null".to_owned());
    let run = Run {
        id: id.to_owned(),
        result_id: fields.owned_text("result_id")?,
        row_count: fields.count("row_count")?,
        warning: fields.owned_text("warning_message")?,
        execution_time_ms: fields.number("execution_time_ms", 0.0, true)?,
    };
    Ok((status, fields.owned_text("error_message")?, run))
}
