//! The database scope of a query and the catalog names inside it.

use serde_json::json;

use crate::service::{Database, Service};

async fn attached(service: &Service) -> Database<'_> {
    let database = service.database().await;
    database.attach(&service.connection("f1").await, "f1").await.expect(204);
    database
}

pub async fn a_query_without_a_database_is_refused() {
    let reply = Service::shared().await.post("/v1/query", &json!({ "sql": "SELECT 1" })).await;
    let message = reply.expect(400).message();
    assert_eq!(
        message,
        "a database is required: set the X-Database-Id header or the database_id body field"
    );
}

pub async fn the_scope_may_come_in_the_body() {
    let service = Service::shared().await;
    let database = service.database().await;
    let body = json!({ "sql": "SELECT 1 AS one", "database_id": database.id });
    let answer = service.post("/v1/query", &body).await.expect(200).json();
    assert_eq!(answer["rows"], json!([[1]]));
}

pub async fn an_instant_database_answers_to_default() {
    let database = Service::shared().await.database().await;
    database.load_csv("t", "id\n1\n").await;
    assert_eq!(database.query("SELECT id FROM default.public.t").await.scalar(), &json!(1));
    let sql = "SELECT DISTINCT table_catalog FROM information_schema.tables";
    assert_eq!(database.query(sql).await.texts("table_catalog"), ["default"]);
}

pub async fn an_attached_source_answers_to_its_alias() {
    let database = attached(Service::shared().await).await;
    let answer = database.query("SELECT driverid FROM f1.public.results ORDER BY driverid").await;
    assert_eq!(answer.ints("driverid"), [33, 44, 44]);
    let message = database.refusal("SELECT driverid FROM default.public.results").await;
    assert!(
        message.contains("default.public.results") && message.contains("not found"),
        "{message}"
    );
}

pub async fn information_schema_lists_every_schema_of_an_attached_source_under_its_alias() {
    let service = Service::shared().await;
    let database = attached(service).await;
    let answer = database
        .query("SELECT DISTINCT table_catalog, table_schema FROM information_schema.tables ORDER BY table_schema")
        .await;
    assert!(
        answer.texts("table_catalog").iter().all(|catalog| catalog == "f1"),
        "{:?}",
        answer.rows
    );
    let path = format!("/v1/information_schema?connection_id={}", service.connection("f1").await);
    let tables = service.get(&path).await.expect(200).json();
    let mut schemas: Vec<String> = tables["tables"]
        .as_array()
        .expect("tables")
        .iter()
        .map(|table| table["schema"].as_str().expect("a schema").to_owned())
        .collect();
    schemas.sort();
    schemas.dedup();
    assert_eq!(schemas.len(), 7, "{schemas:?}");
    assert_eq!(answer.texts("table_schema"), schemas);
}

pub async fn the_database_record_does_not_name_the_catalog() {
    let service = Service::shared().await;
    let plain = service.database().await;
    let attached = attached(service).await;
    for database in [&plain, &attached] {
        let record =
            service.get(&format!("/v1/databases/{}", database.id)).await.expect(200).json();
        assert_eq!(record["default_catalog"], "default");
        assert_eq!(record["default_schema"], "main");
    }
    plain.load_csv("t", "id\n1\n").await;
    let sql = "SELECT DISTINCT table_schema FROM information_schema.tables";
    assert_eq!(plain.query(sql).await.texts("table_schema"), ["public"]);
}

pub async fn table_catalog_is_the_authoritative_source() {
    let service = Service::shared().await;
    let database = attached(service).await;
    database.load_csv("t", "id\n1\n").await;
    let answer = database
        .query("SELECT table_catalog, table_schema, table_name FROM information_schema.tables ORDER BY 1, 3")
        .await;
    assert!(answer.rows.len() >= 3, "{:?}", answer.rows);
    for row in &answer.rows {
        let part = |at: usize| row[at].as_str().expect("a name").to_owned();
        let sql = format!("SELECT * FROM \"{}\".\"{}\".\"{}\" LIMIT 1", part(0), part(1), part(2));
        assert_eq!(database.query(&sql).await.rows.len(), 1, "{sql}");
    }
}
