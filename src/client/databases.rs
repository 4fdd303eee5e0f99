//! Databases: listed, read, created, deleted. By id only: a name is a label that several may share.

use crate::error::{Code, Error, Result};
use crate::value::{Fields, Value, missing};

use super::transport::{Method, Response, Transport};
use super::{Client, answer};

/// Ends a listing whose cursors never end.
const MAX_PAGES: usize = 10_000;

/// A database as the service describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Database {
    /// The only handle: names are not unique.
    pub id: String,
    /// A display label.
    pub name: Option<String>,
    /// The catalog its own tables answer to.
    pub default_catalog: Option<String>,
    /// The schema the record states; the tables' real one is in information_schema (contract, "There is no universal
    /// catalog name").
    pub default_schema: Option<String>,
    /// RFC 3339.
    pub created_at: Option<String>,
    /// RFC 3339.
    pub expires_at: Option<String>,
    /// The database it is a fork of.
    pub forked_from: Option<String>,
    /// The connection its own tables and indexes are listed under; only a single record tells.
    pub default_connection_id: Option<String>,
    /// Attached sources; only a single record tells.
    pub attachments: Vec<Attachment>,
}

/// A source attached to a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// The source's connection.
    pub connection_id: String,
    /// The catalog its tables answer to.
    pub alias: Option<String>,
}

/// What a new database is made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewDatabase {
    name: Option<String>,
    expires_at: Option<String>,
    if_not_exists: bool,
    schemas: Vec<NewSchema>,
}

#[derive(Debug, Clone, PartialEq)]
struct NewSchema {
    name: String,
    tables: Vec<NewTable>,
}

#[derive(Debug, Clone, PartialEq)]
struct NewTable {
    name: String,
    key: Vec<String>,
}

impl Database {
    fn read(fields: Fields) -> Result<Self> {
        let mut attachments = Vec::new();
        for attachment in fields.items("attachments", "an array")? {
            let attachment = Fields::of_answer(&attachment)?;
            attachments.push(Attachment {
                connection_id: answer::promised(&attachment, "connection_id")?,
                alias: attachment.owned_text("alias")?,
            });
        }
        Ok(Self {
            id: answer::promised(&fields, "id")?,
            name: fields.owned_text("name")?,
            default_catalog: fields.owned_text("default_catalog")?,
            default_schema: fields.owned_text("default_schema")?,
            created_at: fields.owned_text("created_at")?,
            expires_at: fields.owned_text("expires_at")?,
            forked_from: fields.owned_text("forked_from")?,
            default_connection_id: fields.owned_text("default_connection_id")?,
            attachments,
        })
    }

    /// The record under JavaScript names.
    pub fn to_value(&self) -> Value {
        let attachments = self.attachments.iter().map(|attachment| {
            Value::record([
                ("connectionId", (&attachment.connection_id).into()),
                ("alias", attachment.alias.as_ref().into()),
            ])
        });
        Value::record([
            ("id", (&self.id).into()),
            ("name", self.name.as_ref().into()),
            ("defaultCatalog", self.default_catalog.as_ref().into()),
            ("defaultSchema", self.default_schema.as_ref().into()),
            ("createdAt", self.created_at.as_ref().into()),
            ("expiresAt", self.expires_at.as_ref().into()),
            ("forkedFrom", self.forked_from.as_ref().into()),
            ("defaultConnectionId", self.default_connection_id.as_ref().into()),
            ("attachments", Value::list(&mut attachments.into_iter())),
        ])
    }
}

impl NewDatabase {
    /// The options read by [`NewDatabase::parse`].
    pub const OPTIONS: &[&str] = &["name", "expiresAt", "ifNotExists", "schemas"];

    /// Reads `{name?, expiresAt?: "24h" | "90m" | "7d" | RFC 3339, ifNotExists?, schemas?: [{name, tables?: [{name,
    /// key?}]}]}`.
    pub fn parse(input: &Value) -> Result<Self> {
        let fields = Fields::new("a new database", input, Self::OPTIONS)?;
        let if_not_exists = fields.bool("ifNotExists")?.unwrap_or(false);
        let name = fields.text("name")?.map(str::to_owned);
        if if_not_exists && name.is_none() {
            return Err(missing("name", "a string beside `ifNotExists`"));
        }
        Ok(Self {
            name,
            expires_at: fields.text("expiresAt")?.map(str::to_owned),
            if_not_exists,
            schemas: fields
                .items("schemas", "a list of objects")?
                .iter()
                .map(schema)
                .collect::<Result<_>>()?,
        })
    }
}

fn schema(input: &Value) -> Result<NewSchema> {
    let fields = Fields::new("a schema", input, &["name", "tables"])?;
    let tables = fields
        .items("tables", "a list of objects")?
        .iter()
        .map(|table| {
            let fields = Fields::new("a table", table, &["name", "key"])?;
            Ok(NewTable {
                name: fields.required_text("name")?.to_owned(),
                key: fields.texts("key")?.unwrap_or_default(),
            })
        })
        .collect::<Result<_>>()?;
    Ok(NewSchema { name: fields.required_text("name")?.to_owned(), tables })
}

impl NewDatabase {
    fn to_value(&self) -> Value {
        let tables = |tables: &[NewTable]| {
            Value::list(&mut tables.iter().map(|table| {
                let key = (!table.key.is_empty()).then(|| Value::texts(&table.key));
                Value::object([("name", (&table.name).into()), ("key", key.unwrap_or(Value::Null))])
            }))
        };
        let schemas = self.schemas.iter().map(|schema| {
            Value::object([("name", (&schema.name).into()), ("tables", tables(&schema.tables))])
        });
        Value::object([
            ("name", self.name.as_ref().into()),
            ("expires_at", self.expires_at.as_ref().into()),
            ("if_not_exists", self.if_not_exists.then_some(true).into()),
            ("schemas", Value::list(&mut schemas.into_iter())),
        ])
    }
}

impl<T: Transport> Client<T> {
    /// Every database of the workspace, newest first; `search` keeps those whose name holds it.
    pub async fn databases(&self, search: Option<&str>) -> Result<Vec<Database>> {
        let mut all = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let mut request = self.request(Method::Get, &["databases"]).await?;
            request.query.push(("limit", "100".to_owned()));
            request.query.extend(search.map(|text| ("search", text.to_owned())));
            request.query.extend(cursor.clone().map(|cursor| ("cursor", cursor)));
            let (_, answer) = self.exchange(request).await?;
            let (page, has_more, next) = answer::read(&answer, |fields| {
                let page: Result<Vec<Database>> = fields
                    .required_items("databases")?
                    .iter()
                    .map(|item| Database::read(Fields::of_answer(item)?))
                    .collect();
                Ok((
                    page?,
                    fields.bool("has_more")?.unwrap_or(false),
                    fields.owned_text("next_cursor")?,
                ))
            })?;
            all.extend(page);
            match next {
                Some(next) if has_more && cursor.as_ref() != Some(&next) => cursor = Some(next),
                _ if has_more => break,
                _ => return Ok(all),
            }
        }
        Err(Error::new(
            Code::UnexpectedResponse,
            format!(
                "The listing of databases says there are more after {} of them, and not where",
                all.len()
            ),
        ))
    }

    /// One database, with its connection and attachments.
    pub async fn database(&self, id: &str) -> Result<Database> {
        let answer = self.exchange(self.request(Method::Get, &["databases", id]).await?).await;
        let (_, answer) = answer.map_err(|error| match error.code {
            Code::NotFound => error.with_hint(
                "A database is addressed by its id; names are labels that several may share. listDatabases() shows ids.",
            ),
            _ => error,
        })?;
        let database = answer::read(&answer, Database::read)?;
        self.forget_database(id);
        self.known.borrow_mut().databases.push(database.clone());
        Ok(database)
    }

    /// The same, asked once.
    pub(crate) async fn known_database(&self, id: &str) -> Result<Database> {
        if let Some(known) = self.known.borrow().databases.iter().find(|known| known.id == id) {
            return Ok(known.clone());
        }
        self.database(id).await
    }

    /// Creates a database.
    pub async fn create_database(&self, new: &NewDatabase) -> Result<Database> {
        let mut request = self.request(Method::Post, &["databases"]).await?;
        request.set_json(&new.to_value());
        let (_, answer) = self.exchange(request).await.map_err(Error::not_repeatable)?;
        answer::read(&answer, Database::read)
    }

    /// Deletes a database with everything in it.
    pub async fn delete_database(&self, id: &str) -> Result<()> {
        let response = self.send(self.request(Method::Delete, &["databases", id]).await?).await?;
        self.forget_database(id);
        // The body says nothing; it is read so that the connection can serve again, and what is done is done.
        match response.text().await {
            Err(error) if error.code == Code::Aborted => Err(error),
            _ => Ok(()),
        }
    }

    fn forget_database(&self, id: &str) {
        let mut known = self.known.borrow_mut();
        known.databases.retain(|database| database.id != id);
        known.forget_bounds(id);
    }
}
