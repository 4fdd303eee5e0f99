//! Identifiers are lowercased when stored.

use hotdata_local_engine::engine::EngineOptions;
use serde_json::json;

use crate::service::{Database, Service};

async fn results(service: &Service) -> Database<'_> {
    let database = service.database().await;
    database.load_csv("results", "raceId,driverId\n1,44\n2,33\n").await;
    database
}

pub async fn a_mixed_case_column_is_stored_lowercase() {
    let service = Service::shared().await;
    let database = results(service).await;
    let sql = "SELECT column_name FROM information_schema.columns WHERE table_name = 'results' ORDER BY ordinal_position";
    assert_eq!(database.query(sql).await.texts("column_name"), ["raceid", "driverid"]);
    let source = service.database().await;
    source.attach(&service.connection("f1").await, "f1").await.expect(204);
    let sql = "SELECT column_name FROM information_schema.columns \
               WHERE table_catalog = 'f1' AND table_name = 'drivers' ORDER BY ordinal_position";
    assert_eq!(source.query(sql).await.texts("column_name"), ["driverid", "surname"]);
}

pub async fn bare_mixed_case_and_quoted_lowercase_resolve() {
    let database = results(Service::shared().await).await;
    let answer =
        database.query("SELECT r.driverId, r.\"raceid\" FROM Results r ORDER BY r.raceId").await;
    assert_eq!(answer.columns, ["driverid", "raceid"]);
    assert_eq!(answer.rows, [[json!(44), json!(1)], [json!(33), json!(2)]]);
}

pub async fn quoting_to_impose_case_fails_with_an_empty_body() {
    let options = EngineOptions { empty_body_for_quoted_case: true, ..EngineOptions::default() };
    let service = Service::start(options, false).await;
    let database = results(&service).await;
    let reply = database.send("SELECT r.\"driverId\" FROM results r").await.expect(400);
    assert!(reply.body.is_empty(), "{}", reply.text());
    let other = database.send("SELECT r.nosuch FROM results r").await.expect(400);
    assert!(other.message().contains("nosuch"), "only the case mistake loses its message");
}

pub async fn quoting_to_impose_case_fails_without_the_option_too() {
    let database = results(Service::shared().await).await;
    let message = database.refusal("SELECT r.\"driverId\" FROM results r").await;
    assert!(message.contains("driverId"), "{message}");
}
