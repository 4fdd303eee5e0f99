//! How text becomes terms: one chain for BM25 indexes, BM25 queries and the built-in embedding provider.
//!
//! A crate of its own so that the chain, which tantivy compiles into its caller, is built optimised in a development
//! build.
#![forbid(unsafe_code)]

use tantivy::tokenizer::{
    Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer,
};

/// The name the chain is registered under in a text index.
pub const TOKENIZER: &str = "english";

/// Words of letters and digits, at most 40 bytes long, lowercased, without English stop words, stemmed.
pub fn analyzer() -> TextAnalyzer {
    let words = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(40))
        .filter(LowerCaser);
    let stemmer = Stemmer::new(Language::English);
    match StopWordFilter::new(Language::English) {
        Some(stop_words) => words.filter(stop_words).filter(stemmer).build(),
        // Cannot happen while tantivy's `stopwords` feature is on.
        None => words.filter(stemmer).build(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowercases_drops_stop_words_and_stems() {
        let mut analyzer = analyzer();
        let mut stream = analyzer.token_stream("The Gardens, and a quiet GARDEN");
        let mut terms = Vec::new();
        while let Some(token) = stream.next() {
            terms.push(token.text.clone());
        }
        assert_eq!(terms, ["garden", "quiet", "garden"]);
    }
}
