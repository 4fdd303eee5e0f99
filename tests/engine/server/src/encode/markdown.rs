//! A Markdown table, one chunk a batch.

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::util::display::{ArrayFormatter, FormatOptions};

use crate::encode::{Chunk, flat};

pub const MEDIA_TYPE: &str = "text/markdown; charset=utf-8";

/// Null is an empty cell; a bar is escaped and a line break becomes `<br>`, so that a row stays one line.
pub fn chunks(schema: SchemaRef, batches: Vec<RecordBatch>) -> impl Iterator<Item = Chunk> + Send {
    let shown = flat::schema(&schema);
    let mut head = String::from("|");
    for field in schema.fields() {
        head.push(' ');
        cell(field.name(), &mut head);
        head.push_str(" |");
    }
    head.push_str("\n|");
    for _ in schema.fields() {
        head.push_str(" --- |");
    }
    head.push('\n');
    let body = batches.into_iter().map(move |batch| {
        let batch = flat::batch(&batch, &shown)?;
        let options = FormatOptions::new().with_display_error(true);
        let columns = batch
            .columns()
            .iter()
            .map(|column| ArrayFormatter::try_new(column.as_ref(), &options))
            .collect::<Result<Vec<_>, _>>()?;
        let mut out = String::new();
        for row in 0..batch.num_rows() {
            out.push('|');
            for column in &columns {
                out.push(' ');
                cell(&column.value(row).to_string(), &mut out);
                out.push_str(" |");
            }
            out.push('\n');
        }
        Ok(out.into())
    });
    std::iter::once(Ok(head.into())).chain(body)
}

fn cell(text: &str, out: &mut String) {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '|' => out.push_str("\\|"),
            '\\' => out.push_str("\\\\"),
            '\r' if characters.peek() == Some(&'\n') => {}
            '\n' | '\r' => out.push_str("<br>"),
            other => out.push(other),
        }
    }
}
