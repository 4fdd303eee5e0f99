//! Databases beside each other: scope per call, attachments, names.

use serde_json::json;

use crate::service::{Database, Service};

async fn two(service: &Service) -> (Database<'_>, Database<'_>) {
    let a = service.create_database(json!({ "name": "a" })).await;
    a.load_csv("drivers", "id,who\n1,Ada\n").await;
    let b = service.create_database(json!({ "name": "b" })).await;
    b.load_csv("drivers", "id,who\n2,Bob\n3,Cy\n").await;
    (a, b)
}

pub async fn one_client_queries_many_databases() {
    let (a, b) = two(Service::shared().await).await;
    for _ in 0..2 {
        assert_eq!(a.query("SELECT who FROM drivers ORDER BY id").await.texts("who"), ["Ada"]);
        assert_eq!(
            b.query("SELECT who FROM drivers ORDER BY id").await.texts("who"),
            ["Bob", "Cy"]
        );
    }
}

pub async fn a_cross_database_reference_is_not_found() {
    let service = Service::shared().await;
    let f1 = service.create_database(json!({ "name": "f1_db" })).await;
    f1.load_csv("drivers", "id\n1\n").await;
    let other = service.database().await;
    let message = other.refusal("SELECT id FROM f1_db.public.drivers").await;
    assert!(message.contains("table 'f1_db.public.drivers' not found"), "{message}");
    let message = other.refusal(&format!("SELECT id FROM \"{}\".public.drivers", f1.id)).await;
    assert!(message.contains("not found"), "the id does not reach it either: {message}");
}

pub async fn attaching_an_instant_database_is_refused() {
    let (a, b) = two(Service::shared().await).await;
    let reply = b.attach(&a.connection, "a").await;
    assert!((400..500).contains(&reply.status), "{}", reply.status);
    let expected = format!(
        "Connection '{}' is scoped to another database and cannot be attached here",
        a.connection
    );
    assert!(reply.message().contains(&expected), "{}", reply.text());
}

async fn result_id(database: &Database<'_>) -> String {
    let answer = database.query("SELECT id, who FROM drivers WHERE id = 1").await;
    answer.body["result_id"].as_str().expect("a result id").to_owned()
}

pub async fn a_result_loads_into_its_own_database() {
    let (a, _) = two(Service::shared().await).await;
    let body = json!({ "mode": "replace", "result_id": result_id(&a).await });
    let loaded = a.load("copy", &body).await.expect(200).json();
    assert_eq!(loaded["row_count"], 1);
    assert_eq!(a.query("SELECT who FROM copy").await.scalar(), &json!("Ada"));
}

pub async fn a_result_does_not_load_into_another_database() {
    let (a, b) = two(Service::shared().await).await;
    let id = result_id(&a).await;
    let reply = b.load("copy", &json!({ "mode": "replace", "result_id": id })).await;
    assert!((400..500).contains(&reply.status), "{}", reply.status);
    assert!(reply.message().contains(&format!("Result '{id}' not found")), "{}", reply.text());
}

pub async fn a_registered_source_is_attached() {
    let service = Service::shared().await;
    let database = service.database().await;
    let connection = service.connection("f1").await;
    database.attach(&connection, "racing").await.expect(204);
    let record = service.get(&format!("/v1/databases/{}", database.id)).await.expect(200).json();
    assert_eq!(record["attachments"], json!([{ "connection_id": connection, "alias": "racing" }]));
}

pub async fn an_attached_sources_rows_are_read_from_inside_the_scope() {
    let service = Service::shared().await;
    let database = service.database().await;
    database.attach(&service.connection("f1").await, "racing").await.expect(204);
    let answer = database.query("SELECT surname FROM racing.public.drivers ORDER BY surname").await;
    assert_eq!(answer.texts("surname"), ["Hamilton", "Verstappen"]);
}

pub async fn detaching_ends_it() {
    let service = Service::shared().await;
    let database = service.database().await;
    let connection = service.connection("f1").await;
    database.attach(&connection, "racing").await.expect(204);
    let path = format!("/v1/databases/{}/catalogs/{connection}", database.id);
    service.call("DELETE", &path, &[], "").await.expect(204);
    let message = database.refusal("SELECT surname FROM racing.public.drivers").await;
    assert!(message.contains("not found"), "{message}");
}

pub async fn a_result_is_read_only_within_its_database() {
    let service = Service::shared().await;
    let (a, b) = two(service).await;
    let path = format!("/v1/results/{}", result_id(&a).await);
    let own = service.call("GET", &path, &[("x-database-id", &a.id)], "").await;
    assert_eq!(own.expect(200).json()["rows"], json!([[1, "Ada"]]));
    assert_eq!(service.get(&path).await.status, 400, "the scope is required");
    assert_eq!(service.call("GET", &path, &[("x-database-id", &b.id)], "").await.status, 404);
}

pub async fn names_are_not_unique() {
    let service = Service::shared().await;
    let first = service.create_database(json!({ "name": "twice" })).await;
    let second = service.create_database(json!({ "name": "twice" })).await;
    assert_ne!(first.id, second.id);
    for database in [&first, &second] {
        let record =
            service.get(&format!("/v1/databases/{}", database.id)).await.expect(200).json();
        assert_eq!((&record["id"], &record["name"]), (&json!(database.id), &json!("twice")));
    }
}

pub async fn only_an_id_addresses_a_database() {
    let service = Service::shared().await;
    service.create_database(json!({ "name": "onlyname" })).await;
    assert_eq!(service.get("/v1/databases/onlyname").await.status, 404);
    let sql = json!({ "sql": "SELECT 1" }).to_string();
    let reply = service.call("POST", "/v1/query", &[("x-database-id", "onlyname")], sql).await;
    assert!((400..=404).contains(&reply.status), "{}", reply.status);
}
