//! The answer of a query: its head and its rows, or its stream.

use crate::error::{Code, Error, Result};
use crate::text::joined;
use crate::value::{Fields, Value, missing, unquoted};

use super::query::{ARROW, QueryOptions};
use super::retry::{Repeat, ended};
use super::transport::Response;
use super::{answer, raw};

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

/// What an answer in Arrow says beside its stream.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrowHead {
    /// How many rows the stream has, where that is known.
    pub total_row_count: Option<u64>,
    /// What the engine has to say about the answer.
    pub warning: Option<String>,
    /// The run, for the service's records.
    pub query_run_id: Option<String>,
    /// Where the answer is kept, if it is.
    pub result_id: Option<String>,
    /// The engine's own time, in milliseconds.
    pub execution_time_ms: Option<f64>,
}

/// An answer in Arrow: its head, and the stream that the transport holds.
#[derive(Debug)]
pub struct ArrowOutcome<S> {
    /// What the answer says beside its stream.
    pub head: ArrowHead,
    /// The Arrow IPC stream.
    pub stream: S,
}

/// A success that carries rows, with what is known beside it.
pub(super) struct Answered<R> {
    pub response: R,
    pub beside: Beside,
    /// Whether it is a stored result: there is no other to get more rows from.
    pub is_stored: bool,
    /// Whether what it answers may be sent again: an answer that cannot be read leaves a write's outcome open.
    pub repeat: Repeat,
}

/// What a run, a preview or headers say of an answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Beside {
    pub query_run_id: Option<String>,
    pub result_id: Option<String>,
    row_count: Option<u64>,
    warning: Option<String>,
    execution_time_ms: Option<f64>,
}

impl Beside {
    /// What a run that has succeeded says.
    pub fn of_run(fields: &Fields, id: &str) -> Result<Self> {
        Ok(Self {
            query_run_id: Some(id.to_owned()),
            result_id: fields.owned_text("result_id")?,
            row_count: fields.count("row_count")?,
            warning: fields.owned_text("warning_message")?,
            execution_time_ms: fields.number("execution_time_ms", 0.0, true)?,
        })
    }

    /// What a preview said: its warning, run and time are those of the whole.
    pub fn of_part(head: &QueryHead) -> Self {
        Self {
            query_run_id: Some(head.query_run_id.clone()),
            result_id: head.result_id.clone(),
            row_count: head.total_row_count,
            warning: head.warning.clone(),
            execution_time_ms: Some(head.execution_time_ms),
        }
    }

    /// What an answer without rows of its own says in its headers.
    pub fn of_headers(response: &impl Response, result_id: String) -> Self {
        Self {
            query_run_id: response.header("x-query-run-id"),
            result_id: Some(result_id),
            row_count: count(response, "x-total-row-count"),
            warning: response.header("x-query-warning"),
            execution_time_ms: number(response, "x-execution-time-ms"),
        }
    }
}

fn count(response: &impl Response, header: &str) -> Option<u64> {
    response.header(header)?.trim().parse().ok()
}

fn number<R: Response>(response: &R, header: &str) -> Option<f64> {
    match R::parse(&response.header(header)?) {
        Some(Value::Number(number)) => Some(number),
        _ => None,
    }
}

impl<R: Response> Answered<R> {
    /// The rows as the transport holds them.
    pub fn outcome(self, options: &QueryOptions) -> Result<QueryOutcome<R::Rows>> {
        let repeat = self.repeat.clone();
        self.read_rows(options).map_err(|error| ended(error, &repeat))
    }

    fn read_rows(self, options: &QueryOptions) -> Result<QueryOutcome<R::Rows>> {
        let Self { response, mut beside, .. } = self;
        let told = told(&response, &mut beside);
        let (text, rows) = response.table(options.integers, options.max_rows)?;
        let here = rows.as_ref().map_or(0, |(_, count)| *count);
        let head = QueryHead::parse(&told, &text, R::parse(&text), here, beside)?;
        let (rows, _) = rows.ok_or_else(no_rows)?;
        Ok(QueryOutcome { head, rows })
    }

    /// Each cell's text; where rows are missing the warning says so.
    pub fn raw(self) -> Result<RawTable> {
        let repeat = self.repeat.clone();
        self.read_raw().map_err(|error| ended(error, &repeat))
    }

    fn read_raw(self) -> Result<RawTable> {
        let Self { response, mut beside, .. } = self;
        let told = told(&response, &mut beside);
        let text = response.text();
        let Some((text, rows)) = raw::split(&text) else {
            // What is wrong with it is told where it is read.
            let head = QueryHead::parse(&told, &text, R::parse(&text), 0, beside);
            return head.and_then(|_| Err(no_rows()));
        };
        let mut head = QueryHead::parse(&told, &text, R::parse(&text), rows.len(), beside)?;
        if head.truncated {
            let cut = format!(
                "Only {} rows are here: the answer is larger than the service sends at once.",
                head.row_count
            );
            add_sentence(&mut head.warning, &cut);
        }
        RawTable::of(head, rows)
    }

    /// The stream, which has to be one.
    pub fn arrow(self) -> Result<ArrowOutcome<R::Stream>> {
        let Self { response, beside, .. } = self;
        let content_type = response.header("content-type").unwrap_or_default();
        if !content_type.starts_with(ARROW) {
            let mut error =
                answer::not_of_type("an Arrow stream", response.status(), &content_type);
            error.query_run_id = beside.query_run_id;
            return Err(error);
        }
        let told = Beside::of_headers(&response, String::new());
        let head = ArrowHead {
            total_row_count: told.row_count.or(beside.row_count),
            warning: told.warning.or(beside.warning),
            query_run_id: told.query_run_id.or(beside.query_run_id),
            result_id: response.header("x-result-id").or(beside.result_id),
            execution_time_ms: told.execution_time_ms.or(beside.execution_time_ms),
        };
        Ok(ArrowOutcome { head, stream: response.stream() })
    }
}

/// The error for an answer with more rows than are wanted.
pub fn too_many_rows(rows: u64, max_rows: u64) -> Error {
    let message = format!("The answer has {rows} rows, more than {max_rows} (`maxRows`)");
    Error::new(Code::TooLarge, message)
}

fn add_sentence(warning: &mut Option<String>, sentence: &str) {
    let told = warning.get_or_insert_default();
    if !told.is_empty() {
        told.push(' ');
    }
    told.push_str(sentence);
}

fn no_rows() -> Error {
    answer::another_shape("`rows` must be an array of arrays, each as long as `columns`")
}

/// Status and content type; the header's count of all rows is taken over where it stands.
fn told(response: &impl Response, beside: &mut Beside) -> (u16, String) {
    beside.row_count = count(response, "x-total-row-count").or(beside.row_count);
    (response.status(), response.header("content-type").unwrap_or_default())
}

impl QueryHead {
    fn parse(
        (status, content_type): &(u16, String),
        text: &str,
        value: Option<Value>,
        here: usize,
        beside: Beside,
    ) -> Result<Self> {
        let run_id = beside.query_run_id.clone();
        answer::parsed(*status, content_type, text, value)
            .and_then(|value| answer::read(&value, |fields| Self::read(&fields, here, beside)))
            .map_err(|mut error| {
                error.query_run_id = run_id;
                error
            })
    }

    /// Reads a result's JSON, beside `here` rows.
    fn read(fields: &Fields, here: usize, beside: Beside) -> Result<Self> {
        let columns =
            fields.texts("columns")?.ok_or_else(|| missing("columns", "an array of strings"))?;
        let (columns, renamed) = each_once(columns);
        // Counted, not read: the answer's own counts are the preview's on some versions and absent on others.
        let row_count = here as u64;
        // A preview's `total_row_count` may be null; what stands beside it then counts the whole answer.
        let total = fields.count("total_row_count")?.or(beside.row_count);
        let truncated = fields.bool("truncated")?.unwrap_or(false)
            || total.is_some_and(|total| total > row_count);
        let warnings: Vec<String> =
            [fields.owned_text("warning")?, beside.warning].into_iter().flatten().collect();
        let mut warning = (!warnings.is_empty()).then(|| joined(&warnings, " "));
        // What a preview was told of its columns is told already.
        if let Some(renamed) = renamed
            && !warning.as_ref().is_some_and(|told| told.ends_with(&renamed))
        {
            add_sentence(&mut warning, &renamed);
        }
        Ok(Self {
            columns,
            row_count,
            total_row_count: total.or((!truncated).then_some(row_count)),
            truncated,
            warning,
            query_run_id: fields
                .owned_text("query_run_id")?
                .or(beside.query_run_id)
                .unwrap_or_default(),
            result_id: fields.owned_text("result_id")?.or(beside.result_id),
            execution_time_ms: beside
                .execution_time_ms
                .or(fields.number("execution_time_ms", 0.0, true)?)
                .unwrap_or(0.0),
        })
    }

    /// An error where the answer has more rows than are wanted.
    pub(super) fn within(&self, max_rows: u64) -> Result<()> {
        let rows = self.total_row_count.unwrap_or(0).max(self.row_count);
        if rows <= max_rows {
            return Ok(());
        }
        Err(too_many_rows(rows, max_rows))
    }

    /// An error where what was asked for whole came in part.
    pub(super) fn whole(&self) -> Result<()> {
        if !self.truncated {
            return Ok(());
        }
        let of = self.total_row_count.map_or("more".to_owned(), |total| total.to_string());
        Err(answer::another_shape(&format!(
            "the whole result came with {} of {of} rows",
            self.row_count
        )))
    }
}

impl ArrowHead {
    /// The head under JavaScript names.
    pub fn to_value(&self) -> Value {
        Value::record([
            ("totalRowCount", self.total_row_count.into()),
            ("warning", self.warning.as_ref().into()),
            ("queryRunId", self.query_run_id.as_ref().into()),
            ("resultId", self.result_id.as_ref().into()),
            ("executionTimeMs", self.execution_time_ms.map(Value::Number).into()),
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
        unquoted(self.cell(row, column)?)
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
