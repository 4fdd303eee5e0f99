//! Several workspaces: which are listed, which answer, and that they share nothing.

use axum::http::Method;
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_server::{ServerOptions, ServerState};
use serde_json::json;

use crate::support::{CITIES, Server};

fn three() -> Server {
    let engine = || Engine::open(EngineOptions::default()).unwrap();
    let options =
        ServerOptions { inactive_workspaces: vec!["ws_old".into()], ..ServerOptions::default() };
    Server::of(ServerState::with_workspaces(engine(), vec![("ws_two".into(), engine())], options))
}

#[tokio::test]
async fn they_are_listed_with_what_is_active() {
    let listed = three().bare(Method::GET, "/v1/workspaces").header("authorization", "Bearer a");
    let listed = listed.send().await.expect(200).json();
    let seen: Vec<(&str, &str, bool)> = listed["workspaces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let text = |name: &str| one[name].as_str().unwrap();
            (text("public_id"), text("name"), one["active"].as_bool().unwrap())
        })
        .collect();
    assert_eq!(
        seen,
        [("ws_local", "local", true), ("ws_two", "two", true), ("ws_old", "old", false)]
    );
}

#[tokio::test]
async fn each_has_databases_and_uploads_of_its_own() {
    let server = three();
    let call = |method: Method, path: &str, workspace: &str| {
        server
            .bare(method, path)
            .header("authorization", "Bearer hd_test")
            .header("x-workspace-id", workspace)
    };
    let made = call(Method::POST, "/v1/databases", "ws_two").json(json!({ "name": "there" }));
    let id = made.send().await.expect(201).json()["id"].as_str().unwrap().to_owned();
    call(Method::GET, &format!("/v1/databases/{id}"), "ws_two").send().await.expect(200);
    call(Method::GET, &format!("/v1/databases/{id}"), "ws_local").send().await.expect(404);

    let session = call(Method::POST, "/v1/uploads", "ws_two")
        .json(json!({ "declared_size_bytes": CITIES.len() }))
        .send()
        .await
        .expect(201)
        .json();
    let path =
        session["url"].as_str().unwrap().strip_prefix("http://127.0.0.1:8788").unwrap().to_owned();
    // Storage addresses name no workspace.
    server.bare(Method::PUT, &path).bytes(CITIES).send().await.expect(200);
    let upload = session["upload_id"].as_str().unwrap();
    let finalize = |workspace: &str| {
        call(Method::POST, &format!("/v1/uploads/{upload}/finalize"), workspace)
            .header("x-upload-finalize-token", session["finalize_token"].as_str().unwrap())
            .json(json!({}))
    };
    finalize("ws_local").send().await.expect(404);
    finalize("ws_two").send().await.expect(200);
}

#[tokio::test]
async fn an_inactive_or_unknown_one_answers_nothing() {
    let server = three();
    for workspace in ["ws_old", "ws_none"] {
        let call = server
            .bare(Method::GET, "/v1/databases")
            .header("authorization", "Bearer hd_test")
            .header("x-workspace-id", workspace);
        call.send().await.refused(404, "NOT_FOUND", "Workspace");
    }
    let unnamed =
        server.bare(Method::GET, "/v1/databases").header("authorization", "Bearer hd_test");
    assert_eq!(unnamed.send().await.expect(404).text(), "");
}
