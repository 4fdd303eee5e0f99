//! Connections: listing them and their tables, attaching them to databases.

use super::Engine;
use crate::catalog::State;
use crate::error::{EngineError, Result};
use crate::identifiers::normalize;
use crate::model::{Attachment, ColumnRecord, ConnectionRecord, TableRecord};

impl Engine {
    /// Registered connections and every database's own default connection.
    pub fn connections(&self) -> Vec<ConnectionRecord> {
        let state = self.state();
        let alive = state.connections.keys().filter_map(|id| state.connection(id).ok());
        alive.map(|connection| connection.record.clone()).collect()
    }

    /// Makes a registered connection's tables answer to `alias` (its name unless given) in a database's queries.
    pub fn attach_catalog(
        &self,
        database: &str,
        connection_id: &str,
        alias: Option<&str>,
    ) -> Result<()> {
        let mut state = self.state_mut();
        state.database(database)?;
        let connection = state.connection(connection_id)?;
        if connection.database.is_some() {
            return Err(EngineError::bad_request(format!(
                "Connection '{connection_id}' is scoped to another database and cannot be attached here"
            )));
        }
        let alias = normalize("alias", alias.unwrap_or(&connection.record.name))?;
        let mut taken = vec![state.database(database)?.record.default_catalog.clone()];
        for attachment in &state.database(database)?.record.attachments {
            if attachment.connection_id == connection_id {
                return Err(EngineError::conflict(format!(
                    "Connection '{connection_id}' is already attached to database '{database}'"
                )));
            }
            taken.extend(attachment.alias.clone());
        }
        if taken.contains(&alias) {
            return Err(EngineError::conflict(format!(
                "a catalog named '{alias}' already exists in database '{database}'"
            )));
        }
        let attachment = Attachment { connection_id: connection_id.to_owned(), alias: Some(alias) };
        let before = state.database(database)?.record.attachments.clone();
        state.database_mut(database)?.record.attachments.push(attachment);
        self.save_attachments(&mut state, database, before)
    }

    pub fn detach_catalog(&self, database: &str, connection_id: &str) -> Result<()> {
        let mut state = self.state_mut();
        let attachments = &mut state.database_mut(database)?.record.attachments;
        let before = attachments.clone();
        attachments.retain(|attachment| attachment.connection_id != connection_id);
        if attachments.len() == before.len() {
            return Err(EngineError::not_found(format!(
                "Connection '{connection_id}' is not attached to database '{database}'"
            )));
        }
        self.save_attachments(&mut state, database, before)
    }

    /// Keeps changed attachments, or puts back those before.
    fn save_attachments(
        &self,
        state: &mut State,
        database: &str,
        before: Vec<Attachment>,
    ) -> Result<()> {
        let saved = self.save(state, database);
        if saved.is_err() {
            state.database_mut(database)?.record.attachments = before;
        }
        saved
    }

    /// The tables of one connection, declared ones included, sorted by schema and name.
    pub fn tables(&self, connection_id: &str) -> Result<Vec<TableRecord>> {
        let state = self.state();
        let connection = state.connection(connection_id)?;
        let mut records = Vec::new();
        for (schema, tables) in &connection.schemas {
            for (name, table) in tables {
                let fields = table.data.iter().flat_map(|data| data.schema.fields());
                records.push(TableRecord {
                    connection: connection.record.name.clone(),
                    schema: schema.clone(),
                    table: name.clone(),
                    synced: table.data.is_some(),
                    last_sync: table.last_sync.clone(),
                    columns: fields
                        .map(|field| ColumnRecord {
                            name: field.name().clone(),
                            data_type: field.data_type().to_string(),
                            nullable: field.is_nullable(),
                        })
                        .collect(),
                    partition_by: table.spec.partition_by.clone(),
                    sorted_by: table.spec.sorted_by.clone(),
                    constant_per_key: table.spec.constant_per_key.clone(),
                });
            }
        }
        Ok(records)
    }
}
