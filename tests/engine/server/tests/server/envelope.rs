//! Bad input is refused in the envelope, with words that say what was expected.

use axum::http::Method;
use serde_json::json;

use crate::support::Cities;

#[tokio::test]
async fn unknown_paths_and_methods() {
    let cities = Cities::start().await;
    let server = &cities.server;
    server.get("/").send().await.refused(404, "NOT_FOUND", "path");
    server.get("/v1/nothing").send().await.refused(404, "NOT_FOUND", "path");
    server.get("/v1/query").send().await.refused(405, "METHOD_NOT_ALLOWED", "method");
    server.delete("/v1/databases").send().await.refused(405, "METHOD_NOT_ALLOWED", "method");
    server.get("/v1/databases/%FF").send().await.refused(400, "BAD_REQUEST", "path");
}

#[tokio::test]
async fn bodies_that_are_not_json_objects() {
    let cities = Cities::start().await;
    for body in ["{", "\u{0}", "[1]", "\"sql\"", "null", "{\"sql\": \"SELECT 1\"} trailing"] {
        let call = cities.server.call(Method::POST, "/v1/query").bytes(body);
        call.send().await.refused(400, "BAD_REQUEST", "request body");
    }
    let deep = "[".repeat(100_000);
    cities.server.call(Method::POST, "/v1/query").bytes(deep).send().await.refused(
        400,
        "BAD_REQUEST",
        "JSON",
    );
    let invalid_utf8 = b"{\"sql\": \"\xff\"}".to_vec();
    cities.server.call(Method::POST, "/v1/query").bytes(invalid_utf8).send().await.refused(
        400,
        "BAD_REQUEST",
        "JSON",
    );
}

#[tokio::test]
async fn a_body_over_the_bound_is_413_whether_or_not_its_length_is_told() {
    let cities = Cities::start().await;
    let long = vec![b' '; 17 * 1024 * 1024];
    let told = cities.server.call(Method::POST, "/v1/query").header("content-length", "999999999");
    told.bytes("{}").send().await.refused(413, "PAYLOAD_TOO_LARGE", "exceeds");
    let untold = cities.server.call(Method::POST, "/v1/query").bytes(long);
    untold.send().await.refused(413, "PAYLOAD_TOO_LARGE", "exceeds");
}

#[tokio::test]
async fn wrong_types_are_named() {
    let cities = Cities::start().await;
    for (body, part) in [
        (json!({}), "`sql` is required"),
        (json!({ "sql": null }), "`sql` is required"),
        (json!({ "sql": 1 }), "`sql` must be a string"),
        (json!({ "sql": "  " }), "`sql` must not be empty"),
        (json!({ "sql": "SELECT 1", "async": "yes" }), "`async` must be true or false"),
        (
            json!({ "sql": "SELECT 1", "async": true, "async_after_ms": -1 }),
            "`async_after_ms` must be an integer",
        ),
        (
            json!({ "sql": "SELECT 1", "async": true, "async_after_ms": 999 }),
            "`async_after_ms` must be 1000",
        ),
        (json!({ "sql": "SELECT 1", "async_after_ms": 2000 }), "needs `async`"),
        (json!({ "sql": "SELECT 1", "dialect": "mysql" }), "hotsql, duckdb, postgres, snowflake"),
        (json!({ "sql": "SELECT 1", "database_id": 7 }), "`database_id` must be a string"),
    ] {
        cities.query_with(body).send().await.refused(400, "BAD_REQUEST", part);
    }
    for (body, part) in [
        (json!({ "name": 1 }), "`name`"),
        (json!({ "if_not_exists": "true" }), "`if_not_exists`"),
        (json!({ "schemas": {} }), "`schemas`"),
        (json!({ "schemas": [{ "tables": [] }] }), "missing field `name`"),
        (json!({ "expires_at": "tomorrow" }), "expires_at"),
    ] {
        cities.server.post("/v1/databases", body).send().await.refused(400, "BAD_REQUEST", part);
    }
}

#[tokio::test]
async fn bad_query_strings_are_refused() {
    let cities = Cities::start().await;
    for path in [
        "/v1/databases?limit=many",
        "/v1/databases?limit=-1",
        "/v1/databases?cursor=made-up",
        "/v1/information_schema?include_columns=perhaps",
        "/v1/results/x?format=xlsx",
        "/v1/results/x?offset=-5",
        "/v1/jobs?limit=1.5",
    ] {
        let (code, _) = cities.get(path).send().await.expect(400).error();
        assert_eq!(code, "BAD_REQUEST", "{path}");
    }
}

#[tokio::test]
async fn unknown_records_are_404() {
    let cities = Cities::start().await;
    for path in [
        "/v1/databases/none",
        "/v1/connections/none",
        "/v1/jobs/none",
        "/v1/query-runs/none",
        "/v1/results/none",
        "/v1/embedding-providers/none",
        "/v1/information_schema?connection_id=none",
        "/v1/connections/none/tables/public/cities/indexes",
    ] {
        let (code, message) = cities.get(path).send().await.expect(404).error();
        assert_eq!(code, "NOT_FOUND", "{path}: {message}");
    }
}

/// Nothing a caller sends may bring the server down: odd values in every place a path or body has.
#[tokio::test]
async fn odd_values_are_refused_not_failed() {
    let cities = Cities::start().await;
    let odd =
        ["", " ", "a'b", "\"", "\\", "%", "..", "💥", "\u{0}", "a\nb", "SELECT", &"x".repeat(5000)];
    for text in odd {
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let answers = [
            cities.query(text).send().await,
            cities.query(&format!("SELECT * FROM \"{text}\"")).send().await,
            cities
                .server
                .post("/v1/query", json!({ "sql": "SELECT 1", "database_id": text }))
                .send()
                .await,
            cities.server.get(&format!("/v1/databases/{encoded}x")).send().await,
            cities
                .load_into(&format!("t{encoded}"), json!({ "mode": "replace", "data": text }))
                .send()
                .await,
            cities.load(json!({ "mode": text, "data": "a\n1\n" })).send().await,
            cities
                .server
                .post(
                    &cities.indexes_path("cities"),
                    json!({ "index_name": text, "columns": [text], "index_type": "bm25" }),
                )
                .send()
                .await,
            cities
                .server
                .get(&format!("/v1/information_schema?schema={encoded}&table={encoded}"))
                .send()
                .await,
        ];
        for answer in answers {
            assert!(!answer.status.is_server_error(), "{text:?}: {}", answer.text());
        }
    }
    assert_eq!(cities.rows("SELECT COUNT(id) AS n FROM default.public.cities").await, json!([[5]]));
}
