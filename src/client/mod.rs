//! Typed calls to the service over a [`Transport`].

mod answer;
mod catalogs;
mod databases;
mod endpoint;
mod indexes;
mod jobs;
mod loads;
pub mod lossless;
mod poll;
mod query;
mod raw;
mod records;
mod results;
mod retry;
mod runs;
mod settings;
mod table;
mod tables;
mod time;
mod transport;
mod uploads;
mod workspace;

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;

pub use endpoint::Endpoint;
pub use indexes::{Index, IndexStatus, IndexType, NewIndex};
pub use loads::{COLUMNS_GO_WITH, Load};
pub use query::{Integers, QueryOptions};
pub use results::ResultFormat;
pub use retry::Repeat;
pub use settings::Settings;
pub use table::{ArrowHead, ArrowOutcome, QueryHead, QueryOutcome, RawTable, too_many_rows};
pub use time::{Allowed, Limits};
pub use transport::{Method, Reading, Request, Response, Table, Transport};
pub use uploads::{ByteSource, NewUpload, Upload};

use crate::error::{Code, Error, Result};
use crate::sql::{Column, TableName};
use crate::value::Value;

use retry::Attempts;
use time::CallTime;

/// The service, for one workspace, as one call sees it. Cheap to clone; clones share what was learnt.
///
/// A call borrows nothing across an await, so any number may run at once.
#[derive(Debug, Clone)]
pub struct Client<T> {
    settings: Rc<Settings>,
    known: Rc<RefCell<Known>>,
    transport: T,
    time: Rc<CallTime>,
}

/// What earlier calls learnt. Values only, never work under way: a call that is dropped takes nothing with it.
#[derive(Debug, Default)]
struct Known {
    workspace: Option<String>,
    /// Ids with the records of their databases.
    databases: Vec<(String, Value)>,
    text_bounds: Vec<TextBound>,
    /// How often bounds were forgotten: one counted across such a moment is not kept.
    forgotten: u32,
}

/// How many rows have a value in a column, and when they were counted.
#[derive(Debug)]
struct TextBound {
    database: String,
    table: TableName,
    column: Column,
    bound: u64,
    counted: f64,
}

impl Known {
    fn forget_bounds(&mut self, database: &str) {
        self.text_bounds.retain(|known| known.database != database);
        self.forgotten = self.forgotten.wrapping_add(1);
    }
}

impl<T: Transport> Client<T> {
    /// A client that knows nothing yet.
    pub fn new(settings: Settings, transport: T) -> Self {
        let time = Rc::new(CallTime::start(settings.limits, transport.now()));
        Self { settings: Rc::new(settings), known: Rc::default(), transport, time }
    }

    /// The same client for one call that starts now: over a transport that carries the call's abort signal.
    pub fn for_call(&self, transport: T, limits: Limits) -> Self {
        let time = Rc::new(CallTime::start(limits, transport.now()));
        Self { settings: self.settings.clone(), known: self.known.clone(), transport, time }
    }

    /// What the client sends with.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    /// What a call takes that says nothing of its time.
    pub fn limits(&self) -> Limits {
        self.settings.limits
    }

    /// What a piece of work that starts now may take of the call's time.
    pub fn allowed(&self) -> Result<Allowed> {
        self.time.allowed(self.transport.now())
    }

    /// The database to use: the one named, else the client's own.
    pub fn database_id<'a>(&'a self, named: Option<&'a str>) -> Result<&'a str> {
        let id = named.or(self.settings.database_id.as_deref()).ok_or_else(|| {
            Error::argument(
                "databaseId",
                "is missing: name it in the call or when making the client",
            )
            .with_hint("listDatabases() shows the ids.")
        })?;
        settings::header_safe("databaseId", id)?;
        Ok(id)
    }

    /// Sends, again where that may help, and gives back the answer where it is a success.
    fn send(&self, request: Request) -> Pending<'_, T::Response> {
        Box::pin(async move {
            let request = self.complete(request).await?;
            let mut attempts = Attempts::default();
            loop {
                match self.attempt(&request).await {
                    Ok(response) => return Ok(response),
                    Err(failure) => attempts.next(self, failure, &request.repeat).await?,
                }
            }
        })
    }

    /// Sends and reads the answer's JSON: its status, always a success, and its value.
    fn exchange(&self, request: Request) -> Pending<'_, (u16, Value)> {
        Box::pin(async move {
            let repeat = request.repeat.clone();
            let response = self.send(request).await?;
            let status = response.status();
            let answer = answer::json(response);
            Ok((status, answer.map_err(|error| retry::ended(error, &repeat))?))
        })
    }

    /// Removes what the request names. Gone after a lost answer is removed.
    fn remove(&self, mut request: Request) -> Pending<'_, ()> {
        Box::pin(async move {
            request.repeat = Repeat::Freely;
            match self.send(request).await {
                Ok(response) if response.status() == 204 => Ok(()),
                // The record of what is gone: another body is not the service's.
                Ok(response) => answer::json(response).map(drop),
                Err(gone) if gone.code == Code::NotFound && gone.after_lost => Ok(()),
                Err(failure) => Err(failure),
            }
        })
    }

    /// Names the workspace, where the request has to.
    async fn complete(&self, mut request: Request) -> Result<Request> {
        if request.in_workspace {
            request.headers.push(("x-workspace-id", self.workspace().await?));
        }
        Ok(request)
    }

    async fn attempt(&self, request: &Request) -> Result<T::Response> {
        answer::checked(self.transport.send(request, self.allowed()?).await?)
    }

    /// Waits, and counts it.
    async fn sleep(&self, milliseconds: u32) -> Result<()> {
        self.transport.sleep(milliseconds).await?;
        self.time.slept(milliseconds);
        Ok(())
    }

    /// The error for work that outlasts the call. Repeating the call would start it anew.
    fn still_running(&self, what: &str, how_to_go_on: &str) -> Error {
        let deadline = self.time.deadline_ms();
        let message =
            format!("{what} after {deadline} ms (`deadlineMs`); it goes on at the service");
        let mut error = Error::new(Code::Timeout, message).with_hint(how_to_go_on);
        error.retryable = false;
        error
    }

    fn request(&self, method: Method, segments: &[&str]) -> Result<Request> {
        Request::new(method, &self.settings.base_url, segments)
    }

    /// A request within a database.
    fn scoped(&self, method: Method, segments: &[&str], database: &str) -> Result<Request> {
        let mut request = self.request(method, segments)?;
        request.headers.push(("x-database-id", database.to_owned()));
        Ok(request)
    }
}

/// Work under way, behind a pointer: what awaits it does not have to hold all of its states.
type Pending<'a, A> = Pin<Box<dyn Future<Output = Result<A>> + 'a>>;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
