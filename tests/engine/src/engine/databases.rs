//! Databases: create, list, fork, delete; schemas and tables in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Engine;
use crate::catalog::{Connection, Database, Schemas, State, Table};
use crate::error::{EngineError, Result};
use crate::identifiers::{normalize, normalize_columns, normalize_schema};
use crate::model::{
    ConnectionRecord, DatabaseRecord, NewDatabase, NewFork, NewTable, PartitionBy, SortedBy,
};
use crate::time::{new_id, now, parse_expiry};

/// What the record says of a database that chose no default schema. Bare names resolve in `public` all the same.
const UNCHOSEN_SCHEMA: &str = "main";
/// Where bare names resolve in a database that chose no default schema.
pub(super) const PUBLIC: &str = "public";
const RESERVED_CATALOGS: [&str; 2] = ["hotdata", "information_schema"];
const DESCRIPTION_BYTES: usize = 4096;
const TRANSFORMS: [&str; 5] = ["identity", "year", "month", "day", "hour"];

impl Engine {
    /// The record, and whether it was created by this call (`if_not_exists` finds one by name, the newest).
    pub fn create_database(&self, new: NewDatabase) -> Result<(DatabaseRecord, bool)> {
        if new.if_not_exists {
            if new.name.is_none() {
                return Err(EngineError::bad_request("if_not_exists: needs a name to look for"));
            }
            // The service folds the case of unaccented letters only.
            let same = |name: &Option<String>| match (name, &new.name) {
                (Some(one), Some(other)) => one.trim().eq_ignore_ascii_case(other.trim()),
                _ => false,
            };
            let found = self.databases().into_iter().find(|database| same(&database.name));
            if let Some(found) = found {
                return Ok((found, false));
            }
        }
        let expires_at = new.expires_at.as_deref().map(parse_expiry).transpose()?;
        let default_catalog = match &new.default_catalog {
            None => "default".to_owned(),
            Some(name) => normalize("default_catalog", name)?,
        };
        if RESERVED_CATALOGS.contains(&default_catalog.as_str()) {
            return Err(EngineError::bad_request(format!(
                "default_catalog: '{default_catalog}' is reserved"
            )));
        }
        let mut schemas: Schemas = BTreeMap::new();
        for schema in &new.schemas {
            let tables = schemas.entry(normalize_schema(&schema.name)?).or_default();
            for table in &schema.tables {
                declare(tables, table)?;
            }
        }
        let only_schema = (schemas.len() == 1).then(|| schemas.keys().next().cloned()).flatten();
        let chosen = match &new.default_schema {
            Some(name) => Some(normalize_schema(name)?),
            None => only_schema,
        };
        let id = new_id("db")?;
        let record = DatabaseRecord {
            name: Some(new.name.unwrap_or_else(|| format!("database {}", label(&id)))),
            id,
            default_catalog,
            default_schema: chosen.clone().unwrap_or_else(|| UNCHOSEN_SCHEMA.to_owned()),
            created_at: now(),
            expires_at,
            forked_from: None,
            fork_source_name: None,
            fork_description: None,
            default_connection_id: new_id("conn")?,
            attachments: Vec::new(),
        };
        let mut state = self.state_mut();
        insert(&mut state, record.clone(), chosen.is_some(), schemas);
        self.save(&state, &record.id).inspect_err(|_| remove(&mut state, &record.id))?;
        Ok((record, true))
    }

    /// Newest first.
    pub fn databases(&self) -> Vec<DatabaseRecord> {
        let state = self.state();
        let mut databases: Vec<&Database> =
            state.databases.keys().filter_map(|id| state.database(id).ok()).collect();
        databases.sort_by_key(|database| std::cmp::Reverse(database.order));
        databases.into_iter().map(|database| database.record.clone()).collect()
    }

    pub fn database(&self, id: &str) -> Result<DatabaseRecord> {
        Ok(self.state().database(id)?.record.clone())
    }

    /// Never refused for being attached: no instant database can attach another.
    pub fn delete_database(&self, id: &str) -> Result<()> {
        let mut state = self.state_mut();
        state.database(id)?;
        if let Some(folder) = &self.inner.folder {
            folder.delete(id)?;
        }
        remove(&mut state, id);
        Ok(())
    }

    /// A database with the same tables, indexes and attachments, which then goes its own way.
    pub fn fork_database(&self, id: &str, new: NewFork) -> Result<DatabaseRecord> {
        let expires_at = new.expires_at.as_deref().map(parse_expiry).transpose()?;
        let description = new.description.as_deref().map(check_description).transpose()?;
        let (from, mut schemas) = {
            let state = self.state();
            let from = state.database(id)?.clone();
            let schemas = state.connection(&from.record.default_connection_id)?.schemas.clone();
            (from, schemas)
        };
        let fork_id = new_id("db")?;
        let source = from.record.name.clone();
        let named = |source: &String| format!("{source} {}", label(&fork_id));
        let record = DatabaseRecord {
            name: new.name.or_else(|| source.as_ref().map(named)),
            id: fork_id.clone(),
            created_at: now(),
            expires_at: expires_at.or_else(|| from.record.expires_at.clone()),
            forked_from: Some(id.to_owned()),
            fork_source_name: source.clone(),
            fork_description: description.flatten(),
            default_connection_id: new_id("conn")?,
            ..from.record
        };
        for table in schemas.values_mut().flat_map(BTreeMap::values_mut) {
            // Builds under way are the other database's, and the service carries no ivf index over.
            Arc::make_mut(table).indexes.retain(|index| {
                index.built.is_some() && index.record.algorithm.as_deref() != Some("ivf")
            });
            if let (Some(folder), Some(data)) = (&self.inner.folder, table.data.clone()) {
                let file = folder.write_rows(&record.id, &data)?;
                Arc::make_mut(table).file = Some(file);
            }
        }
        let mut state = self.state_mut();
        insert(&mut state, record.clone(), from.default_schema_chosen, schemas);
        self.save(&state, &record.id).inspect_err(|_| remove(&mut state, &record.id))?;
        Ok(record)
    }

    pub fn create_schema(&self, database: &str, name: &str) -> Result<()> {
        let name = normalize_schema(name)?;
        self.change(database, |schemas| {
            if schemas.contains_key(&name) {
                return Err(EngineError::conflict(format!("Schema '{name}' already exists")));
            }
            schemas.insert(name.clone(), BTreeMap::new());
            Ok(())
        })
    }

    /// Declares a table; its schema is created where it does not exist.
    pub fn create_table(&self, database: &str, schema: &str, table: NewTable) -> Result<()> {
        let schema = normalize_schema(schema)?;
        self.change(database, |schemas| declare(schemas.entry(schema.clone()).or_default(), &table))
    }

    /// Removes a table with its rows and indexes.
    pub fn drop_table(&self, connection_id: &str, schema: &str, table: &str) -> Result<()> {
        let (schema, table) = (schema.to_lowercase(), table.to_lowercase());
        let database = self.database_of(connection_id)?;
        let _held = self.try_lock_table(connection_id, &schema, &table)?;
        self.change(&database, |schemas| {
            let removed = schemas.get_mut(&schema).and_then(|tables| tables.remove(&table));
            removed.map(|_| ()).ok_or_else(|| {
                EngineError::not_found(format!("Table '{schema}.{table}' not found"))
            })
        })
    }

    /// The database whose own connection this is. Tables of other connections cannot be changed.
    pub(super) fn database_of(&self, connection_id: &str) -> Result<String> {
        let state = self.state();
        let connection = state.connection(connection_id)?;
        connection.database.clone().ok_or_else(|| {
            EngineError::bad_request(format!(
                "Connection '{connection_id}' is a registered source: its tables cannot be changed here"
            ))
        })
    }

    /// Changes a database's schemas and keeps the change, or does neither.
    pub(super) fn change<T>(
        &self,
        database: &str,
        change: impl FnOnce(&mut Schemas) -> Result<T>,
    ) -> Result<T> {
        let mut state = self.state_mut();
        let connection = state.database(database)?.record.default_connection_id.clone();
        let connection_entry = state.connection_mut(&connection)?;
        let before = connection_entry.schemas.clone();
        let outcome = change(&mut connection_entry.schemas);
        let kept = outcome.and_then(|value| self.save(&state, database).map(|()| value));
        if kept.is_err()
            && let Ok(connection) = state.connection_mut(&connection)
        {
            connection.schemas = before;
        }
        kept
    }
}

/// A few characters of an id that tell one database's label from another's.
fn label(id: &str) -> &str {
    id.get(id.len().saturating_sub(6)..).unwrap_or(id)
}

/// A fork's description trimmed; an empty one is none.
fn check_description(text: &str) -> Result<Option<String>> {
    let text = text.trim();
    let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if text.len() > DESCRIPTION_BYTES || text.contains(odd) {
        return Err(EngineError::bad_request(format!(
            "description: at most {DESCRIPTION_BYTES} bytes without control characters"
        )));
    }
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

fn insert(
    state: &mut State,
    record: DatabaseRecord,
    default_schema_chosen: bool,
    schemas: Schemas,
) {
    state.created += 1;
    let order = state.created;
    let id = record.default_connection_id.clone();
    let connection = Connection {
        // Clients look connections up by name, so a name must be nobody else's.
        record: ConnectionRecord {
            id: id.clone(),
            name: id.clone(),
            source_type: "managed".to_owned(),
        },
        database: Some(record.id.clone()),
        schemas,
    };
    state.connections.insert(id, connection);
    state.databases.insert(record.id.clone(), Database { record, default_schema_chosen, order });
}

fn remove(state: &mut State, id: &str) {
    if let Some(database) = state.databases.remove(id) {
        state.connections.remove(&database.record.default_connection_id);
    }
}

fn declare(tables: &mut BTreeMap<String, Arc<Table>>, new: &NewTable) -> Result<()> {
    let name = normalize("table", &new.name)?;
    if tables.contains_key(&name) {
        return Err(EngineError::conflict(format!("Table '{name}' already exists")));
    }
    let lower = |what, names: &[String]| normalize_columns(what, names.iter().map(String::as_str));
    let partition_by = new
        .partition_by
        .iter()
        .map(|by| {
            if !TRANSFORMS.contains(&by.transform.as_str()) {
                return Err(EngineError::bad_request(format!(
                    "partition_by: unknown transform '{}'; accepted: {}",
                    by.transform,
                    TRANSFORMS.join(", ")
                )));
            }
            Ok(PartitionBy {
                column: normalize("partition_by", &by.column)?,
                transform: by.transform.clone(),
            })
        })
        .collect::<Result<_>>()?;
    let sorted_by = new
        .sorted_by
        .iter()
        .map(|by| Ok(SortedBy { column: normalize("sorted_by", &by.column)?, ..by.clone() }))
        .collect::<Result<_>>()?;
    let spec = NewTable {
        key: lower("key", &new.key)?,
        constant_per_key: lower("constant_per_key", &new.constant_per_key)?,
        partition_by,
        sorted_by,
        name: name.clone(),
    };
    tables.insert(name, Arc::new(Table { spec, ..Table::default() }));
    Ok(())
}
