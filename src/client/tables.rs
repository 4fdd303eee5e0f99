//! What the service lists of tables that SQL does not show.

use crate::error::Result;
use crate::sql::TableName;
use crate::value::Fields;

use super::records::TABLE;
use super::transport::{Method, Transport};
use super::{Client, Endpoint};

impl<T: Transport> Client<T> {
    /// The database's own tables that were declared and never loaded: information_schema has none of them (contract, "A
    /// declared managed table with no data"). One whose name cannot be written in SQL is left out.
    pub async fn empty_tables(&self, database_id: &str) -> Result<Vec<TableName>> {
        let record = self.known_database(database_id).await?;
        let fields = Fields::of_answer(&record)?;
        let Some(connection) = fields.owned_text("defaultConnectionId")? else {
            return Ok(Vec::new());
        };
        let mut request = self.request(Method::Get, &["information_schema"])?;
        request.query.push(("connection_id", connection));
        request.query.push(("limit", "1000".to_owned()));
        let listed = self.ask(Endpoint::listing(request, "tables", TABLE)).await?;
        let catalog = fields.text("defaultCatalog")?.unwrap_or("default");
        let mut empty = Vec::new();
        for table in listed.as_list().unwrap_or_default() {
            let table = Fields::of_answer(&table)?;
            let (schema, name) = (table.required_text("schema")?, table.required_text("table")?);
            if table.bool("synced")? == Some(false)
                && let Ok(table) = TableName::from_parts(catalog, schema, name)
            {
                empty.push(table);
            }
        }
        Ok(empty)
    }
}
