//! Engines with data, and queries as rows of JSON.

use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_engine::model::{
    DatabaseRecord, LoadFormat, LoadMode, LoadRequest, LoadSource, NewDatabase, NewIndex,
};
use hotdata_local_server::seed;
use hotdata_wasm::sql::{DistanceSearch, HybridSearch, SemanticSearch, TextSearch};
use hotdata_wasm::value::Value;
use hotdata_wasm::vector::Vector;
use serde_json::{Map, json};

pub type Row = Map<String, serde_json::Value>;

pub struct Fixture {
    pub engine: Engine,
    pub database: DatabaseRecord,
}

impl Fixture {
    /// The sample papers with their indexes. One of the judged queries, "Attention + Knowledge Graphs", is no query to
    /// Tantivy's parser: what the service does with such a text is unknown, so the answer that shows ranks is taken.
    pub async fn papers() -> Self {
        let options = EngineOptions { lenient_search_text: true, ..EngineOptions::default() };
        let engine = Engine::open(options).unwrap();
        let database = seed::papers(&engine, |_| {}).await.unwrap();
        Self { engine, database }
    }

    /// A table `default.public.t` of these rows, one JSON object a line, without indexes.
    pub async fn rows(lines: &[serde_json::Value]) -> Self {
        let engine = Engine::open(EngineOptions::default()).unwrap();
        let (database, _) = engine.create_database(NewDatabase::default()).unwrap();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let load = LoadRequest {
            mode: LoadMode::Replace,
            key: vec![],
            source: LoadSource::Bytes {
                bytes: text.into_bytes().into(),
                format: Some(LoadFormat::Json),
            },
            columns: vec![],
        };
        engine.load(&database.id, "public", "t", load).await.unwrap();
        Self { engine, database }
    }

    pub async fn index(&self, table: &str, new: NewIndex) {
        let (connection, name) = (&self.database.default_connection_id, new.index_name.clone());
        self.engine.declare_index(connection, "public", table, new).unwrap();
        self.engine.build_index(connection, "public", table, &name).await.unwrap();
    }

    pub async fn index_words(&self, column: &str) {
        self.index(
            "t",
            NewIndex {
                index_name: format!("{column}_words"),
                columns: vec![column.into()],
                index_type: "bm25".into(),
                ..NewIndex::default()
            },
        )
        .await;
    }

    pub async fn index_vectors(&self, column: &str, metric: &str) {
        self.index(
            "t",
            NewIndex {
                index_name: format!("{column}_vectors"),
                columns: vec![column.into()],
                index_type: "vector".into(),
                metric: Some(metric.into()),
                ..NewIndex::default()
            },
        )
        .await;
    }

    pub async fn query(&self, sql: &str) -> Vec<Row> {
        self.try_query(sql).await.unwrap_or_else(|(_, error)| panic!("{error}\n{sql}"))
    }

    /// The rows, or the HTTP status and the message of the refusal.
    pub async fn try_query(&self, sql: &str) -> Result<Vec<Row>, (u16, String)> {
        let answer = self.engine.query(&self.database.id, sql).await;
        let answer = answer.map_err(|error| (error.status, error.message))?;
        let mut writer = arrow_json::ArrayWriter::new(Vec::new());
        for batch in &answer.batches {
            writer.write(batch).unwrap();
        }
        writer.finish().unwrap();
        let text = writer.into_inner();
        Ok(if text.is_empty() { vec![] } else { serde_json::from_slice(&text).unwrap() })
    }

    /// The physical plan.
    pub async fn plan(&self, sql: &str) -> String {
        let rows = self.query(&format!("EXPLAIN {sql}")).await;
        let physical = rows.iter().find(|row| row["plan_type"] == "physical_plan").unwrap();
        physical["plan"].as_str().unwrap().to_owned()
    }
}

pub fn value(json: serde_json::Value) -> Value {
    hotdata_wasm::value::parse(&json.to_string(), |number| number.parse().unwrap()).unwrap()
}

/// Options with a 32-bit vector put in under `vector`.
pub fn with_vector(json: serde_json::Value, vector: &[f32]) -> Value {
    let Value::Object(mut members) = value(json) else { panic!("options are an object") };
    members.push(("vector".into(), Value::Numbers(Vector::F32(vector.to_vec()))));
    Value::Object(members)
}

pub fn text_sql(options: serde_json::Value) -> String {
    TextSearch::parse(&value(options)).unwrap().sql().unwrap()
}

pub fn semantic_sql(options: serde_json::Value) -> String {
    SemanticSearch::parse(&value(options)).unwrap().sql()
}

pub fn distance_sql(options: Value) -> String {
    DistanceSearch::parse(&options).unwrap().sql()
}

pub fn hybrid_sql(options: Value) -> String {
    HybridSearch::parse(&options).unwrap().sql().unwrap()
}

pub fn ids(rows: &[Row]) -> Vec<i64> {
    rows.iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

/// The sample's queries with their vectors and judgements.
pub struct Judged {
    pub query: String,
    pub vector: Vec<f32>,
    /// Grade by paper.
    pub relevant: Map<String, serde_json::Value>,
}

pub fn judged() -> Vec<Judged> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/papers");
    let read = |name: &str| std::fs::read(format!("{folder}/{name}")).unwrap();
    let judgements: Vec<serde_json::Value> =
        serde_json::from_slice(&read("judgements.json")).unwrap();
    let floats: Vec<f32> = read("queries.f32")
        .chunks_exact(4)
        .map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()))
        .collect();
    let vectors = floats.chunks_exact(384);
    assert_eq!((judgements.len(), vectors.len()), (68, 68));
    judgements
        .iter()
        .zip(vectors)
        .map(|(judgement, vector)| Judged {
            query: judgement["query"].as_str().unwrap().to_owned(),
            vector: vector.to_vec(),
            relevant: judgement["relevant"].as_object().unwrap().clone(),
        })
        .collect()
}

/// The hybrid search of the sample for a judged query, with every rank shown.
pub fn papers_hybrid(judged: &Judged, k: u32) -> Value {
    with_vector(
        json!({"table": "default.public.papers", "column": "content", "vectorColumn": "embedding",
               "query": judged.query, "k": k, "explain": true}),
        &judged.vector,
    )
}
