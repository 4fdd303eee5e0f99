//! Declaring tables, and the information schema in pages.

use serde_json::{Value, json};

use crate::support::Cities;

#[tokio::test]
async fn declared_in_either_address_and_lowercased() {
    let cities = Cities::start().await;
    let by_database = format!("/v1/databases/{}/schemas", cities.id);
    let by_connection = format!("/v1/connections/{}/schemas", cities.connection);
    let made = cities
        .server
        .post(&by_database, json!({ "name": "Sales" }))
        .send()
        .await
        .expect(201)
        .json();
    assert_eq!(
        made,
        json!({ "connection_id": cities.connection, "schema": "sales", "tables": [] })
    );
    let made = cities
        .server
        .post(&format!("{by_connection}/sales/tables"), json!({ "name": "Orders", "key": ["id"] }))
        .send()
        .await
        .expect(201)
        .json();
    assert_eq!(
        made,
        json!({ "connection_id": cities.connection, "schema": "sales", "table": "orders" })
    );
    let again = cities
        .server
        .post(&format!("{by_database}/sales/tables"), json!({ "name": "orders" }))
        .send()
        .await
        .expect(409);
    assert_eq!(again.error().0, "CONFLICT");
    cities.query("SELECT * FROM default.sales.orders").send().await.refused(
        400,
        "BAD_REQUEST",
        "Managed table 'default.sales.orders' is declared but has no data",
    );
}

#[tokio::test]
async fn the_information_schema_tells_tables_in_pages() {
    let cities = Cities::start().await;
    for table in ["a1", "a2", "a3", "a4"] {
        cities
            .load_into(table, json!({ "mode": "replace", "data": "x\n1\n" }))
            .send()
            .await
            .expect(200);
    }
    let tables_path = format!("/v1/databases/{}/schemas/public/tables", cities.id);
    let layout = json!({
        "name": "laid_out",
        "partition_by": [{ "column": "day", "transform": "month" }],
        "sorted_by": [{ "column": "day", "direction": "desc" }],
    });
    cities.server.post(&tables_path, layout).send().await.expect(201);

    let base = format!("/v1/information_schema?connection_id={}", cities.connection);
    let mut seen: Vec<String> = Vec::new();
    let mut path = format!("{base}&limit=2");
    loop {
        let page = cities.server.get(&path).send().await.expect(200).json();
        assert_eq!(page["limit"], 2);
        assert!(page["tables"][0].get("columns").is_none());
        seen.extend(
            page["tables"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["table"].as_str().unwrap().to_owned()),
        );
        let Some(cursor) = page["next_cursor"].as_str() else {
            break;
        };
        path = format!("{base}&limit=2&cursor={cursor}");
    }
    assert_eq!(seen, ["a1", "a2", "a3", "a4", "cities", "laid_out"]);

    let filtered = cities
        .server
        .get(&format!("{base}&schema=public&table=a%25"))
        .send()
        .await
        .expect(200)
        .json();
    assert_eq!(filtered["count"], 4);
    assert_eq!(filtered["has_more"], false);
    assert_eq!(filtered["next_cursor"], Value::Null);

    let one = cities
        .server
        .get(&format!("{base}&table=cities&include_columns=true"))
        .send()
        .await
        .expect(200)
        .json();
    let columns: Vec<&Value> =
        one["tables"][0]["columns"].as_array().unwrap().iter().map(|c| &c["name"]).collect();
    assert_eq!(columns, ["id", "name", "people"]);
    assert_eq!(one["tables"][0]["synced"], true);

    let declared =
        cities.server.get(&format!("{base}&table=laid_out")).send().await.expect(200).json();
    let declared = &declared["tables"][0];
    assert_eq!(declared["synced"], false);
    assert_eq!(declared["partition_by"], json!([{ "column": "day", "transform": "month" }]));
    assert_eq!(declared["sorted_by"][0]["column"], "day");
}

#[tokio::test]
async fn a_table_is_removed_by_its_connection() {
    let cities = Cities::start().await;
    let path = format!("/v1/connections/{}/schemas/public/tables/cities", cities.connection);
    cities.server.delete(&path).send().await.expect(204);
    cities.server.delete(&path).send().await.refused(404, "NOT_FOUND", "cities");
    cities.query("SELECT id FROM default.public.cities").send().await.refused(
        400,
        "BAD_REQUEST",
        "not found",
    );
}
