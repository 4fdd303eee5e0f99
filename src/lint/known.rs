//! Indexes as a lint knows them.

use crate::error::Result;
use crate::value::{Fields, Value};

/// What an index serves, as far as SQL can name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serves {
    /// `bm25_search`.
    Words,
    /// `vector_search` with text.
    Meaning,
    /// A distance function: of `cosine`, `l2` or `dot`.
    Distance(&'static str),
}

/// One ready index over one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownIndex {
    /// `catalog.schema.table` in lower case; any table where it is not known.
    pub table: Option<String>,
    /// The column that a query names.
    pub column: String,
    /// What it serves.
    pub serves: Serves,
}

impl KnownIndex {
    /// An index from the fields of a listing; none where nothing that SQL names is served.
    pub fn of(
        table: Option<String>,
        index_type: &str,
        column: &str,
        source_column: Option<&str>,
        metric: Option<&str>,
    ) -> Option<Self> {
        let serves = match (index_type, source_column, metric) {
            ("bm25", ..) => Serves::Words,
            ("vector", Some(_), _) => Serves::Meaning,
            ("vector", None, Some("cosine")) => Serves::Distance("cosine_distance"),
            ("vector", None, Some("l2")) => Serves::Distance("l2_distance"),
            ("vector", None, Some("dot")) => Serves::Distance("negative_dot_product"),
            _ => return None,
        };
        Some(Self { table, column: source_column.unwrap_or(column).to_owned(), serves })
    }

    /// Reads `{indexes?: [{table?, indexType, columns, metric?, sourceColumn?, status?}]}`, as a listing gives them.
    pub fn parse(context: &Value) -> Result<Vec<Self>> {
        let fields = Fields::new("lintSql", context, &["indexes"])?;
        let mut known = Vec::new();
        for index in fields.items("indexes", "an array of what listIndexes() gives")? {
            let index = Fields::of_answer(&index)?;
            if index.text("status")?.is_some_and(|status| status != "ready") {
                continue;
            }
            let table = index.text("table")?.map(str::to_ascii_lowercase);
            let columns = index.texts("columns")?.unwrap_or_default();
            known.extend(Self::of(
                table,
                index.text("indexType")?.unwrap_or_default(),
                columns.first().map_or("", String::as_str),
                index.text("sourceColumn")?,
                index.text("metric")?,
            ));
        }
        Ok(known)
    }

    /// Whether it is of this table; of any where either is not known.
    pub(super) fn is_of(&self, table: Option<&str>) -> bool {
        match (&self.table, table) {
            (Some(known), Some(table)) => {
                let bare = table.chars().filter(|c| *c != '"').map(|c| c.to_ascii_lowercase());
                bare.eq(known.chars())
            }
            _ => true,
        }
    }

    /// Whether it is known to be of this table.
    pub(super) fn is_surely_of(&self, table: &str) -> bool {
        self.table.is_some() && self.is_of(Some(table))
    }
}
