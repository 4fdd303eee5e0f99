//! Table and column names: checked once, printed quoted.

use std::fmt::Write as _;

use crate::error::{Error, Result};

/// The longest identifier, in bytes.
const MAX_IDENTIFIER_BYTES: usize = 255;

/// A column, spelled as the engine stores it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Column(String);

/// A table by all three of its parts. The index rewrite knows a table by nothing less (contract, "How the table is
/// written matters").
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TableName {
    catalog: String,
    schema: String,
    table: String,
}

impl Column {
    /// Checks a column name. Upper case folds to lower, as the engine stores every identifier (contract,
    /// "Identifiers"); surrounding double quotes are taken off.
    pub fn parse(argument: &str, name: &str) -> Result<Self> {
        let bare = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(name);
        identifier(argument, bare).map(Self)
    }

    /// The name as stored.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// The name for SQL. Always quoted: a quoted stored name resolves whatever word it is (contract, "A column name
    /// the parser rejects").
    pub fn quoted(&self) -> String {
        format!("\"{}\"", self.0)
    }
}

impl TableName {
    /// Reads `catalog.schema.table`, each part bare or in double quotes.
    pub fn parse(argument: &str, name: &str) -> Result<Self> {
        let parts = split(name);
        let Some([catalog, schema, table]) = parts.as_deref() else {
            return Err(Error::argument(
                argument,
                "must be a full name, catalog.schema.table (such as default.public.papers): a shorter one forfeits \
                 the vector index",
            ));
        };
        let part = |part: &str| identifier(argument, part);
        Ok(Self { catalog: part(catalog)?, schema: part(schema)?, table: part(table)? })
    }

    /// A table from parts the engine itself reported.
    pub fn from_parts(catalog: &str, schema: &str, table: &str) -> Result<Self> {
        Ok(Self {
            catalog: identifier("catalog", catalog)?,
            schema: identifier("schema", schema)?,
            table: identifier("table", table)?,
        })
    }

    /// The catalog: `default` for a database's own tables, else an attachment's alias.
    pub fn catalog(&self) -> &str {
        &self.catalog
    }

    /// The schema.
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// The table's own name.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The name for a FROM clause.
    pub fn quoted(&self) -> String {
        format!("\"{}\".\"{}\".\"{}\"", self.catalog, self.schema, self.table)
    }

    /// The name as a person writes it, and as a search function takes it inside a literal: parts are bare where they
    /// can be.
    pub fn path(&self) -> String {
        let mut out = String::new();
        for part in [&self.catalog, &self.schema, &self.table] {
            if !out.is_empty() {
                out.push('.');
            }
            if is_bare(part) {
                out.push_str(part);
            } else {
                let _ = write!(out, "\"{part}\"");
            }
        }
        out
    }
}

fn is_bare(part: &str) -> bool {
    part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        && !part.starts_with(|c: char| c.is_ascii_digit())
}

fn identifier(argument: &str, name: &str) -> Result<String> {
    let refuse = |why: &str| {
        Err(Error::argument(
            argument,
            format_args!(
                "must name it by 1 to {MAX_IDENTIFIER_BYTES} bytes without double quotes or control characters; {why}"
            ),
        ))
    };
    if name.trim().is_empty() {
        return refuse("this one is empty");
    }
    if name.len() > MAX_IDENTIFIER_BYTES {
        return refuse("this one is longer");
    }
    if name.contains(|c: char| c == '"' || c.is_control()) {
        return refuse("this one holds such a character");
    }
    Ok(name.to_ascii_lowercase())
}

/// Splits at the dots outside double quotes; `None` where the quotes do not pair up around whole parts.
fn split(name: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut rest = name;
    loop {
        let (part, after) = if let Some(quoted) = rest.strip_prefix('"') {
            quoted.split_once('"')?
        } else {
            rest.split_at_checked(rest.find('.').unwrap_or(rest.len()))?
        };
        parts.push(part.to_owned());
        if after.is_empty() {
            return Some(parts);
        }
        rest = after.strip_prefix('.')?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_parts_bare_or_quoted() {
        for (given, quoted, path) in [
            ("default.public.papers", r#""default"."public"."papers""#, "default.public.papers"),
            ("Default.PUBLIC.Papers", r#""default"."public"."papers""#, "default.public.papers"),
            (
                r#""default"."public"."list.price""#,
                r#""default"."public"."list.price""#,
                r#"default.public."list.price""#,
            ),
            (r#"f1.public."my table""#, r#""f1"."public"."my table""#, r#"f1.public."my table""#),
            ("a.b.2024", r#""a"."b"."2024""#, r#"a.b."2024""#),
        ] {
            let table = TableName::parse("table", given).unwrap();
            assert_eq!(table.quoted(), quoted);
            assert_eq!(table.path(), path);
            assert_eq!(TableName::parse("table", &table.path()).unwrap(), table);
        }
    }

    #[test]
    fn anything_else_is_refused_by_name() {
        for given in [
            "papers",
            "public.papers",
            "a.b.c.d",
            "",
            "..",
            "a..c",
            r#"a.b."c"#,
            r#"a.b."c"d"#,
            r#"a.b.c"d"#,
            "a.b.c\nd",
            "a.b.\0",
            r#"a.b."""#,
            "a.b. ",
        ] {
            let error = TableName::parse("table", given).unwrap_err();
            assert!(error.message.starts_with("`table` must "), "{given:?}: {}", error.message);
        }
        assert!(TableName::parse("table", &format!("a.b.{}", "x".repeat(256))).is_err());
    }

    #[test]
    fn columns_fold_to_stored_case_and_are_always_quoted() {
        for (given, quoted) in [
            ("driverId", r#""driverid""#),
            (r#""order""#, r#""order""#),
            ("list price", r#""list price""#),
            ("all", r#""all""#),
            ("a'b", r#""a'b""#),
            ("Größe", r#""größe""#),
        ] {
            assert_eq!(Column::parse("column", given).unwrap().quoted(), quoted);
        }
        for given in ["", " ", r#"a"b"#, "\"", "a\tb", r#""""#] {
            assert!(Column::parse("column", given).is_err(), "{given:?}");
        }
    }
}
