//! Whether JavaScript's numbers keep those of a JSON text, digit for digit.
//!
//! A crate of its own so that these loops alone are built for speed; the rest of the module is built for size. Nothing
//! here is generic: a generic function would be compiled into its caller.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod float;
mod number;
mod shortest;
mod sieve;
#[cfg(test)]
mod tests;

pub use sieve::clear;

use float::is_kept_float;
use number::Number;

/// Whether a number, as JSON writes them, reads back digit for digit from a JavaScript number.
pub fn is_kept(number: &[u8]) -> bool {
    is_kept_float(number, 0).unwrap_or_else(|| Number::at(number, 0).is_kept())
}

/// Whether a text is a number as JSON writes them.
pub fn is_number(text: &[u8]) -> bool {
    Number::at(text, 0).is_all_of(text)
}
