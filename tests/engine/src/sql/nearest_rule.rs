//! Serves `ORDER BY <distance>(column, <vector>) ASC LIMIT k` from a vector index.
//!
//! The rule replaces the table under the sort by its `k` nearest rows; sort and projection stay as they are. It
//! declines silently wherever the shape is not the one the service serves: see [`Shape::read`].

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, BooleanArray};
use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Column, DFSchema, TableReference};
use datafusion::datasource::{DefaultTableSource, TableType, provider_as_source};
use datafusion::error::Result;
use datafusion::logical_expr::{Expr, LogicalPlan, Projection, Sort, TableScan};
use datafusion::optimizer::{ApplyOrder, OptimizerConfig, OptimizerRule};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::scalar::ScalarValue;

use super::scan::LocalTable;
use super::scope::FoundTable;
use super::search_exec::{Search, SearchExec};
use crate::error::EngineError;
use crate::index::vector::nearest;
use crate::vectors::{Metric, VectorColumn};

#[derive(Debug)]
pub struct NearestRule;

impl OptimizerRule for NearestRule {
    fn name(&self) -> &str {
        "nearest_rule"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        // A projection is seen before the sort under it: only it shows whether the vectors go further.
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(
        &self,
        plan: LogicalPlan,
        _: &dyn OptimizerConfig,
    ) -> Result<Transformed<LogicalPlan>> {
        let rewritten = match &plan {
            LogicalPlan::Sort(sort) => rewrite_sort(sort, None)?.map(LogicalPlan::Sort),
            LogicalPlan::Projection(outer) => match outer.input.as_ref() {
                LogicalPlan::Sort(sort) => match rewrite_sort(sort, Some(&outer.expr))? {
                    Some(sort) => Some(LogicalPlan::Projection(Projection::try_new(
                        outer.expr.clone(),
                        Arc::new(LogicalPlan::Sort(sort)),
                    )?)),
                    None => None,
                },
                _ => None,
            },
            _ => None,
        };
        Ok(rewritten.map_or_else(|| Transformed::no(plan), Transformed::yes))
    }
}

fn rewrite_sort(sort: &Sort, outer: Option<&[Expr]>) -> Result<Option<Sort>> {
    let Some(shape) = Shape::read(sort, outer) else {
        return Ok(None);
    };
    let predicate = match shape.predicate {
        None => None,
        Some(predicate) => Some(without_qualifiers(predicate.clone())?),
    };
    let source = provider_as_source(Arc::new(NearestRows {
        found: shape.found,
        column: shape.column,
        metric: shape.metric,
        query: shape.query,
        k: shape.k,
        predicate,
    }));
    let input = with_source(&sort.input, &source)?;
    Ok(Some(Sort { expr: sort.expr.clone(), input: Arc::new(input), fetch: sort.fetch }))
}

/// The same chain of nodes over another source, without the filters: the source applies them.
fn with_source(
    plan: &LogicalPlan,
    source: &Arc<dyn datafusion::logical_expr::TableSource>,
) -> Result<LogicalPlan> {
    match plan {
        LogicalPlan::Filter(filter) => with_source(&filter.input, source),
        LogicalPlan::TableScan(scan) => {
            Ok(LogicalPlan::TableScan(TableScan { source: source.clone(), ..scan.clone() }))
        }
        other => {
            let inputs = other
                .inputs()
                .into_iter()
                .map(|input| with_source(input, source))
                .collect::<Result<_>>()?;
            other.with_new_exprs(other.expressions(), inputs)
        }
    }
}

fn without_qualifiers(predicate: Expr) -> Result<Expr> {
    let stripped = predicate.transform_up(|expr| match expr {
        Expr::Column(column) if column.relation.is_some() => {
            Ok(Transformed::yes(Expr::Column(Column::new_unqualified(column.name))))
        }
        other => Ok(Transformed::no(other)),
    })?;
    Ok(stripped.data)
}

/// A sort the index can serve.
struct Shape<'a> {
    found: FoundTable,
    column: String,
    metric: Metric,
    query: Vec<f32>,
    k: usize,
    predicate: Option<&'a Expr>,
}

impl<'a> Shape<'a> {
    /// `outer` are the expressions of a projection directly over the sort. Served is one ascending sort key that is
    /// the index's own distance, with a limit, over a table named with all three parts, perhaps under an alias, with
    /// at most one projection and one filter between, and the vectors used for nothing but that distance.
    fn read(sort: &'a Sort, outer: Option<&[Expr]>) -> Option<Self> {
        let k = sort.fetch.filter(|k| *k > 0)?;
        let [key] = sort.expr.as_slice() else {
            return None;
        };
        if !key.asc || key.nulls_first {
            return None;
        }
        let (projection, below) = match sort.input.as_ref() {
            LogicalPlan::Projection(projection) => (Some(projection), projection.input.as_ref()),
            other => (None, other),
        };
        let source = Source::read(below)?;
        let key = match (&key.expr, projection) {
            (Expr::Column(column), Some(projection)) => {
                let position = projection.schema.maybe_index_of_column(column)?;
                projection.expr.get(position)?
            }
            (other, _) => other,
        };
        let distance = unaliased(key);
        let Expr::ScalarFunction(function) = distance else {
            return None;
        };
        let metric = Metric::from_function(function.func.name())?;
        let [Expr::Column(column), Expr::Literal(vector, _)] = function.args.as_slice() else {
            return None;
        };
        let index = source.table.found.table.vector()?;
        let query = literal_vector(vector)?;
        if index.column != column.name || index.metric != metric || index.width != query.len() {
            return None;
        }
        let uses_vectors = |expr: &Expr| mentions(expr, &column.name, distance);
        let goes_further = match (projection, outer) {
            // What leaves the inner projection: anything of the vectors but the distance stops the rule, unless
            // the outer projection drops it again.
            (Some(projection), None) => projection.expr.iter().any(uses_vectors),
            (Some(projection), Some(outer)) => {
                projection.expr.iter().any(uses_vectors)
                    && (projection.expr.iter().any(|expr| !is_plain(expr) && uses_vectors(expr))
                        || outer.iter().any(uses_vectors))
            }
            (None, Some(outer)) => outer.iter().any(uses_vectors),
            (None, None) => true,
        };
        if goes_further
            || source.predicate.is_some_and(|predicate| !is_servable(predicate, &column.name))
        {
            return None;
        }
        Some(Self {
            found: source.table.found.clone(),
            column: column.name.clone(),
            metric,
            query,
            k,
            predicate: source.predicate,
        })
    }
}

fn unaliased(expr: &Expr) -> &Expr {
    match expr {
        Expr::Alias(alias) => unaliased(&alias.expr),
        other => other,
    }
}

fn is_plain(expr: &Expr) -> bool {
    matches!(unaliased(expr), Expr::Column(_))
}

/// Whether an expression reads the column anywhere but inside `except`.
fn mentions(expr: &Expr, column: &str, except: &Expr) -> bool {
    let mut found = false;
    // The walk itself cannot fail.
    let _ = expr.apply(|part| {
        use datafusion::common::tree_node::TreeNodeRecursion::{Continue, Jump};
        if part == except {
            return Ok(Jump);
        }
        found |= matches!(part, Expr::Column(read) if read.name == column);
        Ok(Continue)
    });
    found
}

/// Whether a WHERE can go into the index lookup: deterministic, of the row's other columns only.
fn is_servable(predicate: &Expr, column: &str) -> bool {
    let no_exception = Expr::Literal(ScalarValue::Null, None);
    !predicate.is_volatile()
        && !mentions(predicate, column, &no_exception)
        && !predicate
            .exists(|part| {
                Ok(matches!(
                    part,
                    Expr::Exists(_)
                        | Expr::InSubquery(_)
                        | Expr::ScalarSubquery(_)
                        | Expr::OuterReferenceColumn(..)
                ))
            })
            .unwrap_or(true)
}

/// The table under a sort and the filter on it.
struct Source<'a> {
    table: &'a LocalTable,
    predicate: Option<&'a Expr>,
}

impl<'a> Source<'a> {
    fn read(plan: &'a LogicalPlan) -> Option<Self> {
        match plan {
            LogicalPlan::Filter(filter) => {
                let source = Self::read(&filter.input)?;
                // One filter is what the service absorbs.
                source
                    .predicate
                    .is_none()
                    .then_some(Self { predicate: Some(&filter.predicate), ..source })
            }
            LogicalPlan::SubqueryAlias(alias) => Self::read(&alias.input),
            LogicalPlan::TableScan(scan) => {
                let whole = scan.filters.is_empty() && scan.fetch.is_none();
                // The service looks the index up by the name as written: a shorter one forfeits it.
                let named_in_full = matches!(scan.table_name, TableReference::Full { .. });
                if !whole || !named_in_full {
                    return None;
                }
                let table = provider(scan)?;
                Some(Self { table, predicate: None })
            }
            _ => None,
        }
    }
}

fn provider(scan: &TableScan) -> Option<&LocalTable> {
    let source = scan.source.downcast_ref::<DefaultTableSource>()?;
    source.table_provider.downcast_ref::<LocalTable>()
}

fn literal_vector(value: &ScalarValue) -> Option<Vec<f32>> {
    let array: ArrayRef = value.to_array().ok()?;
    let column = VectorColumn::new(&array)?;
    column.row(0, &mut Vec::new()).map(<[f32]>::to_vec)
}

/// A table's `k` nearest rows, all columns as in the table.
#[derive(Debug)]
struct NearestRows {
    found: FoundTable,
    column: String,
    metric: Metric,
    query: Vec<f32>,
    k: usize,
    predicate: Option<Expr>,
}

#[async_trait]
impl TableProvider for NearestRows {
    fn schema(&self) -> SchemaRef {
        self.found.data.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        _: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let data = self.found.data.clone();
        let projected = datafusion::common::project_schema(&data.schema, projection)?;
        let predicate: Option<Arc<dyn PhysicalExpr>> = match &self.predicate {
            None => None,
            Some(predicate) => {
                let schema = DFSchema::try_from(data.schema.as_ref().clone())?;
                Some(session.create_physical_expr(predicate.clone(), &schema)?)
            }
        };
        let detail = format!(
            "table={}, k={}, filtered={}",
            self.found.index_key(&self.column),
            self.k,
            predicate.is_some()
        );
        let (column, metric, query, k) =
            (self.column.clone(), self.metric, self.query.clone(), self.k);
        let projection = projection.cloned();
        let search: Search = Arc::new(move || {
            let masks = match &predicate {
                None => None,
                Some(predicate) => Some(masks(&data, predicate)?),
            };
            let hits = nearest(&data, &column, metric, &query, k, masks.as_deref())?;
            let rows: Vec<usize> = hits.into_iter().map(|(row, _)| row).collect();
            data.gather(&rows, projection.as_deref(), None)
        });
        Ok(Arc::new(SearchExec::new("USearchExec", detail, projected, search)))
    }
}

fn masks(
    data: &crate::catalog::TableData,
    predicate: &Arc<dyn PhysicalExpr>,
) -> crate::error::Result<Vec<BooleanArray>> {
    let mut masks = Vec::with_capacity(data.batches.len());
    for batch in &data.batches {
        let value = predicate
            .evaluate(batch)
            .and_then(|value| value.into_array(batch.num_rows()))
            .map_err(|error| EngineError::bad_request(error.strip_backtrace()))?;
        let mask = value.as_boolean_opt().cloned();
        masks.push(mask.ok_or_else(|| EngineError::bad_request("WHERE must be a condition"))?);
    }
    Ok(masks)
}
