//! A result's body taken apart: its head comes over to Rust, its rows stay JavaScript's.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::client::lossless::{Columns, Rewrite, Scan};
use crate::client::too_many_rows;
use crate::error::Result;

/// How much of a body is looked at in one piece; bounds what a large result takes of wasm memory.
const PIECE: u32 = 65_536;

#[wasm_bindgen(raw_module = "./result.js")]
extern "C" {
    #[wasm_bindgen(js_name = mayHaveRows)]
    fn may_have_rows(body: &Uint8Array, most: f64) -> bool;

    #[wasm_bindgen(js_name = splitResult)]
    fn split_result(pieces: &Array, bigints: &Array, bigint_columns: &Array) -> Array;
}

/// Bodies up to this length can be decoded whatever they hold.
const SMALL: u32 = 4 * 1024 * 1024;

/// An error where a large body has more rows than are wanted: decoded, short rows take many times the memory of their text.
pub fn within(body: &Uint8Array, max_rows: u64) -> Result<()> {
    if body.length() <= SMALL || !may_have_rows(body, max_rows as f64) {
        return Ok(());
    }
    let mut scan = Scan::new(false);
    each_piece(body, &mut |piece| {
        scan.feed(piece);
        Some(piece.len())
    });
    match scan.rows() {
        rows if rows > max_rows => Err(too_many_rows(rows, max_rows)),
        _ => Ok(()),
    }
}

/// The text of everything but the rows, the rows, and how many they are; nothing where the body is no such result.
///
/// A column with a number that JavaScript would change comes as text throughout; as bigints, where these are asked for
/// and it holds integers alone.
pub fn split(body: &Uint8Array, bigints: bool) -> Option<(String, JsValue, usize)> {
    let columns = columns(body, bigints);
    let split = if columns.are_kept() {
        split_result(&Array::of1(body), &Array::new(), &Array::new())
    } else {
        let bigint_columns = columns.bigints().map(|column| JsValue::from(column as u32)).collect();
        let (pieces, bigints) = rewritten(body, columns);
        split_result(&pieces, &bigints, &bigint_columns)
    };
    let head = split.get(0).as_string()?;
    let rows = split.get(1);
    let count = rows.unchecked_ref::<Array>().length() as usize;
    Some((head, rows, count))
}

/// What stands in each column. Most results hold nothing to be kept, which is found out faster.
fn columns(body: &Uint8Array, bigints: bool) -> Columns {
    let mut scan = Scan::new(bigints);
    if !each_piece(body, &mut lossless_numbers::clear) {
        each_piece(body, &mut |piece| {
            scan.feed(piece);
            Some(piece.len())
        });
    }
    scan.columns()
}

/// The body with its columns in their forms, and the bigints, both as lists of byte arrays.
fn rewritten(body: &Uint8Array, columns: Columns) -> (Array, Array) {
    let mut rewrite = Rewrite::new(columns);
    let (pieces, bigints) = (Array::new(), Array::new());
    let (mut changed, mut digits) = (Vec::new(), Vec::new());
    each_piece(body, &mut |piece| {
        changed.clear();
        digits.clear();
        rewrite.feed(piece, &mut changed, &mut digits);
        pieces.push(&Uint8Array::from(changed.as_slice()));
        bigints.push(&Uint8Array::from(digits.as_slice()));
        Some(piece.len())
    });
    (pieces, bigints)
}

/// Shows the bytes piece by piece, each beginning as far into the one before as that was read; whether all were shown.
fn each_piece(bytes: &Uint8Array, read: &mut dyn FnMut(&[u8]) -> Option<usize>) -> bool {
    let length = bytes.length();
    let mut from = 0u32;
    loop {
        let to = length.min(from.saturating_add(PIECE));
        match read(&bytes.subarray(from, to).to_vec()) {
            Some(_) if to == length => return true,
            Some(read) => from += read as u32,
            None => return false,
        }
    }
}
