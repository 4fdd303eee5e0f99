//! Loads and indexes 100,000 rows of the sample's shape, then times each kind of search and prints peak memory.
//!
//! `cargo run -p hotdata-local-engine --example scale [rows]`

use std::io::Read;
use std::sync::Arc;
use std::time::Instant;

use arrow::array::{ArrayRef, Float32Array, Int64Array, ListArray, RecordBatch, StringArray};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field};
use bytes::Bytes;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_engine::error::EngineError;
use hotdata_local_engine::model::*;

const WIDTH: usize = 384;
/// Words of an abstract.
const WORDS: usize = 150;
/// Different words, drawn with frequencies that fall as in natural text.
const VOCABULARY: f64 = 30_000.0;

#[tokio::main]
async fn main() -> Result<(), EngineError> {
    let rows = std::env::args().nth(1).and_then(|rows| rows.parse().ok()).unwrap_or(100_000);
    let engine = Engine::open(EngineOptions::default())?;
    let database = engine.create_database(NewDatabase::default())?.0;
    let file = timed("write Parquet", || parquet(rows));
    println!("{:>9.1} MB of Parquet", file.len() as f64 / 1e6);
    for (table, columns) in [("papers", true), ("papers_semantic", false)] {
        let bytes = if columns {
            file.clone()
        } else {
            timed("write Parquet of text", || text_parquet(rows))
        };
        let source = LoadSource::Bytes { bytes, format: None };
        let request = LoadRequest { mode: LoadMode::Replace, key: vec![], source, columns: vec![] };
        let start = Instant::now();
        engine.load(&database.id, "public", table, request).await?;
        report(&format!("load {table}"), start);
    }
    for (table, index_type, column, provider) in [
        ("papers", "bm25", "content", None),
        ("papers", "vector", "embedding", None),
        ("papers_semantic", "vector", "content", Some("sys_emb_local")),
    ] {
        let index = NewIndex {
            index_name: format!("{table}_{index_type}"),
            columns: vec![column.to_owned()],
            index_type: index_type.to_owned(),
            metric: (index_type == "vector").then(|| "cosine".to_owned()),
            embedding_provider_id: provider.map(str::to_owned),
            ..NewIndex::default()
        };
        let connection = &database.default_connection_id;
        let start = Instant::now();
        let declared = engine.declare_index(connection, "public", table, index)?;
        engine.build_index(connection, "public", table, &declared.index_name).await?;
        report(&format!("index {table} {index_type}"), start);
    }
    let vector: Vec<String> = vectors(1).iter().map(|value| format!("{value:?}")).collect();
    let vector = vector.join(", ");
    let searches = [
        ("BM25", "SELECT id, score FROM bm25_search('default.public.papers', 'content', 'w17 w230 w4000', 20) ORDER BY score DESC LIMIT 10".to_owned()),
        ("cosine, index", format!("SELECT id, cosine_distance(embedding, ARRAY[{vector}]) AS d FROM default.public.papers ORDER BY d ASC LIMIT 10")),
        ("cosine, index, WHERE", format!("SELECT id, cosine_distance(embedding, ARRAY[{vector}]) AS d FROM default.public.papers WHERE id % 7 = 3 ORDER BY d ASC LIMIT 10")),
        ("cosine, scan", format!("SELECT id, cosine_distance(embedding, ARRAY[{vector}]) AS d FROM papers ORDER BY d ASC LIMIT 10")),
        ("hybrid", hybrid(&vector)),
        ("vector_search", "SELECT id, _distance FROM vector_search('default.public.papers_semantic', 'content', 'w17 w230 w4000', 10) ORDER BY _distance ASC".to_owned()),
        ("vector_distance", "SELECT id, vector_distance(content, 'w17 w230 w4000') AS d FROM papers_semantic ORDER BY d ASC LIMIT 10".to_owned()),
    ];
    for (name, sql) in searches {
        let mut times = Vec::new();
        for _ in 0..5 {
            let start = Instant::now();
            let answer = engine.query(&database.id, &sql).await?;
            assert_eq!(
                answer.batches.iter().map(RecordBatch::num_rows).sum::<usize>(),
                10,
                "{name}"
            );
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let first = times[0];
        times.sort_by(f64::total_cmp);
        println!("{:>9.1} ms {name} (median of 5, the first {first:.1})", times[2]);
    }
    println!("{:>9} MiB peak memory", peak_memory());
    Ok(())
}

fn hybrid(vector: &str) -> String {
    format!(
        "WITH near AS (SELECT id, cosine_distance(embedding, ARRAY[{vector}]) AS _distance \
         FROM default.public.papers ORDER BY _distance ASC LIMIT 40), \
         near_ranked AS (SELECT id, ROW_NUMBER() OVER (ORDER BY _distance ASC) AS rrf_rank FROM near), \
         text_ranked AS (SELECT id, ROW_NUMBER() OVER (ORDER BY score DESC) AS rrf_rank \
         FROM bm25_search('default.public.papers', 'content', 'w17 w230 w4000', 40)) \
         SELECT base.id, base.content, COALESCE(1.0 / (60 + near_ranked.rrf_rank), 0) + \
         COALESCE(1.0 / (60 + text_ranked.rrf_rank), 0) AS score \
         FROM near_ranked FULL OUTER JOIN text_ranked ON near_ranked.id = text_ranked.id \
         JOIN default.public.papers base ON base.id = COALESCE(near_ranked.id, text_ranked.id) \
         ORDER BY COALESCE(1.0 / (60 + near_ranked.rrf_rank), 0) + \
         COALESCE(1.0 / (60 + text_ranked.rrf_rank), 0) DESC, base.id ASC LIMIT 10"
    )
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let value = work();
    report(what, start);
    value
}

fn report(what: &str, start: Instant) {
    println!("{:>9.1} ms {what}", start.elapsed().as_secs_f64() * 1e3);
}

/// Numbers in [0, 1) from a fixed sequence.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

fn vectors(rows: usize) -> Vec<f32> {
    let mut state = 7;
    (0..rows * WIDTH).map(|_| (random(&mut state) * 2.0 - 1.0) as f32).collect()
}

fn texts(rows: usize) -> ArrayRef {
    let mut state = 11;
    let text = |_| {
        let words: Vec<String> = (0..WORDS)
            .map(|_| format!("w{}", VOCABULARY.powf(random(&mut state)) as u64))
            .collect();
        words.join(" ")
    };
    Arc::new(StringArray::from_iter_values((0..rows).map(text)))
}

fn ids(rows: usize) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(0..rows as i64))
}

fn parquet(rows: usize) -> Bytes {
    let item = Arc::new(Field::new_list_field(DataType::Float32, true));
    let values = Arc::new(Float32Array::from(vectors(rows)));
    let embeddings =
        ListArray::new(item, OffsetBuffer::from_repeated_length(WIDTH, rows), values, None);
    encode([("id", ids(rows)), ("content", texts(rows)), ("embedding", Arc::new(embeddings))])
}

fn text_parquet(rows: usize) -> Bytes {
    encode([("id", ids(rows)), ("content", texts(rows))])
}

fn encode<const N: usize>(columns: [(&str, ArrayRef); N]) -> Bytes {
    let batch = RecordBatch::try_from_iter(columns).expect("columns of one length");
    let properties = parquet::file::properties::WriterProperties::builder()
        .set_dictionary_enabled(false)
        .build();
    let mut file = Vec::new();
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(&mut file, batch.schema(), Some(properties))
            .expect("a schema");
    writer.write(&batch).expect("rows");
    writer.close().expect("a file in memory");
    Bytes::from(file)
}

/// Of this process, from Linux.
fn peak_memory() -> String {
    let mut status = String::new();
    let _ = std::fs::File::open("/proc/self/status")
        .and_then(|mut file| file.read_to_string(&mut status));
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.map_or_else(|| "unknown".to_owned(), |kib| (kib / 1024).to_string())
}
