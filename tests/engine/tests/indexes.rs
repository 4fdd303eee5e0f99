//! Indexes: what is recorded, what is refused at once, and what only a build finds.

mod common;

use common::*;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_engine::model::*;

const TOGETHER: &str = "Embedding-backed vector indexes cannot coexist with other indexes on the same table. Drop the \
     existing indexes before creating an embedding-backed vector index, or drop the embedding-backed vector index \
     before creating other indexes.";

#[tokio::test]
async fn records_say_what_was_built() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let connection = &db.default_connection_id;
    let text = index(&engine, &db, "listings", bm25("Content")).await.unwrap();
    assert_eq!(
        (text.index_name.as_str(), text.columns),
        ("content_bm25", vec!["content".to_owned()])
    );
    let plain = index(&engine, &db, "listings", vector("embedding", None)).await.unwrap();
    assert_eq!(
        (plain.metric.as_deref(), plain.source_column, plain.status.as_str()),
        (Some("l2"), None, "ready")
    );
    let sorted =
        NewIndex { index_type: String::new(), index_name: "by_city".to_owned(), ..bm25("city") };
    assert_eq!(index(&engine, &db, "listings", sorted).await.unwrap().index_type, "sorted");
    let listed = engine.indexes(connection, "public", "listings").unwrap();
    let names: Vec<&str> = listed.iter().map(|record| record.index_name.as_str()).collect();
    assert_eq!(names, ["content_bm25", "embedding_vector", "by_city"]);
    engine.drop_index(connection, "public", "listings", "content_bm25").unwrap();
    assert_eq!(engine.indexes(connection, "public", "listings").unwrap().len(), 2);
    assert_eq!(
        engine.drop_index(connection, "public", "listings", "content_bm25").unwrap_err().status,
        404
    );
    let sql = "SELECT id FROM bm25_search('default.public.listings', 'content', 'x', 5)";
    assert!(error(&engine, &db.id, sql).await.message.starts_with("No BM25 index found"));
}

#[tokio::test]
async fn an_embedding_backed_index_stays_alone() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let connection = &db.default_connection_id;
    let record = index(&engine, &db, "listings", embedded("content")).await.unwrap();
    assert_eq!(record.columns, ["content_embedding"]);
    assert_eq!(
        (record.source_column.as_deref(), record.metric.as_deref()),
        (Some("content"), Some("cosine"))
    );
    for other in [bm25("city"), vector("embedding", None), embedded("city")] {
        let refused = engine.declare_index(connection, "public", "listings", other).unwrap_err();
        assert_eq!((refused.status, refused.message.as_str()), (400, TOGETHER));
    }
    engine.drop_index(connection, "public", "listings", "content_vector").unwrap();
    index(&engine, &db, "listings", bm25("content")).await.unwrap();
    index(&engine, &db, "listings", vector("embedding", Some("cosine"))).await.unwrap();
    let refused =
        engine.declare_index(connection, "public", "listings", embedded("content")).unwrap_err();
    assert_eq!(refused.message, TOGETHER);
    let second = NewIndex { index_name: "second".to_owned(), ..vector("embedding", Some("dot")) };
    let refused = engine.declare_index(connection, "public", "listings", second).unwrap_err();
    assert!(
        refused.status == 400 && refused.message.contains("at most one vector index"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_generated_column_outlives_its_index() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let connection = &db.default_connection_id;
    index(&engine, &db, "listings", embedded("content")).await.unwrap();
    engine.drop_index(connection, "public", "listings", "content_vector").unwrap();
    let without = "SELECT id FROM listings WHERE content_embedding IS NULL ORDER BY id";
    assert_eq!(ids(&engine, &db.id, without).await, [5]);
    // Loads may leave it out, and their rows have no vector.
    let row = |id: u32| {
        format!(r#"{{"id":{id},"city":"sf","content":"zeppelin hangar","embedding":[0.5,-0.5]}}"#)
    };
    load(&engine, &db.id, "listings", LoadMode::Append, &row(8)).await.unwrap();
    assert_eq!(ids(&engine, &db.id, without).await, [5, 8]);
    // Another index fills it again.
    let record = index(&engine, &db, "listings", embedded("content")).await.unwrap();
    assert_eq!(record.columns, ["content_embedding"]);
    assert_eq!(ids(&engine, &db.id, without).await, [5]);
    let near = "SELECT id FROM vector_search('default.public.listings', 'content', 'zeppelin', 1)";
    assert_eq!(ids(&engine, &db.id, near).await, [8]);
    // A replace that does not bring it takes it away.
    engine.drop_index(connection, "public", "listings", "content_vector").unwrap();
    load(&engine, &db.id, "listings", LoadMode::Replace, &row(1)).await.unwrap();
    assert!(engine.query(&db.id, "SELECT content_embedding FROM listings").await.is_err());
}

#[tokio::test]
async fn what_can_be_refused_at_once_is() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let sorted_by = vec![SortedBy { column: "id".to_owned(), direction: None, nulls: None }];
    let sorted = NewTable { name: "sorted".to_owned(), sorted_by, ..NewTable::default() };
    engine.create_table(&db.id, "public", sorted).unwrap();
    let declared = NewTable { name: "declared".to_owned(), ..NewTable::default() };
    engine.create_table(&db.id, "public", declared).unwrap();
    load(&engine, &db.id, "sorted", LoadMode::Replace, "id,v\n1,a\n").await.unwrap();
    let declare = |table: &str, new: NewIndex| {
        let connection = &db.default_connection_id;
        let refused = engine.declare_index(connection, "public", table, new).unwrap_err();
        (refused.status, refused.message)
    };
    assert!(declare("sorted", bm25("v")).1.contains("sorted_by and cannot be indexed"));
    assert!(declare("declared", bm25("v")).1.contains("declared but has no data"));
    assert_eq!(declare("nope", bm25("v")).0, 404);
    assert_eq!(declare("listings", bm25("nope")).0, 400);
    assert_eq!(declare("listings", bm25("id")).0, 400);
    assert_eq!(declare("listings", vector("content", None)).0, 400);
    assert_eq!(declare("listings", vector("embedding", Some("hamming"))).0, 400);
    assert_eq!(declare("listings", embedded("embedding")).0, 400);
    let unknown =
        NewIndex { embedding_provider_id: Some("emb_x".to_owned()), ..embedded("content") };
    assert_eq!(declare("listings", unknown).0, 404);
    let taken = NewIndex { output_column: Some("CITY".to_owned()), ..embedded("content") };
    assert_eq!(declare("listings", taken).0, 409);
    assert_eq!(
        declare("listings", NewIndex { index_type: "btree".to_owned(), ..bm25("city") }).0,
        400
    );
    assert_eq!(declare("listings", NewIndex { columns: vec![], ..bm25("city") }).0, 400);
    index(&engine, &db, "listings", bm25("content")).await.unwrap();
    assert_eq!(declare("listings", bm25("content")).0, 409);
}

#[tokio::test]
async fn a_failed_build_leaves_no_index() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let uneven = "{\"id\":1,\"embedding\":[1.0]}\n{\"id\":2,\"embedding\":[1.0,2.0]}\n";
    load(&engine, &db.id, "uneven", LoadMode::Replace, uneven).await.unwrap();
    let refused = index(&engine, &db, "uneven", vector("embedding", None)).await.unwrap_err();
    assert!(refused.message.contains("must have one width"), "{refused}");
    let emptied = "{\"id\":1,\"embedding\":[1.0]}\n{\"id\":2,\"embedding\":null}\n";
    load(&engine, &db.id, "emptied", LoadMode::Replace, emptied).await.unwrap();
    let delete = LoadRequest {
        mode: LoadMode::Delete,
        key: vec!["id".to_owned()],
        source: LoadSource::Bytes { bytes: "id\n1\n".into(), format: None },
        columns: vec![],
    };
    engine.load(&db.id, "public", "emptied", delete).await.unwrap();
    let refused = index(&engine, &db, "emptied", vector("embedding", None)).await.unwrap_err();
    assert_eq!(refused.message, "could not detect dimension for 'embedding'");
    for table in ["uneven", "emptied"] {
        assert!(engine.indexes(&db.default_connection_id, "public", table).unwrap().is_empty());
    }
}

#[tokio::test]
async fn builds_after_a_mixed_upsert_fail_every_other_time_on_request() {
    for (flaky, outcomes) in [(true, [false, true]), (false, [true, true])] {
        let options = EngineOptions { flaky_dimension: flaky, ..EngineOptions::default() };
        let engine = Engine::open(options).unwrap();
        let db = new_database(&engine);
        for (table, built) in ["a", "b"].into_iter().zip(outcomes) {
            load(&engine, &db.id, table, LoadMode::Replace, "{\"id\":1,\"embedding\":[1.0]}\n")
                .await
                .unwrap();
            let mixed = "{\"id\":1,\"embedding\":[2.0]}\n{\"id\":2,\"embedding\":[3.0]}\n";
            let upsert = LoadRequest {
                mode: LoadMode::Upsert,
                key: vec!["id".to_owned()],
                source: LoadSource::Bytes { bytes: mixed.into(), format: None },
                columns: vec![],
            };
            engine.load(&db.id, "public", table, upsert).await.unwrap();
            let outcome = index(&engine, &db, table, vector("embedding", None)).await;
            assert_eq!(outcome.is_ok(), built, "{table}");
            if let Err(refused) = outcome {
                assert_eq!(refused.message, "could not detect dimension for 'embedding'");
            }
        }
    }
}

#[tokio::test]
async fn dimensions_pick_a_provider_backed_width_and_nothing_of_a_plain_one() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let wide = NewIndex { dimensions: Some(64), ..embedded("content") };
    index(&engine, &db, "listings", wide).await.unwrap();
    let sql = "SELECT array_length(content_embedding) AS n FROM listings WHERE id = 0";
    assert_eq!(ids(&engine, &db.id, sql).await, [64]);
    engine.drop_index(&db.default_connection_id, "public", "listings", "content_vector").unwrap();
    let plain = NewIndex { dimensions: Some(99), ..vector("embedding", Some("cosine")) };
    index(&engine, &db, "listings", plain).await.unwrap();
}

#[tokio::test]
async fn tables_of_another_connection_are_not_found() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let other = new_database(&engine);
    for connection in [other.default_connection_id.as_str(), "conn0"] {
        assert_eq!(engine.indexes(connection, "public", "listings").unwrap_err().status, 404);
        assert_eq!(
            engine
                .declare_index(connection, "public", "listings", bm25("content"))
                .unwrap_err()
                .status,
            404
        );
    }
    assert!(engine.indexes(&db.default_connection_id, "PUBLIC", "Listings").unwrap().is_empty());
}
