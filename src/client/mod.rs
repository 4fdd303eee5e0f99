//! Typed calls to the service over a [`Transport`].

mod answer;
mod databases;
mod indexes;
mod jobs;
mod loads;
pub mod lossless;
mod poll;
mod query;
mod raw;
mod run;
mod settings;
mod table;
mod transport;

use std::cell::RefCell;
use std::rc::Rc;

pub use databases::{Attachment, Database, NewDatabase};
pub use indexes::{Index, IndexStatus, IndexType};
pub use loads::{Load, LoadReceipt};
pub use query::QueryOptions;
pub use settings::Settings;
pub use table::{QueryHead, QueryOutcome, RawTable};
pub use transport::{Method, Request, Response, Transport};

use crate::error::{Code, Error, Result};
use crate::sql::{Column, TableName};
use crate::text::join;
use crate::value::{Fields, Value};

/// The service, for one workspace. Cheap to clone; clones share what was learnt.
///
/// A call borrows nothing across an await, so any number may run at once.
#[derive(Debug, Clone)]
pub struct Client<T> {
    settings: Rc<Settings>,
    known: Rc<RefCell<Known>>,
    transport: T,
}

/// What earlier calls learnt. Values only, never work under way: a call that is dropped takes nothing with it.
#[derive(Debug, Default)]
struct Known {
    workspace: Option<String>,
    databases: Vec<Database>,
    text_bounds: Vec<TextBound>,
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
    }
}

impl<T: Transport> Client<T> {
    /// A client that knows nothing yet.
    pub fn new(settings: Settings, transport: T) -> Self {
        Self { settings: Rc::new(settings), known: Rc::default(), transport }
    }

    /// The same client over another transport: one per call carries that call's abort signal.
    pub fn over<U: Transport>(&self, transport: U) -> Client<U> {
        Client { settings: self.settings.clone(), known: self.known.clone(), transport }
    }

    /// What the client sends with.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    /// The database to use: the one named, else the client's own.
    pub fn database_id<'a>(&'a self, named: Option<&'a str>) -> Result<&'a str> {
        let id = named.or(self.settings.database_id.as_deref()).ok_or_else(|| {
            Error::argument(
                "databaseId",
                "is missing: name it in the call or when making the client",
            )
            .with_hint("listDatabases() shows the ids. A query without a database has no tables.")
        })?;
        settings::header_safe("databaseId", id)?;
        Ok(id)
    }

    /// Sends to a path under `/v1` and gives back the answer where it is a success.
    async fn send(&self, request: Request) -> Result<T::Response> {
        let response = self.transport.send(request).await?;
        answer::checked(response).await
    }

    /// Sends and reads the answer's JSON: its status, always a success, and its value.
    async fn exchange(&self, request: Request) -> Result<(u16, Value)> {
        let response = self.send(request).await?;
        let status = response.status();
        let content_type = response.header("content-type").unwrap_or_default();
        let body = response.text().await?;
        Ok((status, answer::parse(status, &content_type, &body)?))
    }

    /// The error for work that outlasts the call. Repeating the call would start it anew.
    fn still_running(&self, what: &str) -> Error {
        let deadline = self.settings.deadline_ms;
        Error::new(
            Code::Timeout,
            format!("{what} after {deadline} ms (`deadlineMs`); it goes on at the service"),
        )
        .not_repeatable()
    }

    /// A request with the headers every call but the workspace listing carries.
    async fn request(&self, method: Method, segments: &[&str]) -> Result<Request> {
        let workspace = self.workspace().await?;
        let mut request = self.bare_request(method, segments)?;
        request.headers.push(("x-workspace-id", workspace));
        Ok(request)
    }

    fn bare_request(&self, method: Method, segments: &[&str]) -> Result<Request> {
        Request::new(method, &self.settings.base_url, segments)
    }

    /// The workspace named in the settings, else the only active one there is.
    async fn workspace(&self) -> Result<String> {
        if let Some(id) = &self.settings.workspace_id {
            return Ok(id.clone());
        }
        if let Some(id) = &self.known.borrow().workspace {
            return Ok(id.clone());
        }
        let (_, answer) = self.exchange(self.bare_request(Method::Get, &["workspaces"])?).await?;
        let active = answer::read(&answer, |fields| {
            let mut active = Vec::new();
            for workspace in fields.required_items("workspaces")? {
                let workspace = Fields::of_answer(&workspace)?;
                if workspace.bool("active")? == Some(true) {
                    let name = workspace.owned_text("name")?.unwrap_or_default();
                    active.push((answer::promised(&workspace, "public_id")?, name));
                }
            }
            Ok(active)
        })?;
        let [(only, _)] = active.as_slice() else {
            let found = join(&mut active.iter().map(|(id, name)| format!("{id} ({name})")), ", ");
            let found = if found.is_empty() { "none".to_owned() } else { found };
            return Err(Error::new(
                Code::InvalidArgument,
                format!(
                    "`workspaceId` is missing, and this key does not have exactly one active workspace: {found}"
                ),
            ));
        };
        settings::header_safe("workspaceId", only)?;
        self.known.borrow_mut().workspace = Some(only.clone());
        Ok(only.clone())
    }
}

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
