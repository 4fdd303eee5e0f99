//! The catalogs one database's queries see: its own, the sources attached to it, and nothing else.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{CatalogProvider, CatalogProviderList, SchemaProvider, TableProvider};
use datafusion::common::TableReference;
use datafusion::error::Result;

use super::errors::external;
use super::information_schema::{INFORMATION_SCHEMA, InformationSchema};
use super::scan::LocalTable;
use crate::catalog::{Schemas, Table, TableData};
use crate::error::EngineError;

/// A snapshot taken when the query starts.
#[derive(Debug)]
pub struct Scope {
    pub default_catalog: String,
    pub default_schema: String,
    pub catalogs: Vec<ScopeCatalog>,
    /// `catalog.schema.table` names of tables that reject projections naming none of their columns.
    pub strict_projection: Vec<String>,
}

#[derive(Debug)]
pub struct ScopeCatalog {
    /// What queries call it.
    pub alias: String,
    pub connection_id: String,
    pub schemas: Schemas,
}

/// A table with its full name, as a query finds it.
#[derive(Debug, Clone)]
pub struct FoundTable {
    pub catalog: String,
    pub schema: String,
    pub name: String,
    pub connection_id: String,
    pub table: Arc<Table>,
    pub data: Arc<TableData>,
}

impl FoundTable {
    /// `catalog::schema::table::column`, as an index is registered.
    pub fn index_key(&self, column: &str) -> String {
        format!("{}::{}::{}::{column}", self.catalog, self.schema, self.name)
    }
}

impl Scope {
    pub fn catalog(&self, alias: &str) -> Option<&ScopeCatalog> {
        self.catalogs.iter().find(|catalog| catalog.alias == alias)
    }

    /// A table by its three names; `None` when there is none. One that was never loaded is an error.
    fn find(
        &self,
        catalog: &str,
        schema: &str,
        name: &str,
    ) -> crate::error::Result<Option<FoundTable>> {
        let Some(found) = self.catalog(catalog) else {
            return Ok(None);
        };
        let Some(table) = found.schemas.get(schema).and_then(|tables| tables.get(name)) else {
            return Ok(None);
        };
        let Some(data) = table.data.clone() else {
            return Err(EngineError::bad_request(format!(
                "Managed table '{catalog}.{schema}.{name}' is declared but has no data; \
                 POST a load before querying"
            )));
        };
        Ok(Some(FoundTable {
            catalog: catalog.to_owned(),
            schema: schema.to_owned(),
            name: name.to_owned(),
            connection_id: found.connection_id.clone(),
            table: table.clone(),
            data,
        }))
    }

    /// The table a search function's first argument names: `catalog.schema.table`, parts quoted where needed.
    pub fn find_named(&self, name: &str) -> crate::error::Result<FoundTable> {
        let found = match TableReference::parse_str(name) {
            TableReference::Full { catalog, schema, table } => {
                self.find(&catalog, &schema, &table)?
            }
            _ => None,
        };
        found.ok_or_else(|| EngineError::bad_request(format!("table '{name}' not found")))
    }

    /// Loaded tables as `(catalog, schema, table, rows)`, in that order.
    pub fn loaded(&self) -> impl Iterator<Item = (&str, &str, &str, &Arc<TableData>)> {
        self.catalogs.iter().flat_map(|catalog| {
            catalog.schemas.iter().flat_map(move |(schema, tables)| {
                tables.iter().filter_map(move |(name, table)| {
                    let data = table.data.as_ref()?;
                    Some((catalog.alias.as_str(), schema.as_str(), name.as_str(), data))
                })
            })
        })
    }
}

/// DataFusion's view of a [`Scope`].
#[derive(Debug)]
pub struct ScopeCatalogs(pub Arc<Scope>);

impl CatalogProviderList for ScopeCatalogs {
    fn register_catalog(
        &self,
        _: String,
        _: Arc<dyn CatalogProvider>,
    ) -> Option<Arc<dyn CatalogProvider>> {
        None
    }

    fn catalog_names(&self) -> Vec<String> {
        self.0.catalogs.iter().map(|catalog| catalog.alias.clone()).collect()
    }

    fn catalog(&self, name: &str) -> Option<Arc<dyn CatalogProvider>> {
        self.0.catalog(name)?;
        Some(Arc::new(OneCatalog { scope: self.0.clone(), alias: name.to_owned() }))
    }
}

#[derive(Debug)]
struct OneCatalog {
    scope: Arc<Scope>,
    alias: String,
}

impl CatalogProvider for OneCatalog {
    fn schema_names(&self) -> Vec<String> {
        let own = self
            .scope
            .catalog(&self.alias)
            .into_iter()
            .flat_map(|catalog| catalog.schemas.keys().cloned());
        own.chain([INFORMATION_SCHEMA.to_owned()]).collect()
    }

    fn schema(&self, name: &str) -> Option<Arc<dyn SchemaProvider>> {
        if name == INFORMATION_SCHEMA {
            return Some(Arc::new(InformationSchema(self.scope.clone())));
        }
        self.scope.catalog(&self.alias)?.schemas.get(name)?;
        Some(Arc::new(OneSchema {
            scope: self.scope.clone(),
            alias: self.alias.clone(),
            schema: name.to_owned(),
        }))
    }
}

#[derive(Debug)]
struct OneSchema {
    scope: Arc<Scope>,
    alias: String,
    schema: String,
}

#[async_trait]
impl SchemaProvider for OneSchema {
    fn table_names(&self) -> Vec<String> {
        let catalog = self.scope.catalog(&self.alias);
        catalog
            .and_then(|catalog| catalog.schemas.get(&self.schema))
            .map(|tables| tables.keys().cloned().collect())
            .unwrap_or_default()
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let Some(found) = self.scope.find(&self.alias, &self.schema, name).map_err(external)?
        else {
            return Ok(None);
        };
        let full_name = format!("{}.{}.{name}", self.alias, self.schema);
        let strict = self.scope.strict_projection.contains(&full_name);
        Ok(Some(Arc::new(LocalTable { found, strict })))
    }

    fn table_exist(&self, name: &str) -> bool {
        self.table_names().iter().any(|table| table == name)
    }
}
