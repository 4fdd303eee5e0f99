//! The answer of a query: its head and its rows.

use crate::error::{Code, Error, Result};
use crate::value::{Fields, Value, missing};

use super::run::Run;

/// What an answer says beside its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryHead {
    /// The columns' names, each once: a second `id` is called `id_2`, which `warning` says.
    pub columns: Vec<String>,
    /// How many rows are here.
    pub row_count: u64,
    /// How many rows the whole answer has, where that is known.
    pub total_row_count: Option<u64>,
    /// Whether rows of the whole answer are missing here.
    pub truncated: bool,
    /// What the engine, or this package, has to say about the answer.
    pub warning: Option<String>,
    /// The run, for the service's records.
    pub query_run_id: String,
    /// Where the whole answer is kept, if it is.
    pub result_id: Option<String>,
    /// The engine's own time, in milliseconds.
    pub execution_time_ms: f64,
}

/// An answer: its head, and its rows wherever the transport holds them.
#[derive(Debug)]
pub struct QueryOutcome<R> {
    /// What the answer says beside its rows.
    pub head: QueryHead,
    /// The rows.
    pub rows: R,
}

/// An answer with every cell's JSON text as the engine sent it.
#[derive(Debug)]
pub struct RawTable {
    /// What the answer says beside its rows.
    pub head: QueryHead,
    /// One text a cell.
    pub rows: Vec<Vec<String>>,
}

impl QueryHead {
    /// Reads a result's JSON, beside `here` rows; what only the run knows comes from there.
    pub(super) fn read(fields: &Fields, here: usize, run: Option<&Run>) -> Result<Self> {
        let columns =
            fields.texts("columns")?.ok_or_else(|| missing("columns", "an array of strings"))?;
        let (columns, renamed) = each_once(columns);
        // Counted, not read: the answer's own counts are the preview's on some versions and absent on others.
        let row_count = here as u64;
        let truncated = fields.bool("truncated")?.unwrap_or(false);
        let told = run.and_then(|run| run.warning.clone());
        let cut = truncated.then(|| {
            format!("Only {row_count} rows are here: the answer is larger than the service sends at once.")
        });
        let warnings: Vec<String> =
            [fields.owned_text("warning")?, told, renamed, cut].into_iter().flatten().collect();
        // A preview's `total_row_count` may be null; the run's count is the whole answer's.
        let total = fields.count("total_row_count")?.or(run.and_then(|run| run.row_count));
        let result_id = fields.owned_text("result_id")?;
        let time = run.and_then(|run| run.execution_time_ms);
        let run_id = fields.owned_text("query_run_id")?;
        Ok(Self {
            columns,
            row_count,
            total_row_count: total.or((!truncated).then_some(row_count)),
            truncated,
            warning: (!warnings.is_empty()).then(|| warnings.join(" ")),
            query_run_id: run_id.or(run.map(|run| run.id.clone())).unwrap_or_default(),
            result_id: result_id.or(run.and_then(|run| run.result_id.clone())),
            execution_time_ms: time
                .or(fields.number("execution_time_ms", 0.0, true)?)
                .unwrap_or(0.0),
        })
    }

    /// The head under JavaScript names.
    pub fn to_value(&self) -> Value {
        Value::record([
            ("columns", Value::texts(&self.columns)),
            ("rowCount", self.row_count.into()),
            ("totalRowCount", self.total_row_count.into()),
            ("truncated", self.truncated.into()),
            ("warning", self.warning.as_ref().into()),
            ("queryRunId", (&self.query_run_id).into()),
            ("resultId", self.result_id.as_ref().into()),
            ("executionTimeMs", Value::Number(self.execution_time_ms)),
        ])
    }
}

impl RawTable {
    pub(super) fn of(head: QueryHead, rows: Vec<Vec<String>>) -> Result<Self> {
        match rows.iter().find(|row| row.len() != head.columns.len()) {
            None => Ok(Self { head, rows }),
            Some(row) => Err(Error::new(
                Code::UnexpectedResponse,
                format!(
                    "A row has {} cells where the answer has {} columns",
                    row.len(),
                    head.columns.len()
                ),
            )),
        }
    }

    /// The cell as a whole number, if it is one.
    pub fn count(&self, row: usize, column: usize) -> Option<u64> {
        self.cell(row, column)?.parse().ok()
    }

    /// The cell as a string, if it is one.
    pub fn text(&self, row: usize, column: usize) -> Option<String> {
        match Value::from_json(self.cell(row, column)?) {
            Ok(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    fn cell(&self, row: usize, column: usize) -> Option<&str> {
        self.rows.get(row)?.get(column).map(String::as_str)
    }
}

/// Names of which none stands twice, and a sentence where some had to change.
fn each_once(columns: Vec<String>) -> (Vec<String>, Option<String>) {
    let mut names: Vec<String> = Vec::with_capacity(columns.len());
    // Each repeated name with the number that its next bearer tries first.
    let mut next: Vec<(&String, u32)> = Vec::new();
    let mut renamed = String::new();
    for column in &columns {
        if !names.contains(column) {
            names.push(column.clone());
            continue;
        }
        let at = next.iter().position(|(name, _)| *name == column).unwrap_or_else(|| {
            next.push((column, 2));
            next.len() - 1
        });
        loop {
            let name = format!("{column}_{}", next[at].1);
            next[at].1 += 1;
            // A later column's own name is left to it: `id, id, id_2` keeps its third.
            if !names.contains(&name) && !columns.contains(&name) {
                let comma = if renamed.is_empty() { "" } else { ", " };
                renamed.push_str(&format!("{comma}{name}"));
                names.push(name);
                break;
            }
        }
    }
    let warning = (!renamed.is_empty())
        .then(|| format!("Columns of one name were told apart as {renamed}: give them aliases."));
    (names, warning)
}
