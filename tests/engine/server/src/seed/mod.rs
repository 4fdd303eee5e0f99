//! The sample database `papers`, and tables of any size in its shape.

mod corpus;
mod generate;
mod table;

use std::sync::Arc;

use hotdata_local_engine::engine::Engine;
use hotdata_local_engine::error::Result;
use hotdata_local_engine::model::{
    DatabaseRecord, LoadMode, LoadRequest, LoadSource, NewDatabase, NewIndex, NewSchema, NewTable,
};

use corpus::Corpus;

const SCHEMA: &str = "public";
/// Built into the engine: deterministic, nothing to download.
const PROVIDER: &str = "sys_emb_local";

/// Creates the database `papers` unless it is there: `papers` with a BM25 index on `content` and a cosine index on
/// `embedding`, `papers_semantic` with a provider-backed index on `content`, `empty_declared` without rows.
pub async fn papers(engine: &Engine, say: impl Fn(&str)) -> Result<DatabaseRecord> {
    let (database, _) = engine.create_database(NewDatabase {
        name: Some("papers".into()),
        default_schema: Some(SCHEMA.into()),
        if_not_exists: true,
        schemas: vec![NewSchema {
            name: SCHEMA.into(),
            tables: vec![NewTable { name: "empty_declared".into(), ..NewTable::default() }],
        }],
        ..NewDatabase::default()
    })?;
    let corpus = Corpus::embedded()?;
    if !holds(engine, &database, "papers")? {
        say("loading table papers");
        load(engine, &database, "papers", table::papers(&corpus)?).await?;
        index_papers(engine, &database, "papers", &say).await?;
    }
    if !holds(engine, &database, "papers_semantic")? {
        say("loading table papers_semantic");
        load(engine, &database, "papers_semantic", table::contents(&corpus)?).await?;
        say("indexing papers_semantic.content by meaning");
        let by_meaning = NewIndex {
            index_name: "papers_semantic_content_vector".into(),
            columns: vec!["content".into()],
            index_type: "vector".into(),
            metric: Some("cosine".into()),
            embedding_provider_id: Some(PROVIDER.into()),
            ..NewIndex::default()
        };
        index(engine, &database, "papers_semantic", by_meaning).await?;
    }
    Ok(database)
}

/// Adds `papers_scale`: `rows` rows mixed from the sample's, the same on every run, indexed as `papers` is. One with
/// another number of rows is replaced.
pub async fn scaled(
    engine: &Engine,
    database: &DatabaseRecord,
    rows: usize,
    say: impl Fn(&str),
) -> Result<()> {
    const TABLE: &str = "papers_scale";
    if holds(engine, database, TABLE)? {
        let held = engine
            .query(&database.id, "SELECT COUNT(id) AS n FROM default.public.papers_scale")
            .await?;
        if table::only_integer(&held.batches) == i64::try_from(rows).ok() {
            return Ok(());
        }
        for record in engine.indexes(&database.default_connection_id, SCHEMA, TABLE)? {
            engine.drop_index(
                &database.default_connection_id,
                SCHEMA,
                TABLE,
                &record.index_name,
            )?;
        }
    }
    say(&format!("generating {rows} rows of {TABLE}"));
    let batches = generate::rows(&Corpus::embedded()?, rows)?;
    say(&format!("loading table {TABLE}"));
    load(engine, database, TABLE, batches).await?;
    index_papers(engine, database, TABLE, &say).await
}

/// True when the table is there and has been loaded.
fn holds(engine: &Engine, database: &DatabaseRecord, name: &str) -> Result<bool> {
    let tables = engine.tables(&database.default_connection_id)?;
    Ok(tables.iter().any(|one| one.schema == SCHEMA && one.table == name && one.synced))
}

async fn index_papers(
    engine: &Engine,
    database: &DatabaseRecord,
    table: &str,
    say: &impl Fn(&str),
) -> Result<()> {
    say(&format!("indexing {table}.content by words"));
    let by_words = NewIndex {
        index_name: format!("{table}_content_bm25"),
        columns: vec!["content".into()],
        index_type: "bm25".into(),
        ..NewIndex::default()
    };
    index(engine, database, table, by_words).await?;
    say(&format!("indexing {table}.embedding by cosine distance"));
    let by_vector = NewIndex {
        index_name: format!("{table}_embedding_vector"),
        columns: vec!["embedding".into()],
        index_type: "vector".into(),
        metric: Some("cosine".into()),
        ..NewIndex::default()
    };
    index(engine, database, table, by_vector).await
}

async fn load(
    engine: &Engine,
    database: &DatabaseRecord,
    table: &str,
    rows: table::Rows,
) -> Result<()> {
    let request = LoadRequest {
        mode: LoadMode::Replace,
        key: Vec::new(),
        source: LoadSource::Batches { schema: Arc::clone(&rows.schema), batches: rows.batches },
        columns: Vec::new(),
    };
    engine.load(&database.id, SCHEMA, table, request).await.map(|_| ())
}

async fn index(
    engine: &Engine,
    database: &DatabaseRecord,
    table: &str,
    new: NewIndex,
) -> Result<()> {
    let connection = &database.default_connection_id;
    let name = engine.declare_index(connection, SCHEMA, table, new)?.index_name;
    engine.build_index(connection, SCHEMA, table, &name).await.map(|_| ())
}
