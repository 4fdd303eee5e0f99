//! Patterns with one character that stands for any others.

/// Whether `text` as a whole fits `pattern`, in which `wildcard` stands for any characters or none.
pub fn matches(pattern: &str, text: &str, wildcard: char) -> bool {
    let mut pieces = pattern.split(wildcard);
    let Some(mut rest) = pieces.next().and_then(|start| text.strip_prefix(start)) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(end) = pieces.pop() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn the_wildcard_stands_for_any_characters() {
        for (pattern, text, expected) in [
            ("papers", "papers", true),
            ("papers", "papers_semantic", false),
            ("papers%", "papers_semantic", true),
            ("%semantic", "papers_semantic", true),
            ("p%s%c", "papers_semantic", true),
            ("%", "", true),
            ("PAPERS", "papers", false),
            ("a%a", "a", false),
            ("%x%", "papers", false),
            ("pap*", "papers", false),
        ] {
            assert_eq!(matches(pattern, text, '%'), expected, "{pattern} {text}");
        }
        assert!(matches("/v1/databases/*/loads", "/v1/databases/db_1/schemas/a/loads", '*'));
    }
}
