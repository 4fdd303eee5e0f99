//! String literals.

use crate::error::{Error, Result};

use super::MAX_QUERY_BYTES;

/// One SQL string literal holding `text` whole: only `'` is special to the engine, and it is doubled.
pub fn text_literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A search's text as a literal. Refused: no text at all, NUL (no store keeps it), more than 64 KiB.
pub(crate) fn query_literal(argument: &str, text: &str) -> Result<String> {
    if text.trim().is_empty() {
        return Err(Error::argument(argument, "must hold some words, and is empty"));
    }
    if text.len() > MAX_QUERY_BYTES {
        return Err(Error::argument(
            argument,
            format_args!("must be at most {MAX_QUERY_BYTES} bytes long, and has {}", text.len()),
        ));
    }
    if text.contains('\0') {
        return Err(Error::argument(argument, "must not hold a NUL character"));
    }
    Ok(text_literal(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_quote_is_doubled() {
        assert_eq!(text_literal(r"'); DROP TABLE t;-- \' é"), r"'''); DROP TABLE t;-- \'' é'");
    }

    #[test]
    fn a_query_needs_words_and_a_bound() {
        for text in ["", " \n", "a\0b", &"x".repeat(MAX_QUERY_BYTES + 1)] {
            assert!(query_literal("query", text).unwrap_err().message.starts_with("`query` must"));
        }
        assert_eq!(query_literal("query", "what's this?").unwrap(), "'what''s this?'");
    }
}
