//! Functions whose result can be far larger than their arguments, with a bound on its size.
//!
//! DataFusion's memory pool does not count what scalar functions allocate.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, FieldRef, Int64Type};
use datafusion::config::ConfigOptions;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::FunctionRegistry;
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature,
};

/// What one call may make of one batch of rows.
const MAX_BYTES: u64 = 256 << 20;

/// A replacement no longer than this is taken to keep a result in proportion to its text.
const SHORT_REPLACEMENT: u64 = 64;

/// How the size of a function's result follows from its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Growth {
    /// The first argument as often as the second says.
    Repeat,
    /// As long as the second argument says; of an array, each new element as large as the third.
    Resize,
    /// The third argument for each place where the second stands in the first.
    Replace,
    /// The third argument for each place a pattern can match, at worst everywhere.
    ReplacePattern,
    /// The second argument between the elements of the first.
    Join,
    /// From the first argument to the second, by the third.
    Series,
}

const GROWING: [(&str, Growth); 10] = [
    ("repeat", Growth::Repeat),
    ("array_repeat", Growth::Repeat),
    ("lpad", Growth::Resize),
    ("rpad", Growth::Resize),
    ("array_resize", Growth::Resize),
    ("replace", Growth::Replace),
    ("regexp_replace", Growth::ReplacePattern),
    ("array_to_string", Growth::Join),
    ("range", Growth::Series),
    ("generate_series", Growth::Series),
];

/// Puts the bounded functions in the place of DataFusion's.
pub fn register(state: &mut SessionState) -> Result<()> {
    for (name, growth) in GROWING {
        let function = state.udf(name)?.as_ref().clone();
        state.register_udf(ScalarUDF::new_from_impl(Bounded { function, growth }).into())?;
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Bounded {
    function: ScalarUDF,
    growth: Growth,
}

impl ScalarUDFImpl for Bounded {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn aliases(&self) -> &[String] {
        self.function.aliases()
    }

    fn schema_name(&self, arguments: &[Expr]) -> Result<String> {
        self.function.schema_name(arguments)
    }

    fn signature(&self) -> &Signature {
        self.function.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.function.return_type(types)
    }

    fn return_field_from_args(&self, arguments: ReturnFieldArgs) -> Result<FieldRef> {
        self.function.return_field_from_args(arguments)
    }

    fn with_updated_config(&self, config: &ConfigOptions) -> Option<ScalarUDF> {
        let function = self.function.inner().with_updated_config(config)?;
        Some(ScalarUDF::new_from_impl(Bounded { function, growth: self.growth }))
    }

    fn is_strict(&self) -> bool {
        self.function.inner().is_strict()
    }

    fn simplify(
        &self,
        arguments: Vec<Expr>,
        context: &SimplifyContext,
    ) -> Result<ExprSimplifyResult> {
        self.function.simplify(arguments, context)
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        self.function.coerce_types(types)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.function.documentation()
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let columns = arguments.args.iter().map(Column::new).collect::<Result<Vec<_>>>()?;
        // A call of constants is evaluated once, whatever the rows.
        let constant = columns.iter().all(|column| column.constant);
        let rows = if constant { 1 } else { arguments.number_rows };
        let mut bytes = 0u64;
        for row in 0..rows {
            bytes = bytes.saturating_add(self.growth.bytes(&columns, row));
            if bytes > MAX_BYTES {
                return Err(DataFusionError::ResourcesExhausted(format!(
                    "{}: the result would be larger than {} MiB",
                    self.name(),
                    MAX_BYTES >> 20
                )));
            }
        }
        self.function.invoke_with_args(arguments)
    }
}

impl Growth {
    /// An estimate of one row's result, in bytes.
    fn bytes(self, columns: &[Column], row: usize) -> u64 {
        let size = |at: usize| columns.get(at).map_or(0, |column| column.size(row));
        let count =
            |at: usize| columns.get(at).map_or(0, |column| column.integer(row).max(0) as u64);
        match self {
            Growth::Repeat => size(0).saturating_mul(count(1)),
            Growth::Resize => {
                let each = match columns {
                    [first, ..] if first.is_text() => 1,
                    _ => size(2).max(8),
                };
                count(1).saturating_mul(each)
            }
            Growth::Replace => {
                let (Some(text), Some(from)) = (columns[0].text(row), columns[1].text(row)) else {
                    return 0;
                };
                size(0).saturating_add(size(2).saturating_mul(text.matches(from).count() as u64))
            }
            Growth::ReplacePattern => match size(2) {
                0..=SHORT_REPLACEMENT => size(0),
                // Beside its own text, a replacement can name what was matched in every two bytes.
                replacement => (size(0) + 1).saturating_mul(replacement.saturating_mul(3) / 2),
            },
            Growth::Join => {
                size(0).saturating_add(size(1).saturating_mul(columns[0].elements(row)))
            }
            Growth::Series => {
                let integer =
                    |at: usize| columns.get(at).map(|column| i128::from(column.integer(row)));
                let (start, stop) = match (integer(0), integer(1)) {
                    (Some(start), Some(stop)) => (start, stop),
                    (stop, _) => (0, stop.unwrap_or(0)),
                };
                let step = columns.get(2).map_or(1, |column| column.step(row, &columns[0]));
                if step == 0 || (stop > start) != (step > 0) {
                    return 0;
                }
                u64::try_from((stop - start) / step).unwrap_or(u64::MAX).saturating_mul(8)
            }
        }
    }
}

/// One argument of a call: a value for all rows, or one for each.
struct Column {
    values: ArrayRef,
    constant: bool,
    integers: Option<ArrayRef>,
}

impl Column {
    fn new(argument: &ColumnarValue) -> Result<Self> {
        // A constant stays one value: a long text would not fit in memory once for each row.
        let (values, constant) = match argument {
            ColumnarValue::Array(values) => (values.clone(), false),
            ColumnarValue::Scalar(value) => (value.to_array()?, true),
        };
        let integers = match values.data_type() {
            DataType::Date32 => {
                let days = cast(&values, &DataType::Int32)?;
                Some(cast(&days, &DataType::Int64)?)
            }
            kind if kind.is_integer() || matches!(kind, DataType::Timestamp(..)) => {
                Some(cast(&values, &DataType::Int64)?)
            }
            _ => None,
        };
        Ok(Self { values, constant, integers })
    }

    fn row(&self, row: usize) -> usize {
        if self.constant { 0 } else { row }
    }

    /// The value as a number; 0 where it is NULL or none.
    fn integer(&self, row: usize) -> i64 {
        let row = self.row(row);
        match &self.integers {
            Some(values) if values.is_valid(row) => values.as_primitive::<Int64Type>().value(row),
            _ => 0,
        }
    }

    fn is_text(&self) -> bool {
        self.values.data_type().is_string()
    }

    fn text(&self, row: usize) -> Option<&str> {
        let row = self.row(row);
        if self.values.is_null(row) {
            return None;
        }
        match self.values.data_type() {
            DataType::Utf8 => Some(self.values.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => Some(self.values.as_string::<i64>().value(row)),
            DataType::Utf8View => Some(self.values.as_string_view().value(row)),
            _ => None,
        }
    }

    /// Bytes of the value.
    fn size(&self, row: usize) -> u64 {
        if self.is_text() {
            return self.text(row).map_or(0, |text| text.len() as u64);
        }
        let value = self.values.slice(self.row(row), 1).to_data();
        value.get_slice_memory_size().map_or(16, |bytes| bytes as u64)
    }

    /// Elements of a list, 0 of anything else.
    fn elements(&self, row: usize) -> u64 {
        let row = self.row(row);
        match self.values.data_type() {
            DataType::List(_) => self.values.as_list::<i32>().value_length(row) as u64,
            DataType::LargeList(_) => self.values.as_list::<i64>().value_length(row) as u64,
            DataType::FixedSizeList(_, length) => *length as u64,
            _ => 0,
        }
    }

    /// The step of a series in the unit of its start.
    fn step(&self, row: usize, start: &Column) -> i128 {
        use arrow::datatypes::{IntervalMonthDayNanoType, IntervalUnit, TimeUnit};
        if self.values.data_type() != &DataType::Interval(IntervalUnit::MonthDayNano) {
            return i128::from(self.integer(row));
        }
        let step = self.values.as_primitive::<IntervalMonthDayNanoType>().value(self.row(row));
        let days = i128::from(step.months) * 28 + i128::from(step.days);
        let nanoseconds = days * 86_400_000_000_000 + i128::from(step.nanoseconds);
        let unit = match start.values.data_type() {
            DataType::Timestamp(TimeUnit::Nanosecond, _) => 1,
            DataType::Timestamp(TimeUnit::Microsecond, _) => 1_000,
            DataType::Timestamp(TimeUnit::Millisecond, _) => 1_000_000,
            DataType::Timestamp(TimeUnit::Second, _) => 1_000_000_000,
            _ => 86_400_000_000_000,
        };
        // A step shorter than the unit counts as one unit.
        match nanoseconds / unit {
            0 => nanoseconds.signum(),
            step => step,
        }
    }
}
