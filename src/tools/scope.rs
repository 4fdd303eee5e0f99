//! What a set of tools is about: which database, and what its tables answer to.

use crate::client::{Client, QueryOptions, Transport};
use crate::error::{Code, Result};
use crate::sql::CATALOGS_SQL;
use crate::text::{join, one_line};
use crate::value::{Fields, Value};

/// The most characters of a database's name in a description.
const MAX_NAME_CHARS: usize = 80;
/// The most characters of each catalog.
const MAX_CATALOG_CHARS: usize = 64;
/// The most catalogs a description names.
const MAX_CATALOGS: usize = 8;

/// Resolved once, so that all descriptions say the same.
#[derive(Debug)]
pub(super) struct Scope {
    label: Option<String>,
    catalogs: Vec<String>,
}

impl Scope {
    /// Reads the catalogs from information_schema: the database's record says `default` of every database (contract,
    /// "There is no universal catalog name"). Not to know them is no failure, and is noted.
    pub async fn resolve<T: Transport>(
        client: &Client<T>,
        database: &Value,
        id: &str,
        label: Option<String>,
        catalog: Option<String>,
        notes: &mut Vec<String>,
    ) -> Result<Self> {
        let name = Fields::of_answer(database)?.text("name")?;
        let label = label
            .or_else(|| name.map(|name| one_line(name, MAX_NAME_CHARS)))
            .filter(|label| !label.is_empty());
        if let Some(catalog) = catalog {
            return Ok(Self { label, catalogs: vec![catalog] });
        }
        let catalogs = match client.query_raw(CATALOGS_SQL, &QueryOptions::on(Some(id))).await {
            Ok(answer) => (0..answer.rows.len())
                .filter_map(|row| answer.text(row, 0))
                .map(|name| one_line(&name, MAX_CATALOG_CHARS))
                .collect(),
            Err(error) if error.code == Code::Aborted => return Err(error),
            Err(error) => {
                notes.push(format!("Which catalogs there are is not known: {}", error.message));
                Vec::new()
            }
        };
        Ok(Self { label, catalogs })
    }

    /// The sentence in front of a description of a tool over this database.
    pub fn sentence(&self) -> String {
        self.label.as_ref().map(|label| format!("Database {label}. ")).unwrap_or_default()
    }

    /// How a table is written.
    pub fn table_form(&self) -> String {
        match self.catalogs.as_slice() {
            [only] => format!("{only}.schema.table"),
            [] => "catalog.schema.table".to_owned(),
            several => {
                let names = join(&mut several.iter().take(MAX_CATALOGS).cloned(), ", ");
                format!("catalog.schema.table (catalogs: {names})")
            }
        }
    }
}
