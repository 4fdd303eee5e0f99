//! What every request must bring.

use axum::http::Method;
use hotdata_local_server::ServerOptions;

use crate::support::{Answer, Server};

#[tokio::test]
async fn no_bearer_is_401() {
    let server = Server::start();
    for value in
        [None, Some(""), Some("Bearer"), Some("Bearer  "), Some("Basic aGQ6"), Some("hd_test")]
    {
        let mut call =
            server.bare(Method::GET, "/v1/databases").header("x-workspace-id", "ws_local");
        if let Some(value) = value {
            call = call.header("authorization", value);
        }
        call.send().await.refused(401, "UNAUTHORIZED", "Authorization");
    }
}

#[tokio::test]
async fn any_bearer_is_accepted_until_a_key_is_set() {
    let call = |server: &Server, token: &str| {
        server
            .bare(Method::GET, "/v1/databases")
            .header("x-workspace-id", "ws_local")
            .header("authorization", token)
    };
    let open = Server::start();
    call(&open, "Bearer anything").send().await.expect(200);
    call(&open, "bearer anything").send().await.expect(200);

    let keyed =
        Server::with(ServerOptions { key: Some("hd_secret".into()), ..ServerOptions::default() });
    call(&keyed, "Bearer hd_secret").send().await.expect(200);
    let refusal = call(&keyed, "Bearer hd_wrong").send().await;
    refusal.refused(401, "UNAUTHORIZED", "not valid");
    no_secret(&refusal, &["hd_wrong", "hd_secret"]);
}

#[tokio::test]
async fn the_workspace_is_required_but_for_its_listing() {
    let server = Server::start();
    let call =
        |path: &str| server.bare(Method::GET, path).header("authorization", "Bearer hd_test");
    let missing = call("/v1/databases").send().await.expect(404);
    assert_eq!(missing.text(), "");
    call("/v1/databases").header("x-workspace-id", "ws_other").send().await.refused(
        404,
        "NOT_FOUND",
        "Workspace",
    );
    let listing = call("/v1/workspaces").send().await.expect(200).json();
    assert_eq!(listing["ok"], true);
    assert_eq!(listing["workspaces"][0]["public_id"], "ws_local");
    assert_eq!(listing["workspaces"][0]["active"], true);
}

#[tokio::test]
async fn the_host_must_be_this_machine() {
    let server = Server::start();
    for host in ["127.0.0.1", "localhost", "LOCALHOST:1", "[::1]:8788"] {
        let call = server.bare(Method::GET, "/v1/workspaces").header("authorization", "Bearer x");
        replace_host(call, host).await.expect(200);
    }
    for host in [
        "example.test",
        "127.0.0.1.example.test",
        "localhost.example.test:80",
        "127.0.0.1:port",
        "",
        "0.0.0.0",
    ] {
        let call = server.bare(Method::GET, "/v1/workspaces").header("authorization", "Bearer x");
        replace_host(call, host).await.refused(403, "FORBIDDEN", "Host");
    }
}

async fn replace_host(call: crate::support::Call, host: &str) -> Answer {
    call.without("host").header("host", host).send().await
}

#[tokio::test]
async fn no_answer_repeats_the_bearer() {
    let server = Server::start();
    let secret = "hd_do_not_repeat_me";
    for (method, path) in [
        (Method::GET, "/v1/databases/none"),
        (Method::POST, "/v1/query"),
        (Method::GET, "/v1/nothing"),
        (Method::DELETE, "/v1/query"),
        (Method::PUT, "/storage/unknown"),
    ] {
        let answer = server
            .bare(method, path)
            .header("x-workspace-id", "ws_local")
            .header("authorization", &format!("Bearer {secret}"))
            .send()
            .await;
        assert!(answer.status.is_client_error());
        no_secret(&answer, &[secret]);
    }
}

fn no_secret(answer: &Answer, secrets: &[&str]) {
    let shown = format!("{:?} {}", answer.headers, answer.text());
    for secret in secrets {
        assert!(!shown.contains(secret), "{shown}");
    }
}
