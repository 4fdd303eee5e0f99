//! What a set of tools knows of its database, for hints.

use std::cell::RefCell;

use crate::client::{Index, IndexStatus};

use super::super::describe::{ColumnFacts, searchable_by};

/// Columns and indexes, asked for when an error first needs them and kept for the next.
#[derive(Debug, Default)]
pub(in crate::tools) struct Facts {
    /// The name the tool that describes tables is registered under.
    pub(super) describe: Option<String>,
    /// By the table whose indexes they are; by no name for the columns of all tables.
    kept: RefCell<Vec<(String, Vec<Fact>)>>,
}

/// A column, and where it was asked how it can be searched, by which function.
#[derive(Debug)]
pub(super) struct Fact {
    /// The table's full name.
    pub table: String,
    pub column: String,
    /// `bm25_search`, `vector_search` or a distance; empty where the index is still being built.
    pub by: String,
}

impl Facts {
    /// Nothing yet; `describe` is the registered name of the tool that describes tables, where there is one.
    pub fn new(describe: Option<String>) -> Self {
        Self { describe, kept: RefCell::default() }
    }

    /// Whether what can be searched in `table`, or without one every column, is kept.
    pub(super) fn has(&self, of_table: &str) -> bool {
        self.kept.borrow().iter().any(|kept| kept.0 == of_table)
    }

    /// Keeps it.
    pub(super) fn keep(&self, of_table: &str, facts: Vec<Fact>) {
        let mut kept = self.kept.borrow_mut();
        match kept.iter_mut().find(|kept| kept.0 == of_table) {
            Some(kept) => kept.1 = facts,
            None => kept.push((of_table.to_owned(), facts)),
        }
    }

    /// Has it read.
    pub(super) fn read<A>(&self, of_table: &str, read: impl FnOnce(&[Fact]) -> A) -> A {
        let kept = self.kept.borrow();
        read(kept.iter().find(|kept| kept.0 == of_table).map_or(&[], |kept| &kept.1))
    }
}

pub(super) fn of_columns(columns: Vec<ColumnFacts>) -> Vec<Fact> {
    let mut facts = Vec::new();
    for column in columns {
        facts.push(Fact { table: column.table.path(), column: column.name, by: String::new() });
    }
    facts
}

pub(super) fn of_indexes(of_table: &str, indexes: Vec<Index>) -> Vec<Fact> {
    let mut facts = Vec::new();
    for index in &indexes {
        let columns = match &index.source_column {
            Some(source) => std::slice::from_ref(source),
            None => index.columns.as_slice(),
        };
        for column in columns {
            let by = searchable_by(column, std::slice::from_ref(index)).pop();
            if by.is_some() || index.status == IndexStatus::Pending {
                let (table, by) = (of_table.to_owned(), by.unwrap_or_default());
                facts.push(Fact { table, column: column.clone(), by });
            }
        }
    }
    facts
}
