//! An engine with a small sample, and short ways to ask it.
#![allow(dead_code, reason = "each test file uses its own part")]

use bytes::Bytes;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_engine::error::EngineError;
use hotdata_local_engine::model::*;
use serde_json::Value;

/// Loads `text` as CSV or NDJSON, told by its bytes.
pub async fn load(
    engine: &Engine,
    db: &str,
    table: &str,
    mode: LoadMode,
    text: &str,
) -> Result<LoadOutcome, EngineError> {
    load_bytes(engine, db, table, mode, Bytes::copy_from_slice(text.as_bytes())).await
}

pub async fn load_bytes(
    engine: &Engine,
    db: &str,
    table: &str,
    mode: LoadMode,
    bytes: Bytes,
) -> Result<LoadOutcome, EngineError> {
    let source = LoadSource::Bytes { bytes, format: None };
    engine
        .load(db, "public", table, LoadRequest { mode, key: vec![], source, columns: vec![] })
        .await
}

/// The answer's rows as JSON arrays, in the service's encoding.
pub async fn rows(engine: &Engine, db: &str, sql: &str) -> Vec<Vec<Value>> {
    let answer = engine.query(db, sql).await.unwrap_or_else(|error| panic!("{sql}\n{error}"));
    rows_of(&answer)
}

pub fn rows_of(answer: &QueryAnswer) -> Vec<Vec<Value>> {
    let mut rows = Vec::new();
    for batch in &answer.batches {
        let batches = [batch];
        let mut text = Vec::new();
        let mut writer = arrow_json::WriterBuilder::new()
            .with_explicit_nulls(true)
            .build::<_, arrow_json::writer::LineDelimited>(&mut text);
        writer.write_batches(&batches).unwrap();
        writer.finish().unwrap();
        for line in String::from_utf8(text).unwrap().lines() {
            let row: serde_json::Map<String, Value> = serde_json::from_str(line).unwrap();
            rows.push(row.into_iter().map(|(_, value)| value).collect());
        }
    }
    rows
}

/// One column of integers.
pub async fn ids(engine: &Engine, db: &str, sql: &str) -> Vec<i64> {
    rows(engine, db, sql).await.into_iter().map(|row| row[0].as_i64().unwrap()).collect()
}

pub async fn error(engine: &Engine, db: &str, sql: &str) -> EngineError {
    match engine.query(db, sql).await {
        Ok(answer) => panic!("{sql}\nanswered {:?}", rows_of(&answer)),
        Err(error) => error,
    }
}

/// The physical plan as text.
pub async fn plan(engine: &Engine, db: &str, sql: &str) -> String {
    let answer = rows(engine, db, &format!("EXPLAIN {sql}")).await;
    let physical = answer.iter().find(|row| row[0] == "physical_plan").unwrap();
    physical[1].as_str().unwrap().to_owned()
}

pub fn new_database(engine: &Engine) -> DatabaseRecord {
    engine.create_database(NewDatabase::default()).unwrap().0
}

pub async fn index(
    engine: &Engine,
    db: &DatabaseRecord,
    table: &str,
    new: NewIndex,
) -> Result<IndexRecord, EngineError> {
    let connection = &db.default_connection_id;
    let declared = engine.declare_index(connection, "public", table, new)?;
    assert_eq!(declared.status, "pending");
    engine.build_index(connection, "public", table, &declared.index_name).await
}

pub fn bm25(column: &str) -> NewIndex {
    NewIndex {
        index_name: format!("{column}_bm25"),
        columns: vec![column.to_owned()],
        index_type: "bm25".to_owned(),
        ..NewIndex::default()
    }
}

pub fn vector(column: &str, metric: Option<&str>) -> NewIndex {
    NewIndex {
        index_name: format!("{column}_vector"),
        columns: vec![column.to_owned()],
        index_type: "vector".to_owned(),
        metric: metric.map(str::to_owned),
        ..NewIndex::default()
    }
}

pub fn embedded(column: &str) -> NewIndex {
    NewIndex { embedding_provider_id: Some("sys_emb_local".to_owned()), ..vector(column, None) }
}

/// Eight listings with 2-wide vectors; ids 0 to 7, one vector and one text NULL.
pub const LISTINGS: &str = r#"
{"id":0,"city":"sf","content":"quiet garden flat","embedding":[1.0,0.0]}
{"id":1,"city":"sf","content":"loud street loft","embedding":[0.0,1.0]}
{"id":2,"city":"la","content":"quiet garden with plants and a quiet street","embedding":[0.8,0.2]}
{"id":3,"city":"la","content":"garden view","embedding":[0.6,0.6]}
{"id":4,"city":"sf","content":"sunny kitchen","embedding":[-1.0,0.0]}
{"id":5,"city":"la","content":null,"embedding":[0.9,0.1]}
{"id":6,"city":"sf","content":"quiet sunny loft","embedding":null}
{"id":7,"city":"la","content":"plants everywhere","embedding":[0.0,-1.0]}
"#;

/// A database whose table `listings` holds [`LISTINGS`], without indexes.
pub async fn listings(options: EngineOptions) -> (Engine, DatabaseRecord) {
    let engine = Engine::open(options).unwrap();
    let db = new_database(&engine);
    load(&engine, &db.id, "listings", LoadMode::Replace, LISTINGS).await.unwrap();
    (engine, db)
}
