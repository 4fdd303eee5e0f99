//! What an engine with a data folder keeps from run to run.

mod common;

use std::path::{Path, PathBuf};

use common::*;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_engine::model::*;

/// A data folder, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir()
            .join(format!("hotdata-local-engine-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }

    fn open(&self) -> Engine {
        Engine::open(EngineOptions { data_dir: Some(self.0.clone()), ..EngineOptions::default() })
            .unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

const WORDS: &str =
    "SELECT id FROM bm25_search('default.public.listings', 'content', 'zeppelin', 5)";
const NEAR: &str = "SELECT id FROM default.public.listings ORDER BY cosine_distance(embedding, ARRAY[1.0, 0.1]) LIMIT 3";
const MEANING: &str =
    "SELECT id FROM vector_search('default.public.meant', 'content', 'quiet garden', 1)";

#[tokio::test]
async fn databases_rows_and_indexes_survive() {
    let folder = Folder::new("round-trip");
    let (db, before, near) = {
        let engine = folder.open();
        let (db, _) = engine
            .create_database(NewDatabase {
                name: Some("kept".to_owned()),
                ..NewDatabase::default()
            })
            .unwrap();
        for table in ["listings", "meant"] {
            load(&engine, &db.id, table, LoadMode::Replace, LISTINGS).await.unwrap();
        }
        index(&engine, &db, "listings", bm25("content")).await.unwrap();
        index(&engine, &db, "listings", vector("embedding", Some("cosine"))).await.unwrap();
        index(&engine, &db, "meant", embedded("content")).await.unwrap();
        let text = r#"{"id":8,"city":"sf","content":"zeppelin hangar","embedding":[0.5,0.5]}"#;
        load(&engine, &db.id, "listings", LoadMode::Append, text).await.unwrap();
        let sorted = NewTable {
            name: "declared".to_owned(),
            sorted_by: vec![SortedBy { column: "id".to_owned(), direction: None, nulls: None }],
            ..NewTable::default()
        };
        engine.create_table(&db.id, "public", sorted).unwrap();
        engine
            .declare_index(&db.default_connection_id, "public", "listings", bm25("city"))
            .unwrap();
        let before = rows(&engine, &db.id, "SELECT * FROM listings").await;
        let near = ids(&engine, &db.id, NEAR).await;
        (db, before, near)
    };
    let engine = folder.open();
    let again = engine.database(&db.id).unwrap();
    assert_eq!((&again.name, &again.created_at), (&db.name, &db.created_at));
    assert_eq!(rows(&engine, &db.id, "SELECT * FROM listings").await, before);
    assert_eq!(ids(&engine, &db.id, WORDS).await, [8]);
    assert_eq!(ids(&engine, &db.id, NEAR).await, near);
    assert!(plan(&engine, &db.id, NEAR).await.contains("USearchExec"));
    assert_eq!(ids(&engine, &db.id, MEANING).await, [0]);
    let indexes = engine.indexes(&db.default_connection_id, "public", "listings").unwrap();
    assert_eq!(indexes.len(), 2, "a pending index's build does not outlive a run");
    let declared = engine.tables(&db.default_connection_id).unwrap();
    assert_eq!(
        (declared[0].table.as_str(), declared[0].synced, declared[0].sorted_by.len()),
        ("declared", false, 1)
    );
    let newer = new_database(&engine);
    assert_eq!(engine.databases()[0].id, newer.id);

    // A column that outlived its index may still be left out.
    engine.drop_index(&db.default_connection_id, "public", "meant", "content_vector").unwrap();
    drop(engine);
    let engine = folder.open();
    let text = r#"{"id":9,"city":"sf","content":"hangar","embedding":[0.5,0.5]}"#;
    load(&engine, &db.id, "meant", LoadMode::Append, text).await.unwrap();
    let none = "SELECT id FROM meant WHERE content_embedding IS NULL AND id > 5";
    assert_eq!(ids(&engine, &db.id, none).await, [9]);
}

#[tokio::test]
async fn only_files_in_use_are_kept() {
    let folder = Folder::new("files");
    let engine = folder.open();
    let db = new_database(&engine);
    let kept = folder.0.join("databases").join(&db.id);
    for _ in 0..3 {
        load(&engine, &db.id, "t", LoadMode::Replace, "id,content\n1,a\n").await.unwrap();
    }
    index(&engine, &db, "t", embedded("content")).await.unwrap();
    assert_eq!(files(&kept).len(), 2, "{:?}", files(&kept));
    // What a crash may leave behind.
    std::fs::write(kept.join("rows0.unfinished"), "half").unwrap();
    std::fs::write(kept.join("rows0.parquet"), "unnamed").unwrap();
    std::fs::create_dir_all(folder.0.join("databases/db0")).unwrap();
    drop(engine);
    let engine = folder.open();
    assert_eq!(files(&kept).len(), 2, "{:?}", files(&kept));
    assert_eq!(engine.databases().len(), 1);
    assert!(!folder.0.join("databases/db0").exists());
    let fork = engine.fork_database(&db.id, NewFork::default()).unwrap();
    engine.delete_database(&db.id).unwrap();
    assert!(!kept.exists());
    drop(engine);
    let engine = folder.open();
    assert_eq!(
        ids(
            &engine,
            &fork.id,
            "SELECT id FROM vector_search('default.public.t', 'content', 'a b', 1)"
        )
        .await
        .len(),
        1
    );
    engine.drop_table(&fork.default_connection_id, "public", "t").unwrap();
    drop(engine);
    let engine = folder.open();
    assert!(engine.tables(&fork.default_connection_id).unwrap().is_empty());
    assert_eq!(files(&folder.0.join("databases").join(&fork.id)), ["database.json"]);
}

#[tokio::test]
async fn expired_databases_are_removed_and_damage_is_named() {
    let folder = Folder::new("damage");
    let engine = folder.open();
    let soon = chrono::Utc::now() + chrono::Duration::milliseconds(500);
    let expiring = NewDatabase { expires_at: Some(soon.to_rfc3339()), ..NewDatabase::default() };
    let db = engine.create_database(expiring).unwrap().0;
    let second = Engine::open(EngineOptions {
        data_dir: Some(folder.0.clone()),
        ..EngineOptions::default()
    });
    assert!(second.err().unwrap().message.contains("lock"), "one engine a folder");
    drop(engine);
    let path = folder.0.join("databases").join(&db.id);
    assert!(path.exists());
    tokio::task::spawn_blocking(|| std::thread::sleep(std::time::Duration::from_millis(550)))
        .await
        .unwrap();
    assert!(folder.open().databases().is_empty());
    assert!(!path.exists());
    let damaged = folder.0.join("databases/dbx");
    std::fs::create_dir_all(&damaged).unwrap();
    std::fs::write(damaged.join("database.json"), "{").unwrap();
    let options = EngineOptions { data_dir: Some(folder.0.clone()), ..EngineOptions::default() };
    let refused = Engine::open(options).err().unwrap();
    assert!(refused.message.contains("dbx"), "{refused}");
}
