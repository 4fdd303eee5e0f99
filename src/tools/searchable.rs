//! Columns that SQL itself can search, beside the one of the search tool.

use crate::client::{Client, Index, IndexStatus, IndexType, Transport};
use crate::error::{Code, Result};
use crate::lint::KnownIndex;
use crate::sql::{Column, TableName, text_literal};

/// What a search inside SQL ranks by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// Words: `bm25_search`.
    Words,
    /// Meaning, asked with text: `vector_search`.
    Meaning,
}

/// A column with a ready index that a search function takes text for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Searchable {
    pub table: TableName,
    pub column: Column,
    pub by: By,
}

impl Searchable {
    /// The function as it stands in FROM, with a text to replace.
    pub fn call(&self) -> String {
        let (function, text) = match self.by {
            By::Words => ("bm25_search", "'some words'"),
            By::Meaning => ("vector_search", "'a question'"),
        };
        let (table, column) = (text_literal(&self.table.path()), text_literal(self.column.name()));
        format!("{function}({table}, {column}, {text}, 20)")
    }
}

/// Keeps, in order, the columns that the index listing confirms; says in `notes` why others were left out.
pub(super) async fn confirmed<T: Transport>(
    client: &Client<T>,
    database: &str,
    wanted: Vec<(TableName, Column)>,
    notes: &mut Vec<String>,
    known: &mut Vec<KnownIndex>,
) -> Result<Vec<Searchable>> {
    let mut listings: Vec<(TableName, Vec<Index>)> = Vec::new();
    let mut found = Vec::new();
    for (table, column) in wanted {
        let name = format!("{}.{}", table.path(), column.name());
        if !listings.iter().any(|(listed, _)| *listed == table) {
            match client.indexes(Some(database), &table).await {
                Ok(indexes) => {
                    known.extend(known_indexes(&table, &indexes));
                    listings.push((table.clone(), indexes));
                }
                Err(error) if error.code == Code::Aborted => return Err(error),
                Err(error) => {
                    notes.push(format!("{name} is not offered: {}", error.message));
                    continue;
                }
            }
        }
        let indexes = listings.iter().find(|(listed, _)| *listed == table);
        match served_by(&column, indexes.map_or(&[][..], |(_, indexes)| indexes)) {
            Some(by) => {
                let one = Searchable { table, column, by };
                if !found.contains(&one) {
                    found.push(one);
                }
            }
            None => notes.push(format!(
                "{name} is not offered: it has no ready index that SQL can search with text."
            )),
        }
    }
    Ok(found)
}

/// The ready indexes of a table, as the lints know them.
pub(super) fn known_indexes(table: &TableName, indexes: &[Index]) -> Vec<KnownIndex> {
    let ready = indexes.iter().filter(|index| index.status == IndexStatus::Ready);
    let known = ready.filter_map(|index| {
        let kind = match index.index_type {
            IndexType::Bm25 => "bm25",
            IndexType::Vector => "vector",
            _ => return None,
        };
        let column = index.columns.first().map_or("", String::as_str);
        let (source, metric) = (index.source_column.as_deref(), index.metric.as_deref());
        KnownIndex::of(Some(table.path()), kind, column, source, metric)
    });
    known.collect()
}

fn served_by(column: &Column, indexes: &[Index]) -> Option<By> {
    let ready = indexes.iter().filter(|index| index.status == IndexStatus::Ready);
    let mut by = ready.filter_map(|index| match (index.index_type, &index.source_column) {
        (IndexType::Bm25, _) => {
            index.columns.iter().any(|name| name == column.name()).then_some(By::Words)
        }
        (IndexType::Vector, Some(source)) => (source == column.name()).then_some(By::Meaning),
        _ => None,
    });
    by.next()
}
