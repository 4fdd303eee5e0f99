//! Reciprocal rank fusion in one statement, as the contract has it, over the sample papers.

mod common;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float32Array, Int64Array, ListArray, RecordBatch, StringArray};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field};
use common::*;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_engine::model::*;

const WIDTH: usize = 384;
const DEPTH: usize = 20;

fn file(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/papers");
    std::fs::read(folder.join(name)).unwrap()
}

fn floats(name: &str) -> Vec<f32> {
    let bytes = file(name);
    let (values, _) = bytes.as_chunks::<4>();
    values.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

async fn papers() -> (Engine, DatabaseRecord) {
    // One judged query, "Attention + Knowledge Graphs", is none to tantivy's parser.
    let engine =
        Engine::open(EngineOptions { lenient_search_text: true, ..EngineOptions::default() })
            .unwrap();
    let db = new_database(&engine);
    let papers: Vec<serde_json::Value> = serde_json::from_slice(&file("papers.json")).unwrap();
    let text = |paper: &serde_json::Value, field: &str| paper[field].as_str().unwrap().to_owned();
    let content =
        papers.iter().map(|paper| format!("{}. {}", text(paper, "title"), text(paper, "abstract")));
    let item = Arc::new(Field::new_list_field(DataType::Float32, true));
    let vectors = ListArray::new(
        item,
        OffsetBuffer::from_repeated_length(WIDTH, papers.len()),
        Arc::new(Float32Array::from(floats("papers.f32"))),
        None,
    );
    let columns: [(&str, ArrayRef); 3] = [
        (
            "id",
            Arc::new(Int64Array::from_iter_values(
                papers.iter().map(|paper| paper["id"].as_i64().unwrap()),
            )),
        ),
        ("content", Arc::new(StringArray::from_iter_values(content))),
        ("embedding", Arc::new(vectors)),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let source = LoadSource::Batches { schema: batch.schema(), batches: vec![batch] };
    let request = LoadRequest { mode: LoadMode::Replace, key: vec![], source, columns: vec![] };
    engine.load(&db.id, "public", "papers", request).await.unwrap();
    index(&engine, &db, "papers", bm25("content")).await.unwrap();
    index(&engine, &db, "papers", vector("embedding", Some("cosine"))).await.unwrap();
    (engine, db)
}

fn near(vector: &str) -> String {
    format!(
        "SELECT id, cosine_distance(embedding, ARRAY[{vector}]) AS _distance FROM default.public.papers \
         ORDER BY _distance ASC LIMIT {DEPTH}"
    )
}

fn text(query: &str) -> String {
    format!(
        "SELECT id, score FROM bm25_search('default.public.papers', 'content', '{query}', {DEPTH})"
    )
}

fn fused(vector: &str, query: &str) -> String {
    let rank = |half: &str| format!("COALESCE(1.0 / (60 + {half}.rrf_rank), 0)");
    let score = format!("{} + {}", rank("near_ranked"), rank("text_ranked"));
    format!(
        "WITH near AS ({}), \
         near_ranked AS (SELECT id, ROW_NUMBER() OVER (ORDER BY _distance ASC) AS rrf_rank FROM near), \
         text_ranked AS (SELECT id, ROW_NUMBER() OVER (ORDER BY score DESC) AS rrf_rank FROM ({}) AS t) \
         SELECT base.id, {score} AS score FROM near_ranked FULL OUTER JOIN text_ranked ON near_ranked.id = text_ranked.id \
         JOIN default.public.papers base ON base.id = COALESCE(near_ranked.id, text_ranked.id) \
         ORDER BY {score} DESC, base.id ASC LIMIT 8",
        near(vector),
        text(query)
    )
}

#[tokio::test]
async fn one_statement_gives_the_ranks_of_the_two_halves() {
    let (engine, db) = papers().await;
    let judgements: Vec<serde_json::Value> =
        serde_json::from_slice(&file("judgements.json")).unwrap();
    let vectors = floats("queries.f32");
    for (judgement, vector) in judgements.iter().zip(vectors.as_chunks::<WIDTH>().0) {
        let query = judgement["query"].as_str().unwrap().replace('\'', "''");
        let vector = vector.map(|value| format!("{value:?}")).join(", ");
        let mut scores: HashMap<i64, f64> = HashMap::new();
        let halves = [near(&vector), format!("{} ORDER BY score DESC", text(&query))];
        for half in halves {
            for (rank, id) in ids(&engine, &db.id, &half).await.into_iter().enumerate() {
                *scores.entry(id).or_default() += 1.0 / (61 + rank) as f64;
            }
        }
        let mut expected: Vec<(i64, f64)> = scores.into_iter().collect();
        expected.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let expected: Vec<i64> = expected.into_iter().take(8).map(|(id, _)| id).collect();
        let sql = fused(&vector, &query);
        assert_eq!(ids(&engine, &db.id, &sql).await, expected, "{query}");
    }
    let vector = vec!["0.5"; WIDTH].join(", ");
    let text = plan(&engine, &db.id, &fused(&vector, "knowledge graph")).await;
    let served =
        format!("USearchExec: table=default::public::papers::embedding, k={DEPTH}, filtered=false");
    assert!(text.contains(&served), "{text}");
    assert!(
        text.contains(&format!("Bm25Exec: table=default::public::papers::content, k={DEPTH}")),
        "{text}"
    );
}
