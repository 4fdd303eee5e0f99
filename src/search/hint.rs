//! What to try after the engine has refused a search.

use crate::error::Error;

/// Adds a next step where the refusal is of a known kind; the engine's words stay as they are.
pub fn with_search_hint(mut error: Error) -> Error {
    let starts =
        |beginnings: &[&str]| beginnings.iter().any(|start| error.message.starts_with(start));
    let hint = if error.hint.is_some() {
        None
    } else if starts(&[
        "Syntax Error",
        "Field does not exist",
        "Invalid query",
        "Unsupported query",
    ]) {
        Some(
            "Search by words reads quotes, brackets, colons, + and - as operators: send plain words.",
        )
    } else if starts(&["No BM25 index found"]) {
        Some("Search by words needs a BM25 index on that column; listIndexes shows what there is.")
    } else if starts(&["no vector index with embedding"]) {
        Some(
            "Search by meaning with text needs a provider-backed vector index on that column; a plain one is searched \
             with `vector`. listIndexes shows what there is.",
        )
    } else {
        None
    };
    error.hint = hint.map(str::to_owned).or(error.hint.take());
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[test]
    fn known_refusals_get_a_next_step_and_keep_their_words() {
        for (message, says) in [
            ("Syntax Error: \"quiet garden", "plain words"),
            ("Field does not exist: 'NLP'", "plain words"),
            ("No BM25 index found on column 'a' for c.public.t", "a BM25 index"),
            (
                "no vector index with embedding configuration found for column 'a'",
                "provider-backed",
            ),
        ] {
            let error = with_search_hint(Error::new(Code::BadRequest, message));
            assert_eq!(error.message, message);
            assert!(error.hint.as_deref().unwrap().contains(says));
        }
        let other = with_search_hint(Error::new(Code::BadRequest, "No field named x."));
        assert_eq!(other.hint, None);
        let told = Error::new(Code::BadRequest, "Syntax Error: x").with_hint("h");
        assert_eq!(with_search_hint(told).hint.as_deref(), Some("h"));
    }
}
