//! Registered sources: folders of Parquet and CSV files, read when the engine starts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

use crate::catalog::{Connection, Schemas, State, Table, TableData};
use crate::error::{EngineError, Result};
use crate::identifiers::{normalize, normalize_schema};
use crate::load::{self, Types};
use crate::model::{ConnectionRecord, LoadFormat, LoadSource, NewTable};
use crate::time::now;

/// Adds a connection named `alias` with a table for each file: `public.<file stem>`, or `<folder>.<file stem>` in a
/// subfolder. Other files are passed over.
pub fn register(state: &mut State, alias: &str, folder: &Path) -> Result<()> {
    let alias = normalize("attach", alias)?;
    // The same from run to run: databases remember attachments by it.
    let id = format!("conn_{alias}");
    if state.connections.contains_key(&id) {
        return Err(EngineError::bad_request(format!("attach: '{alias}' is given twice")));
    }
    let mut schemas: Schemas = BTreeMap::new();
    for path in entries(folder)? {
        if path.is_dir() {
            let schema = normalize_schema(&stem(&path))?;
            for path in entries(&path)? {
                add(&mut schemas, &schema, &path)?;
            }
        } else {
            add(&mut schemas, "public", &path)?;
        }
    }
    let record = ConnectionRecord { id: id.clone(), name: alias, source_type: "files".to_owned() };
    state.connections.insert(id, Connection { record, database: None, schemas });
    Ok(())
}

fn add(schemas: &mut Schemas, schema: &str, path: &Path) -> Result<()> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let format = match extension.to_lowercase().as_str() {
        "parquet" => LoadFormat::Parquet,
        "csv" => LoadFormat::Csv,
        _ => return Ok(()),
    };
    let name = normalize("attach: file name", &stem(path))?;
    let bytes = Bytes::from(fs::read(path).map_err(|error| unreadable(path, error))?);
    let source = LoadSource::Bytes { bytes, format: Some(format) };
    let rows = load::decode(source, &Types::default()).map_err(|error| unreadable(path, error))?;
    let table = Table {
        spec: NewTable { name: name.clone(), ..NewTable::default() },
        data: Some(Arc::new(TableData::new(rows.schema, rows.batches))),
        last_sync: Some(now()),
        ..Table::default()
    };
    let taken = schemas.entry(schema.to_owned()).or_default().insert(name.clone(), Arc::new(table));
    match taken {
        None => Ok(()),
        Some(_) => Err(EngineError::bad_request(format!(
            "attach: two files make the table '{schema}.{name}', one is {}",
            path.display()
        ))),
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
        paths.push(entry.map_err(|error| unreadable(folder, error))?.path());
    }
    paths.sort();
    Ok(paths)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn unreadable(path: &Path, error: impl std::fmt::Display) -> EngineError {
    EngineError::bad_request(format!("attach: cannot read {}: {error}", path.display()))
}
