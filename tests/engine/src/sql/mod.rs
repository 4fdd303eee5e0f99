//! One SQL statement in one database's scope.

mod arguments;
pub mod bm25_search;
pub mod bounded_function;
pub mod distance;
pub mod errors;
pub mod information_schema;
pub mod nearest_rule;
pub mod scan;
pub mod scope;
pub mod search_exec;
pub mod session;
pub mod statement;
pub mod vector_distance;
pub mod vector_search;

use std::sync::Arc;

use arrow::array::Array;
use datafusion::execution::TaskContext;
use datafusion::execution::context::SQLOptions;
use datafusion::physical_plan::execute_stream;
use futures::StreamExt;

use crate::error::{EngineError, Result};
use crate::model::QueryAnswer;
use scope::Scope;

/// A result that would take more memory than this is refused.
const MAX_RESULT_BYTES: usize = 1 << 30;

/// Behaviour an engine's options choose.
#[derive(Debug, Clone, Default)]
pub struct Behaviour {
    /// Answer a quoted mixed-case column that does not exist with 400 and an empty message.
    pub empty_body_for_quoted_case: bool,
    /// Search what can be read of a text that tantivy's parser rejects.
    pub lenient_search_text: bool,
}

/// Plans and runs one read-only statement to its end.
pub async fn run(scope: Arc<Scope>, behaviour: Behaviour, sql: String) -> Result<QueryAnswer> {
    statement::check_depth(&sql)?;
    let names = session::FunctionNames::default();
    run_statement(&scope, &behaviour, &sql, &names)
        .await
        .map_err(|error| errors::engine_error(error, &behaviour, &names))
}

async fn run_statement(
    scope: &Arc<Scope>,
    behaviour: &Behaviour,
    sql: &str,
    names: &session::FunctionNames,
) -> datafusion::error::Result<QueryAnswer> {
    let parsed = statement::parse(sql)?;
    statement::check_expansion(&parsed).map_err(errors::external)?;
    let state = session::state(scope, behaviour, statement::is_explain(&parsed))?;
    names.read(&state);
    let plan = state.statement_to_plan(parsed).await?;
    SQLOptions::new()
        .with_allow_ddl(false)
        .with_allow_dml(false)
        .with_allow_statements(false)
        .verify_plan(&plan)
        .map_err(statement::read_only)?;
    let plan = vector_distance::bind(plan).await?;
    let plan = state.create_physical_plan(&plan).await?;
    let schema = plan.schema();
    let mut stream = execute_stream(plan, Arc::new(TaskContext::from(&state)))?;
    let mut batches = Vec::new();
    let mut bytes = 0;
    while let Some(batch) = stream.next().await {
        let batch = batch?;
        // What the rows themselves take: batches are often slices of larger ones.
        for column in batch.columns() {
            bytes += column.to_data().get_slice_memory_size()?;
        }
        if bytes > MAX_RESULT_BYTES {
            return Err(errors::external(EngineError::new(
                413,
                "RESULT_TOO_LARGE",
                format!(
                    "the result is larger than {} MiB: add a LIMIT or aggregate",
                    MAX_RESULT_BYTES >> 20
                ),
            )));
        }
        batches.push(batch);
    }
    Ok(QueryAnswer { schema, batches, warning: None })
}
