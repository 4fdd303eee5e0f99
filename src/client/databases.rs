//! Databases, by id only: a name is a label that several may share.

use crate::error::{Code, Error, Result};
use crate::value::shape::incoming;
use crate::value::{Fields, Value};

use super::records::DATABASE;
use super::transport::{Method, Transport};
use super::{Client, answer};

/// The sources attached to a database, by its record: their connections, and the catalogs their tables answer to.
pub(super) fn attachments(database: &Value) -> Result<Vec<(String, Option<String>)>> {
    let mut attachments = Vec::new();
    for attachment in Fields::of_answer(database)?.items("attachments", "an array")? {
        let attachment = Fields::of_answer(&attachment)?;
        let connection = attachment.required_text("connectionId")?.to_owned();
        attachments.push((connection, attachment.owned_text("alias")?));
    }
    Ok(attachments)
}

/// The connection whose tables answer to `catalog` in a database, by its record.
pub(super) fn connection_of(database: &Value, catalog: &str) -> Result<Option<String>> {
    for (connection, alias) in attachments(database)? {
        if alias.as_deref() == Some(catalog) {
            return Ok(Some(connection));
        }
    }
    let fields = Fields::of_answer(database)?;
    let is_own = catalog == fields.text("defaultCatalog")?.unwrap_or("default");
    Ok(fields.owned_text("defaultConnectionId")?.filter(|_| is_own))
}

impl<T: Transport> Client<T> {
    /// One database, with its connection and attachments: its record under JavaScript names.
    pub async fn database(&self, id: &str) -> Result<Value> {
        let request = self.request(Method::Get, &["databases", id])?;
        let (_, answer) = self.exchange(request).await.map_err(by_id)?;
        let database = answer::read(&answer, |fields| incoming(&fields, DATABASE))?;
        self.forget_database(id);
        self.known.borrow_mut().databases.push((id.to_owned(), database.clone()));
        Ok(database)
    }

    /// The same, asked once.
    pub(crate) async fn known_database(&self, id: &str) -> Result<Value> {
        if let Some((_, known)) = self.known.borrow().databases.iter().find(|known| known.0 == id) {
            return Ok(known.clone());
        }
        self.database(id).await
    }

    /// Deletes a database with everything in it.
    pub async fn delete_database(&self, id: &str) -> Result<()> {
        let request = self.request(Method::Delete, &["databases", id])?;
        let removed = self.remove(request).await.map_err(by_id);
        self.forget_database(id);
        removed
    }

    fn forget_database(&self, id: &str) {
        let mut known = self.known.borrow_mut();
        known.databases.retain(|known| known.0 != id);
        known.forget_bounds(id);
    }
}

/// Says where ids come from, where there is no such thing in a database or none of that id.
pub(super) fn by_id(error: Error) -> Error {
    if error.code != Code::NotFound || error.hint.is_some() {
        return error;
    }
    error.with_hint(
        "A database is addressed by its id; names are labels that several may share. listDatabases() shows ids.",
    )
}
