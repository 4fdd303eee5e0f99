//! Uploads: single, multipart, streaming, and the storage they go to.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::{Answer, CITIES, Cities, Server};

const MIB: usize = 1024 * 1024;

async fn open(server: &Server, body: Value) -> Value {
    server.post("/v1/uploads", body).send().await.expect(201).json()
}

/// Puts bytes under a storage URL as a client does: no bearer, no workspace.
async fn put(server: &Server, url: &Value, bytes: Vec<u8>) -> Answer {
    let path = url.as_str().unwrap().strip_prefix("http://127.0.0.1:8788").unwrap().to_owned();
    server.bare(Method::PUT, &path).bytes(bytes).send().await
}

async fn finalize(server: &Server, session: &Value, body: Value) -> Answer {
    server
        .post(&format!("/v1/uploads/{}/finalize", session["upload_id"].as_str().unwrap()), body)
        .header("x-upload-finalize-token", session["finalize_token"].as_str().unwrap())
        .send()
        .await
}

async fn uploaded(server: &Server, text: &str, content_type: Option<&str>) -> String {
    let session =
        open(server, json!({ "declared_size_bytes": text.len(), "content_type": content_type }))
            .await;
    put(server, &session["url"], text.into()).await.expect(200);
    finalize(server, &session, json!({})).await.expect(200);
    session["upload_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_small_file_is_one_put() {
    let cities = Cities::start().await;
    let server = &cities.server;
    let session =
        open(server, json!({ "declared_size_bytes": CITIES.len(), "filename": "cities.csv" }))
            .await;
    assert_eq!(session["mode"], "single");
    assert_eq!(session["headers"], json!({}));
    let stored = put(server, &session["url"], CITIES.into()).await.expect(200);
    assert!(stored.header("etag").unwrap().starts_with('"'));
    let done = finalize(server, &session, json!({})).await.expect(200).json();
    assert_eq!(
        (&done["size_bytes"], &done["upload_id"]),
        (&json!(CITIES.len()), &session["upload_id"])
    );
    // Exactly once, as on the service: a repeat tells that the first one counted.
    let again = finalize(server, &session, json!({})).await;
    again.refused(409, "CONFLICT", "already finalized");
    let body = json!({ "mode": "replace", "upload_id": session["upload_id"], "format": "csv" });
    assert_eq!(cities.load_into("loaded", body).send().await.expect(200).json()["row_count"], 5);
}

#[tokio::test]
async fn storage_takes_no_credentials_and_unguessable_addresses_only() {
    let server = Server::start();
    let session = open(&server, json!({ "declared_size_bytes": 3 })).await;
    let path =
        session["url"].as_str().unwrap().strip_prefix("http://127.0.0.1:8788").unwrap().to_owned();
    assert!(path.len() >= "/storage/".len() + 48);
    for (name, value) in [("authorization", "Bearer hd_test"), ("x-workspace-id", "ws_local")] {
        let refused = server
            .bare(Method::PUT, &path)
            .header(name, value)
            .bytes("abc")
            .send()
            .await
            .expect(400);
        assert!(refused.text().starts_with("<?xml"), "{}", refused.text());
        assert!(!refused.text().contains("hd_test"));
    }
    server.bare(Method::PUT, "/storage/guess").bytes("abc").send().await.expect(403);
    server.bare(Method::PUT, &path).bytes("abc").send().await.expect(200);
    finalize(&server, &session, json!({})).await.expect(200);
    // Once finalized the address is spent.
    server.bare(Method::PUT, &path).bytes("xyz").send().await.expect(403);
}

#[tokio::test]
async fn a_large_file_is_put_in_parts() {
    let cities = Cities::start().await;
    let server = &cities.server;
    let mut file = String::from("id,text\n");
    for id in 0..(11 * MIB / 1000) {
        file.push_str(&format!("{id},{}\n", "x".repeat(990)));
    }
    let rows = file.lines().count() - 1;
    let file = file.into_bytes();
    let session = open(server, json!({ "declared_size_bytes": file.len(), "part_size": 1 })).await;
    assert_eq!(session["mode"], "multipart");
    assert_eq!(session["part_size"], 5 * MIB);
    let urls = session["part_urls"].as_array().unwrap();
    assert_eq!(urls.len(), file.len().div_ceil(5 * MIB));
    let mut parts = Vec::new();
    // Out of order, and one of them twice: the last put of a part counts.
    put(server, &urls[0], b"to be replaced".to_vec()).await.expect(200);
    for number in (1..=urls.len()).rev() {
        let piece = file[(number - 1) * 5 * MIB..].iter().take(5 * MIB).copied().collect();
        let stored = put(server, &urls[number - 1], piece).await.expect(200);
        parts.push(json!({ "part_number": number, "e_tag": stored.header("etag").unwrap() }));
    }
    finalize(server, &session, json!({})).await.refused(400, "BAD_REQUEST", "`parts` is required");
    let wrong = json!({ "parts": [{ "part_number": 1, "e_tag": "nope" }] });
    finalize(server, &session, wrong).await.refused(
        400,
        "BAD_REQUEST",
        "no part 1 with that `e_tag`",
    );
    let missing = json!({ "parts": [parts[0]] });
    finalize(server, &session, missing).await.refused(400, "BAD_REQUEST", "each part once");
    let done = finalize(server, &session, json!({ "parts": parts })).await.expect(200).json();
    assert_eq!(done["size_bytes"], file.len());
    let body = json!({ "mode": "replace", "upload_id": session["upload_id"], "format": "csv" });
    assert_eq!(cities.load_into("wide", body).send().await.expect(200).json()["row_count"], rows);
}

#[tokio::test]
async fn a_file_of_unknown_size_mints_its_parts() {
    let cities = Cities::start().await;
    let server = &cities.server;
    let session = open(server, json!({})).await;
    assert_eq!(session["mode"], "multipart");
    assert!(session.get("part_urls").is_none());
    let path = format!("/v1/uploads/{}/parts", session["upload_id"].as_str().unwrap());
    let mint = |numbers: Value, token: &str| {
        server
            .post(&path, json!({ "part_numbers": numbers }))
            .header("x-upload-finalize-token", token)
    };
    let token = session["finalize_token"].as_str().unwrap();
    mint(json!([1]), "wrong").send().await.refused(403, "FORBIDDEN", "X-Upload-Finalize-Token");
    mint(json!([]), token).send().await.refused(400, "BAD_REQUEST", "`part_numbers`");
    mint(json!([0]), token).send().await.refused(400, "BAD_REQUEST", "`part_numbers`");
    server.post(&path, json!({ "part_numbers": [1] })).send().await.refused(
        400,
        "BAD_REQUEST",
        "header is required",
    );
    let minted = mint(json!([2, 1]), token).send().await.expect(200).json();
    assert_eq!(
        (&minted["parts"][0]["part_number"], &minted["parts"][1]["part_number"]),
        (&json!(1), &json!(2))
    );
    let stored = put(server, &minted["parts"][0]["url"], CITIES.into()).await.expect(200);
    let parts = json!({ "parts": [{ "part_number": 1, "e_tag": stored.header("etag").unwrap() }] });
    finalize(server, &session, parts).await.expect(200);
    let body = json!({ "mode": "replace", "upload_id": session["upload_id"] });
    assert_eq!(cities.load_into("streamed", body).send().await.expect(200).json()["row_count"], 5);
}

#[tokio::test]
async fn what_was_put_must_be_what_was_declared() {
    let server = Server::start();
    let session = open(&server, json!({ "declared_size_bytes": 10 })).await;
    finalize(&server, &session, json!({})).await.refused(
        400,
        "BAD_REQUEST",
        "nothing was uploaded",
    );
    put(&server, &session["url"], b"short".to_vec()).await.expect(200);
    finalize(&server, &session, json!({})).await.refused(
        400,
        "BAD_REQUEST",
        "5 bytes were uploaded",
    );
    put(&server, &session["url"], b"now ten by".to_vec()).await.expect(200);
    finalize(&server, &session, json!({})).await.expect(200);
    server.post("/v1/uploads", json!({ "declared_size_bytes": 1u64 << 40 })).send().await.refused(
        400,
        "BAD_REQUEST",
        "`declared_size_bytes`",
    );
    for field in ["checksum_algo", "content_encoding"] {
        server.post("/v1/uploads", json!({ field: "gzip" })).send().await.refused(
            400,
            "BAD_REQUEST",
            field,
        );
    }
}

#[tokio::test]
async fn a_small_part_may_only_be_the_last() {
    let server = Server::start();
    let session = open(&server, json!({})).await;
    let path = format!("/v1/uploads/{}/parts", session["upload_id"].as_str().unwrap());
    let minted = server
        .post(&path, json!({ "part_numbers": [1, 2] }))
        .header("x-upload-finalize-token", session["finalize_token"].as_str().unwrap())
        .send()
        .await
        .expect(200)
        .json();
    let mut parts = Vec::new();
    for at in 0..2 {
        let stored = put(&server, &minted["parts"][at]["url"], b"small".to_vec()).await.expect(200);
        parts.push(json!({ "part_number": at + 1, "e_tag": stored.header("etag").unwrap() }));
    }
    finalize(&server, &session, json!({ "parts": parts })).await.refused(
        400,
        "BAD_REQUEST",
        "part 1 is smaller",
    );
}

#[tokio::test]
async fn ndjson_is_known_by_its_content_type_or_its_bytes() {
    let cities = Cities::start().await;
    let rows = "{\"id\": 1, \"tags\": [\"a\", \"b\"]}\n{\"id\": 2, \"tags\": []}\n";
    for (table, content_type) in [("typed", Some("application/x-ndjson")), ("guessed", None)] {
        let id = uploaded(&cities.server, rows, content_type).await;
        let body = json!({ "mode": "replace", "upload_id": id });
        assert_eq!(cities.load_into(table, body).send().await.expect(200).json()["row_count"], 2);
    }
    let rows = cities.rows("SELECT id, tags FROM default.public.typed ORDER BY id").await;
    assert_eq!(rows, json!([[1, ["a", "b"]], [2, []]]));
}

#[tokio::test]
async fn a_parquet_result_loads_back() {
    let cities = Cities::start().await;
    let answer = cities.query("SELECT id, name FROM default.public.cities").send().await.json();
    let path = format!("/v1/results/{}?format=parquet", answer["result_id"].as_str().unwrap());
    let file = cities.get(&path).send().await.expect(200).body;
    let session = open(&cities.server, json!({ "declared_size_bytes": file.len() })).await;
    put(&cities.server, &session["url"], file).await.expect(200);
    finalize(&cities.server, &session, json!({})).await.expect(200);
    let body = json!({ "mode": "replace", "upload_id": session["upload_id"] });
    assert_eq!(cities.load_into("back", body).send().await.expect(200).json()["row_count"], 5);
}

#[tokio::test]
async fn loading_an_upload_again_answers_as_the_first_time() {
    let cities = Cities::start().await;
    let id = uploaded(&cities.server, "id,name,people\n6,Bodø,53000\n", Some("text/csv")).await;
    let body = json!({ "mode": "append", "upload_id": id });
    let first = cities.load(body.clone()).send().await.expect(200).json();
    assert_eq!(first["row_count"], 6);
    assert_eq!(cities.load(body).send().await.expect(200).json(), first);
    assert_eq!(cities.rows("SELECT COUNT(id) AS n FROM default.public.cities").await, json!([[6]]));
    let elsewhere =
        cities.load_into("other", json!({ "mode": "append", "upload_id": id })).send().await;
    elsewhere.refused(409, "CONFLICT", "already loaded");
}

#[tokio::test]
async fn a_load_that_failed_leaves_the_upload_to_load() {
    let cities = Cities::start().await;
    let id = uploaded(&cities.server, "id,name\n6,Bodø\n", Some("text/csv")).await;
    // An append must carry every column the table has.
    cities.load(json!({ "mode": "append", "upload_id": id })).send().await.expect(400);
    cities
        .load_into("fresh", json!({ "mode": "append", "upload_id": id }))
        .send()
        .await
        .expect(200);
}

#[tokio::test]
async fn an_upload_not_finalized_cannot_be_loaded() {
    let cities = Cities::start().await;
    let session = open(&cities.server, json!({ "declared_size_bytes": 3 })).await;
    let body = json!({ "mode": "replace", "upload_id": session["upload_id"] });
    cities.load(body).send().await.refused(409, "CONFLICT", "not finalized");
}
