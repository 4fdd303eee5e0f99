//! Calls an OpenAI-compatible embeddings server on this machine for `service` providers.

use std::net::IpAddr;
use std::time::Duration;

use async_trait::async_trait;
use hotdata_local_engine::engine::EmbeddingClient;
use hotdata_local_engine::error::{EngineError, Result};
use reqwest::{Client, Url, redirect};
use serde::Deserialize;
use serde_json::json;

const TIMEOUT: Duration = Duration::from_secs(60);

/// The `POST …/v1/embeddings` client. It follows no redirect and calls loopback addresses only: the texts it sends
/// are the caller's data.
#[derive(Debug)]
pub struct HttpEmbeddings {
    client: Client,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Embedding>,
}

#[derive(Deserialize)]
struct Embedding {
    index: usize,
    embedding: Vec<f32>,
}

impl HttpEmbeddings {
    pub fn new() -> Result<Self, String> {
        let client = Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            .timeout(TIMEOUT)
            .build()
            .map_err(|e| format!("the embedding client did not start: {e}"))?;
        Ok(Self { client })
    }
}

/// The address called for a provider's base address, which may or may not end in `/v1` or `/v1/embeddings`.
pub fn endpoint(base: &str) -> Result<Url, String> {
    let mut url = Url::parse(base)
        .map_err(|e| format!("the embedding address {base:?} is not a URL: {e}"))?;
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let loopback = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    if url.scheme() != "http" || !loopback {
        return Err(format!(
            "the embedding address {base:?} must be http on this machine (127.0.0.1, localhost or [::1])"
        ));
    }
    let path = url.path().trim_end_matches('/').to_owned();
    if path.ends_with("/embeddings") {
        url.set_path(&path);
    } else if path.ends_with("/v1") {
        url.set_path(&format!("{path}/embeddings"));
    } else {
        url.set_path(&format!("{path}/v1/embeddings"));
    }
    Ok(url)
}

#[async_trait]
impl EmbeddingClient for HttpEmbeddings {
    async fn embed(&self, url: &str, model: &str, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        let url = endpoint(url).map_err(EngineError::bad_request)?;
        let failed = |what: String| {
            EngineError::new(502, "BAD_GATEWAY", format!("embedding service: {what}"))
        };
        let response = self
            .client
            .post(url)
            .json(&json!({ "model": model, "input": texts }))
            .send()
            .await
            .map_err(|e| failed(e.without_url().to_string()))?;
        let status = response.status();
        if !status.is_success() {
            return Err(failed(format!("it answered {status}")));
        }
        let mut answer: Answer =
            response.json().await.map_err(|e| failed(e.without_url().to_string()))?;
        if answer.data.len() != texts.len() {
            return Err(failed(format!(
                "{} texts sent, {} vectors received",
                texts.len(),
                answer.data.len()
            )));
        }
        answer.data.sort_by_key(|one| one.index);
        Ok(answer.data.into_iter().map(|one| one.embedding).collect())
    }
}
