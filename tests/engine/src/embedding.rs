//! Embedding providers: text in, vectors out.

use std::sync::Arc;

use serde_json::{Value, json};
use tantivy::tokenizer::TokenStream;

use crate::engine::EmbeddingClient;
use crate::error::{EngineError, Result};
use crate::vectors::Metric;

/// The built-in provider.
pub const LOCAL: &str = "sys_emb_local";
/// The service's system provider; answered by the built-in one, so that a client that names it works offline.
pub const LOCAL_ALIAS: &str = "sys_emb_openai";
const LOCAL_WIDTH: usize = 256;
/// Widths the built-in provider accepts as `dimensions`.
const LOCAL_WIDTHS: std::ops::RangeInclusive<usize> = 8..=4096;
/// Texts sent to a service in one call.
const TEXTS_A_CALL: usize = 64;

/// The providers an engine knows.
#[derive(Debug, Clone)]
pub struct Providers {
    services: Vec<(String, String, String)>,
    client: Option<Arc<dyn EmbeddingClient>>,
}

impl Providers {
    /// Refuses a service without a client, and an id given twice or taken by the built-in provider.
    pub fn new(
        services: Vec<(String, String, String)>,
        client: Option<Arc<dyn EmbeddingClient>>,
    ) -> Result<Self> {
        if client.is_none() && !services.is_empty() {
            return Err(EngineError::bad_request("embedding_services needs an embedding_client"));
        }
        for (position, (id, _, _)) in services.iter().enumerate() {
            let taken = services[..position].iter().any(|(other, _, _)| other == id);
            if taken || id == LOCAL || id == LOCAL_ALIAS {
                return Err(EngineError::bad_request(format!(
                    "embedding_services: the provider id '{id}' is given twice or built in"
                )));
            }
        }
        Ok(Self { services, client })
    }

    /// Wire-shaped records, the built-in provider first.
    pub fn records(&self) -> Vec<Value> {
        let local = json!({
            "id": LOCAL, "name": "Local word hashing", "provider_type": "local", "source": "system",
            "config": {"model": "word-hashing", "dimensions": LOCAL_WIDTH, "metric": Metric::Cosine.name()},
            "has_secret": false, "created_at": STARTED, "updated_at": STARTED,
        });
        let services = self.services.iter().map(|(id, url, model)| {
            json!({
                "id": id, "name": id, "provider_type": "service", "source": "user",
                "config": {"base_url": url, "model": model}, "has_secret": false,
                "created_at": STARTED, "updated_at": STARTED,
            })
        });
        std::iter::once(local).chain(services).collect()
    }

    /// The embedder behind a provider id. `dimensions` picks the output width where a provider supports several:
    /// only the built-in one does.
    pub fn embedder(&self, id: &str, dimensions: Option<usize>) -> Result<Embedder> {
        if id == LOCAL || id == LOCAL_ALIAS {
            let width = dimensions.unwrap_or(LOCAL_WIDTH);
            if !LOCAL_WIDTHS.contains(&width) {
                return Err(EngineError::bad_request(format!(
                    "dimensions: embedding provider '{id}' supports {} to {}, got {width}",
                    LOCAL_WIDTHS.start(),
                    LOCAL_WIDTHS.end()
                )));
            }
            return Ok(Embedder::Local { width });
        }
        let service = self.services.iter().find(|(service, _, _)| service == id);
        match (service, &self.client) {
            (Some((_, url, model)), Some(client)) => Ok(Embedder::Service {
                client: client.clone(),
                id: id.to_owned(),
                url: url.clone(),
                model: model.clone(),
            }),
            _ => Err(EngineError::not_found(format!("Embedding provider '{id}' not found"))),
        }
    }
}

/// Providers are part of a start, not of a history: one fixed time stands for all of them.
const STARTED: &str = "1970-01-01T00:00:00Z";

/// Turns texts into vectors of one width.
#[derive(Debug, Clone)]
pub enum Embedder {
    Local { width: usize },
    Service { client: Arc<dyn EmbeddingClient>, id: String, url: String, model: String },
}

impl Embedder {
    /// One vector a text, in order, all of one width. Fails where a service does not answer so.
    pub async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        match self {
            Embedder::Local { width } => {
                let mut hashing = WordHashing::new(*width);
                Ok(texts.iter().map(|text| hashing.embed(text)).collect())
            }
            Embedder::Service { client, id, url, model } => {
                let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
                for texts in texts.chunks(TEXTS_A_CALL) {
                    let answer = client.embed(url, model, texts).await?;
                    if answer.len() != texts.len() {
                        return Err(EngineError::internal(format!(
                            "embedding provider '{id}' answered {} vectors for {} texts",
                            answer.len(),
                            texts.len()
                        )));
                    }
                    vectors.extend(answer);
                }
                let width = vectors.first().map_or(0, Vec::len);
                if vectors.iter().any(|vector| vector.len() != width || vector.is_empty()) {
                    return Err(EngineError::internal(format!(
                        "embedding provider '{id}' answered empty vectors or vectors of several widths"
                    )));
                }
                Ok(vectors)
            }
        }
    }
}

/// The built-in embedding: each term adds its weight, 1 + ln(count), at two hashed places with hashed signs; then
/// the vector is scaled to unit length. Texts are near when they share words: overlap, not meaning.
struct WordHashing {
    width: usize,
    analyzer: tantivy::tokenizer::TextAnalyzer,
}

impl WordHashing {
    fn new(width: usize) -> Self {
        Self { width, analyzer: text_analyzer::analyzer() }
    }

    /// A zero vector for a text without terms.
    fn embed(&mut self, text: &str) -> Vec<f32> {
        let mut hashes: Vec<u64> = Vec::new();
        let mut stream = self.analyzer.token_stream(text);
        while stream.advance() {
            hashes.push(fnv1a(stream.token().text.as_bytes()));
        }
        hashes.sort_unstable();
        let mut vector = vec![0.0f32; self.width];
        for same in hashes.chunk_by(|a, b| a == b) {
            let weight = 1.0 + (same.len() as f32).ln();
            // Two halves of one hash give two places, so that one collision does not merge two words.
            for half in [same[0] & 0xffff_ffff, same[0] >> 32] {
                let sign = if half & 1 == 0 { weight } else { -weight };
                vector[(half >> 1) as usize % self.width] += sign;
            }
        }
        let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        if norm > 0.0 {
            for value in &mut vector {
                *value /= norm;
            }
        }
        vector
    }
}

/// FNV-1a, 64 bit, with a final mix: its high half alone is too regular for short words.
fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &str, b: &str) -> f32 {
        let mut hashing = WordHashing::new(LOCAL_WIDTH);
        Metric::Cosine.distance(&hashing.embed(a), &hashing.embed(b))
    }

    #[test]
    fn shared_words_are_near_and_order_does_not_matter() {
        let same = distance("a quiet garden", "The garden is quiet");
        let near = distance("quiet garden with plants", "quiet garden by the sea");
        let far = distance("quiet garden with plants", "loud motorway traffic");
        assert!(same < 1e-5, "{same}");
        assert!(near < 0.7 && near < far, "{near} {far}");
        assert!(far > 0.8, "{far}");
    }

    #[test]
    fn a_text_without_terms_is_a_zero_vector() {
        assert_eq!(distance("", "garden"), 1.0);
        assert_eq!(distance("the of and", "garden"), 1.0);
    }

    #[test]
    fn unknown_providers_and_widths_are_refused() {
        let providers = Providers::new(vec![], None).unwrap();
        assert_eq!(providers.embedder("emb_x", None).unwrap_err().status, 404);
        assert_eq!(providers.embedder(LOCAL, Some(5)).unwrap_err().status, 400);
        assert!(providers.embedder(LOCAL_ALIAS, Some(512)).is_ok());
        let service = vec![("s".to_owned(), "http://127.0.0.1:1".to_owned(), "m".to_owned())];
        assert!(Providers::new(service, None).is_err());
    }
}
