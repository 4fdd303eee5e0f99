//! Faults asked for by header or by rule: what is answered and whether the request was applied.

use axum::http::Method;
use hotdata_local_server::ServerOptions;
use serde_json::{Value, json};

use crate::support::{Answer, Call, Cities};

const HEADER: &str = "x-local-fault";
const COUNT: &str = "SELECT COUNT(id) AS n FROM default.public.cities";

pub async fn faulty() -> Cities {
    Cities::with(ServerOptions { faults: true, ..ServerOptions::default() }).await
}

/// A load that adds one row, asked to fail.
fn append(cities: &Cities, fault: &str) -> Call {
    cities
        .load(json!({ "mode": "append", "data": "id,name,people\n6,Bodø,53000\n" }))
        .header(HEADER, fault)
}

async fn rows(cities: &Cities) -> i64 {
    cities.rows(COUNT).await[0][0].as_i64().unwrap()
}

async fn add(cities: &Cities, faults: Value) -> Value {
    let body = json!({ "faults": faults });
    cities.server.post("/local/faults", body).send().await.expect(201).json()["faults"].clone()
}

async fn state(cities: &Cities) -> Value {
    cities.server.get("/local/faults").send().await.expect(200).json()
}

#[tokio::test]
async fn without_the_option_nothing_is_heard() {
    let cities = Cities::start().await;
    append(&cities, "error;status=503").send().await.expect(200);
    append(&cities, "no such fault").send().await.expect(200);
    assert_eq!(rows(&cities).await, 7);
    let body = json!({ "faults": [{ "fault": "reset" }] });
    cities.server.post("/local/faults", body).send().await.expect(404);
    cities.server.get("/local/faults").send().await.expect(404);
    cities.server.delete("/local/faults").send().await.expect(404);
}

#[tokio::test]
async fn errors_in_the_envelope_with_any_retry_after_or_none() {
    let cities = faulty().await;
    for (fault, status, code, retry_after) in [
        ("error;status=429;retry_after=2", 429, "OVERLOADED", Some("2")),
        ("error;status=429", 429, "OVERLOADED", None),
        ("error;status=503;retry_after=soon", 503, "PERSISTENCE_UNAVAILABLE", Some("soon")),
        (
            "error;status=503;retry_after=Wed, 21 Oct 2026 07:28:00 GMT",
            503,
            "PERSISTENCE_UNAVAILABLE",
            Some("Wed, 21 Oct 2026 07:28:00 GMT"),
        ),
        ("error;status=409;retry_after=-1", 409, "RESOURCE_LOCKED", Some("-1")),
        ("error;status=409;code=CONFLICT", 409, "CONFLICT", None),
        ("error;status=500", 500, "INTERNAL_SERVER_ERROR", None),
        ("error;status=507", 507, "INTERNAL_SERVER_ERROR", None),
    ] {
        let answer = append(&cities, fault).send().await;
        answer.refused(status, code, "on request");
        assert_eq!(answer.header("retry-after"), retry_after, "{fault}");
    }
    append(&cities, "error;status=400;message=own words").send().await.refused(
        400,
        "BAD_REQUEST",
        "own words",
    );
    assert_eq!(rows(&cities).await, 5);
    append(&cities, "error;status=503;apply=true").send().await.expect(503);
    assert_eq!(rows(&cities).await, 6);
}

#[tokio::test]
async fn a_gateway_answers_in_the_engines_place() {
    let cities = faulty().await;
    for (fault, status, media_type, start) in [
        ("html", 502, "text/html", "<!DOCTYPE html>"),
        ("html;status=200", 200, "text/html", "<!DOCTYPE html>"),
        ("html;status=503;retry_after=1", 503, "text/html", "<!DOCTYPE html>"),
        ("empty", 200, "application/json", ""),
        ("empty;status=502", 502, "application/json", ""),
        ("text", 200, "application/json", "upstream connect error"),
        ("text;status=503;text=no healthy upstream", 503, "application/json", "no healthy"),
    ] {
        for (apply, expected) in [("", 0), (";apply=true", 1)] {
            let before = rows(&cities).await;
            let answer = append(&cities, &format!("{fault}{apply}")).send().await.expect(status);
            assert_eq!(answer.header("content-type"), Some(media_type), "{fault}");
            assert!(answer.text().starts_with(start), "{fault}: {}", answer.text());
            assert_eq!(answer.body.is_empty(), start.is_empty(), "{fault}");
            assert_eq!(rows(&cities).await - before, expected, "{fault}{apply}");
        }
    }
    let answer = append(&cities, "html;status=503;retry_after=7").send().await;
    assert_eq!(answer.header("retry-after"), Some("7"));
}

#[tokio::test]
async fn a_body_that_ends_early_under_a_length_that_fits() {
    let cities = faulty().await;
    let whole = cities.query(COUNT).send().await.expect(200);
    let half = cities.query(COUNT).header(HEADER, "cut-json").send().await.expect(200);
    assert_eq!(half.header("content-type"), Some("application/json"));
    assert!(half.body.len() > 1 && half.body.len() < whole.body.len());
    assert!(serde_json::from_slice::<Value>(&half.body).is_err(), "{}", half.text());
    let three = cities.query(COUNT).header(HEADER, "cut-json;bytes=3").send().await;
    assert_eq!(three.text(), whole.text()[..3]);
    let most = cities.query(COUNT).header(HEADER, "cut-json;bytes=1000000").send().await;
    assert!(!most.text().ends_with('}'), "one byte is missing at least: {}", most.text());
}

#[tokio::test]
async fn fields_of_an_answer_are_edited() {
    let cities = faulty().await;
    let edit = json!({ "fault": "edit", "status": 203, "set": { "rows": [["x"]], "new": null }, "remove": ["warning"] });
    add(&cities, json!([edit])).await;
    let answer = cities.query(COUNT).send().await.expect(203).json();
    assert_eq!((&answer["rows"], &answer["columns"]), (&json!([["x"]]), &json!(["n"])));
    assert!(answer.as_object().unwrap().contains_key("new"));
    assert!(!answer.as_object().unwrap().contains_key("warning"));

    let none_active = json!([{ "public_id": "ws_a", "name": "a", "active": false }]);
    add(&cities, json!([{ "match": { "path": "/v1/workspaces" }, "fault": "edit", "set": { "workspaces": none_active } }])).await;
    let listed = cities.server.get("/v1/workspaces").send().await.expect(200).json();
    assert_eq!((&listed["ok"], &listed["workspaces"]), (&json!(true), &none_active));

    let path = format!("/v1/databases/{}", cities.id);
    let gone = cities.server.delete(&path).header(HEADER, "edit;set={\"a\":1}").send().await;
    assert_eq!(gone.expect(204).text(), "", "an answer without a body stays without one");
}

#[tokio::test]
async fn rules_fire_in_their_order_as_often_as_told() {
    let cities = faulty().await;
    let path = format!("/v1/databases/{}/*/loads", cities.id);
    let added = add(
        &cities,
        json!([
            { "match": { "method": "post", "path": path }, "fault": "error", "status": 503, "times": 2, "retry_after": "0" },
            { "match": { "path": "*/loads" }, "fault": "html", "skip": 1 },
            { "match": { "headers": { "Authorization": "Bearer hd_*r" } }, "fault": "empty", "times": "always" },
        ]),
    )
    .await;
    assert_eq!(added[0]["id"], json!(added[1]["id"].as_u64().unwrap() - 1));
    let load = || cities.load(json!({ "mode": "append", "data": "id,name,people\n6,Bodø,1\n" }));
    let mut statuses = Vec::new();
    for _ in 0..5 {
        statuses.push(load().send().await.status.as_u16());
    }
    assert_eq!(statuses, [503, 503, 200, 502, 200]);
    assert_eq!(rows(&cities).await, 7);
    for _ in 0..3 {
        let call = || load().without("authorization").header("authorization", "Bearer hd_other");
        assert_eq!(call().send().await.expect(200).text(), "");
    }
    let state = state(&cities).await;
    let fired: Vec<&Value> =
        state["faults"].as_array().unwrap().iter().map(|rule| &rule["fired"]).collect();
    assert_eq!(fired, [2, 1, 3]);
    assert_eq!(state["faults"][0]["match"]["path"], path);
    assert_eq!(
        (&state["faults"][2]["times"], &state["faults"][0]["times"]),
        (&json!("always"), &json!(2))
    );

    let last = added[2]["id"].as_u64().unwrap();
    cities.server.delete(&format!("/local/faults/{last}")).send().await.expect(204);
    cities.server.delete(&format!("/local/faults/{last}")).send().await.expect(404);
    cities.server.delete("/local/faults").send().await.expect(204);
    load().send().await.expect(200);
}

#[tokio::test]
async fn a_pattern_with_a_question_mark_is_about_the_query_too() {
    let cities = faulty().await;
    let of = |path: &str| json!([{ "match": { "path": path }, "fault": "error", "status": 429 }]);
    add(&cities, of("/v1/databases?*limit=2*")).await;
    cities.server.get("/v1/databases").send().await.expect(200);
    cities.server.get("/v1/databases?limit=2").send().await.expect(429);
    add(&cities, of("/v1/databases")).await;
    cities.server.get("/v1/databases?limit=2").send().await.expect(429);
}

#[tokio::test]
async fn every_request_is_logged_with_what_happened_to_it() {
    let cities = faulty().await;
    cities.server.delete("/local/faults").send().await.expect(204);
    let rule = add(&cities, json!([{ "fault": "html" }])).await[0]["id"].clone();
    cities.server.get("/v1/databases?limit=1").send().await.expect(502);
    append(&cities, "error;status=503;apply=true").send().await.expect(503);
    cities.query("SELECT nothing").send().await.expect(400);
    append(&cities, "reset-mid-body;bytes=oops").send().await.refused(400, "BAD_REQUEST", HEADER);
    let path =
        |end: &str| format!("/v1/databases/{}/schemas/public/tables/cities/{end}", cities.id);
    assert_eq!(
        state(&cities).await["requests"],
        json!([
            { "method": "GET", "path": "/v1/databases?limit=1", "fault": "html", "rule": rule, "applied": false, "status": null },
            { "method": "POST", "path": path("loads"), "fault": "error", "rule": null, "applied": true, "status": 200 },
            { "method": "POST", "path": "/v1/query", "fault": null, "rule": null, "applied": false, "status": 400 },
        ])
    );
}

#[tokio::test]
async fn what_cannot_be_is_refused_by_name() {
    let cities = faulty().await;
    for (faults, part) in [
        (json!([]), "`faults` must list at least one fault"),
        (json!({}), "`faults` must be a list of objects"),
        (json!([{ "fault": "html" }, { "fault": "explode" }]), "faults[1]: unknown variant"),
        (json!([{ "fault": "html", "sttus": 500 }]), "unknown field `sttus`"),
        (json!([{ "fault": "html", "times": 0 }]), "`times` must be"),
        (json!([{ "fault": "html", "times": "never" }]), "\"always\""),
        (json!([{ "fault": "html", "skip": -1 }]), "`skip`"),
        (json!([{ "fault": "html", "match": { "url": "/" } }]), "`match` must be"),
        (json!([{ "match": {} }]), "missing field `fault`"),
    ] {
        let call = cities.server.post("/local/faults", json!({ "faults": faults }));
        call.send().await.refused(400, "BAD_REQUEST", part);
    }
    assert_eq!(state(&cities).await["faults"], json!([]), "all or none");
    cities.query(COUNT).send().await.expect(200);

    let misfit = cities.server.get("/v1/databases").header(HEADER, "accepted").send().await;
    misfit.refused(400, "BAD_REQUEST", "accepted cannot happen to this request");
}

#[tokio::test]
async fn the_endpoint_needs_a_key_and_no_workspace() {
    let cities = faulty().await;
    let bare = |method| cities.server.bare(method, "/local/faults");
    bare(Method::GET).send().await.refused(401, "UNAUTHORIZED", "Authorization");
    bare(Method::GET).header("authorization", "Bearer any").send().await.expect(200);
    // A rule for everything still leaves the endpoint alone.
    add(&cities, json!([{ "fault": "html", "times": "always" }])).await;
    cities.server.get("/v1/databases").send().await.expect(502);
    cities.server.delete("/local/faults").send().await.expect(204);
    cities.server.get("/v1/databases").send().await.expect(200);
}

#[tokio::test]
async fn a_page_may_ask_for_faults_and_read_them() {
    let cities = faulty().await;
    let asked = cities
        .server
        .bare(Method::OPTIONS, "/v1/query")
        .header("origin", "http://127.0.0.1:8787")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", HEADER)
        .send()
        .await
        .expect(200);
    assert!(asked.header("access-control-allow-headers").unwrap().contains(HEADER));
    let fault: Answer = cities
        .server
        .get("/v1/databases")
        .header("origin", "http://127.0.0.1:8787")
        .header(HEADER, "error;status=429;retry_after=1")
        .send()
        .await
        .expect(429);
    assert_eq!(fault.header("access-control-allow-origin"), Some("http://127.0.0.1:8787"));
}
