//! Kept results: formats, windows, scope.

use hotdata_local_server::ServerOptions;
use serde_json::{Value, json};

use crate::support::Cities;

async fn result(cities: &Cities) -> String {
    let sql = "SELECT id, name FROM default.public.cities ORDER BY id";
    let answer = cities.query(sql).send().await.expect(200).json();
    format!("/v1/results/{}", answer["result_id"].as_str().unwrap())
}

#[tokio::test]
async fn every_format_has_the_rows_and_the_total() {
    let cities = Cities::start().await;
    let path = result(&cities).await;
    for (format, media) in [
        ("json", "application/json"),
        ("arrow", "application/vnd.apache.arrow.stream"),
        ("csv", "text/csv; charset=utf-8"),
        ("md", "text/markdown; charset=utf-8"),
        ("markdown", "text/markdown; charset=utf-8"),
        ("parquet", "application/vnd.apache.parquet"),
    ] {
        let answer = cities.get(&format!("{path}?format={format}")).send().await.expect(200);
        assert_eq!(answer.header("content-type"), Some(media), "{format}");
        assert_eq!(answer.header("x-total-row-count"), Some("5"), "{format}");
        if format == "csv" {
            assert_eq!(
                answer.text(),
                "id,name\n1,Oslo\n2,Bergen\n3,Trondheim\n4,Stavanger\n5,Tromsø\n"
            );
        }
        if format == "md" {
            assert!(answer.text().starts_with("| id | name |\n| --- | --- |\n| 1 | Oslo |\n"));
        }
    }
    let by_accept = cities.get(&path).header("accept", "text/csv").send().await.expect(200);
    assert!(by_accept.text().starts_with("id,name\n"));
    let overruled = cities
        .get(&format!("{path}?format=json"))
        .header("accept", "text/csv")
        .send()
        .await
        .expect(200);
    assert_eq!(overruled.json()["status"], "ready");
}

#[tokio::test]
async fn offset_and_limit_cut_a_window() {
    let cities = Cities::start().await;
    let path = result(&cities).await;
    let page = cities.get(&format!("{path}?offset=1&limit=2")).send().await.expect(200);
    let body = page.json();
    assert_eq!(body["rows"], json!([[2, "Bergen"], [3, "Trondheim"]]));
    assert_eq!((&body["row_count"], &body["total_row_count"]), (&json!(2), &json!(5)));
    assert_eq!(page.header("x-total-row-count"), Some("5"));
    let next = format!("<{path}?offset=3&limit=2>; rel=\"next\"");
    assert_eq!(page.header("link"), Some(next.as_str()));
    for last in ["offset=3&limit=2", "limit=5", "limit=0", "offset=1"] {
        let page = cities.get(&format!("{path}?{last}")).send().await.expect(200);
        assert_eq!(page.header("link"), None, "{last}");
    }
    let whole = cities.get(&format!("{path}?format=parquet")).send().await.expect(200);
    let windowed = cities.get(&format!("{path}?format=parquet&offset=1&limit=1")).send().await;
    assert_eq!((windowed.body, windowed.headers.get("link")), (whole.body, None));
    let poll = cities.get(&format!("{path}?limit=0")).send().await.expect(200).json();
    assert_eq!(
        (&poll["rows"], &poll["row_count"], &poll["status"]),
        (&json!([]), &json!(0), &json!("ready"))
    );
    let csv = cities.get(&format!("{path}?format=csv&offset=4")).send().await.expect(200);
    assert_eq!(csv.text(), "id,name\n5,Tromsø\n");
    let beyond = cities.get(&format!("{path}?offset=99")).send().await.expect(200).json();
    assert_eq!(beyond["rows"], json!([]));
}

#[tokio::test]
async fn another_database_does_not_see_it() {
    let cities = Cities::start().await;
    let path = result(&cities).await;
    let id = path.rsplit('/').next().unwrap();
    let other = cities.server.create_database(json!({ "name": "other" })).await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    cities.server.get(&path).header("x-database-id", &other).send().await.refused(
        404,
        "NOT_FOUND",
        &format!("Result '{id}' not found"),
    );
    cities.server.get(&path).send().await.refused(400, "BAD_REQUEST", "a database is required");
    let load = format!("/v1/databases/{other}/schemas/public/tables/stolen/loads");
    cities.server.post(&load, json!({ "mode": "replace", "result_id": id })).send().await.refused(
        404,
        "NOT_FOUND",
        &format!("Result '{id}' not found"),
    );
    cities.server.delete(&format!("/v1/databases/{}", cities.id)).send().await.expect(204);
    cities.get(&path).send().await.expect(404);
}

#[tokio::test]
async fn json_alone_has_a_size_limit() {
    let cities =
        Cities::with(ServerOptions { json_result_bytes: 20, ..ServerOptions::default() }).await;
    let path = result(&cities).await;
    cities.get(&path).send().await.refused(413, "RESULT_TOO_LARGE", "arrow");
    cities.get(&format!("{path}?limit=1")).send().await.expect(200);
    cities.get(&format!("{path}?format=csv")).send().await.expect(200);
}

#[tokio::test]
async fn results_are_listed_newest_first() {
    let cities = Cities::start().await;
    let older = result(&cities).await;
    let newer = result(&cities).await;
    let page = cities.get("/v1/results?limit=1").send().await.expect(200).json();
    assert_eq!(
        (&page["count"], &page["has_more"], &page["offset"]),
        (&json!(1), &json!(true), &json!(0))
    );
    assert!(newer.ends_with(page["results"][0]["id"].as_str().unwrap()));
    let rest = cities.get("/v1/results?limit=1&offset=1").send().await.expect(200).json();
    assert!(older.ends_with(rest["results"][0]["id"].as_str().unwrap()));
    assert_eq!(rest["has_more"], false);
    assert_eq!(rest["results"][0]["error_message"], Value::Null);
}

#[tokio::test]
async fn rows_without_columns_have_no_parquet_form() {
    let cities = Cities::start().await;
    let answer =
        cities.query("SELECT all FROM default.public.cities").send().await.expect(200).json();
    assert_eq!(answer["rows"], json!([[], [], [], [], []]));
    let path = format!("/v1/results/{}", answer["result_id"].as_str().unwrap());
    cities.get(&format!("{path}?format=parquet")).send().await.refused(
        400,
        "BAD_REQUEST",
        "without columns",
    );
    assert_eq!(cities.get(&path).send().await.expect(200).json()["row_count"], 5);
}
