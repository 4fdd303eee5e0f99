//! `vector_search('catalog.schema.table', 'column', 'text', k)`: the table's columns and `_distance`, in row order.

use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::datasource::TableType;
use datafusion::error::Result;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;

use super::arguments;
use super::bm25_search::{rows_with_values, with_column};
use super::errors::external;
use super::scope::{FoundTable, Scope};
use super::search_exec::{Search, SearchExec};
use crate::embedding::Embedder;
use crate::error::EngineError;
use crate::index::vector::{VectorIndex, nearest};

const NAME: &str = "vector_search";
/// The service rewrites the call before planning, which EXPLAIN bypasses.
const NOT_UNDER_EXPLAIN: &str = "vector_search() is a RuntimeDB rewrite-only stub and must not execute directly. \
     The SQL rewrite step did not replace it with vector_search_vector()";

#[derive(Debug)]
pub struct VectorSearch {
    scope: Arc<Scope>,
    explain: bool,
}

impl VectorSearch {
    pub fn new(scope: Arc<Scope>, explain: bool) -> Self {
        Self { scope, explain }
    }
}

/// What a text-taking form says of a column without a provider-backed index.
pub fn no_embedded_index(column: &str) -> EngineError {
    EngineError::bad_request(format!(
        "no vector index with embedding configuration found for column '{column}'"
    ))
}

/// The vector of one text.
pub async fn embed_query(embedder: &Embedder, text: &str) -> crate::error::Result<Vec<f32>> {
    let mut vectors = embedder.embed(&[text.to_owned()]).await?;
    vectors.pop().ok_or_else(|| EngineError::internal("the embedding provider answered no vector"))
}

impl TableFunctionImpl for VectorSearch {
    fn call_with_args(&self, call: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        if self.explain {
            return Err(external(EngineError::bad_request(NOT_UNDER_EXPLAIN)));
        }
        let exprs = call.exprs();
        arguments::count(NAME, exprs, 4..=4)?;
        let table = arguments::text(NAME, "table", &exprs[0])?;
        let column = arguments::text(NAME, "column", &exprs[1])?;
        let query = arguments::text(NAME, "search text", &exprs[2])?;
        let k = arguments::bound(NAME, &exprs[3])?;
        let found = self.scope.find_named(&table).map_err(external)?;
        let index = found.table.embedded(&column).cloned();
        let index = index.ok_or_else(|| external(no_embedded_index(&column)))?;
        let schema = with_column(&found.data, NAME, "_distance", &table).map_err(external)?;
        Ok(Arc::new(MeaningHits { found, index, query, k, schema }))
    }
}

#[derive(Debug)]
struct MeaningHits {
    found: FoundTable,
    index: Arc<VectorIndex>,
    query: String,
    k: usize,
    schema: SchemaRef,
}

#[async_trait]
impl TableProvider for MeaningHits {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Temporary
    }

    /// A limit above is not used: it takes the first rows, not the nearest.
    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        _: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let source = self
            .index
            .source
            .as_ref()
            .ok_or_else(|| external(no_embedded_index(&self.index.column)))?;
        let query = embed_query(&source.embedder, &self.query).await.map_err(external)?;
        let projected = datafusion::common::project_schema(&self.schema, projection)?;
        let k = self.k.min(self.found.data.rows);
        let detail =
            format!("table={}, k={k}, filtered=false", self.found.index_key(&self.index.column));
        let (index, data, schema) =
            (self.index.clone(), self.found.data.clone(), self.schema.clone());
        let projection = projection.cloned();
        let search: Search = Arc::new(move || {
            let hits = nearest(&data, &index.column, index.metric, &query, k, None)?;
            rows_with_values(&data, hits, projection.as_deref(), &schema)
        });
        Ok(Arc::new(SearchExec::new("USearchExec", detail, projected, search)))
    }
}
