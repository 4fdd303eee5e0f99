//! A server in-process and a small client for it.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_server::{ServerOptions, ServerState, router};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

pub struct Server {
    app: Router,
}

/// A database of its own with table `default.public.cities`: five rows of id, name, people.
pub struct Cities {
    pub server: Server,
    pub id: String,
    pub connection: String,
}

pub const CITIES: &str = "id,name,people\n1,Oslo,700000\n2,Bergen,290000\n3,Trondheim,210000\n4,Stavanger,145000\n5,Tromsø,78000\n";

impl Server {
    pub fn start() -> Self {
        Self::with(ServerOptions::default())
    }

    pub fn with(options: ServerOptions) -> Self {
        Self::over(Engine::open(EngineOptions::default()).unwrap(), options)
    }

    pub fn over(engine: Engine, options: ServerOptions) -> Self {
        Self::of(ServerState::new(engine, options))
    }

    pub fn of(state: ServerState) -> Self {
        Self { app: router(state) }
    }

    /// A call as the official clients make it: bearer, workspace, host.
    pub fn call(&self, method: Method, path: &str) -> Call {
        self.bare(method, path)
            .header("authorization", "Bearer hd_test")
            .header("x-workspace-id", "ws_local")
    }

    /// A call with nothing but a host.
    pub fn bare(&self, method: Method, path: &str) -> Call {
        let request = Request::builder().method(method).uri(path).header("host", "127.0.0.1:8788");
        Call { app: self.app.clone(), request, body: Body::empty() }
    }

    pub fn get(&self, path: &str) -> Call {
        self.call(Method::GET, path)
    }

    pub fn post(&self, path: &str, body: Value) -> Call {
        self.call(Method::POST, path).json(body)
    }

    pub fn delete(&self, path: &str) -> Call {
        self.call(Method::DELETE, path)
    }

    pub async fn create_database(&self, body: Value) -> Value {
        self.post("/v1/databases", body).send().await.expect(201).json()
    }
}

impl Cities {
    pub async fn start() -> Self {
        Self::with(ServerOptions::default()).await
    }

    pub async fn with(options: ServerOptions) -> Self {
        let server = Server::with(options);
        let made = server.create_database(json!({ "name": "cities" })).await;
        let cities = Self {
            id: made["id"].as_str().unwrap().to_owned(),
            connection: made["default_connection_id"].as_str().unwrap().to_owned(),
            server,
        };
        cities.load(json!({ "mode": "replace", "data": CITIES })).send().await.expect(200);
        cities
    }

    pub fn load(&self, body: Value) -> Call {
        self.load_into("cities", body)
    }

    pub fn load_into(&self, table: &str, body: Value) -> Call {
        self.server
            .post(&format!("/v1/databases/{}/schemas/public/tables/{table}/loads", self.id), body)
    }

    pub fn query(&self, sql: &str) -> Call {
        self.query_with(json!({ "sql": sql }))
    }

    pub fn query_with(&self, body: Value) -> Call {
        self.server.post("/v1/query", body).header("x-database-id", &self.id)
    }

    pub fn get(&self, path: &str) -> Call {
        self.server.get(path).header("x-database-id", &self.id)
    }

    /// The rows of a query that succeeds.
    pub async fn rows(&self, sql: &str) -> Value {
        self.query(sql).send().await.expect(200).json()["rows"].clone()
    }

    pub fn indexes_path(&self, table: &str) -> String {
        format!("/v1/connections/{}/tables/public/{table}/indexes", self.connection)
    }

    /// A job's record once it has ended.
    pub async fn job(&self, submitted: &Value) -> Value {
        let url = submitted["status_url"].as_str().unwrap();
        loop {
            let job = self.server.get(url).send().await.expect(200).json();
            if !matches!(job["status"].as_str(), Some("pending" | "running")) {
                return job;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    /// A run's record once it has ended.
    pub async fn run(&self, accepted: &Value) -> Value {
        let url = accepted["status_url"].as_str().unwrap();
        loop {
            let run = self.get(url).send().await.expect(200).json();
            if run["status"] != "running" {
                return run;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
}

pub struct Call {
    app: Router,
    request: axum::http::request::Builder,
    body: Body,
}

impl Call {
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        if let Some(headers) = self.request.headers_mut() {
            headers.remove(name);
        }
        self
    }

    pub fn json(self, body: Value) -> Self {
        self.header("content-type", "application/json").bytes(body.to_string())
    }

    pub fn bytes(mut self, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self
    }

    pub async fn send(self) -> Answer {
        let request = self.request.body(self.body).unwrap();
        let response = self.app.oneshot(request).await.unwrap();
        Answer {
            status: response.status(),
            headers: response.headers().clone(),
            body: response.into_body().collect().await.unwrap().to_bytes().to_vec(),
        }
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The envelope's code and message, checking its shape.
    #[track_caller]
    pub fn error(&self) -> (String, String) {
        let body = self.json();
        assert_eq!(body.as_object().map(|map| map.len()), Some(1), "{body}");
        let error = body["error"].as_object().unwrap_or_else(|| panic!("{body}"));
        assert_eq!(error.len(), 2, "{body}");
        let text = |name: &str| error[name].as_str().unwrap_or_else(|| panic!("{body}")).to_owned();
        (text("code"), text("message"))
    }

    /// A refusal of this status and code whose message holds `part`.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str, part: &str) {
        let (given_code, message) = self.error();
        assert_eq!((self.status.as_u16(), given_code.as_str()), (status, code), "{message}");
        assert!(message.contains(part), "{message:?} does not hold {part:?}");
    }
}
