//! Names of catalogs, schemas, tables and columns: stored in lower case.

use crate::error::{EngineError, Result};

const MAX_BYTES: usize = 255;

/// The stored form of a name. Refused: empty, longer than 255 bytes, or with a control character.
pub fn normalize(what: &str, name: &str) -> Result<String> {
    if name.is_empty() || name.len() > MAX_BYTES || name.chars().any(char::is_control) {
        return Err(EngineError::bad_request(format!(
            "{what}: a name must have 1 to {MAX_BYTES} bytes and no control characters, got {name:?}"
        )));
    }
    Ok(name.to_lowercase())
}

/// [`normalize`] for a schema that is to hold tables.
pub fn normalize_schema(name: &str) -> Result<String> {
    let name = normalize("schema", name)?;
    if name == "information_schema" {
        return Err(EngineError::bad_request("schema: 'information_schema' is reserved"));
    }
    Ok(name)
}

/// [`normalize`] for each of several column names, which must differ.
pub fn normalize_columns<'a>(
    what: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<String>> {
    let mut normalized: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for name in names {
        let name = normalize(what, name)?;
        if !seen.insert(name.clone()) {
            return Err(EngineError::bad_request(format!(
                "{what}: '{name}' is named twice (names are stored in lower case)"
            )));
        }
        normalized.push(name);
    }
    Ok(normalized)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lowercased_and_checked() {
        assert_eq!(normalize("table", "Driver Standings").unwrap(), "driver standings");
        for bad in ["", "a\nb", &"x".repeat(256)] {
            assert!(normalize("table", bad).is_err());
        }
        assert!(normalize_schema("Information_Schema").is_err());
        assert!(normalize_columns("columns", ["driverId", "driverid"]).is_err());
    }
}
