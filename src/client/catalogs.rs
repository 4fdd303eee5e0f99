//! Catalogs: sources attached to a database and detached. What is said is what was read back.

use crate::error::{Code, Error, Result};
use crate::value::shape::outgoing;
use crate::value::{Fields, Value};

use super::Client;
use super::databases::attachments;
use super::records::NEW_ATTACHMENT;
use super::retry::Repeat;
use super::transport::{Method, Transport};

impl<T: Transport> Client<T> {
    /// Attaches a source by [`NEW_ATTACHMENT`], and gives the database as it is then. Attached already under the same alias
    /// is attached.
    pub async fn attach_catalog(&self, database_id: Option<&str>, input: &Value) -> Result<Value> {
        let id = self.database_id(database_id)?;
        let body = outgoing("attachCatalog", input, NEW_ATTACHMENT)?;
        let fields = Fields::of_answer(&body)?;
        let (connection, alias) = (fields.required_text("connection_id")?, fields.text("alias")?);
        let mut request = self.request(Method::Post, &["databases", id, "catalogs"])?;
        request.set_json(&body);
        // A second attachment is refused with 409, and reading back tells.
        request.repeat = Repeat::Freely;
        let refused = match self.send(request).await {
            Ok(_) => None,
            Err(refused) if refused.code == Code::Conflict => Some(refused),
            Err(error) if error.code == Code::NotFound => {
                let shown = "listDatabases() shows the ids of databases, listConnections() those of connections.";
                return Err(error.with_hint(shown));
            }
            Err(error) => return Err(error),
        };
        let database = self.database(id).await?;
        let attached = attachments(&database)?.into_iter().find(|one| one.0 == connection);
        let attached_as = attached.as_ref().and_then(|one| one.1.as_deref());
        let as_asked = attached.is_some() && (alias.is_none() || attached_as == alias);
        match (as_asked, refused) {
            (true, _) => Ok(database),
            (false, Some(refused)) => Err(match attached_as {
                Some(alias) => refused.with_hint(format!(
                    "The connection is attached as {alias}: use that name, or detach it first."
                )),
                None => refused,
            }),
            (false, None) => Err(not_so(connection, "attached to", id, "not listed")),
        }
    }

    /// Detaches a source, and gives the database as it is then. Not attached is detached.
    pub async fn detach_catalog(
        &self,
        database_id: Option<&str>,
        connection_id: &str,
    ) -> Result<Value> {
        let id = self.database_id(database_id)?;
        let segments = ["databases", id, "catalogs", connection_id];
        match self.remove(self.request(Method::Delete, &segments)?).await {
            // Which of the two is not there, the reading tells.
            Err(error) if error.code != Code::NotFound => return Err(error),
            _ => {}
        }
        let database = self.database(id).await?;
        if attachments(&database)?.iter().any(|one| one.0 == connection_id) {
            return Err(not_so(connection_id, "detached from", id, "still listed"));
        }
        Ok(database)
    }
}

fn not_so(connection: &str, done: &str, database: &str, found: &str) -> Error {
    let message = format!(
        "The service says that connection {connection} was {done} database {database}, and it is {found} there"
    );
    Error::new(Code::UnexpectedResponse, message)
}
