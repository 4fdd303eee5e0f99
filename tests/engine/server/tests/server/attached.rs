//! A registered source, attached to a database and detached.

use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_server::ServerOptions;
use serde_json::json;

use crate::support::Server;

#[tokio::test(flavor = "multi_thread")]
async fn a_source_answers_to_its_alias_while_it_is_attached() {
    let folder = std::env::temp_dir().join(format!("hotdata-attached-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("drivers.csv"), "driverId,name\n1,Ada\n2,Bea\n").unwrap();
    let engine = Engine::open(EngineOptions {
        attach: vec![("f1".into(), folder.clone())],
        ..EngineOptions::default()
    })
    .unwrap();
    let server = Server::over(engine, ServerOptions::default());
    let connections = server.get("/v1/connections").send().await.expect(200).json();
    let source = connections["connections"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(connections["connections"][0]["name"], "f1");
    let database = server.create_database(json!({ "name": "racing" })).await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let catalogs = format!("/v1/databases/{database}/catalogs");
    let query =
        |sql: &str| server.post("/v1/query", json!({ "sql": sql, "database_id": database }));
    let sql = "SELECT driverid, name FROM races.public.drivers ORDER BY driverid";

    query(sql).send().await.expect(400);
    let attach = json!({ "connection_id": source, "alias": "races" });
    assert_eq!(server.post(&catalogs, attach.clone()).send().await.expect(204).text(), "");
    assert_eq!(query(sql).send().await.expect(200).json()["rows"], json!([[1, "Ada"], [2, "Bea"]]));
    server.post(&catalogs, attach).send().await.expect(409);
    let detail = server.get(&format!("/v1/databases/{database}")).send().await.expect(200).json();
    assert_eq!(detail["attachments"], json!([{ "connection_id": source, "alias": "races" }]));
    let chosen = json!({ "sql": "SELECT COUNT(name) AS n FROM drivers", "database_id": database,
                         "default_catalog": "races", "default_schema": "public" });
    assert_eq!(
        server.post("/v1/query", chosen).send().await.expect(200).json()["rows"],
        json!([[2]])
    );

    // A source's tables are read, not changed.
    let load = format!("/v1/connections/{source}/schemas/public/tables/drivers/loads");
    server.post(&load, json!({ "mode": "replace", "data": "a\n1\n" })).send().await.expect(400);
    let one = format!("{catalogs}/{source}");
    server.delete(&one).send().await.expect(204);
    server.delete(&one).send().await.expect(404);
    query(sql).send().await.expect(400);
    std::fs::remove_dir_all(&folder).unwrap();
}
