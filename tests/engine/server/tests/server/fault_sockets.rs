//! Faults of the connection itself, seen by a client that reads the socket.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use hotdata_local_engine::engine::{Engine, EngineOptions};
use hotdata_local_server::{ServerOptions, ServerState, serve};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A server with faults on a port of its own and a database with table `t` of one row.
struct Served {
    address: String,
    database: String,
}

/// What came over a connection, and how it ended: in order, or with this error.
struct Received {
    bytes: Vec<u8>,
    end: Result<(), ErrorKind>,
}

impl Received {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    fn body(&self) -> String {
        let text = self.text();
        text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no head: {text}")).1.to_owned()
    }

    fn length(&self) -> usize {
        let head = self.text().to_lowercase();
        let value = head.split("content-length: ").nth(1).unwrap_or_else(|| panic!("{head}"));
        value.split("\r\n").next().unwrap().parse().unwrap()
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body()).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }
}

impl Served {
    async fn start() -> Self {
        let engine = Engine::open(EngineOptions::default()).unwrap();
        let options = ServerOptions { faults: true, ..ServerOptions::default() };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(serve(listener, ServerState::new(engine, options)));
        let mut served = Self { address, database: String::new() };
        let made = served.ask("POST", "/v1/databases", "", "{}").await.json();
        served.database = made["id"].as_str().unwrap().to_owned();
        assert_eq!(served.append("").await.json()["row_count"], 1);
        served
    }

    async fn send(&self, method: &str, path: &str, fault: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        let fault =
            if fault.is_empty() { String::new() } else { format!("x-local-fault: {fault}\r\n") };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer hd_test\r\nx-workspace-id: ws_local\r\n\
             {fault}connection: close\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    async fn ask(&self, method: &str, path: &str, fault: &str, body: &str) -> Received {
        let mut stream = self.send(method, path, fault, body).await;
        let mut bytes = Vec::new();
        let end = stream.read_to_end(&mut bytes).await.map(drop).map_err(|e| e.kind());
        Received { bytes, end }
    }

    /// A load that adds one row.
    async fn append(&self, fault: &str) -> Received {
        let path = format!("/v1/databases/{}/schemas/public/tables/t/loads", self.database);
        let body = json!({ "mode": "append", "data": "id\n1\n" }).to_string();
        self.ask("POST", &path, fault, &body).await
    }

    async fn rows(&self) -> u64 {
        let body = json!({ "sql": "SELECT COUNT(id) AS n FROM t", "database_id": self.database });
        let answer = self.ask("POST", "/v1/query", "", &body.to_string()).await;
        answer.json()["rows"][0][0].as_u64().unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_before_or_after_the_request_is_applied() {
    let served = Served::start().await;
    for (fault, rows) in [("reset", 1), ("reset;apply=true", 2)] {
        let received = served.append(fault).await;
        assert_eq!(received.text(), "", "{fault}");
        assert_eq!(received.end, Err(ErrorKind::ConnectionReset), "{fault}");
        assert_eq!(served.rows().await, rows, "{fault}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_within_the_body() {
    let served = Served::start().await;
    for (fault, sent) in [
        ("reset-mid-body", None),
        ("reset-mid-body;bytes=0", Some(0)),
        ("reset-mid-body;bytes=9", Some(9)),
    ] {
        let before = served.rows().await;
        let received = served.append(fault).await;
        assert!(received.text().starts_with("HTTP/1.1 200 OK\r\n"), "{}", received.text());
        assert_eq!(received.end, Err(ErrorKind::ConnectionReset), "{fault}");
        let whole = received.length();
        assert_eq!(received.body().len(), sent.unwrap_or(whole / 2), "{fault}");
        assert_eq!(served.rows().await, before + 1, "{fault}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_shorter_than_its_length_and_an_orderly_end() {
    let served = Served::start().await;
    for (fault, missing) in [("truncated-body", None), ("truncated-body;bytes=1000000", Some(1))] {
        let received = served.append(fault).await;
        assert_eq!(received.end, Ok(()), "{fault}");
        let (whole, sent) = (received.length(), received.body().len());
        assert_eq!(sent, missing.map_or(whole / 2, |missing| whole - missing), "{fault}");
    }
    assert_eq!(served.rows().await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_a_body_has_none_to_break_off_in() {
    let served = Served::start().await;
    let path = format!("/v1/databases/{}", served.database);
    let received = served.ask("DELETE", &path, "truncated-body", "").await;
    assert_eq!((received.text().as_str(), received.end), ("", Err(ErrorKind::ConnectionReset)));
    let gone = served.ask("GET", &path, "", "").await;
    assert!(gone.text().starts_with("HTTP/1.1 404"), "it was applied: {}", gone.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_body_arrives_whole_in_pieces() {
    let served = Served::start().await;
    let began = Instant::now();
    let received = served.append("slow-body;chunk_bytes=40;delay_ms=30").await;
    assert_eq!(received.end, Ok(()));
    assert_eq!(received.json()["row_count"], 2);
    let pauses = u32::try_from(received.length().div_ceil(40)).unwrap();
    assert!(pauses > 1 && began.elapsed() >= pauses * Duration::from_millis(30));

    // The head is there while the body is still to come.
    let mut stream = served.send("GET", "/v1/databases", "slow-body;delay_ms=60000", "").await;
    let mut first = [0; 12];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_answer_and_none() {
    let served = Served::start().await;
    let began = Instant::now();
    assert_eq!(served.append("delay;delay_ms=200").await.json()["row_count"], 2);
    assert!(began.elapsed() >= Duration::from_millis(200));

    for (fault, rows) in [("hang", 2), ("hang;apply=true", 3)] {
        let nothing = tokio::time::timeout(Duration::from_millis(1500), served.append(fault)).await;
        assert!(nothing.is_err(), "{fault}");
        assert_eq!(served.rows().await, rows, "{fault}");
    }
}

/// The next request of the same client goes through: a fault takes its own connection only.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_recovers_on_a_new_connection() {
    let served = Served::start().await;
    let client = reqwest::Client::new();
    let url = format!("http://{}/v1/databases", served.address);
    let call = |fault: Option<&str>| {
        let call = client.get(&url).bearer_auth("hd_test").header("x-workspace-id", "ws_local");
        match fault {
            Some(fault) => call.header("x-local-fault", fault),
            None => call,
        }
    };
    for fault in ["reset", "reset-mid-body", "truncated-body"] {
        call(None).send().await.unwrap().bytes().await.unwrap();
        let failed = match call(Some(fault)).send().await {
            Err(_) => true,
            Ok(answer) => answer.bytes().await.is_err(),
        };
        assert!(failed, "{fault}");
        assert_eq!(call(None).send().await.unwrap().status(), 200, "{fault}");
    }
}
