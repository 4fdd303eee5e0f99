//! DataFusion's errors as the engine's: its words, in the service's form where the contract quotes one.

use datafusion::common::SchemaError;
use datafusion::common::utils::datafusion_strsim::levenshtein;
use datafusion::error::DataFusionError;

use super::Behaviour;
use super::session::FunctionNames;
use crate::error::EngineError;

/// Carries an engine error through DataFusion unchanged.
pub fn external(error: EngineError) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

/// What a caller reads. Statement mistakes are 400, faults of the engine 500.
pub fn engine_error(
    error: DataFusionError,
    behaviour: &Behaviour,
    names: &FunctionNames,
) -> EngineError {
    let root = error.find_root();
    if let DataFusionError::External(inner) = root
        && let Some(engine) = inner.downcast_ref::<EngineError>()
    {
        return engine.clone();
    }
    if behaviour.empty_body_for_quoted_case && names_unknown_mixed_case(root) {
        return EngineError::bad_request("");
    }
    if let DataFusionError::Plan(message) = root {
        // The contract quotes these two without DataFusion's prefix.
        if let Some(message) = invalid_function(message, names) {
            return EngineError::bad_request(message);
        }
        if message.starts_with("table '") && message.ends_with("' not found") {
            return EngineError::bad_request(message);
        }
    }
    let message = error.strip_backtrace();
    match root {
        DataFusionError::ResourcesExhausted(_) => {
            EngineError::new(413, "RESULT_TOO_LARGE", message)
        }
        // DataFusion's functions answer some arguments so. A panic of the engine does not come this way.
        DataFusionError::Internal(_) => {
            let words = message.split("\nThis issue was likely caused by a bug").next();
            EngineError::bad_request(words.unwrap_or_default())
        }
        DataFusionError::ExecutionJoin(_) | DataFusionError::IoError(_) => {
            EngineError::internal(message)
        }
        _ => EngineError::bad_request(message),
    }
}

fn names_unknown_mixed_case(error: &DataFusionError) -> bool {
    let DataFusionError::SchemaError(schema, _) = error else {
        return false;
    };
    matches!(&**schema, SchemaError::FieldNotFound { field, .. }
        if field.name.chars().any(char::is_uppercase))
}

/// One line, and of the names nearest to the unknown one the first in the alphabet: DataFusion takes the first of a
/// hash map, which changes from run to run.
fn invalid_function(message: &str, names: &FunctionNames) -> Option<String> {
    let (unknown, _) = message.strip_prefix("Invalid function '")?.split_once('\'')?;
    let lower = unknown.to_lowercase();
    let nearest =
        names.sorted().iter().min_by_key(|candidate| levenshtein(candidate, &lower))?.clone();
    Some(format!("Invalid function '{unknown}'. Did you mean '{nearest}'?"))
}
