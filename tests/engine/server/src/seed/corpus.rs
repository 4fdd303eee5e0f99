//! The sample papers, compiled in. Origin and licences: `tests/data/papers/README.md`.

use hotdata_local_engine::error::{EngineError, Result};
use serde::Deserialize;

const PAPERS: &[u8] = include_bytes!("../../../../data/papers/papers.json");
const VECTORS: &[u8] = include_bytes!("../../../../data/papers/papers.f32");

/// The width of a vector.
pub const WIDTH: usize = 384;

#[derive(Debug, Deserialize)]
pub struct Paper {
    pub id: i64,
    pub title: String,
    #[serde(rename = "abstract")]
    pub summary: String,
}

impl Paper {
    /// What is searched: the text whose vector the sample brings.
    pub fn content(&self) -> String {
        format!("{}. {}", self.title, self.summary)
    }
}

pub struct Corpus {
    pub papers: Vec<Paper>,
    /// One a paper, of unit length.
    pub vectors: Vec<Vec<f32>>,
}

impl Corpus {
    pub fn embedded() -> Result<Self> {
        let papers: Vec<Paper> = serde_json::from_slice(PAPERS).map_err(|e| {
            EngineError::internal(format!("the sample papers are not readable: {e}"))
        })?;
        let vectors: Vec<Vec<f32>> = VECTORS
            .as_chunks::<4>()
            .0
            .chunks(WIDTH)
            .map(|row| row.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
            .collect();
        if papers.is_empty() || papers.len() != vectors.len() {
            return Err(EngineError::internal(format!(
                "the sample has {} papers and {} vectors",
                papers.len(),
                vectors.len()
            )));
        }
        Ok(Self { papers, vectors })
    }
}
