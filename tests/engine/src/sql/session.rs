//! The DataFusion session of one statement.

use std::sync::{Arc, OnceLock};

use datafusion::error::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::context::SessionState;
use datafusion::execution::memory_pool::GreedyMemoryPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::logical_expr::ScalarUDF;
use datafusion::prelude::SessionConfig;

use super::Behaviour;
use super::bm25_search::Bm25Search;
use super::bounded_function;
use super::distance::DistanceFunction;
use super::nearest_rule::NearestRule;
use super::scope::{Scope, ScopeCatalogs};
use super::vector_distance::VectorDistance;
use super::vector_search::VectorSearch;
use crate::vectors::Metric;

/// Sorts, joins and aggregates of one statement may take this much memory.
const MAX_WORKING_BYTES: usize = 1 << 30;

/// A session over a scope's tables. `explain` says that the statement asks for a plan.
pub fn state(scope: &Arc<Scope>, behaviour: &Behaviour, explain: bool) -> Result<SessionState> {
    // One partition: rows come in row order, and equal statements give equal answers.
    let config = SessionConfig::new()
        .with_target_partitions(1)
        .with_default_catalog_and_schema(&scope.default_catalog, &scope.default_schema)
        .with_create_default_catalog_and_schema(false)
        // The engine's own provider stands in for DataFusion's.
        .with_information_schema(false);
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(GreedyMemoryPool::new(MAX_WORKING_BYTES)))
        .build_arc()?;
    let mut state = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(runtime)
        .with_catalog_list(Arc::new(ScopeCatalogs(scope.clone())))
        .with_default_features()
        .with_optimizer_rule(Arc::new(NearestRule))
        .build();
    bounded_function::register(&mut state)?;
    for metric in Metric::ALL {
        state.register_udf(Arc::new(ScalarUDF::new_from_impl(DistanceFunction::new(metric))))?;
    }
    state.register_udf(Arc::new(ScalarUDF::new_from_impl(VectorDistance::unbound())))?;
    let bm25 = Bm25Search::new(scope.clone(), behaviour.lenient_search_text);
    state.register_udtf("bm25_search", Arc::new(bm25));
    state.register_udtf("vector_search", Arc::new(VectorSearch::new(scope.clone(), explain)));
    // `now()` is the time at which the statement started.
    state.mark_start_execution();
    Ok(state)
}

/// The names a mistyped function is compared with: scalar and aggregate functions, sorted.
#[derive(Default)]
pub struct FunctionNames(OnceLock<Vec<String>>);

impl FunctionNames {
    pub fn read(&self, state: &SessionState) {
        let scalar = state.scalar_functions().keys();
        let aggregate = state.aggregate_functions().keys();
        let mut names: Vec<String> = scalar.chain(aggregate).cloned().collect();
        names.sort();
        names.dedup();
        let _ = self.0.set(names);
    }

    pub fn sorted(&self) -> &[String] {
        self.0.get().map_or(&[], Vec::as_slice)
    }
}
