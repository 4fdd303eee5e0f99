//! SQL in a database's scope.

use std::sync::Arc;

use super::Engine;
use super::databases::PUBLIC;
use crate::error::Result;
use crate::isolate;
use crate::model::QueryAnswer;
use crate::sql;
use crate::sql::scope::{Scope, ScopeCatalog};

impl Engine {
    /// Runs one statement in a database's scope. Writes are refused; messages are DataFusion's or the contract's.
    pub async fn query(&self, database: &str, sql: &str) -> Result<QueryAnswer> {
        self.query_with_defaults(database, sql, None, None).await
    }

    /// [`Engine::query`] with another catalog and schema for names that leave them out.
    pub async fn query_with_defaults(
        &self,
        database: &str,
        sql: &str,
        default_catalog: Option<&str>,
        default_schema: Option<&str>,
    ) -> Result<QueryAnswer> {
        let mut scope = self.scope(database)?;
        if let Some(catalog) = default_catalog {
            scope.default_catalog = catalog.to_lowercase();
        }
        if let Some(schema) = default_schema {
            scope.default_schema = schema.to_lowercase();
        }
        let (behaviour, sql) = (self.inner.behaviour.clone(), sql.to_owned());
        isolate::run(sql::run(Arc::new(scope), behaviour, sql)).await
    }

    /// A snapshot of the tables a database's queries see: its own catalog first, then its attachments.
    fn scope(&self, id: &str) -> Result<Scope> {
        let state = self.state();
        let database = state.database(id)?;
        let record = &database.record;
        let own = state.connection(&record.default_connection_id)?;
        let mut catalogs = vec![ScopeCatalog {
            alias: record.default_catalog.clone(),
            connection_id: own.record.id.clone(),
            schemas: own.schemas.clone(),
        }];
        for attachment in &record.attachments {
            // A source may be gone since an earlier run.
            let Ok(connection) = state.connection(&attachment.connection_id) else {
                continue;
            };
            catalogs.push(ScopeCatalog {
                alias: attachment.alias.clone().unwrap_or_else(|| connection.record.name.clone()),
                connection_id: connection.record.id.clone(),
                schemas: connection.schemas.clone(),
            });
        }
        let default_schema =
            if database.default_schema_chosen || own.schemas.contains_key(&record.default_schema) {
                record.default_schema.clone()
            } else {
                PUBLIC.to_owned()
            };
        Ok(Scope {
            default_catalog: record.default_catalog.clone(),
            default_schema,
            catalogs,
            strict_projection: self.inner.strict_projection.clone(),
        })
    }
}
