//! Creating, listing in pages, forking, attaching, deleting.

use serde_json::{Value, json};

use crate::support::{Cities, Server};

#[tokio::test]
async fn created_read_and_deleted() {
    let server = Server::start();
    let made = server.create_database(json!({ "name": "one", "expires_at": "24h" })).await;
    assert_eq!(made["created"], true);
    assert_eq!(made["default_catalog"], "default");
    assert!(made["default_connection_id"].is_string());
    assert!(made["expires_at"].is_string());
    let path = format!("/v1/databases/{}", made["id"].as_str().unwrap());
    let read = server.get(&path).send().await.expect(200).json();
    assert_eq!(read["name"], "one");
    assert_eq!(read["attachments"], json!([]));
    assert_eq!(read["forked_from"], Value::Null);
    let gone = server.delete(&path).send().await.expect(204);
    assert_eq!(gone.text(), "");
    server.get(&path).send().await.refused(404, "NOT_FOUND", "not found");
    server.delete(&path).send().await.refused(404, "NOT_FOUND", "not found");
}

#[tokio::test]
async fn if_not_exists_finds_the_one_that_is_there() {
    let server = Server::start();
    let first = server.create_database(json!({ "name": "one" })).await;
    let again = server
        .post("/v1/databases", json!({ "name": "one", "if_not_exists": true }))
        .send()
        .await
        .expect(200);
    assert_eq!(again.json()["id"], first["id"]);
    assert_eq!(again.json()["created"], false);
    // Names are labels: without the flag a second one is made.
    let second = server.create_database(json!({ "name": "one" })).await;
    assert_ne!(second["id"], first["id"]);
}

#[tokio::test]
async fn pages_hold_every_database_once_newest_first() {
    let server = Server::start();
    let mut made = Vec::new();
    for number in 0..7 {
        made.push(
            server.create_database(json!({ "name": format!("Report {number}") })).await["id"]
                .clone(),
        );
    }
    server.create_database(json!({ "name": "other" })).await;
    made.reverse();

    let mut seen: Vec<Value> = Vec::new();
    let mut path = "/v1/databases?limit=3&search=report".to_owned();
    loop {
        let page = server.get(&path).send().await.expect(200).json();
        let items = page["databases"].as_array().unwrap();
        assert_eq!(page["count"], items.len());
        assert_eq!(page["limit"], 3);
        seen.extend(items.iter().map(|one| one["id"].clone()));
        assert_eq!(page["has_more"].as_bool().unwrap(), page["next_cursor"].is_string());
        let Some(cursor) = page["next_cursor"].as_str() else {
            break;
        };
        path = format!("/v1/databases?limit=3&search=report&cursor={cursor}");
    }
    assert_eq!(seen, made);
    assert_eq!(server.get("/v1/databases/count?search=REPORT").send().await.json()["total"], 7);
    // Out of range is clamped, not refused.
    assert_eq!(server.get("/v1/databases?limit=0").send().await.expect(200).json()["limit"], 1);
    assert_eq!(
        server.get("/v1/databases?limit=5000").send().await.expect(200).json()["limit"],
        100
    );
}

#[tokio::test]
async fn a_fork_has_the_rows_and_goes_its_own_way() {
    let cities = Cities::start().await;
    let forked = cities
        .server
        .post(
            &format!("/v1/databases/{}/fork", cities.id),
            json!({ "name": "fork", "description": "why" }),
        )
        .send()
        .await
        .expect(201)
        .json();
    assert_eq!(forked["forked_from"]["database_id"], cities.id.as_str());
    assert_eq!(forked["forked_from"]["name"], "cities");
    assert_eq!(forked["forked_from"]["description"], "why");
    cities
        .load(json!({ "mode": "append", "data": "id,name,people\n6,Bodø,53000\n" }))
        .send()
        .await
        .expect(200);
    let count = |id: String| {
        let sql = "SELECT COUNT(id) AS n FROM default.public.cities";
        cities.server.post("/v1/query", json!({ "sql": sql, "database_id": id }))
    };
    assert_eq!(count(cities.id.clone()).send().await.json()["rows"], json!([[6]]));
    assert_eq!(
        count(forked["id"].as_str().unwrap().into()).send().await.json()["rows"],
        json!([[5]])
    );
    cities.server.post("/v1/databases/none/fork", json!({})).send().await.refused(
        404,
        "NOT_FOUND",
        "none",
    );
}

#[tokio::test]
async fn another_database_cannot_be_attached() {
    let cities = Cities::start().await;
    let other = cities.server.create_database(json!({ "name": "other" })).await;
    let catalogs = format!("/v1/databases/{}/catalogs", other["id"].as_str().unwrap());
    let answer =
        cities.server.post(&catalogs, json!({ "connection_id": cities.connection })).send().await;
    answer.refused(400, "BAD_REQUEST", "is scoped to another database and cannot be attached here");
    cities.server.post(&catalogs, json!({})).send().await.refused(
        400,
        "BAD_REQUEST",
        "`connection_id` is required",
    );
    cities.server.post(&catalogs, json!({ "connection_id": "none" })).send().await.refused(
        404,
        "NOT_FOUND",
        "none",
    );
}

#[tokio::test]
async fn connections_list_each_database_s_own() {
    let cities = Cities::start().await;
    let list = cities.server.get("/v1/connections").send().await.expect(200).json();
    let ids: Vec<&Value> =
        list["connections"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert!(ids.contains(&&json!(cities.connection)), "{list}");
    let one = cities
        .server
        .get(&format!("/v1/connections/{}", cities.connection))
        .send()
        .await
        .expect(200)
        .json();
    assert_eq!((&one["table_count"], &one["synced_table_count"]), (&json!(1), &json!(1)));
}
