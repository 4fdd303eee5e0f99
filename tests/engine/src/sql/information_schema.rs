//! `information_schema.tables` and `.columns` as the service has them: loaded tables only, no views, four and seven
//! columns, positions counted from 1.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int32Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use async_trait::async_trait;
use datafusion::catalog::{MemTable, SchemaProvider, TableProvider};
use datafusion::error::Result;

use super::scope::Scope;

pub const INFORMATION_SCHEMA: &str = "information_schema";

#[derive(Debug)]
pub struct InformationSchema(pub Arc<Scope>);

#[async_trait]
impl SchemaProvider for InformationSchema {
    fn table_names(&self) -> Vec<String> {
        vec!["columns".to_owned(), "tables".to_owned()]
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let batch = match name {
            "tables" => tables(&self.0)?,
            "columns" => columns(&self.0)?,
            _ => return Ok(None),
        };
        Ok(Some(Arc::new(MemTable::try_new(batch.schema(), vec![vec![batch]])?)))
    }

    fn table_exist(&self, name: &str) -> bool {
        matches!(name, "tables" | "columns")
    }
}

fn tables(scope: &Scope) -> Result<RecordBatch> {
    let mut texts: [Vec<&str>; 4] = Default::default();
    for (catalog, schema, table, _) in scope.loaded() {
        for (column, value) in texts.iter_mut().zip([catalog, schema, table, "BASE TABLE"]) {
            column.push(value);
        }
    }
    let names = ["table_catalog", "table_schema", "table_name", "table_type"];
    batch(
        names.into_iter().zip(texts.map(|column| Arc::new(StringArray::from(column)) as ArrayRef)),
    )
}

fn columns(scope: &Scope) -> Result<RecordBatch> {
    let mut texts: [Vec<String>; 6] = Default::default();
    let mut positions = Vec::new();
    for (catalog, schema, table, data) in scope.loaded() {
        for (position, field) in data.schema.fields().iter().enumerate() {
            let nullable = if field.is_nullable() { "YES" } else { "NO" };
            let values = [
                catalog.to_owned(),
                schema.to_owned(),
                table.to_owned(),
                field.name().clone(),
                field.data_type().to_string(),
                nullable.to_owned(),
            ];
            for (column, value) in texts.iter_mut().zip(values) {
                column.push(value);
            }
            positions.push(i32::try_from(position + 1).unwrap_or(i32::MAX));
        }
    }
    let [catalogs, schemas, tables, names, types, nullables] =
        texts.map(|column| Arc::new(StringArray::from(column)) as ArrayRef);
    batch([
        ("table_catalog", catalogs),
        ("table_schema", schemas),
        ("table_name", tables),
        ("column_name", names),
        ("ordinal_position", Arc::new(Int32Array::from(positions))),
        ("data_type", types),
        ("is_nullable", nullables),
    ])
}

fn batch<'a>(columns: impl IntoIterator<Item = (&'a str, ArrayRef)>) -> Result<RecordBatch> {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns
        .into_iter()
        .map(|(name, array)| (Field::new(name, array.data_type().clone(), false), array))
        .unzip();
    debug_assert!(fields.iter().all(|field| field.data_type() != &DataType::Null));
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?)
}
