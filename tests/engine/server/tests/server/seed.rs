//! The sample database, and generated rows.

use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_server::{ServerOptions, seed};
use serde_json::{Value, json};

use crate::support::Server;

#[tokio::test(flavor = "multi_thread")]
async fn the_sample_is_searchable_by_words_by_vector_and_by_meaning() {
    let engine = Engine::open(EngineOptions::default()).unwrap();
    let database = seed::papers(&engine, |_| {}).await.unwrap();
    seed::scaled(&engine, &database, 1000, |_| {}).await.unwrap();
    // A second start finds everything there.
    assert_eq!(seed::papers(&engine, |_| {}).await.unwrap().id, database.id);
    seed::scaled(&engine, &database, 1000, |_| {}).await.unwrap();

    let server = Server::over(engine, ServerOptions::default());
    let rows = async |sql: String| -> Value {
        let body = json!({ "sql": sql, "database_id": database.id });
        server.post("/v1/query", body).send().await.expect(200).json()["rows"].clone()
    };
    let count = "SELECT COUNT(id) AS n FROM default.public";
    assert_eq!(rows(format!("{count}.papers")).await, json!([[314]]));
    assert_eq!(rows(format!("{count}.papers_semantic")).await, json!([[314]]));
    assert_eq!(rows(format!("{count}.papers_scale")).await, json!([[1000]]));

    let by_words = "SELECT id FROM bm25_search('default.public.papers', 'content', \
                    'joint embedding of words and labels', 5) ORDER BY score DESC LIMIT 1";
    assert_eq!(rows(by_words.into()).await, json!([[0]]));
    let by_meaning = "SELECT id FROM vector_search('default.public.papers_semantic', 'content', \
                      'joint embedding of words and labels for text classification', 3) ORDER BY _distance";
    assert_eq!(rows(by_meaning.into()).await.as_array().unwrap().len(), 3);

    for table in ["papers", "papers_scale"] {
        let vector = rows(format!("SELECT embedding FROM default.public.{table} WHERE id = 7"))
            .await[0][0]
            .to_string();
        let nearest = format!(
            "SELECT id, cosine_distance(embedding, ARRAY{vector}) AS d FROM default.public.{table} ORDER BY d ASC LIMIT 3"
        );
        assert_eq!(rows(nearest.clone()).await[0][0], 7, "{table}");
        let plan = rows(format!("EXPLAIN {nearest}")).await.to_string();
        assert!(plan.contains("USearchExec"), "{plan}");
    }
    let declared =
        json!({ "sql": "SELECT * FROM default.public.empty_declared", "database_id": database.id });
    server.post("/v1/query", declared).send().await.refused(
        400,
        "BAD_REQUEST",
        "Managed table 'default.public.empty_declared' is declared but has no data",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_folder_keeps_it_between_runs() {
    let folder = std::env::temp_dir().join(format!("hotdata-seed-{}", std::process::id()));
    let open = || {
        Engine::open(EngineOptions { data_dir: Some(folder.clone()), ..EngineOptions::default() })
            .unwrap()
    };
    let first = seed::papers(&open(), |_| {}).await.unwrap();
    let engine = open();
    let again = seed::papers(&engine, |step| panic!("{step}")).await.unwrap();
    assert_eq!(again.id, first.id);
    let sql =
        "SELECT id FROM bm25_search('default.public.papers', 'content', 'knowledge graph', 3)";
    let found = engine.query(&again.id, sql).await.unwrap();
    assert_eq!(found.batches.iter().map(|batch| batch.num_rows()).sum::<usize>(), 3);
    std::fs::remove_dir_all(&folder).unwrap();
}
