//! Rows in each format, straight from Arrow arrays.

use std::sync::Arc;
use std::time::Instant;

use arrow::array::*;
use arrow::datatypes::*;
use hotdata_local_server::encode::{
    Chunk, arrow as arrow_stream, csv, json, markdown, parquet, window,
};

fn one_column(column: ArrayRef) -> Vec<RecordBatch> {
    let field = Field::new("c", column.data_type().clone(), true);
    vec![RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![column]).unwrap()]
}

fn json_of(column: ArrayRef) -> String {
    let mut out = Vec::new();
    json::rows(&one_column(column), json::Budget::UNBOUNDED, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn text(chunks: impl Iterator<Item = Chunk>) -> String {
    chunks.map(|chunk| String::from_utf8(chunk.unwrap().to_vec()).unwrap()).collect()
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).unwrap()
}

#[test]
fn json_values_are_exact_text() {
    let decimal = |value: i128, scale: i8| -> ArrayRef {
        Arc::new(Decimal128Array::from(vec![value]).with_precision_and_scale(38, scale).unwrap())
    };
    let cases: Vec<(ArrayRef, &str)> = vec![
        (
            Arc::new(Int64Array::from(vec![i64::MAX, i64::MIN])),
            "[[9223372036854775807],[-9223372036854775808]]",
        ),
        (Arc::new(UInt64Array::from(vec![u64::MAX])), "[[18446744073709551615]]"),
        (
            decimal(99_999_999_999_999_999_999_999_999_999_999_999_999, 2),
            "[[999999999999999999999999999999999999.99]]",
        ),
        (decimal(10_000, 2), "[[100.00]]"),
        (decimal(9_007_199_254_740_993, 0), "[[9007199254740993]]"),
        (
            Arc::new(Float64Array::from(vec![f64::NAN, f64::INFINITY, -0.0, 1e300])),
            "[[null],[null],[-0.0],[1.0e300]]",
        ),
        (Arc::new(Float32Array::from(vec![0.1, f32::NEG_INFINITY])), "[[0.1],[null]]"),
        (Arc::new(BooleanArray::from(vec![Some(true), None])), "[[true],[null]]"),
        (
            Arc::new(StringViewArray::from(vec![Some("q\"\\\n\u{1}é😀"), None])),
            r#"[["q\"\\\n\u0001é😀"],[null]]"#,
        ),
        (Arc::new(Date32Array::from(vec![20677])), r#"[["2026-08-12"]]"#),
        (
            Arc::new(TimestampNanosecondArray::from(vec![-1])),
            r#"[["1969-12-31T23:59:59.999999999"]]"#,
        ),
        (
            Arc::new(TimestampMillisecondArray::from(vec![946_729_845_123]).with_timezone("UTC")),
            r#"[["2000-01-01T12:30:45.123Z"]]"#,
        ),
        (Arc::new(BinaryArray::from(vec![&b"\x00\xffab"[..]])), r#"[["00ff6162"]]"#),
        (
            Arc::new(IntervalMonthDayNanoArray::from(vec![IntervalMonthDayNanoType::make_value(
                1,
                2,
                3_000_000_000,
            )])),
            r#"[["1 mons 2 days 3.000000000 secs"]]"#,
        ),
        (
            Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(vec![
                Some(vec![Some(0.1), None]),
                Some(vec![]),
                None,
            ])),
            "[[[0.1,null]],[[]],[null]]",
        ),
        (Arc::new(NullArray::new(2)), "[[null],[null]]"),
        (Arc::new(DictionaryArray::<Int32Type>::from_iter([Some("a"), None])), r#"[["a"],[null]]"#),
    ];
    for (column, expected) in cases {
        let kind = column.data_type().clone();
        assert_eq!(json_of(column), expected, "{kind}");
    }
}

#[test]
fn json_keeps_columns_of_one_name_and_rows_without_columns() {
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let field = Arc::new(Field::new("id", DataType::Int64, false));
    let schema = Arc::new(Schema::new(vec![Arc::clone(&field), field]));
    let twice = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::clone(&ids), ids]).unwrap();
    let mut out = Vec::new();
    json::rows(&[twice], json::Budget::UNBOUNDED, &mut out).unwrap();
    assert_eq!(out, b"[[1,1]]");
    assert_eq!(json::columns(&schema).0.to_string(), r#"["id","id"]"#);

    let options = RecordBatchOptions::new().with_row_count(Some(3));
    let bare =
        RecordBatch::try_new_with_options(Arc::new(Schema::empty()), vec![], &options).unwrap();
    out.clear();
    json::rows(&[bare], json::Budget::UNBOUNDED, &mut out).unwrap();
    assert_eq!(out, b"[[],[],[]]");
}

#[test]
fn json_stops_at_whole_rows_within_the_budget() {
    let batches = one_column(Arc::new(Int64Array::from(vec![10, 20, 30])));
    let run = |rows, bytes| {
        let mut out = Vec::new();
        let written = json::rows(&batches, json::Budget { rows, bytes }, &mut out).unwrap();
        (String::from_utf8(out).unwrap(), written.rows, written.complete)
    };
    assert_eq!(run(2, usize::MAX), ("[[10],[20]]".into(), 2, false));
    assert_eq!(run(3, usize::MAX), ("[[10],[20],[30]]".into(), 3, true));
    assert_eq!(run(usize::MAX, 9), ("[[10],[20]]".into(), 2, false));
    assert_eq!(run(usize::MAX, 8), ("[[10]]".into(), 1, false));
    assert_eq!(run(0, usize::MAX), ("[]".into(), 0, false));
}

#[test]
fn window_cuts_across_batches() {
    let numbers = |range: std::ops::Range<i64>| {
        one_column(Arc::new(Int64Array::from_iter_values(range))).remove(0)
    };
    let batches = [numbers(0..3), numbers(3..3), numbers(3..7)];
    let cut = |offset, limit| {
        let mut out = Vec::new();
        json::rows(&window(&batches, offset, limit), json::Budget::UNBOUNDED, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(cut(2, Some(2)), "[[2],[3]]");
    assert_eq!(cut(5, None), "[[5],[6]]");
    assert_eq!(cut(7, None), "[]");
    assert_eq!(cut(0, Some(0)), "[]");
    assert_eq!(cut(u64::MAX, Some(u64::MAX)), "[]");
}

#[test]
fn csv_has_one_header_and_quotes_what_needs_it() {
    let rows = batch(vec![
        ("a", Arc::new(StringArray::from(vec![Some("x,\"y\"\nz"), None])) as ArrayRef),
        ("b", Arc::new(Float64Array::from(vec![f64::NAN, 1.5]))),
        (
            "c",
            Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(vec![
                Some(vec![Some(0.5), Some(1.0)]),
                None,
            ])),
        ),
    ]);
    let schema = rows.schema();
    let written = text(csv::chunks(Arc::clone(&schema), vec![rows.clone(), rows]));
    let body = "\"x,\"\"y\"\"\nz\",,\"[0.5,1.0]\"\n,1.5,\n";
    assert_eq!(written, format!("a,b,c\n{body}{body}"));
    assert_eq!(text(csv::chunks(schema, vec![])), "a,b,c\n");
}

#[test]
fn markdown_keeps_a_row_on_one_line() {
    let rows = batch(vec![
        ("a|b", Arc::new(StringArray::from(vec![Some("1|2\r\n3"), None])) as ArrayRef),
        ("n", Arc::new(Float32Array::from(vec![f32::INFINITY, 2.0]))),
    ]);
    let written = text(markdown::chunks(rows.schema(), vec![rows]));
    assert_eq!(written, "| a\\|b | n |\n| --- | --- |\n| 1\\|2<br>3 |  |\n|  | 2.0 |\n");
}

#[test]
fn arrow_and_parquet_keep_what_json_cannot() {
    let rows = batch(vec![
        ("f", Arc::new(Float64Array::from(vec![f64::INFINITY, 1.0])) as ArrayRef),
        ("t", Arc::new(StringArray::from(vec!["a", "b"]))),
    ]);
    let schema = rows.schema();
    let stream: Vec<u8> = arrow_stream::chunks(Arc::clone(&schema), vec![rows.clone()])
        .unwrap()
        .flat_map(|chunk| chunk.unwrap().to_vec())
        .collect();
    assert_eq!(stream, arrow_stream::whole(Arc::clone(&schema), vec![rows.clone()]).unwrap());
    let back: Vec<RecordBatch> = arrow_ipc::reader::StreamReader::try_new(stream.as_slice(), None)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(back, std::slice::from_ref(&rows));

    let file = parquet::whole(Arc::clone(&schema), std::slice::from_ref(&rows)).unwrap();
    let reader = ::parquet::arrow::arrow_reader::ParquetRecordBatchReader::try_new(
        bytes::Bytes::from(file),
        100,
    )
    .unwrap();
    assert_eq!(reader.map(Result::unwrap).collect::<Vec<_>>(), [rows]);
    assert!(parquet::whole(Arc::new(Schema::empty()), &[]).is_err());
}

/// A bound loose enough for a busy machine and tight enough to notice a value tree between array and text.
#[test]
fn a_hundred_thousand_rows_are_written_in_seconds() {
    let columns: Vec<(String, ArrayRef)> = (0..10)
        .map(|at| {
            let column: ArrayRef = match at % 3 {
                0 => Arc::new(Int64Array::from_iter_values(0..100_000)),
                1 => Arc::new(Float64Array::from_iter_values(
                    (0..100_000).map(|n| f64::from(n) / 7.0),
                )),
                _ => Arc::new(StringArray::from_iter_values(
                    (0..100_000).map(|n| format!("value {n}")),
                )),
            };
            (format!("c{at}"), column)
        })
        .collect();
    let batches = [RecordBatch::try_from_iter(columns).unwrap()];
    let started = Instant::now();
    let mut out = Vec::new();
    let written = json::rows(&batches, json::Budget::UNBOUNDED, &mut out).unwrap();
    println!("{} bytes in {:?}", out.len(), started.elapsed());
    assert_eq!(written.rows, 100_000);
    assert!(started.elapsed().as_secs() < 10);
}
