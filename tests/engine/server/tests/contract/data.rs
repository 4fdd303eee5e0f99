//! Purpose-made data, small enough to check by hand.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array, ListArray, RecordBatch, StringArray};
use arrow::datatypes::Float32Type;
use axum::Router;
use bytes::Bytes;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_server::{ServerOptions, ServerState, router, seed};
use parquet::arrow::ArrowWriter;

use crate::service::{Database, Service, bm25, folder, plain_vector};

/// The embedding provider every engine carries without being told of one.
pub const PROVIDER: &str = "sys_emb_local";

pub async fn open_router(options: EngineOptions, with_samples: bool) -> Router {
    let engine = Engine::open(options).expect("an engine");
    if with_samples {
        seed::papers(&engine, |_| {}).await.expect("the sample data");
    }
    router(ServerState::new(engine, ServerOptions::default()))
}

/// A folder of files as one registered source: seven schemas, and the mixed-case header the contract's F1 source
/// declares.
pub fn write_f1_folder(name: &str) -> PathBuf {
    let root = folder(&format!("f1-{name}"));
    let write = |file: &str, text: &str| std::fs::write(root.join(file), text).expect(file);
    write("results.csv", "raceId,driverId,points\n1,44,25\n1,33,18\n2,44,26\n");
    write("drivers.csv", "driverId,surname\n44,Hamilton\n33,Verstappen\n");
    for schema in ["archive", "laps", "pits", "seasons", "staging", "teams"] {
        std::fs::create_dir_all(root.join(schema)).expect(schema);
        write(&format!("{schema}/{schema}.csv"), "id\n1\n");
    }
    root
}

pub fn parquet(batch: &RecordBatch) -> Bytes {
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).expect("a writer");
    writer.write(batch).expect("rows");
    writer.close().expect("a footer");
    Bytes::from(bytes)
}

fn vectors<'a>(rows: impl Iterator<Item = &'a [f32]>) -> ArrayRef {
    Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(
        rows.map(|row| Some(row.iter().copied().map(Some).collect::<Vec<_>>())),
    ))
}

/// Rows of `id`, `embedding`, and the columns of a listing.
pub fn listing_batch(rows: &[Listing]) -> RecordBatch {
    let ids: ArrayRef = Arc::new(rows.iter().map(|row| row.id).collect::<Int64Array>());
    let content: ArrayRef =
        Arc::new(rows.iter().map(|row| Some(row.content.as_str())).collect::<StringArray>());
    let city: ArrayRef = Arc::new(rows.iter().map(|row| Some(row.city)).collect::<StringArray>());
    let rating: ArrayRef = Arc::new(rows.iter().map(|row| row.rating).collect::<Float64Array>());
    let embedding = vectors(rows.iter().map(|row| row.embedding.as_slice()));
    RecordBatch::try_from_iter([
        ("id", ids),
        ("content", content),
        ("city", city),
        ("rating", rating),
        ("embedding", embedding),
    ])
    .expect("columns of one length")
}

pub struct Listing {
    pub id: i64,
    pub content: String,
    pub city: &'static str,
    pub rating: f64,
    pub embedding: [f32; 4],
}

/// A small linear congruential generator: the same rows on every run.
fn noise(seed: &mut u64) -> f32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*seed >> 40) as f32) / ((1_u64 << 23) as f32) - 1.0
}

/// `count` listings whose order by text, by distance and by id all differ.
pub fn listings(count: i64) -> Vec<Listing> {
    const WORDS: [&str; 8] =
        ["sunny", "loft", "kitchen", "balcony", "view", "cosy", "studio", "terrace"];
    let mut seed = 7;
    (0..count)
        .map(|id| {
            let mut words: Vec<&str> =
                (0..6).map(|_| WORDS[((noise(&mut seed) + 1.0) * 4.0) as usize % 8]).collect();
            if id % 3 == 1 {
                let repeats = 1 + (id * 5 % 7) as usize;
                words.extend(std::iter::repeat_n("garden", repeats));
            }
            if id % 7 == 4 {
                words.push("quiet");
            }
            if id % 11 == 7 {
                words.push("plants");
            }
            Listing {
                id,
                content: words.join(" "),
                city: if id % 2 == 0 { "sf" } else { "oakland" },
                rating: (id * 37 % 50) as f64 / 10.0,
                embedding: std::array::from_fn(|_| noise(&mut seed)),
            }
        })
        .collect()
}

/// The query vector the listings are searched with.
pub const NEAR: [f32; 4] = [0.5, -0.25, 0.125, 1.0];
pub const NEAR_SQL: &str = "ARRAY[0.5, -0.25, 0.125, 1.0]";

/// Ids by exact cosine distance from [`NEAR`], nearest first.
pub fn nearest(rows: &[Listing]) -> Vec<i64> {
    let length = |vector: &[f32]| vector.iter().map(|x| f64::from(x * x)).sum::<f64>().sqrt();
    let mut ranked: Vec<(f64, i64)> = rows
        .iter()
        .map(|row| {
            let dot: f64 =
                row.embedding.iter().zip(NEAR).map(|(a, b)| f64::from(*a) * f64::from(b)).sum();
            (1.0 - dot / (length(&row.embedding) * length(&NEAR)), row.id)
        })
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked.into_iter().map(|(_, id)| id).collect()
}

/// A database with `listings`, 120 rows, without indexes.
pub async fn listings_database(service: &Service) -> Database<'_> {
    let database = service.database().await;
    database.load_parquet("listings", "replace", parquet(&listing_batch(&listings(120)))).await;
    database
}

/// The same with a BM25 index on `content` and a plain cosine index on `embedding`.
pub async fn indexed_listings(service: &Service) -> Database<'_> {
    let database = listings_database(service).await;
    database.build_index("listings", bm25("listings_content_bm25", "content")).await;
    database
        .build_index("listings", plain_vector("listings_embedding_vector", "embedding", "cosine"))
        .await;
    database
}

/// 1,500 short texts, 1,426 of which match `quiet garden`; ids 100, 700 and 1300 match best, in the order 700, 1300, 100.
pub fn pool_csv() -> String {
    let mut csv = String::from("id,content\n");
    for id in 0..1_500 {
        let content = match id {
            700 => "quiet garden quiet garden quiet garden quiet garden",
            1_300 => "quiet garden quiet garden quiet garden with a loft",
            100 => "quiet garden quiet garden and a loft above the street",
            _ if id % 20 == 3 && id < 1_480 => "a loft above the street",
            _ if id % 2 == 0 => "quiet street and a long row of parked cars below the window",
            _ => "garden with a long row of parked cars below the window and a loft",
        };
        csv.push_str(&format!("{id},{content}\n"));
    }
    csv
}

pub async fn pool_database(service: &Service) -> Database<'_> {
    let database = service.database().await;
    database.load_csv("pool", &pool_csv()).await;
    database.build_index("pool", bm25("pool_content_bm25", "content")).await;
    database
}

/// Vectors of two widths under one column: no index can be built over them.
pub fn uneven_vectors() -> Bytes {
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    let rows: [&[f32]; 2] = [&[1.0, 0.0], &[1.0, 0.0, 0.5]];
    let batch = RecordBatch::try_from_iter([("id", ids), ("embedding", vectors(rows.into_iter()))]);
    parquet(&batch.expect("columns of one length"))
}

/// A service of its own whose tables called `listings` reject a projection that names none of their columns.
pub async fn affected_service() -> Service {
    let options = EngineOptions {
        strict_projection: vec!["default.public.listings".to_owned()],
        ..EngineOptions::default()
    };
    Service::start(options, false).await
}

pub async fn affected_listings(service: &Service) -> Database<'_> {
    let database = service.database().await;
    database.load_csv("listings", "id,name\n1,a\n2,b\n3,c\n").await;
    database
}
