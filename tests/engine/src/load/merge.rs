//! The five load modes: how incoming rows change a table's rows.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, RecordBatch, new_null_array};
use arrow::compute::{concat_batches, filter_record_batch, interleave};
use arrow::datatypes::{Schema, SchemaRef};
use arrow::row::{RowConverter, SortField};

use super::{Rows, batch_of, cast};
use crate::catalog::TableData;
use crate::error::{EngineError, Result};
use crate::model::LoadMode;

/// A table's rows after a load.
#[derive(Debug)]
pub struct Merged {
    pub data: TableData,
    /// An upsert that both rewrote rows and added some.
    pub mixed_upsert: bool,
}

/// Applies a load. `old` is `None` for a table without data; `optional` names columns a load may leave out.
///
/// Rows keep their places: a rewritten row stays where it was, new rows come last. Of incoming rows with one key the
/// last counts. A key with a NULL matches no row.
pub fn apply(
    mode: LoadMode,
    key: &[String],
    old: Option<&TableData>,
    incoming: Rows,
    optional: &[String],
) -> Result<Merged> {
    let plain = |data| Ok(Merged { data, mixed_upsert: false });
    let Some(old) = old else {
        return match mode {
            LoadMode::Replace | LoadMode::Append => {
                plain(TableData::new(incoming.schema, incoming.batches))
            }
            LoadMode::Upsert => {
                let incoming = one_batch(&incoming)?;
                let keys = Keys::of(mode, key, &incoming)?;
                let batch = keys.last_of_each(&incoming)?;
                plain(TableData::new(batch.schema(), vec![batch]))
            }
            LoadMode::Delete | LoadMode::Update => {
                Err(EngineError::bad_request(format!("{}: the table has no data", mode_name(mode))))
            }
        };
    };
    match mode {
        LoadMode::Replace => plain(TableData::new(incoming.schema, incoming.batches)),
        LoadMode::Append => {
            every_column(old, &incoming.schema, optional)?;
            let schema = widened(&old.schema, &incoming.schema);
            let batches = old
                .batches
                .iter()
                .chain(&incoming.batches)
                .map(|batch| conform(batch, &schema))
                .collect::<Result<_>>()?;
            plain(TableData::new(schema, batches))
        }
        LoadMode::Delete => {
            let incoming = one_batch(&incoming)?;
            let keys = Keys::conformed(mode, key, &incoming, old)?;
            let mut batches = Vec::with_capacity(old.batches.len());
            for batch in &old.batches {
                let matches = keys.matches(batch)?;
                if matches.iter().all(Option::is_none) {
                    batches.push(batch.clone());
                    continue;
                }
                let kept: BooleanArray =
                    matches.iter().map(|found| Some(found.is_none())).collect();
                batches.push(filter_record_batch(batch, &kept).map_err(internal)?);
            }
            plain(TableData::new(old.schema.clone(), batches))
        }
        LoadMode::Update | LoadMode::Upsert => {
            known_columns(mode, old, &incoming.schema)?;
            if mode == LoadMode::Upsert {
                every_column(old, &incoming.schema, optional)?;
            }
            let incoming = one_batch(&incoming)?;
            let keys = Keys::conformed(mode, key, &incoming, old)?;
            let mut rewritten = vec![false; incoming.num_rows()];
            let mut batches = Vec::with_capacity(old.batches.len() + 1);
            for batch in &old.batches {
                let matches = keys.matches(batch)?;
                for found in matches.iter().flatten() {
                    rewritten[*found] = true;
                }
                batches.push(rewrite(batch, &incoming, &matches)?);
            }
            let mut added = 0;
            if mode == LoadMode::Upsert {
                let new: BooleanArray = keys
                    .is_last
                    .iter()
                    .zip(&rewritten)
                    .map(|(is_last, rewritten)| Some(*is_last && !*rewritten))
                    .collect();
                added = new.true_count();
                let new = filter_record_batch(&incoming, &new).map_err(internal)?;
                batches.push(conform(&new, &old.schema)?);
            }
            Ok(Merged {
                data: TableData::new(old.schema.clone(), batches),
                mixed_upsert: added > 0 && rewritten.contains(&true),
            })
        }
    }
}

pub fn mode_name(mode: LoadMode) -> &'static str {
    match mode {
        LoadMode::Replace => "replace",
        LoadMode::Append => "append",
        LoadMode::Delete => "delete",
        LoadMode::Update => "update",
        LoadMode::Upsert => "upsert",
    }
}

fn internal(error: arrow::error::ArrowError) -> EngineError {
    EngineError::internal(error.to_string())
}

fn one_batch(rows: &Rows) -> Result<RecordBatch> {
    concat_batches(&rows.schema, &rows.batches).map_err(internal)
}

fn known_columns(mode: LoadMode, old: &TableData, incoming: &SchemaRef) -> Result<()> {
    match incoming.fields().iter().find(|field| old.schema.index_of(field.name()).is_err()) {
        None => Ok(()),
        Some(field) => Err(EngineError::bad_request(format!(
            "{}: the table has no column '{}'",
            mode_name(mode),
            field.name()
        ))),
    }
}

/// The table's columns and after them those only the load has, which may be NULL.
fn widened(old: &SchemaRef, incoming: &SchemaRef) -> SchemaRef {
    let new = incoming.fields().iter().filter(|field| old.index_of(field.name()).is_err());
    let new: Vec<_> =
        new.map(|field| Arc::new(field.as_ref().clone().with_nullable(true))).collect();
    if new.is_empty() {
        return old.clone();
    }
    Arc::new(Schema::new(old.fields().iter().cloned().chain(new).collect::<Vec<_>>()))
}

/// Refuses rows without one of the table's columns, in the service's words.
fn every_column(old: &TableData, incoming: &SchemaRef, optional: &[String]) -> Result<()> {
    let missing =
        old.schema.fields().iter().find(|field| {
            incoming.index_of(field.name()).is_err() && !optional.contains(field.name())
        });
    match missing {
        None => Ok(()),
        Some(field) => {
            Err(EngineError::bad_request(format!("upload is missing column '{}'", field.name())))
        }
    }
}

/// A batch in the table's columns and types; columns it does not bring are NULL.
fn conform(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    if batch.schema_ref() == schema {
        return Ok(batch.clone());
    }
    let columns = schema
        .fields()
        .iter()
        .map(|field| match batch.column_by_name(field.name()) {
            Some(column) => cast(column, field.data_type(), field.name()),
            None => Ok(new_null_array(field.data_type(), batch.num_rows())),
        })
        .collect::<Result<Vec<ArrayRef>>>()?;
    batch_of(schema, columns, batch.num_rows())
}

/// Rows that match an incoming row take its values in the columns it brings.
fn rewrite(
    batch: &RecordBatch,
    incoming: &RecordBatch,
    matches: &[Option<usize>],
) -> Result<RecordBatch> {
    if matches.iter().all(Option::is_none) {
        return Ok(batch.clone());
    }
    let places: Vec<(usize, usize)> = matches
        .iter()
        .enumerate()
        .map(|(row, found)| found.map_or((0, row), |incoming| (1, incoming)))
        .collect();
    let schema = batch.schema();
    let mut columns = Vec::with_capacity(batch.num_columns());
    for (field, old) in schema.fields().iter().zip(batch.columns()) {
        columns.push(match incoming.column_by_name(field.name()) {
            None => old.clone(),
            Some(new) => {
                let new = cast(new, field.data_type(), field.name())?;
                interleave(&[old.as_ref(), new.as_ref()], &places).map_err(internal)?
            }
        });
    }
    batch_of(&schema, columns, batch.num_rows())
}

/// The keys of incoming rows.
struct Keys {
    names: Vec<String>,
    converter: RowConverter,
    /// The last incoming row of each key without NULLs.
    rows: HashMap<Box<[u8]>, usize>,
    /// Whether an incoming row is the last of its key. Rows with a NULL in the key are each their own.
    is_last: Vec<bool>,
}

impl Keys {
    /// Keys in the types the rows came in.
    fn of(mode: LoadMode, key: &[String], incoming: &RecordBatch) -> Result<Self> {
        Self::new(mode, key, incoming, |_, column| Ok(column.clone()))
    }

    /// Keys in the types of the table they are compared with.
    fn conformed(
        mode: LoadMode,
        key: &[String],
        incoming: &RecordBatch,
        old: &TableData,
    ) -> Result<Self> {
        Self::new(mode, key, incoming, |name, column| {
            let position = old.schema.index_of(name).map_err(|_| {
                EngineError::bad_request(format!(
                    "{}: the table has no key column '{name}'",
                    mode_name(mode)
                ))
            })?;
            cast(column, old.schema.field(position).data_type(), name)
        })
    }

    fn new(
        mode: LoadMode,
        key: &[String],
        incoming: &RecordBatch,
        conform: impl Fn(&str, &ArrayRef) -> Result<ArrayRef>,
    ) -> Result<Self> {
        if key.is_empty() {
            return Err(EngineError::bad_request(format!(
                "{} needs a key: name its columns in 'key' or when the table is created",
                mode_name(mode)
            )));
        }
        let mut columns = Vec::with_capacity(key.len());
        for name in key {
            let column = incoming.column_by_name(name).ok_or_else(|| {
                EngineError::bad_request(format!(
                    "{}: the load has no key column '{name}'",
                    mode_name(mode)
                ))
            })?;
            columns.push(conform(name, column)?);
        }
        let fields =
            columns.iter().map(|column| SortField::new(column.data_type().clone())).collect();
        let converter = RowConverter::new(fields).map_err(|error| {
            EngineError::bad_request(format!("{}: unusable key: {error}", mode_name(mode)))
        })?;
        let mut keys = Self {
            names: key.to_vec(),
            converter,
            rows: HashMap::new(),
            is_last: vec![true; incoming.num_rows()],
        };
        let encoded = keys.encode(&columns)?;
        for (row, key) in encoded.into_iter().enumerate() {
            if let Some(key) = key
                && let Some(earlier) = keys.rows.insert(key, row)
            {
                keys.is_last[earlier] = false;
            }
        }
        Ok(keys)
    }

    /// Comparable bytes of each row's key; `None` where part of it is NULL.
    fn encode(&self, columns: &[ArrayRef]) -> Result<Vec<Option<Box<[u8]>>>> {
        let rows = self.converter.convert_columns(columns).map_err(internal)?;
        Ok(rows
            .iter()
            .enumerate()
            .map(|(row, key)| {
                let complete = columns.iter().all(|column| column.is_valid(row));
                complete.then(|| Box::from(key.as_ref()))
            })
            .collect())
    }

    /// For each row of the table the incoming row with its key.
    fn matches(&self, batch: &RecordBatch) -> Result<Vec<Option<usize>>> {
        let columns: Vec<ArrayRef> =
            self.names.iter().filter_map(|name| batch.column_by_name(name)).cloned().collect();
        let encoded = self.encode(&columns)?;
        Ok(encoded
            .into_iter()
            .map(|key| key.and_then(|key| self.rows.get(&key).copied()))
            .collect())
    }

    fn last_of_each(&self, incoming: &RecordBatch) -> Result<RecordBatch> {
        filter_record_batch(incoming, &BooleanArray::from(self.is_last.clone())).map_err(internal)
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::{AsArray, Int64Array, StringArray};
    use arrow::datatypes::Int64Type;

    use super::*;

    type Owned = Vec<(Option<i64>, Option<String>)>;
    type Row<'a> = (Option<i64>, Option<&'a str>);

    fn rows(rows: &[Row]) -> Rows {
        let ids: ArrayRef = Arc::new(Int64Array::from_iter(rows.iter().map(|row| row.0)));
        let texts: ArrayRef = Arc::new(StringArray::from_iter(rows.iter().map(|row| row.1)));
        let batch = RecordBatch::try_from_iter([("id", ids), ("text", texts)]).unwrap();
        Rows { schema: batch.schema(), batches: vec![batch] }
    }

    fn table(of: &[Row]) -> TableData {
        let rows = rows(of);
        TableData::new(rows.schema, rows.batches)
    }

    fn contents(data: &TableData) -> Owned {
        let mut all = Vec::new();
        for batch in &data.batches {
            let ids = batch.column(0).as_primitive::<Int64Type>();
            let texts = batch.column(1).as_string::<i32>();
            all.extend(ids.iter().zip(texts).map(|(id, text)| (id, text.map(str::to_owned))));
        }
        all
    }

    fn after(mode: LoadMode, old: &[Row], new: &[Row]) -> (Owned, bool) {
        let merged = apply(mode, &["id".to_owned()], Some(&table(old)), rows(new), &[]).unwrap();
        (contents(&merged.data), merged.mixed_upsert)
    }

    fn owned(rows: &[Row]) -> Owned {
        rows.iter().map(|(id, text)| (*id, text.map(str::to_owned))).collect()
    }

    const OLD: &[Row] = &[(Some(1), Some("a")), (Some(2), Some("b")), (None, Some("n"))];

    #[test]
    fn replace_and_append() {
        let new: &[Row] = &[(Some(9), Some("z"))];
        assert_eq!(after(LoadMode::Replace, OLD, new).0, owned(new));
        assert_eq!(after(LoadMode::Append, OLD, new).0, owned(&[OLD, new].concat()));
    }

    #[test]
    fn delete_takes_rows_by_key_and_never_a_null() {
        let left =
            after(LoadMode::Delete, OLD, &[(Some(1), None), (None, None), (Some(7), None)]).0;
        assert_eq!(left, owned(&OLD[1..]));
    }

    #[test]
    fn update_changes_matching_rows_only() {
        let (rows, mixed) =
            after(LoadMode::Update, OLD, &[(Some(2), Some("B")), (Some(9), Some("z"))]);
        assert_eq!(rows, owned(&[OLD[0], (Some(2), Some("B")), OLD[2]]));
        assert!(!mixed);
    }

    #[test]
    fn upsert_rewrites_in_place_adds_at_the_end_and_the_last_of_a_key_counts() {
        let new: &[Row] =
            &[(Some(9), Some("x")), (Some(1), Some("A")), (Some(9), Some("z")), (None, Some("m"))];
        let (rows, mixed) = after(LoadMode::Upsert, OLD, new);
        assert_eq!(
            rows,
            owned(&[(Some(1), Some("A")), OLD[1], OLD[2], (Some(9), Some("z")), (None, Some("m"))])
        );
        assert!(mixed);
        assert!(!after(LoadMode::Upsert, OLD, &[(Some(1), Some("A"))]).1);
        assert!(!after(LoadMode::Upsert, OLD, &[(Some(7), Some("A"))]).1);
    }

    #[test]
    fn an_update_may_bring_some_columns() {
        let ids: ArrayRef = Arc::new(Int64Array::from(vec![2]));
        let batch = RecordBatch::try_from_iter([("id", ids)]).unwrap();
        let only_ids = Rows { schema: batch.schema(), batches: vec![batch] };
        let merged =
            apply(LoadMode::Update, &["id".to_owned()], Some(&table(OLD)), only_ids.clone(), &[])
                .unwrap();
        assert_eq!(contents(&merged.data), owned(OLD));
        let key = ["id".to_owned()];
        for mode in [LoadMode::Append, LoadMode::Upsert] {
            let error = apply(mode, &key, Some(&table(OLD)), only_ids.clone(), &[]).unwrap_err();
            assert_eq!(error.message, "upload is missing column 'text'");
        }
    }

    #[test]
    fn an_append_may_bring_more_columns() {
        let ids: ArrayRef = Arc::new(Int64Array::from(vec![9]));
        let texts: ArrayRef = Arc::new(StringArray::from(vec!["z"]));
        let new: ArrayRef = Arc::new(Int64Array::from(vec![5]));
        let batch =
            RecordBatch::try_from_iter([("new", new), ("text", texts), ("id", ids)]).unwrap();
        let wider = Rows { schema: batch.schema(), batches: vec![batch] };
        let key = ["id".to_owned()];
        let merged = apply(LoadMode::Append, &key, Some(&table(OLD)), wider.clone(), &[]).unwrap();
        assert_eq!(contents(&merged.data), owned(&[OLD, &[(Some(9), Some("z"))]].concat()));
        let added: Vec<Option<i64>> = merged
            .data
            .batches
            .iter()
            .flat_map(|batch| batch.column(2).as_primitive::<Int64Type>().iter())
            .collect();
        assert_eq!(added, [None, None, None, Some(5)]);
        for mode in [LoadMode::Update, LoadMode::Upsert] {
            let error = apply(mode, &key, Some(&table(OLD)), wider.clone(), &[]).unwrap_err();
            assert!(error.message.contains("the table has no column 'new'"), "{error}");
        }
    }

    #[test]
    fn a_keyed_mode_needs_a_key_that_exists() {
        for key in [vec![], vec!["nope".to_owned()]] {
            let error =
                apply(LoadMode::Upsert, &key, Some(&table(OLD)), rows(OLD), &[]).unwrap_err();
            assert_eq!(error.status, 400);
        }
        assert!(apply(LoadMode::Delete, &["id".to_owned()], None, rows(OLD), &[]).is_err());
    }
}
