//! Results: what the service keeps of a query, read whole and in one request. Pages are no way to read one: rows come in
//! no guaranteed order.

use crate::error::{Code, Error, Result};

use super::poll::Poll;
use super::query::{QueryOptions, with_ways_out};
use super::retry::Repeat;
use super::table::{Answered, Beside, QueryOutcome};
use super::transport::{Method, Reading, Response, Transport};
use super::{Client, answer};

/// How a result is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultFormat {
    /// One JSON document, limited in size by the service.
    Json,
    /// An Arrow IPC stream of any size.
    Arrow,
}

impl ResultFormat {
    fn name(self) -> &'static str {
        match self {
            ResultFormat::Json => "json",
            ResultFormat::Arrow => "arrow",
        }
    }
}

impl<T: Transport> Client<T> {
    /// A stored result, once it is there.
    pub async fn result(
        &self,
        id: &str,
        options: &QueryOptions,
    ) -> Result<QueryOutcome<<T::Response as Response>::Rows>> {
        self.stored_rows(id, options, Beside::default()).await.map_err(with_ways_out)
    }

    /// All rows of a stored result, or an error; `beside` is what is known of it already.
    pub(super) async fn stored_rows(
        &self,
        id: &str,
        options: &QueryOptions,
        beside: Beside,
    ) -> Result<QueryOutcome<<T::Response as Response>::Rows>> {
        let database = self.database_id(options.database_id.as_deref())?;
        let reading = Reading::Whole(options.max_bytes);
        let response = self.stored(database, id, ResultFormat::Json, reading, None).await?;
        let answered = Answered { response, beside, is_stored: true, repeat: Repeat::Freely };
        let outcome = answered.outcome(options)?;
        outcome.head.within(options.max_rows)?;
        outcome.head.whole()?;
        Ok(outcome)
    }

    /// A result's answer: waited for while it is being stored. `limit` cuts it to some of its rows.
    pub(super) async fn stored(
        &self,
        database: &str,
        id: &str,
        format: ResultFormat,
        reading: Reading,
        limit: Option<u64>,
    ) -> Result<T::Response> {
        let mut poll = Poll::new();
        loop {
            let mut request = self.scoped(Method::Get, &["results", id], database)?;
            request.query.push(("format", format.name().to_owned()));
            request.query.extend(limit.map(|limit| ("limit", limit.to_string())));
            request.reading = reading;
            let response = self.send(request).await.map_err(failed)?;
            if response.status() != 202 {
                return Ok(response);
            }
            let retry_after = response.header("retry-after");
            if !poll.pause(self, retry_after.as_deref()).await? {
                let status = status_of(response);
                let what = format!("Result {id} was still \"{status}\"");
                return Err(self.still_running(&what, "getResult() reads it once it is stored."));
            }
        }
    }
}

/// A result that failed is told of by 409.
fn failed(mut error: Error) -> Error {
    if error.status == Some(409) {
        error.code = Code::QueryFailed;
    }
    error
}

fn status_of(response: impl Response) -> String {
    let read = answer::json(response)
        .and_then(|answer| answer::read(&answer, |fields| fields.owned_text("status")));
    read.ok().flatten().unwrap_or_else(|| "pending".to_owned())
}
