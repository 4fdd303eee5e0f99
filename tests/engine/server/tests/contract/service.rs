//! The local engine behind its HTTP router, called in-process, as a client would call it.

use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use bytes::Bytes;
use hotdata_local_engine::engine::EngineOptions;
use hotdata_local_server::state::WORKSPACE_ID;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tower::ServiceExt;

use crate::data;

/// One engine and its router. Every test makes its own databases on it, so that tests run side by side.
pub struct Service {
    router: Router,
}

/// What came back, undecoded: some answers have no body at all.
pub struct Reply {
    pub status: u16,
    pub body: Bytes,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!("not JSON ({error}), status {}: {:?}", self.status, self.text())
        })
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The text of the error envelope.
    pub fn message(&self) -> String {
        let body = self.json();
        body["error"]["message"]
            .as_str()
            .unwrap_or_else(|| panic!("no error envelope, status {}: {body}", self.status))
            .to_owned()
    }

    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }
}

impl Service {
    /// The engine most tests share: ordinary options, the sample data, one file connection called `f1`.
    pub async fn shared() -> &'static Self {
        static SHARED: OnceCell<Service> = OnceCell::const_new();
        SHARED
            .get_or_init(|| async {
                let attach = vec![("f1".to_owned(), data::write_f1_folder("shared"))];
                Self::start(EngineOptions { attach, ..EngineOptions::default() }, true).await
            })
            .await
    }

    pub async fn start(options: EngineOptions, seed: bool) -> Self {
        let router = data::open_router(options, seed).await;
        Self { router }
    }

    pub async fn call(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Reply {
        let client = [
            ("authorization", "Bearer hd_test"),
            ("x-workspace-id", WORKSPACE_ID),
            ("content-type", "application/json"),
        ];
        self.send(method, path, &[&client, headers].concat(), body.into()).await
    }

    /// A request with these headers and no credentials: what object storage is sent.
    async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Bytes) -> Reply {
        let mut request = Request::builder().method(method).uri(path).header("host", "127.0.0.1");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body)).expect("a request");
        let response = self.router.clone().oneshot(request).await.expect("the router answers");
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.expect("a whole body").to_bytes();
        Reply { status, body }
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.call("GET", path, &[], Bytes::new()).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.call("POST", path, &[], body.to_string()).await
    }

    pub async fn create_database(&self, body: Value) -> Database<'_> {
        let created = self.post("/v1/databases", &body).await.expect(201).json();
        Database {
            service: self,
            id: created["id"].as_str().expect("an id").to_owned(),
            connection: created["default_connection_id"].as_str().expect("a connection").to_owned(),
        }
    }

    pub async fn database(&self) -> Database<'_> {
        self.create_database(json!({ "name": "contract" })).await
    }

    /// The sample database `papers`.
    pub async fn papers(&self) -> Database<'_> {
        let listed = self.get("/v1/databases?search=papers").await.expect(200).json();
        let id = listed["databases"]
            .as_array()
            .and_then(|all| all.iter().find(|one| one["name"] == "papers"))
            .and_then(|one| one["id"].as_str())
            .expect("the sample database")
            .to_owned();
        let record = self.get(&format!("/v1/databases/{id}")).await.expect(200).json();
        let connection = record["default_connection_id"].as_str().expect("a connection").to_owned();
        Database { service: self, id, connection }
    }

    /// The id of the file connection registered under this name.
    pub async fn connection(&self, name: &str) -> String {
        let listed = self.get("/v1/connections").await.expect(200).json();
        listed["connections"]
            .as_array()
            .and_then(|all| all.iter().find(|one| one["name"] == name))
            .and_then(|one| one["id"].as_str())
            .unwrap_or_else(|| panic!("no connection {name} in {listed}"))
            .to_owned()
    }

    /// Uploads bytes the way a client does: session, PUT to the address given, finalize. Returns the upload's id.
    pub async fn upload(&self, bytes: Bytes) -> String {
        let session =
            self.post("/v1/uploads", &json!({ "declared_size_bytes": bytes.len() })).await;
        assert!(session.status < 300, "{}", session.text());
        let session = session.json();
        let url = session["url"].as_str().expect("a single upload's address");
        let path = url.splitn(4, '/').nth(3).expect("an absolute address");
        let put = self.send("PUT", &format!("/{path}"), &[], bytes).await;
        assert!(put.status < 300, "{}", put.text());
        let id = session["upload_id"].as_str().expect("an upload id").to_owned();
        let token = session["finalize_token"].as_str().expect("a finalize token");
        self.call(
            "POST",
            &format!("/v1/uploads/{id}/finalize"),
            &[("x-upload-finalize-token", token)],
            "{}",
        )
        .await
        .expect(200);
        id
    }

    /// Polls a job until it is over.
    pub async fn job(&self, id: &str) -> Value {
        for _ in 0..600 {
            let job = self.get(&format!("/v1/jobs/{id}")).await.expect(200).json();
            match job["status"].as_str() {
                Some("pending" | "running") => tokio::time::sleep(Duration::from_millis(50)).await,
                _ => return job,
            }
        }
        panic!("job {id} did not end within 30 seconds");
    }
}

/// One database of a service: every call carries its scope.
pub struct Database<'a> {
    pub service: &'a Service,
    pub id: String,
    pub connection: String,
}

/// A query's rows.
#[derive(Debug)]
pub struct Answer {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
    pub body: Value,
}

impl Answer {
    #[track_caller]
    pub fn column(&self, name: &str) -> Vec<Value> {
        let at = self
            .columns
            .iter()
            .position(|column| column == name)
            .unwrap_or_else(|| panic!("no column {name} in {:?}", self.columns));
        self.rows.iter().map(|row| row[at].clone()).collect()
    }

    #[track_caller]
    pub fn ints(&self, name: &str) -> Vec<i64> {
        self.column(name).iter().map(|value| value.as_i64().expect("an integer")).collect()
    }

    #[track_caller]
    pub fn floats(&self, name: &str) -> Vec<f64> {
        self.column(name).iter().map(|value| value.as_f64().expect("a number")).collect()
    }

    #[track_caller]
    pub fn texts(&self, name: &str) -> Vec<String> {
        self.column(name).iter().map(|value| value.as_str().expect("a text").to_owned()).collect()
    }

    /// The only value of a one-row, one-column answer.
    #[track_caller]
    pub fn scalar(&self) -> &Value {
        assert_eq!((self.rows.len(), self.columns.len()), (1, 1), "{:?}", self.body);
        &self.rows[0][0]
    }
}

impl Database<'_> {
    pub async fn send(&self, sql: &str) -> Reply {
        self.service
            .call(
                "POST",
                "/v1/query",
                &[("x-database-id", &self.id)],
                json!({ "sql": sql }).to_string(),
            )
            .await
    }

    /// Rows of a statement that must run.
    pub async fn query(&self, sql: &str) -> Answer {
        let reply = self.send(sql).await;
        assert_eq!(reply.status, 200, "{sql}\n{}", reply.text());
        let body = reply.json();
        let columns = body["columns"].as_array().expect("columns");
        let rows = body["rows"].as_array().expect("rows");
        Answer {
            columns: columns.iter().map(|name| name.as_str().expect("a name").to_owned()).collect(),
            rows: rows.iter().map(|row| row.as_array().expect("a row").clone()).collect(),
            body,
        }
    }

    /// The engine's message for a statement that must fail.
    pub async fn refusal(&self, sql: &str) -> String {
        let reply = self.send(sql).await;
        assert_eq!(reply.status, 400, "{sql}\n{}", reply.text());
        reply.message()
    }

    /// The physical plan EXPLAIN shows.
    pub async fn plan(&self, sql: &str) -> String {
        let answer = self.query(&format!("EXPLAIN {sql}")).await;
        let kinds = answer.texts("plan_type");
        let at = kinds.iter().position(|kind| kind == "physical_plan").expect("a physical plan");
        answer.texts("plan").swap_remove(at)
    }

    /// Loads into `public.<table>`; `body` names the mode and the source.
    pub async fn load(&self, table: &str, body: &Value) -> Reply {
        self.service
            .post(&format!("/v1/databases/{}/schemas/public/tables/{table}/loads", self.id), body)
            .await
    }

    pub async fn load_csv(&self, table: &str, csv: &str) {
        self.load(table, &json!({ "mode": "replace", "data": csv, "format": "csv" }))
            .await
            .expect(200);
    }

    pub async fn load_parquet(&self, table: &str, mode: &str, bytes: Bytes) {
        let upload_id = self.service.upload(bytes).await;
        let mut body = json!({ "mode": mode, "upload_id": upload_id, "format": "parquet" });
        if mode != "replace" && mode != "append" {
            body["key"] = json!(["id"]);
        }
        self.load(table, &body).await.expect(200);
    }

    /// Declares `public.<table>` without data.
    pub async fn declare(&self, table: &str, key: &[&str]) {
        let path = format!("/v1/databases/{}/schemas/public/tables", self.id);
        let reply = self.service.post(&path, &json!({ "name": table, "key": key })).await;
        assert!(reply.status < 300, "{}", reply.text());
    }

    fn index_path(&self, table: &str) -> String {
        format!("/v1/connections/{}/tables/public/{table}/indexes", self.connection)
    }

    /// Submits an index build as a job; the submit's own answer.
    pub async fn submit_index(&self, table: &str, mut index: Value) -> Reply {
        index["async"] = json!(true);
        self.service.post(&self.index_path(table), &index).await
    }

    /// Submits an index and follows its job to the end.
    pub async fn index_job(&self, table: &str, index: Value) -> Value {
        let submitted = self.submit_index(table, index).await.expect(202).json();
        self.service.job(submitted["id"].as_str().expect("a job id")).await
    }

    /// Builds an index that must succeed.
    pub async fn build_index(&self, table: &str, index: Value) {
        let job = self.index_job(table, index).await;
        assert_eq!(job["status"], "succeeded", "{job}");
    }

    /// The message with which an index is refused, at once or on its job.
    pub async fn index_refusal(&self, table: &str, index: Value) -> String {
        let reply = self.submit_index(table, index).await;
        if reply.status >= 400 {
            return reply.message();
        }
        let job = self.service.job(reply.json()["id"].as_str().expect("a job id")).await;
        assert_eq!(job["status"], "failed", "{job}");
        job["error_message"].as_str().expect("a message").to_owned()
    }

    pub async fn indexes(&self, table: &str) -> Vec<Value> {
        let listed = self.service.get(&self.index_path(table)).await.expect(200).json();
        listed["indexes"].as_array().expect("indexes").clone()
    }

    pub async fn attach(&self, connection_id: &str, alias: &str) -> Reply {
        self.service
            .post(
                &format!("/v1/databases/{}/catalogs", self.id),
                &json!({ "connection_id": connection_id, "alias": alias }),
            )
            .await
    }
}

pub fn bm25(name: &str, column: &str) -> Value {
    json!({ "index_name": name, "index_type": "bm25", "columns": [column] })
}

pub fn plain_vector(name: &str, column: &str, metric: &str) -> Value {
    json!({ "index_name": name, "index_type": "vector", "columns": [column], "metric": metric })
}

pub fn provider_vector(name: &str, column: &str) -> Value {
    json!({
        "index_name": name, "index_type": "vector", "columns": [column], "metric": "cosine",
        "embedding_provider_id": data::PROVIDER,
    })
}

pub fn folder(name: &str) -> PathBuf {
    let base = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contract").join(name);
    std::fs::create_dir_all(&base).expect("a scratch folder");
    base
}
