//! Which table a name means.

use crate::client::{Client, Transport};
use crate::error::{Code, Error, Result};
use crate::sql::TableName;
use crate::text::distance;

use super::describe::{NO_TABLE, column_facts};

/// The most tables an error names.
const MOST_NAMED: usize = 20;

/// A name as a model may write it: in backticks or quotes, with white space around.
pub(super) fn unquoted(name: &str) -> String {
    name.trim().trim_matches('\'').trim().replace('`', "\"")
}

/// The tables of the database, those without data too where these can be listed.
pub(super) async fn all_tables<T: Transport>(
    client: &Client<T>,
    database: &str,
) -> Result<Vec<TableName>> {
    let mut tables = Vec::new();
    for facts in column_facts(client, database, None).await? {
        tables.push(facts.table);
    }
    tables.dedup();
    match client.empty_tables(database).await {
        Ok(empty) => tables.extend(empty),
        Err(error) if error.code == Code::Aborted => return Err(error),
        Err(_) => {}
    }
    Ok(tables)
}

/// The table that a shorter name means, where exactly one ends so.
pub(super) async fn find_table<T: Transport>(
    client: &Client<T>,
    database: &str,
    name: &str,
) -> Result<TableName> {
    let tables = all_tables(client, database).await?;
    let wanted = name.replace('"', "").to_ascii_lowercase();
    let mut found = Vec::new();
    for table in &tables {
        let (schema, own) = (table.schema(), table.table());
        if wanted == own
            || wanted.strip_suffix(own).is_some_and(|rest| rest.strip_suffix('.') == Some(schema))
        {
            found.push(table);
        }
    }
    if let [only] = found.as_slice() {
        return Ok((*only).clone());
    }
    let told = if found.is_empty() {
        let mut own = wanted.as_str();
        while let Some((_, rest)) = own.split_once('.') {
            own = rest;
        }
        near(own, &tables)
    } else {
        format!("It may mean {}.", paths(&mut found.into_iter()))
    };
    Err(Error::argument("table", format_args!("must be one table as catalog.schema.table. {told}")))
}

/// Which tables may be meant.
pub(super) fn near(own: &str, tables: &[TableName]) -> String {
    let mut best = usize::MAX;
    let mut nearest = None;
    for table in tables {
        if let Some(distance) = distance(own, table.table())
            && distance < best
        {
            best = distance;
            nearest = Some(table);
        }
    }
    match nearest {
        Some(table) => format!("Did you mean {}?", table.path()),
        None if tables.is_empty() => NO_TABLE.to_owned(),
        None => format!("There are {}.", paths(&mut tables.iter())),
    }
}

fn paths(tables: &mut dyn Iterator<Item = &TableName>) -> String {
    let mut paths = String::new();
    for (at, table) in tables.enumerate() {
        if at == MOST_NAMED {
            paths.push_str(", …");
            break;
        }
        if at > 0 {
            paths.push_str(", ");
        }
        paths.push_str(&table.path());
    }
    paths
}
