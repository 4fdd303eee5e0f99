//! Databases: records, scope, forks, expiry, and what attachment lets through.

mod common;

use std::path::PathBuf;

use common::*;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_engine::model::*;
use serde_json::json;

fn named(name: &str) -> NewDatabase {
    NewDatabase { name: Some(name.to_owned()), ..NewDatabase::default() }
}

#[tokio::test]
async fn names_are_labels_and_the_newest_comes_first() {
    let engine = Engine::open(EngineOptions::default()).unwrap();
    let (first, created) = engine.create_database(named("sales")).unwrap();
    let (second, _) = engine.create_database(named("sales")).unwrap();
    assert!(created && first.id != second.id);
    let listed: Vec<String> = engine.databases().into_iter().map(|database| database.id).collect();
    assert_eq!(listed, [second.id.clone(), first.id.clone()]);
    let found =
        engine.create_database(NewDatabase { if_not_exists: true, ..named(" Sales ") }).unwrap();
    assert_eq!((found.0.id, found.1), (second.id.clone(), false));
    assert_eq!(
        (first.default_catalog.as_str(), first.default_schema.as_str()),
        ("default", "main")
    );
    engine.delete_database(&first.id).unwrap();
    assert_eq!(engine.database(&first.id).unwrap_err().status, 404);
    assert_eq!(engine.delete_database(&first.id).unwrap_err().status, 404);
    assert_eq!(error(&engine, &first.id, "SELECT 1").await.status, 404);
    assert_eq!(engine.tables(&first.default_connection_id).unwrap_err().status, 404);
    assert_eq!(engine.connections().len(), 1);

    let unnamed = engine.create_database(NewDatabase::default()).unwrap().0;
    let label = unnamed.name.unwrap();
    assert!(unnamed.id.ends_with(label.strip_prefix("database ").unwrap()), "{label}");
    for reserved in ["hotdata", "Information_Schema"] {
        let new = NewDatabase { default_catalog: Some(reserved.to_owned()), ..named("x") };
        assert!(engine.create_database(new).unwrap_err().message.contains("is reserved"));
    }
}

#[tokio::test]
async fn declared_schemas_and_tables_are_listed() {
    let engine = Engine::open(EngineOptions::default()).unwrap();
    let table = NewTable {
        name: "Orders".to_owned(),
        key: vec!["Id".to_owned()],
        partition_by: vec![PartitionBy { column: "Day".to_owned(), transform: "day".to_owned() }],
        ..NewTable::default()
    };
    let schemas = vec![NewSchema { name: "Sales".to_owned(), tables: vec![table.clone()] }];
    let db = engine.create_database(NewDatabase { schemas, ..NewDatabase::default() }).unwrap().0;
    assert_eq!(db.default_schema, "sales");
    engine.create_schema(&db.id, "More").unwrap();
    assert_eq!(engine.create_schema(&db.id, "more").unwrap_err().status, 409);
    engine
        .create_table(&db.id, "more", NewTable { name: "t".to_owned(), ..NewTable::default() })
        .unwrap();
    assert_eq!(engine.create_table(&db.id, "sales", table).unwrap_err().status, 409);
    let bad = NewTable {
        name: "x".to_owned(),
        partition_by: vec![PartitionBy { column: "a".to_owned(), transform: "week".to_owned() }],
        ..NewTable::default()
    };
    assert_eq!(engine.create_table(&db.id, "sales", bad).unwrap_err().status, 400);
    let tables = engine.tables(&db.default_connection_id).unwrap();
    let names: Vec<String> =
        tables.iter().map(|table| format!("{}.{}", table.schema, table.table)).collect();
    assert_eq!(names, ["more.t", "sales.orders"]);
    assert!(!tables[1].synced && tables[1].columns.is_empty());
    assert_eq!(tables[1].partition_by[0].column, "day");
    load(&engine, &db.id, "t", LoadMode::Replace, "a\n1\n").await.unwrap();
    engine.drop_table(&db.default_connection_id, "public", "t").unwrap();
    assert_eq!(
        engine.drop_table(&db.default_connection_id, "public", "t").unwrap_err().status,
        404
    );
    assert_eq!(
        error(&engine, &db.id, "SELECT * FROM public.t").await.message,
        "table 'default.public.t' not found"
    );
}

#[tokio::test]
async fn databases_do_not_see_each_other() {
    let (engine, db) = listings(EngineOptions::default()).await;
    let (other, _) = engine.create_database(named("other")).unwrap();
    assert_eq!(
        error(&engine, &other.id, "SELECT id FROM listings").await.message,
        "table 'default.public.listings' not found"
    );
    let connection = &db.default_connection_id;
    let refused = engine.attach_catalog(&other.id, connection, Some("a")).unwrap_err();
    let expected = format!(
        "Connection '{connection}' is scoped to another database and cannot be attached here"
    );
    assert_eq!((refused.status, refused.message), (400, expected));
    assert!(rows(&engine, &other.id, "SELECT * FROM information_schema.tables").await.is_empty());
}

#[tokio::test]
async fn a_fork_goes_its_own_way() {
    let (engine, db) = listings(EngineOptions::default()).await;
    index(&engine, &db, "listings", bm25("content")).await.unwrap();
    let new = NewFork { expires_at: Some("24h".to_owned()), ..NewFork::default() };
    let fork = engine.fork_database(&db.id, new).unwrap();
    assert_eq!(fork.forked_from.as_deref(), Some(db.id.as_str()));
    assert_ne!(fork.default_connection_id, db.default_connection_id);
    let text = r#"{"id":8,"city":"sf","content":"zeppelin","embedding":null}"#;
    load(&engine, &fork.id, "listings", LoadMode::Append, text).await.unwrap();
    let sql = "SELECT id FROM bm25_search('default.public.listings', 'content', 'zeppelin', 5)";
    assert_eq!(ids(&engine, &fork.id, sql).await, [8]);
    assert!(ids(&engine, &db.id, sql).await.is_empty());
    assert_eq!(engine.fork_database("db0", NewFork::default()).unwrap_err().status, 404);
}

#[tokio::test]
async fn a_fork_takes_its_label_and_expiry_from_its_parent() {
    let (engine, _) = listings(EngineOptions::default()).await;
    let parent = NewDatabase { expires_at: Some("7d".to_owned()), ..named("source") };
    let (parent, _) = engine.create_database(parent).unwrap();
    let why = NewFork { description: Some(" why\n".to_owned()), ..NewFork::default() };
    let fork = engine.fork_database(&parent.id, why).unwrap();
    let label = fork.name.unwrap();
    assert!(label.starts_with("source ") && label != "source ", "{label}");
    assert_eq!(fork.expires_at, parent.expires_at);
    assert_eq!(fork.fork_description.as_deref(), Some("why"));
    assert_eq!(fork.fork_source_name.as_deref(), Some("source"));
    for bad in ["x".repeat(4097), "a\u{1}b".to_owned()] {
        let bad = NewFork { description: Some(bad), ..NewFork::default() };
        assert_eq!(engine.fork_database(&parent.id, bad).unwrap_err().status, 400);
    }
}

#[tokio::test]
async fn expiries_are_checked() {
    let engine = Engine::open(EngineOptions::default()).unwrap();
    let expiring =
        |text: &str| NewDatabase { expires_at: Some(text.to_owned()), ..NewDatabase::default() };
    assert_eq!(engine.create_database(expiring("2001-01-01T00:00:00Z")).unwrap_err().status, 400);
    assert_eq!(engine.create_database(expiring("soon")).unwrap_err().status, 400);
    let soon = chrono::Utc::now() + chrono::Duration::milliseconds(1000);
    let db = engine.create_database(expiring(&soon.to_rfc3339())).unwrap().0;
    assert!(engine.database(&db.id).is_ok());
    tokio::task::spawn_blocking(|| std::thread::sleep(std::time::Duration::from_millis(1050)))
        .await
        .unwrap();
    assert_eq!(engine.database(&db.id).unwrap_err().status, 404);
    assert!(engine.databases().is_empty() && engine.connections().is_empty());
    assert_eq!(error(&engine, &db.id, "SELECT 1").await.status, 404);
}

/// A folder with `results.csv` and `staging/laps.csv`, removed when dropped.
struct Source(PathBuf);

impl Source {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir()
            .join(format!("hotdata-local-engine-{}-{name}", std::process::id()));
        std::fs::create_dir_all(folder.join("Staging")).unwrap();
        std::fs::write(folder.join("Results.csv"), "driverId,points\n1,25\n2,18\n").unwrap();
        std::fs::write(folder.join("Staging/laps.csv"), "lap\n1\n").unwrap();
        std::fs::write(folder.join("notes.txt"), "not a table").unwrap();
        Self(folder)
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn an_attached_source_answers_to_its_alias() {
    let source = Source::new("alias");
    let options = EngineOptions {
        attach: vec![("F1".to_owned(), source.0.clone())],
        ..EngineOptions::default()
    };
    let engine = Engine::open(options).unwrap();
    let (db, _) = engine.create_database(named("f1_db")).unwrap();
    let connection =
        engine.connections().into_iter().find(|connection| connection.name == "f1").unwrap();
    engine.attach_catalog(&db.id, &connection.id, None).unwrap();
    assert_eq!(ids(&engine, &db.id, "SELECT driverid FROM f1.public.results").await, [1, 2]);
    let missing = error(&engine, &db.id, "SELECT * FROM default.public.results").await;
    assert_eq!(missing.message, "table 'default.public.results' not found");
    let catalogs =
        "SELECT DISTINCT table_catalog, table_schema FROM information_schema.tables ORDER BY 2";
    assert_eq!(
        rows(&engine, &db.id, catalogs).await,
        [[json!("f1"), json!("public")], [json!("f1"), json!("staging")]]
    );
    let record = engine.database(&db.id).unwrap();
    assert_eq!(
        (record.default_catalog.as_str(), record.default_schema.as_str()),
        ("default", "main")
    );
    assert_eq!(
        record.attachments,
        [Attachment { connection_id: connection.id.clone(), alias: Some("f1".to_owned()) }]
    );
    assert_eq!(
        engine.attach_catalog(&db.id, &connection.id, Some("again")).unwrap_err().status,
        409
    );
    assert_eq!(engine.attach_catalog(&db.id, "conn0", None).unwrap_err().status, 404);
    let refused =
        engine.declare_index(&connection.id, "public", "results", bm25("points")).unwrap_err();
    assert!(refused.message.contains("registered source"), "{refused}");
    engine.detach_catalog(&db.id, &connection.id).unwrap();
    assert_eq!(engine.detach_catalog(&db.id, &connection.id).unwrap_err().status, 404);
    assert!(engine.query(&db.id, "SELECT * FROM f1.public.results").await.is_err());
    engine.attach_catalog(&db.id, &connection.id, Some("Races")).unwrap();
    assert_eq!(ids(&engine, &db.id, "SELECT driverid FROM races.public.results").await, [1, 2]);
    let clash = engine
        .create_database(NewDatabase { default_catalog: Some("f1".to_owned()), ..named("x") })
        .unwrap()
        .0;
    assert_eq!(engine.attach_catalog(&clash.id, &connection.id, None).unwrap_err().status, 409);
}

#[tokio::test]
async fn a_folder_that_cannot_be_read_stops_the_start() {
    let missing = PathBuf::from("/nonexistent/folder");
    let options =
        EngineOptions { attach: vec![("f1".to_owned(), missing)], ..EngineOptions::default() };
    let refused = Engine::open(options).err().unwrap();
    assert!(refused.message.contains("/nonexistent/folder"), "{refused}");
}
