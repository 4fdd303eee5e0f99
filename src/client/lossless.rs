//! Numbers that JavaScript's own would change: the columns that hold some, and a result's text in a form that keeps them.
//!
//! A column with one such number becomes text throughout, or bigints where these are asked for, so that a program meets
//! one type per column. The text goes through in pieces of any size; nothing of it is kept but the number being read.

mod walk;

use lossless_numbers::{is_kept, is_number};

use walk::{Event, Walk};

/// What the numbers of one column are, as bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Kinds(u8);

impl Kinds {
    /// Some integer would be changed.
    const CHANGED_INTEGER: u8 = 1;
    /// Some number that is written with a point or an exponent would be changed.
    const CHANGED_DECIMAL: u8 = 2;
    /// Some number is written so.
    const DECIMAL: u8 = 4;

    fn has(self, kinds: u8) -> bool {
        self.0 & kinds != 0
    }
}

/// How the numbers of a column reach the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As JavaScript's own.
    Number,
    /// As the text of their digits.
    Text,
    /// As bigints, which have no other form in JSON than their place in a list.
    BigInt,
}

/// The columns of a result, by position from 0, with what their numbers are.
#[derive(Debug, Default)]
pub struct Columns {
    kinds: Vec<Kinds>,
    /// Whether integers come as bigints where a column holds nothing else.
    bigints: bool,
}

impl Columns {
    /// Whether JavaScript's numbers keep them all.
    pub fn are_kept(&self) -> bool {
        (0..self.kinds.len()).all(|column| self.form(column) == Form::Number)
    }

    /// The columns whose numbers come as bigints.
    pub fn bigints(&self) -> impl Iterator<Item = usize> {
        (0..self.kinds.len()).filter(|column| self.form(*column) == Form::BigInt)
    }

    /// Text throughout where a number would be changed, or bigints where these are asked for and can be.
    fn form(&self, column: usize) -> Form {
        let kinds = self.kinds.get(column).copied().unwrap_or_default();
        if !kinds.has(Kinds::CHANGED_INTEGER | Kinds::CHANGED_DECIMAL) {
            Form::Number
        } else if self.bigints && !kinds.has(Kinds::DECIMAL) {
            Form::BigInt
        } else {
            Form::Text
        }
    }
}

/// Reads a result's text for the columns that hold a number JavaScript would change.
#[derive(Debug)]
pub struct Scan {
    walk: Walk,
    columns: Columns,
}

impl Scan {
    /// Begins at the beginning of the text.
    pub fn new(bigints: bool) -> Self {
        Self { walk: Walk::default(), columns: Columns { kinds: Vec::new(), bigints } }
    }

    /// Reads the next piece of the text.
    pub fn feed(&mut self, piece: &[u8]) {
        let columns = &mut self.columns.kinds;
        self.walk.feed(piece, &mut |event| match event {
            Event::Rows => columns.clear(),
            Event::Text(_) => {}
            Event::Number { text, column } => {
                while columns.len() <= column {
                    columns.push(Kinds::default());
                }
                let (kind, changed) = if text.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
                {
                    (Kinds::DECIMAL, Kinds::CHANGED_DECIMAL)
                } else {
                    (0, Kinds::CHANGED_INTEGER)
                };
                if let Some(kinds) = columns.get_mut(column) {
                    kinds.0 |= kind;
                    if !kinds.has(changed) && !is_kept(text) {
                        kinds.0 |= changed;
                    }
                }
            }
        });
    }

    /// How many rows the text has.
    pub fn rows(&self) -> u64 {
        self.walk.rows()
    }

    /// The columns of the text.
    pub fn columns(self) -> Columns {
        self.columns
    }
}

/// The same text with the numbers of each column in a form that keeps them.
#[derive(Debug)]
pub struct Rewrite {
    walk: Walk,
    columns: Columns,
    listed: u64,
}

impl Rewrite {
    /// Begins at the beginning of the text that the columns were found in.
    pub fn new(columns: Columns) -> Self {
        Self { walk: Walk::default(), columns, listed: 0 }
    }

    /// Appends the next piece of the text to `out`: a number that comes as text between quotes, in place of a bigint its
    /// position in the list of all. To that list, `bigints`, each one's digits and a comma are appended.
    pub fn feed(&mut self, piece: &[u8], out: &mut Vec<u8>, bigints: &mut Vec<u8>) {
        let Self { walk, columns, listed } = self;
        walk.feed(piece, &mut |event| {
            let (text, form) = match event {
                Event::Rows => return,
                Event::Text(text) => (text, Form::Number),
                // What is no JSON stays none.
                Event::Number { text, .. } if !is_number(text) => (text, Form::Number),
                Event::Number { text, column } => (text, columns.form(column)),
            };
            if form == Form::BigInt {
                out.extend_from_slice(itoa::Buffer::new().format(*listed).as_bytes());
                *listed += 1;
                bigints.extend_from_slice(text);
                bigints.push(b',');
                return;
            }
            let quote: &[u8] = if form == Form::Text { b"\"" } else { b"" };
            for part in [quote, text, quote] {
                out.extend_from_slice(part);
            }
        });
    }
}

/// A whole text with the numbers of each column in a form that keeps them: JavaScript's own, or their digits as text.
pub fn kept(text: &str) -> String {
    let mut scan = Scan::new(false);
    scan.feed(text.as_bytes());
    let mut out = Vec::with_capacity(text.len());
    Rewrite::new(scan.columns()).feed(text.as_bytes(), &mut out, &mut Vec::new());
    // Between characters nothing but quotes has come in.
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests;
