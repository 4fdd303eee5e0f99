//! Providers that call an embeddings server on this machine.

use std::sync::Arc;

use axum::{Json, Router, routing::post};
use hotdata_local_engine::engine::{EmbeddingClient, Engine, EngineOptions};
use hotdata_local_server::ServerOptions;
use hotdata_local_server::embedding_http::{HttpEmbeddings, endpoint};
use serde_json::{Value, json};

use crate::support::Server;

/// Answers with vectors of length and vowels, out of order.
async fn serve() -> String {
    let app = Router::new().route(
        "/v1/embeddings",
        post(|Json(body): Json<Value>| async move {
            let texts = body["input"].as_array().unwrap().clone();
            let data: Vec<Value> = texts
                .iter()
                .enumerate()
                .rev()
                .map(|(index, text)| {
                    let text = text.as_str().unwrap();
                    let vowels = text.chars().filter(|c| "aeiou".contains(*c)).count();
                    json!({ "index": index, "embedding": [text.len() as f32, vowels as f32] })
                })
                .collect();
            Json(json!({ "data": data, "model": body["model"] }))
        }),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}")
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_come_in_the_order_of_the_texts() {
    let url = serve().await;
    let client = HttpEmbeddings::new().unwrap();
    let texts = ["aa".to_owned(), "bcd".to_owned()];
    assert_eq!(client.embed(&url, "m", &texts).await.unwrap(), [[2.0, 2.0], [3.0, 0.0]]);
    let error = client.embed(&format!("{url}/elsewhere"), "m", &texts).await.unwrap_err();
    assert_eq!(error.status, 502);
}

#[test]
fn only_this_machine_is_called() {
    for (base, path) in [
        ("http://127.0.0.1:9", "/v1/embeddings"),
        ("http://localhost:9/v1/", "/v1/embeddings"),
        ("http://[::1]:9/api", "/api/v1/embeddings"),
        ("http://127.0.0.1:9/v1/embeddings", "/v1/embeddings"),
    ] {
        assert_eq!(endpoint(base).unwrap().path(), path, "{base}");
    }
    for base in [
        "http://example.test",
        "https://127.0.0.1",
        "http://127.0.0.1.example.test",
        "ftp://localhost",
        "x",
    ] {
        assert!(endpoint(base).is_err(), "{base}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_over_text_is_embedded_by_the_service() {
    let url = serve().await;
    let engine = Engine::open(EngineOptions {
        embedding_services: vec![("local_letters".into(), url, "letters".into())],
        embedding_client: Some(Arc::new(HttpEmbeddings::new().unwrap())),
        ..EngineOptions::default()
    })
    .unwrap();
    let server = Server::over(engine, ServerOptions::default());
    let providers = server.get("/v1/embedding-providers").send().await.expect(200).json();
    let provider = providers["embedding_providers"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["id"] == "local_letters")
        .unwrap()
        .clone();
    assert_eq!(provider["provider_type"], "service");
    for field in ["name", "source", "has_secret", "config", "created_at", "updated_at"] {
        assert!(provider.get(field).is_some(), "{field}: {provider}");
    }
    let one = server.get("/v1/embedding-providers/local_letters").send().await.expect(200).json();
    assert_eq!(one, provider);

    let made = server.create_database(json!({ "name": "words" })).await;
    let (id, connection) =
        (made["id"].as_str().unwrap(), made["default_connection_id"].as_str().unwrap());
    let load = format!("/v1/databases/{id}/schemas/public/tables/words/loads");
    let data = "id,word\n1,aaaa\n2,bcdfghjk\n";
    server.post(&load, json!({ "mode": "replace", "data": data })).send().await.expect(200);
    let index = json!({
        "index_name": "by_meaning", "columns": ["word"], "index_type": "vector", "metric": "l2",
        "embedding_provider_id": "local_letters",
    });
    let path = format!("/v1/connections/{connection}/tables/public/words/indexes");
    let made = server.post(&path, index).send().await.expect(201).json();
    assert_eq!(made["source_column"], "word");
    let sql = "SELECT id FROM vector_search('default.public.words', 'word', 'eeee', 1)";
    let found = server
        .post("/v1/query", json!({ "sql": sql, "database_id": id }))
        .send()
        .await
        .expect(200)
        .json();
    assert_eq!(found["rows"], json!([[1]]));
}
