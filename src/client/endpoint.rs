//! Calls of one request, or of one listing: what is sent, and what its answer holds.

use crate::error::{Error, Result};
use crate::value::shape::{Shape, incoming, outgoing};
use crate::value::{Fields, Value};

use super::databases::by_id;
use super::records::{
    CONNECTION, DATABASE, EMBEDDING_PROVIDER, FORK, NEW_DATABASE, QUERY_RUN, WORKSPACE,
};
use super::retry::{Repeat, ended};
use super::transport::{Method, Transport};
use super::{Client, Request, answer};

/// Ends a listing whose cursors never end.
const MOST_PAGES: usize = 10_000;

/// A call that only has to be sent.
#[derive(Debug)]
pub struct Endpoint {
    request: Request,
    /// The member of the answer that lists the records; none where it is one itself.
    listed_in: Option<&'static str>,
    /// How many pages of a listing are enough.
    most_pages: usize,
    /// What a record holds.
    shape: Shape,
    /// Whether the record also says if it was made just now.
    tells_created: bool,
    /// Whether a database is what is not found.
    names_database: bool,
}

impl Endpoint {
    fn one(request: Request, shape: Shape) -> Self {
        Self {
            request,
            listed_in: None,
            most_pages: MOST_PAGES,
            shape,
            tells_created: false,
            names_database: false,
        }
    }

    /// The same of a listing, with no more of it than so many pages.
    pub fn of_pages(mut self, most: usize) -> Self {
        self.most_pages = most;
        self
    }

    /// Its listing comes in pages, or all at once.
    pub(super) fn listing(request: Request, member: &'static str, shape: Shape) -> Self {
        Self { listed_in: Some(member), ..Self::one(request, shape) }
    }
}

impl<T: Transport> Client<T> {
    /// The key's workspaces, active or not.
    pub fn workspaces(&self) -> Result<Endpoint> {
        let mut request = self.request(Method::Get, &["workspaces"])?;
        request.in_workspace = false;
        Ok(Endpoint::listing(request, "workspaces", WORKSPACE))
    }

    /// The workspace's connections.
    pub fn connections(&self) -> Result<Endpoint> {
        let request = self.request(Method::Get, &["connections"])?;
        Ok(Endpoint::listing(request, "connections", CONNECTION))
    }

    /// The providers that indexes of the workspace can be made with.
    pub fn embedding_providers(&self) -> Result<Endpoint> {
        let request = self.request(Method::Get, &["embedding-providers"])?;
        Ok(Endpoint::listing(request, "embedding_providers", EMBEDDING_PROVIDER))
    }

    /// Every database of the workspace, newest first; with `{search?}` those whose name holds it.
    pub fn databases(&self, input: &Value) -> Result<Endpoint> {
        let fields = Fields::new("listDatabases", input, &["search"])?;
        let mut request = self.request(Method::Get, &["databases"])?;
        request.query.push(("limit", "100".to_owned()));
        request.query.extend(fields.owned_text("search")?.map(|text| ("search", text)));
        Ok(Endpoint::listing(request, "databases", DATABASE))
    }

    /// Creates a database by [`NEW_DATABASE`]; `created` is false where one of that name was taken as it is.
    pub fn create_database(&self, input: &Value) -> Result<Endpoint> {
        let body = outgoing("createDatabase", input, NEW_DATABASE)?;
        let fields = Fields::of_answer(&body)?;
        let mut request = self.request(Method::Post, &["databases"])?;
        request.repeat = if fields.bool("if_not_exists")? == Some(true) {
            if fields.get("name").is_none() {
                return Err(Error::argument(
                    "name",
                    "is missing: it must be a string beside `ifNotExists`",
                ));
            }
            Repeat::Freely
        } else {
            Repeat::Never("listDatabases() shows whether the database is there.")
        };
        request.set_json(&body);
        Ok(Endpoint { tells_created: true, ..Endpoint::one(request, DATABASE) })
    }

    /// Makes a copy of a database, by [`FORK`], that goes its own way from then on.
    pub fn fork_database(&self, id: &str, input: &Value) -> Result<Endpoint> {
        let mut request = self.request(Method::Post, &["databases", id, "fork"])?;
        request.set_json(&outgoing("forkDatabase", input, FORK)?);
        request.repeat =
            Repeat::Never("listDatabases() shows whether the fork is there: see `forkedFrom`.");
        Ok(Endpoint { names_database: true, ..Endpoint::one(request, DATABASE) })
    }

    /// A query run as it stands.
    pub fn query_run(&self, database_id: Option<&str>, id: &str) -> Result<Endpoint> {
        let database = self.database_id(database_id)?;
        let request = self.scoped(Method::Get, &["query-runs", id], database)?;
        Ok(Endpoint::one(request, QUERY_RUN))
    }

    /// Sends a call and gives its record or records under JavaScript names.
    pub async fn ask(&self, endpoint: Endpoint) -> Result<Value> {
        let Endpoint { request, listed_in, most_pages, shape, tells_created, names_database } =
            endpoint;
        let Some(member) = listed_in else {
            let repeat = request.repeat.clone();
            let answer = self.exchange(request).await;
            let (status, answer) =
                answer.map_err(|error| if names_database { by_id(error) } else { error })?;
            let record = answer::read(&answer, |fields| incoming(&fields, shape))
                .map_err(|error| ended(error, &repeat))?;
            return Ok(if tells_created {
                record.with("created", (status == 201).into())
            } else {
                record
            });
        };
        let mut records = Vec::new();
        for page in self.pages(request, most_pages).await? {
            answer::read(&page, |fields| {
                for item in fields.required_items(member)? {
                    records.push(incoming(&Fields::of_answer(&item)?, shape)?);
                }
                Ok(())
            })?;
        }
        Ok(Value::List(records))
    }

    /// The pages of a listing, in order, no more than `most` below [`MOST_PAGES`]; an error where its cursors lead nowhere or
    /// in a circle.
    async fn pages(&self, request: Request, most: usize) -> Result<Vec<Value>> {
        let mut pages: Vec<Value> = Vec::new();
        let mut cursors: Vec<String> = Vec::new();
        loop {
            let mut request = request.clone();
            request.query.extend(cursors.last().map(|cursor| ("cursor", cursor.clone())));
            let (_, page) = self.exchange(request).await?;
            let (has_more, next) = answer::read(&page, |fields| {
                Ok((fields.bool("has_more")?.unwrap_or(false), fields.owned_text("next_cursor")?))
            })?;
            pages.push(page);
            match next {
                _ if !has_more || (pages.len() >= most && most < MOST_PAGES) => return Ok(pages),
                Some(next) if !cursors.contains(&next) && pages.len() < MOST_PAGES => {
                    cursors.push(next);
                }
                _ => {
                    return Err(answer::another_shape(&format!(
                        "the listing says there is more after page {}, and not where",
                        pages.len()
                    )));
                }
            }
        }
    }
}
