//! `bm25_search('catalog.schema.table', 'column', 'text'[, k])`: the table's columns and `score`, in row order.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float32Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::datasource::TableType;
use datafusion::error::Result;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;

use super::arguments;
use super::errors::external;
use super::scope::{FoundTable, Scope};
use super::search_exec::{Search, SearchExec};
use crate::catalog::TableData;
use crate::error::EngineError;
use crate::index::bm25::Bm25Index;

const NAME: &str = "bm25_search";
/// The bound of a call that states none.
const DEFAULT_BOUND: usize = 1_000;

#[derive(Debug)]
pub struct Bm25Search {
    scope: Arc<Scope>,
    lenient: bool,
}

impl Bm25Search {
    pub fn new(scope: Arc<Scope>, lenient: bool) -> Self {
        Self { scope, lenient }
    }
}

impl TableFunctionImpl for Bm25Search {
    fn call_with_args(&self, call: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let exprs = call.exprs();
        arguments::count(NAME, exprs, 3..=4)?;
        let table = arguments::text(NAME, "table", &exprs[0])?;
        let column = arguments::text(NAME, "column", &exprs[1])?;
        let query = arguments::text(NAME, "search text", &exprs[2])?;
        let bound = exprs.get(3).map(|expr| arguments::bound(NAME, expr)).transpose()?;
        let found = self.scope.find_named(&table).map_err(external)?;
        let Some(index) = found.table.bm25(&column).cloned() else {
            return Err(external(EngineError::bad_request(format!(
                "No BM25 index found on column '{column}' for {}.{}.{}",
                found.connection_id, found.schema, found.name
            ))));
        };
        let schema = with_column(&found.data, NAME, "score", &table).map_err(external)?;
        Ok(Arc::new(TextHits { found, index, column, query, bound, lenient: self.lenient, schema }))
    }
}

/// The table's columns and a `Float32` after them.
pub fn with_column(
    data: &TableData,
    function: &str,
    name: &str,
    table: &str,
) -> crate::error::Result<SchemaRef> {
    if data.schema.index_of(name).is_ok() {
        return Err(EngineError::bad_request(format!(
            "{function}: '{table}' has a column '{name}' of its own, which is the name of the column {function} adds"
        )));
    }
    let mut fields = data.schema.fields().to_vec();
    fields.push(Arc::new(Field::new(name, DataType::Float32, true)));
    Ok(Arc::new(Schema::new(fields)))
}

/// The rows of hits in row order with their values after them, cut to `projection` of the table's columns and that one.
pub fn rows_with_values(
    data: &TableData,
    mut hits: Vec<(usize, f32)>,
    projection: Option<&[usize]>,
    schema: &SchemaRef,
) -> crate::error::Result<Vec<arrow::array::RecordBatch>> {
    hits.sort_unstable_by_key(|(row, _)| *row);
    let (rows, values): (Vec<usize>, Vec<f32>) = hits.into_iter().unzip();
    let values: ArrayRef = Arc::new(Float32Array::from(values));
    let own = data.schema.fields().len();
    let all: Vec<usize> = (0..=own).collect();
    let projection = projection.unwrap_or(&all);
    let columns: Vec<usize> =
        projection.iter().copied().filter(|position| *position != own).collect();
    let extra = Schema::new(vec![schema.field(own).clone()]);
    let extra = projection.contains(&own).then_some((&extra, &values));
    let batches = data.gather(&rows, Some(&columns), extra)?;
    // The value stands last above; a projection may want it elsewhere.
    let Some(wanted) = projection.iter().position(|position| *position == own) else {
        return Ok(batches);
    };
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.insert(wanted, columns.len());
    batches
        .iter()
        .map(|batch| {
            batch.project(&order).map_err(|error| EngineError::internal(error.to_string()))
        })
        .collect()
}

#[derive(Debug)]
struct TextHits {
    found: FoundTable,
    index: Arc<Bm25Index>,
    column: String,
    query: String,
    bound: Option<usize>,
    lenient: bool,
    schema: SchemaRef,
}

#[async_trait]
impl TableProvider for TextHits {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Temporary
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let k = match (self.bound, limit) {
            (Some(bound), Some(limit)) => bound.min(limit),
            (Some(bound), None) => bound,
            (None, Some(limit)) => limit,
            (None, None) => DEFAULT_BOUND,
        };
        let k = k.min(self.found.data.rows);
        let projected = datafusion::common::project_schema(&self.schema, projection)?;
        let detail = format!("table={}, k={k}", self.found.index_key(&self.column));
        let (index, data, schema) =
            (self.index.clone(), self.found.data.clone(), self.schema.clone());
        let (column, query, lenient) = (self.column.clone(), self.query.clone(), self.lenient);
        let projection = projection.cloned();
        let search: Search = Arc::new(move || {
            let hits = index.search(&column, &query, k, lenient)?;
            rows_with_values(&data, hits, projection.as_deref(), &schema)
        });
        Ok(Arc::new(SearchExec::new("Bm25Exec", detail, projected, search)))
    }
}
