//! Indexes: built at once or as a job, listed, dropped.

use serde_json::{Value, json};

use crate::support::Cities;

#[tokio::test]
async fn built_at_once_listed_used_and_dropped() {
    let cities = Cities::start().await;
    let path = cities.indexes_path("cities");
    let body = json!({ "index_name": "by_name", "columns": ["name"], "index_type": "bm25" });
    let made = cities.server.post(&path, body.clone()).send().await.expect(201).json();
    assert_eq!(
        (&made["index_name"], &made["index_type"], &made["status"]),
        (&json!("by_name"), &json!("bm25"), &json!("ready"))
    );
    assert_eq!(made["columns"], json!(["name"]));
    assert!(made["created_at"].is_string() && made["updated_at"].is_string());
    let listed = cities.server.get(&path).send().await.expect(200).json();
    assert_eq!(listed, json!({ "indexes": [made] }));

    let rows =
        cities.rows("SELECT id FROM bm25_search('default.public.cities', 'name', 'oslo', 5)").await;
    assert_eq!(rows, json!([[1]]));
    cities.server.post(&path, body).send().await.expect(409);

    let one = format!("{path}/by_name");
    cities.server.delete(&one).send().await.expect(204);
    cities.server.delete(&one).send().await.refused(404, "NOT_FOUND", "by_name");
    assert_eq!(cities.server.get(&path).send().await.expect(200).json(), json!({ "indexes": [] }));
}

#[tokio::test]
async fn asked_for_it_is_a_job() {
    let cities = Cities::start().await;
    let path = cities.indexes_path("cities");
    let body = json!({ "index_name": "by_name", "columns": ["name"], "index_type": "bm25", "async": true });
    let submitted = cities.server.post(&path, body).send().await.expect(202).json();
    assert_eq!(submitted["status"], "pending");
    let job = cities.job(&submitted).await;
    assert_eq!(
        (&job["job_type"], &job["status"]),
        (&json!("create_index"), &json!("succeeded")),
        "{job}"
    );
    assert_eq!(job["result"]["index_name"], "by_name");
    assert_eq!(job["attempts"], 1);
    let quick = json!({ "index_name": "by_id", "columns": ["id"], "async": true, "async_after_ms": 60_000 });
    let made = cities.server.post(&path, quick).send().await.expect(201).json();
    assert_eq!(made["index_type"], "sorted");
}

#[tokio::test]
async fn what_an_index_must_name() {
    let cities = Cities::start().await;
    let path = cities.indexes_path("cities");
    for (body, part) in [
        (json!({ "columns": ["name"] }), "`index_name` is required"),
        (json!({ "index_name": "i" }), "`columns` is required"),
        (json!({ "index_name": "i", "columns": "name" }), "`columns` must be a list of strings"),
        (
            json!({ "index_name": "i", "columns": ["name"], "index_type": "btree" }),
            "sorted, bm25, vector",
        ),
        (
            json!({ "index_name": "i", "columns": ["name"], "index_type": "vector", "metric": "L2" }),
            "l2, cosine, dot",
        ),
        (json!({ "index_name": "i", "columns": ["name"], "algorithm": "flat" }), "hnsw, ivf"),
        (json!({ "index_name": "i", "columns": ["name"], "dimensions": -1 }), "`dimensions`"),
        (json!({ "index_name": "i", "columns": ["nothing"], "index_type": "bm25" }), "nothing"),
    ] {
        cities.server.post(&path, body).send().await.refused(400, "BAD_REQUEST", part);
    }
    let unknown = cities.indexes_path("none");
    let body = json!({ "index_name": "i", "columns": ["name"], "index_type": "bm25" });
    cities.server.post(&unknown, body).send().await.expect(404);
    assert_eq!(cities.server.get(&path).send().await.json(), json!({ "indexes": [] }));
}

#[tokio::test]
async fn the_workspace_s_indexes_come_in_pages() {
    let cities = Cities::start().await;
    let path = cities.indexes_path("cities");
    for column in ["id", "name", "people"] {
        let body = json!({ "index_name": format!("by_{column}"), "columns": [column] });
        cities.server.post(&path, body).send().await.expect(201);
    }
    let first = cities.get("/v1/indexes?limit=2").send().await.expect(200).json();
    assert_eq!((&first["count"], &first["has_more"]), (&json!(2), &json!(true)));
    assert_eq!(first["indexes"][0]["table_name"], "cities");
    assert_eq!(first["indexes"][0]["schema_name"], "public");
    assert_eq!(first["indexes"][0]["connection_id"], cities.connection.as_str());
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest =
        cities.get(&format!("/v1/indexes?limit=2&cursor={cursor}")).send().await.expect(200).json();
    assert_eq!((&rest["count"], &rest["next_cursor"]), (&json!(1), &Value::Null));
    let none = cities.get("/v1/indexes?index_type=vector").send().await.expect(200).json();
    assert_eq!(none["indexes"], json!([]));
}
