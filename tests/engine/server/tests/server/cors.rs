//! Which pages may call, and what they may read.

use axum::http::Method;
use hotdata_local_server::ServerOptions;

use crate::support::Server;

#[tokio::test]
async fn a_loopback_page_may_send_what_the_clients_send() {
    let server = Server::start();
    for origin in
        ["http://127.0.0.1:8787", "http://localhost:3000", "https://localhost", "http://[::1]:1"]
    {
        let answer = server
            .bare(Method::OPTIONS, "/v1/query")
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header(
                "access-control-request-headers",
                "authorization,content-type,x-workspace-id,x-database-id",
            )
            .send()
            .await
            .expect(200);
        assert_eq!(answer.header("access-control-allow-origin"), Some(origin));
        let allowed = answer.header("access-control-allow-headers").unwrap().to_lowercase();
        for name in [
            "authorization",
            "content-type",
            "accept",
            "x-workspace-id",
            "x-database-id",
            "x-upload-finalize-token",
        ] {
            assert!(allowed.split(',').any(|one| one == name), "{allowed}");
        }
        let methods = answer.header("access-control-allow-methods").unwrap();
        for method in ["GET", "POST", "PUT", "DELETE"] {
            assert!(methods.contains(method), "{methods}");
        }
    }
}

#[tokio::test]
async fn a_page_may_read_the_headers_the_clients_read_on_errors_too() {
    let server = Server::start();
    for call in [
        server.get("/v1/databases"),
        server.get("/v1/nothing"),
        server.bare(Method::GET, "/v1/databases"),
    ] {
        let answer = call.header("origin", "http://127.0.0.1:8787").send().await;
        assert_eq!(answer.header("access-control-allow-origin"), Some("http://127.0.0.1:8787"));
        let exposed = answer.header("access-control-expose-headers").unwrap().to_lowercase();
        for name in [
            "retry-after",
            "etag",
            "x-total-row-count",
            "x-query-run-id",
            "x-result-id",
            "x-execution-time-ms",
        ] {
            assert!(exposed.split(',').any(|one| one == name), "{exposed}");
        }
    }
}

#[tokio::test]
async fn other_pages_may_not() {
    let server = Server::start();
    for origin in [
        "https://example.test",
        "http://localhost.example.test",
        "null",
        "http://127.0.0.1@example.test",
    ] {
        let answer = server.get("/v1/databases").header("origin", origin).send().await;
        assert_eq!(answer.header("access-control-allow-origin"), None, "{origin}");
    }
}

#[tokio::test]
async fn an_origin_named_at_start_may() {
    let server = Server::with(ServerOptions {
        origins: vec!["https://app.example.test".into()],
        ..ServerOptions::default()
    });
    let answer =
        server.get("/v1/databases").header("origin", "https://app.example.test").send().await;
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://app.example.test"));
}
