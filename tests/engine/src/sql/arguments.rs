//! Literal arguments of the search functions.

use datafusion::logical_expr::Expr;
use datafusion::scalar::ScalarValue;

use super::errors::external;
use crate::error::EngineError;

/// A text literal, or an error that names the function and the argument.
pub fn text(function: &str, what: &str, expr: &Expr) -> datafusion::error::Result<String> {
    if let Expr::Literal(value, _) = expr
        && let Some(Some(text)) = value.try_as_str()
    {
        return Ok(text.to_owned());
    }
    Err(external(EngineError::bad_request(format!(
        "{function}: the {what} must be a text literal, got {expr}"
    ))))
}

/// A bound: a whole number, not negative.
pub fn bound(function: &str, expr: &Expr) -> datafusion::error::Result<usize> {
    let value = match expr {
        Expr::Literal(ScalarValue::Int64(Some(value)), _) => usize::try_from(*value).ok(),
        Expr::Literal(ScalarValue::UInt64(Some(value)), _) => usize::try_from(*value).ok(),
        Expr::Literal(ScalarValue::Int32(Some(value)), _) => usize::try_from(*value).ok(),
        _ => None,
    };
    value.ok_or_else(|| {
        external(EngineError::bad_request(format!(
            "{function}: the limit must be a whole number of at least 0, got {expr}"
        )))
    })
}

/// Checks how many arguments came.
pub fn count(
    function: &str,
    exprs: &[Expr],
    accepted: std::ops::RangeInclusive<usize>,
) -> datafusion::error::Result<()> {
    let message = if exprs.len() < *accepted.start() {
        format!("{function} requires at least {} arguments", accepted.start())
    } else if exprs.len() > *accepted.end() {
        format!("{function} accepts at most {} arguments", accepted.end())
    } else {
        return Ok(());
    };
    Err(external(EngineError::bad_request(message)))
}
