//! The five load modes, formats and what is refused.

mod common;

use bytes::Bytes;
use common::*;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_engine::error::EngineError;
use hotdata_local_engine::model::*;
use serde_json::{Value, json};

async fn keyed(
    engine: &Engine,
    db: &DatabaseRecord,
    mode: LoadMode,
    key: &[&str],
    text: &str,
) -> Result<LoadOutcome, EngineError> {
    let source = LoadSource::Bytes {
        bytes: Bytes::copy_from_slice(text.as_bytes()),
        format: Some(LoadFormat::Csv),
    };
    let key = key.iter().map(|name| (*name).to_owned()).collect();
    engine.load(&db.id, "public", "t", LoadRequest { mode, key, source, columns: vec![] }).await
}

async fn contents(engine: &Engine, db: &DatabaseRecord) -> Vec<Vec<Value>> {
    rows(engine, &db.id, "SELECT * FROM t").await
}

#[tokio::test]
async fn all_five_modes_with_the_tables_own_key() {
    let engine = Engine::open(EngineOptions::default()).unwrap();
    let table =
        NewTable { name: "T".to_owned(), key: vec!["Id".to_owned()], ..NewTable::default() };
    let schemas = vec![NewSchema { name: "public".to_owned(), tables: vec![table] }];
    let db = engine.create_database(NewDatabase { schemas, ..NewDatabase::default() }).unwrap().0;
    let outcome = keyed(&engine, &db, LoadMode::Replace, &[], "id,v\n1,a\n2,b\n").await.unwrap();
    assert_eq!((outcome.row_count, outcome.table_name.as_str()), (2, "t"));
    assert_eq!(outcome.connection_id, db.default_connection_id);
    let schema: Value = serde_json::from_str(outcome.arrow_schema_json.as_str().unwrap()).unwrap();
    assert_eq!(schema["fields"][0], json!({"name": "id", "data_type": "Int64", "nullable": true}));
    assert_eq!(
        keyed(&engine, &db, LoadMode::Append, &[], "id,v\n3,c\n").await.unwrap().row_count,
        3
    );
    assert_eq!(
        keyed(&engine, &db, LoadMode::Upsert, &[], "id,v\n2,B\n4,d\n").await.unwrap().row_count,
        4
    );
    assert_eq!(
        keyed(&engine, &db, LoadMode::Update, &[], "id,v\n1,A\n9,x\n").await.unwrap().row_count,
        4
    );
    assert_eq!(
        keyed(&engine, &db, LoadMode::Delete, &[], "id\n3\n9\n").await.unwrap().row_count,
        3
    );
    assert_eq!(
        contents(&engine, &db).await,
        [[json!(1), json!("A")], [json!(2), json!("B")], [json!(4), json!("d")]]
    );
    let refused = keyed(&engine, &db, LoadMode::Replace, &[], "v\na\n").await.unwrap_err();
    assert!(refused.message.contains("no column 'id'"), "{refused}");
}

#[tokio::test]
async fn a_keyed_mode_needs_a_key_and_takes_it_from_the_request() {
    let engine = Engine::open(EngineOptions::default()).unwrap();
    let db = new_database(&engine);
    keyed(&engine, &db, LoadMode::Replace, &[], "a,b,v\n1,1,x\n1,2,y\n").await.unwrap();
    for mode in [LoadMode::Delete, LoadMode::Update, LoadMode::Upsert] {
        let refused = keyed(&engine, &db, mode, &[], "a,b,v\n1,1,z\n").await.unwrap_err();
        assert!(refused.status == 400 && refused.message.contains("needs a key"), "{refused}");
    }
    keyed(&engine, &db, LoadMode::Upsert, &["a", "B"], "a,b,v\n1,2,Y\n2,1,z\n").await.unwrap();
    assert_eq!(
        contents(&engine, &db).await,
        [
            [json!(1), json!(1), json!("x")],
            [json!(1), json!(2), json!("Y")],
            [json!(2), json!(1), json!("z")]
        ]
    );
}

#[tokio::test]
async fn a_load_is_whole_or_not_at_all() {
    let engine = Engine::open(EngineOptions::default()).unwrap();
    let db = new_database(&engine);
    keyed(&engine, &db, LoadMode::Replace, &[], "id,v\n1,a\n").await.unwrap();
    for text in ["id\n2\n", "id,v\nnope,b\n", "id,v\n2,b\n3\n", ""] {
        let refused = keyed(&engine, &db, LoadMode::Append, &[], text).await.unwrap_err();
        assert_eq!(refused.status, 400, "{text}: {refused}");
    }
    assert_eq!(contents(&engine, &db).await, [[json!(1), json!("a")]]);
    let refused = keyed(&engine, &db, LoadMode::Append, &[], "id\n2\n").await.unwrap_err();
    assert!(refused.message.contains("upload is missing column 'v'"), "{refused}");
}

#[tokio::test]
async fn undeclared_tables_and_schemas_are_created() {
    let engine = Engine::open(EngineOptions::default()).unwrap();
    let db = new_database(&engine);
    let source = || LoadSource::Bytes { bytes: Bytes::from("a\n1\n"), format: None };
    let request =
        |mode| LoadRequest { mode, key: vec!["a".to_owned()], source: source(), columns: vec![] };
    engine.load(&db.id, "Sales", "Orders", request(LoadMode::Upsert)).await.unwrap();
    assert_eq!(ids(&engine, &db.id, "SELECT a FROM sales.orders").await, [1]);
    let refused =
        engine.load(&db.id, "sales", "other", request(LoadMode::Delete)).await.unwrap_err();
    assert_eq!(refused.status, 400);
    assert!(engine.query(&db.id, "SELECT * FROM sales.other").await.is_err());
    for (schema, table) in [("information_schema", "x"), ("public", ""), ("public", "a\u{0}b")] {
        assert_eq!(
            engine.load(&db.id, schema, table, request(LoadMode::Append)).await.unwrap_err().status,
            400
        );
    }
    assert_eq!(
        engine.load("db0", "public", "x", request(LoadMode::Append)).await.unwrap_err().status,
        404
    );
}

#[tokio::test]
async fn a_result_loads_into_another_table() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let answer =
        engine.query(&db.id, "SELECT id, embedding FROM listings WHERE id < 2").await.unwrap();
    let source = LoadSource::Batches { schema: answer.schema, batches: answer.batches };
    let request = LoadRequest { mode: LoadMode::Replace, key: vec![], source, columns: vec![] };
    engine.load(&db.id, "public", "copy", request).await.unwrap();
    assert_eq!(rows(&engine, &db.id, "SELECT * FROM copy").await.len(), 2);
}

#[tokio::test]
async fn a_table_takes_one_load_at_a_time() {
    let engine = Engine::open(EngineOptions::default()).unwrap();
    let db = new_database(&engine);
    let (mut first, mut second) = (None, None);
    for _ in 0..20 {
        let text = format!("id,v\n{}", "1,a\n".repeat(20_000));
        let one = keyed(&engine, &db, LoadMode::Append, &[], &text);
        let two = keyed(&engine, &db, LoadMode::Append, &[], "id,v\n2,b\n");
        let (one, two) = tokio::join!(one, two);
        first = Some(one.unwrap());
        if let Err(refused) = two {
            second = Some(refused);
            break;
        }
    }
    assert!(first.is_some());
    let refused = second.expect("the second load of a pair meets the first");
    assert_eq!((refused.status, refused.code), (409, "RESOURCE_LOCKED"));
    keyed(&engine, &db, LoadMode::Append, &[], "id,v\n2,b\n").await.unwrap();
}

#[tokio::test]
async fn rows_of_a_load_are_searchable_at_once() {
    let (engine, db) = listings(EngineOptions::default()).await;
    index(&engine, &db, "listings", bm25("content")).await.unwrap();
    index(&engine, &db, "listings", vector("embedding", Some("cosine"))).await.unwrap();
    let text = r#"{"id":8,"city":"sf","content":"zeppelin hangar","embedding":[0.5,-0.5]}"#;
    load(&engine, &db.id, "listings", LoadMode::Append, text).await.unwrap();
    let words = "SELECT id FROM bm25_search('default.public.listings', 'content', 'zeppelins', 5)";
    let near = "SELECT id FROM default.public.listings ORDER BY cosine_distance(embedding, ARRAY[1.0, -1.0]) LIMIT 1";
    assert_eq!(ids(&engine, &db.id, words).await, [8]);
    assert_eq!(ids(&engine, &db.id, near).await, [8]);
    let source = || LoadSource::Bytes { bytes: Bytes::from("id\n8\n"), format: None };
    let request = LoadRequest {
        mode: LoadMode::Delete,
        key: vec!["id".to_owned()],
        source: source(),
        columns: vec![],
    };
    engine.load(&db.id, "public", "listings", request).await.unwrap();
    assert!(ids(&engine, &db.id, words).await.is_empty());
    assert_ne!(ids(&engine, &db.id, near).await, [8]);
    let narrow = r#"{"id":9,"city":"sf","content":"x","embedding":[0.5]}"#;
    let refused = load(&engine, &db.id, "listings", LoadMode::Append, narrow).await.unwrap_err();
    assert!(refused.message.contains("must have one width"), "{refused}");
    let refused = load(&engine, &db.id, "listings", LoadMode::Replace, "id,content\n1,a\n")
        .await
        .unwrap_err();
    assert!(refused.message.contains("drop the index first"), "{refused}");
}

#[tokio::test]
async fn a_generated_column_follows_its_text() {
    let (engine, db) = listings(EngineOptions::default()).await;
    index(&engine, &db, "listings", embedded("content")).await.unwrap();
    let source = LoadSource::Bytes {
        bytes: Bytes::from(
            "{\"id\":0,\"content\":\"zeppelin hangar\"}\n{\"id\":1,\"content\":null}\n",
        ),
        format: None,
    };
    let request =
        LoadRequest { mode: LoadMode::Update, key: vec!["id".to_owned()], source, columns: vec![] };
    engine.load(&db.id, "public", "listings", request).await.unwrap();
    let sql = "SELECT id FROM vector_search('default.public.listings', 'content', 'zeppelin', 1)";
    assert_eq!(ids(&engine, &db.id, sql).await, [0]);
    let none = "SELECT id FROM listings WHERE content_embedding IS NULL ORDER BY id";
    assert_eq!(ids(&engine, &db.id, none).await, [1, 5]);
    // Values that come for the generated column are the engine's to make.
    let all = engine.query(&db.id, "SELECT * FROM listings").await.unwrap();
    let source = LoadSource::Batches { schema: all.schema, batches: all.batches };
    let request = LoadRequest { mode: LoadMode::Replace, key: vec![], source, columns: vec![] };
    assert_eq!(engine.load(&db.id, "public", "listings", request).await.unwrap().row_count, 8);
    assert_eq!(ids(&engine, &db.id, sql).await, [0]);
}

#[tokio::test]
async fn a_table_may_hold_no_rows() {
    let engine = Engine::open(EngineOptions::default()).unwrap();
    let db = new_database(&engine);
    keyed(&engine, &db, LoadMode::Replace, &[], "id,v\n").await.unwrap();
    assert!(contents(&engine, &db).await.is_empty());
    assert_eq!(rows(&engine, &db.id, "SELECT COUNT(*) FROM t").await, [[json!(0)]]);
    assert_eq!(
        rows(&engine, &db.id, "SELECT column_name FROM information_schema.columns").await.len(),
        2
    );
    index(&engine, &db, "t", bm25("v")).await.unwrap();
    let sql = "SELECT id FROM bm25_search('default.public.t', 'v', 'x', 5)";
    assert!(
        engine.query(&db.id, sql).await.unwrap().batches.iter().all(|batch| batch.num_rows() == 0)
    );
}
