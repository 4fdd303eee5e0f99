//! Plain scans of a table.

use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::datasource::TableType;
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;

use super::scope::FoundTable;

/// A loaded table.
#[derive(Debug)]
pub struct LocalTable {
    pub found: FoundTable,
    /// Reject projections that name none of the columns, as some of the service's tables do.
    pub strict: bool,
}

#[async_trait]
impl TableProvider for LocalTable {
    fn schema(&self) -> SchemaRef {
        self.found.data.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if self.strict && projection.is_some_and(Vec::is_empty) {
            // Arrow's own words for a batch made of no columns and no count.
            let message = "must either specify a row count or at least one column";
            return Err(DataFusionError::from(ArrowError::InvalidArgumentError(
                message.to_owned(),
            )));
        }
        let data = &self.found.data;
        let source = MemorySourceConfig::try_new(
            std::slice::from_ref(&data.batches),
            data.schema.clone(),
            projection.cloned(),
        )?;
        Ok(DataSourceExec::from_data_source(source.with_limit(limit)))
    }
}
