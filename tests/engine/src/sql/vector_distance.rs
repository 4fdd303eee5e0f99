//! `vector_distance(column, 'text')`: the distance of each row's embedding to the text's, by a full scan.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::array::{Array, AsArray, Float32Builder};
use arrow::datatypes::DataType;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, exec_err, plan_err};
use datafusion::datasource::source_as_provider;
use datafusion::error::Result;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, LogicalPlan, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};
use datafusion::scalar::ScalarValue;

use super::arguments;
use super::errors::external;
use super::scan::LocalTable;
use super::vector_search::{embed_query, no_embedded_index};
use crate::catalog::TableData;
use crate::error::EngineError;
use crate::index::bm25::is_text_type;
use crate::index::vector::{VectorIndex, as_text, is_text_at};
use crate::vectors::VectorColumn;

const NAME: &str = "vector_distance";

/// As parsed, or with what it needs to run.
#[derive(Debug)]
pub struct VectorDistance {
    signature: Signature,
    bound: Option<Arc<Bound>>,
}

#[derive(Debug)]
struct Bound {
    data: Arc<TableData>,
    index: Arc<VectorIndex>,
    query: Vec<f32>,
    /// Where the next text is likely to stand.
    next: AtomicUsize,
}

impl VectorDistance {
    pub fn unbound() -> Self {
        Self::new(None)
    }

    fn new(bound: Option<Arc<Bound>>) -> Self {
        Self { signature: Signature::any(2, Volatility::Immutable), bound }
    }
}

impl PartialEq for VectorDistance {
    fn eq(&self, other: &Self) -> bool {
        match (&self.bound, &other.bound) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(&a.index, &b.index) && a.query == b.query,
            _ => false,
        }
    }
}

impl Eq for VectorDistance {}

impl Hash for VectorDistance {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bound.as_ref().map(|bound| Arc::as_ptr(&bound.index)).hash(state);
    }
}

impl ScalarUDFImpl for VectorDistance {
    fn name(&self) -> &str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        if let [_, query] = arguments
            && !is_text_type(query)
        {
            return plan_err!("{NAME}: the search text must be a text literal, got {query}");
        }
        Ok(DataType::Float32)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let Some(bound) = &self.bound else {
            return exec_err!("{NAME}: the column was not resolved");
        };
        let [texts, _] = arguments.args.as_slice() else {
            return exec_err!("{NAME}: expected 2 arguments");
        };
        let scalar = matches!(texts, ColumnarValue::Scalar(_));
        let texts = texts.to_array(arguments.number_rows)?;
        let distances = bound.distances(&*texts).map_err(external)?;
        if scalar && !distances.is_empty() {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&distances, 0)?));
        }
        Ok(ColumnarValue::Array(Arc::new(distances)))
    }
}

impl Bound {
    /// Reads a text's embedding where the table has stored it: the column's values reach here from anywhere in the
    /// plan, the generated column beside them might not.
    fn distances(&self, texts: &dyn Array) -> crate::error::Result<arrow::array::Float32Array> {
        let mut distances = Float32Builder::with_capacity(texts.len());
        let texts = as_text(texts)?;
        let texts = texts.as_string::<i64>();
        let position = self.data.column_index(&self.index.column)?;
        let mut columns = Vec::with_capacity(self.data.batches.len());
        for batch in &self.data.batches {
            let column = VectorColumn::new(batch.column(position));
            columns.push(column.ok_or_else(|| no_embedded_index(&self.index.column))?);
        }
        let mut scratch = Vec::new();
        for row in 0..texts.len() {
            let stored = if texts.is_null(row) { None } else { self.stored_row(texts.value(row))? };
            let vector = stored.and_then(|stored| {
                let (batch, row) = self.data.locate(stored);
                columns[batch].row(row, &mut scratch)
            });
            match vector {
                Some(vector) if vector.len() == self.query.len() => {
                    distances.append_value(self.index.metric.distance(vector, &self.query));
                }
                Some(vector) => {
                    return Err(EngineError::internal(format!(
                        "{NAME}: the embedding provider answered {} numbers, the index holds {}",
                        self.query.len(),
                        vector.len()
                    )));
                }
                None => distances.append_null(),
            }
        }
        Ok(distances.finish())
    }

    /// A row of the table that holds this text. A scan asks in row order, so the row after the last answer is tried
    /// before any text is hashed.
    fn stored_row(&self, text: &str) -> crate::error::Result<Option<usize>> {
        let source = self.index.source.as_ref();
        let source = source.ok_or_else(|| no_embedded_index(&self.index.column))?;
        if self.data.rows == 0 {
            return Ok(None);
        }
        let next = self.next.load(Ordering::Relaxed) % self.data.rows;
        let row = if is_text_at(&self.data, self.data.column_index(&source.column)?, next, text)? {
            Some(next)
        } else {
            source.rows(&self.data)?.find(&self.data, text)?
        };
        if let Some(row) = row {
            self.next.store(row + 1, Ordering::Relaxed);
        }
        Ok(row)
    }
}

/// Gives every call in the plan its index and the vector of its text. Fails where a call's column is not that of a
/// provider-backed index.
pub async fn bind(plan: LogicalPlan) -> Result<LogicalPlan> {
    let mut calls: Vec<(Arc<VectorIndex>, Arc<TableData>, String)> = Vec::new();
    plan.apply_with_subqueries(|node| {
        for expr in node.expressions() {
            expr.apply(|expr| {
                if let Some(call) = call(expr) {
                    calls.push(resolve(node, call)?);
                }
                Ok(TreeNodeRecursion::Continue)
            })?;
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    if calls.is_empty() {
        return Ok(plan);
    }
    let mut ready: Vec<(String, Arc<Bound>)> = Vec::new();
    for (index, data, text) in calls {
        let known = |(other, bound): &(String, Arc<Bound>)| {
            other == &text && Arc::ptr_eq(&bound.index, &index)
        };
        if ready.iter().any(known) {
            continue;
        }
        let source =
            index.source.as_ref().ok_or_else(|| external(no_embedded_index(&index.column)))?;
        let query = embed_query(&source.embedder, &text).await.map_err(external)?;
        ready.push((text, Arc::new(Bound { data, index, query, next: AtomicUsize::new(0) })));
    }
    let bound = plan.transform_up_with_subqueries(|node| {
        let around = node.clone();
        node.map_expressions(|expr| {
            expr.transform_up(|expr| {
                let Some(unbound) = call(&expr) else {
                    return Ok(Transformed::no(expr));
                };
                let (index, _, text) = resolve(&around, unbound)?;
                let found = ready
                    .iter()
                    .find(|(other, bound)| other == &text && Arc::ptr_eq(&bound.index, &index))
                    .map(|(_, bound)| bound.clone());
                let function = ScalarUDF::new_from_impl(VectorDistance::new(found));
                let args = unbound.args.clone();
                Ok(Transformed::yes(Expr::ScalarFunction(ScalarFunction::new_udf(
                    Arc::new(function),
                    args,
                ))))
            })
        })
    })?;
    Ok(bound.data)
}

fn call(expr: &Expr) -> Option<&ScalarFunction> {
    match expr {
        Expr::ScalarFunction(function) if function.func.name() == NAME => Some(function),
        _ => None,
    }
}

fn resolve(
    node: &LogicalPlan,
    call: &ScalarFunction,
) -> Result<(Arc<VectorIndex>, Arc<TableData>, String)> {
    let [column, text] = call.args.as_slice() else {
        return plan_err!("{NAME} requires 2 arguments");
    };
    let text = arguments::text(NAME, "search text", text)?;
    let Expr::Column(column) = column else {
        return Err(external(no_embedded_index(&column.to_string())));
    };
    node.inputs()
        .into_iter()
        .find_map(|input| origin(input, column))
        .ok_or_else(|| external(no_embedded_index(&column.name)))
        .map(|(index, data)| (index, data, text))
}

/// Follows a column down to the table it is read from, and there to the column's index.
fn origin(plan: &LogicalPlan, column: &Column) -> Option<(Arc<VectorIndex>, Arc<TableData>)> {
    let position = plan.schema().maybe_index_of_column(column)?;
    match plan {
        LogicalPlan::TableScan(scan) => {
            let provider = source_as_provider(&scan.source).ok()?;
            let table = provider.downcast_ref::<LocalTable>()?;
            let index = table.found.table.embedded(&column.name)?.clone();
            Some((index, table.found.data.clone()))
        }
        LogicalPlan::SubqueryAlias(alias) => {
            let (relation, field) = alias.input.schema().qualified_field(position);
            origin(&alias.input, &Column::new(relation.cloned(), field.name()))
        }
        LogicalPlan::Projection(projection) => {
            match projection.expr.get(position)?.clone().unalias() {
                Expr::Column(inner) => origin(&projection.input, &inner),
                _ => None,
            }
        }
        // Its rows come from several tables.
        LogicalPlan::Union(_) | LogicalPlan::RecursiveQuery(_) => None,
        other => other.inputs().into_iter().find_map(|input| origin(input, column)),
    }
}
