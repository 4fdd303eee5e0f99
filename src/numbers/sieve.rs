//! Whether a text may hold a number that JavaScript would change, told from few of its bytes.

use crate::float::is_kept_float;
use crate::number::{ALWAYS_KEPT, Number};

/// A number without exponent that may be changed is longer than [`ALWAYS_KEPT`]: wherever it begins, it covers one of the
/// places this far apart.
const STRIDE: usize = ALWAYS_KEPT as usize + 1;

/// Looks for numbers that JavaScript would change in a piece of a JSON text, and says how much of it is clear of them: the
/// next piece begins there. Nothing where a number is doubtful.
///
/// It knows neither strings nor rows: what it doubts may be part of a string or of another member.
pub fn clear(piece: &[u8]) -> Option<usize> {
    // A number that the piece breaks off is the next one's, with the byte before it.
    let end = piece.iter().rposition(|byte| !of_number(*byte)).filter(|end| *end > 0)?;
    let text = piece.get(..=end)?;
    // The last place with whatever number begins within a stride before it, filled up to whole strides.
    let mut tail = [b' '; 3 * STRIDE];
    let rest = text.get((text.len() / STRIDE).saturating_sub(1) * STRIDE..)?;
    tail.get_mut(..rest.len())?.copy_from_slice(rest);
    (are_clear(text) && are_clear(&tail)).then_some(end)
}

/// Whether the numbers are that cover a place in a whole stride and begin after the first byte.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn are_clear(text: &[u8]) -> bool {
    // Of the stride before the place.
    let mut before = 0u16;
    for (at, stride) in (0usize..).step_by(STRIDE).zip(text.as_chunks().0) {
        let Marks { mantissa, exponent } = Marks::of(stride);
        if mantissa & 1 == 1 {
            let back = before.leading_ones();
            let is_long = back + mantissa.trailing_ones() > ALWAYS_KEPT;
            // One that covers the whole stride before has been met at an earlier place.
            if is_long && back <= ALWAYS_KEPT && !is_clear(text, at.saturating_sub(back as usize)) {
                return false;
            }
        }
        let exponents = exponent & (mantissa << 1 | before >> 15);
        if exponents != 0 && !exponents_are_clear(text, at, exponents) {
            return false;
        }
        before = mantissa;
    }
    true
}

/// A bit for each byte of a stride, the first lowest.
struct Marks {
    /// Those that can stand before a number's exponent.
    mantissa: u16,
    /// Those that can begin it.
    exponent: u16,
}

impl Marks {
    #[cfg(target_arch = "wasm32")]
    #[target_feature(enable = "simd128")]
    fn of(stride: &[u8; STRIDE]) -> Self {
        use std::arch::wasm32::*;
        let stride = u128::from_le_bytes(*stride);
        let bytes = u64x2(stride as u64, (stride >> 64) as u64);
        let mantissa = u8x16_le(u8x16_sub(bytes, u8x16_splat(b'-')), u8x16_splat(b'9' - b'-'));
        let exponent = u8x16_eq(v128_or(bytes, u8x16_splat(0x20)), u8x16_splat(b'e'));
        Self { mantissa: u8x16_bitmask(mantissa), exponent: u8x16_bitmask(exponent) }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn of(stride: &[u8; STRIDE]) -> Self {
        let marks = |of: fn(u8) -> bool| {
            stride.iter().rev().fold(0, |marks, byte| marks << 1 | u16::from(of(*byte)))
        };
        Self { mantissa: marks(of_mantissa), exponent: marks(|byte| matches!(byte, b'e' | b'E')) }
    }
}

/// Whether what begins at `start` is a number that is kept, or none.
fn is_clear(text: &[u8], start: usize) -> bool {
    !may_precede(text, start)
        || is_kept_float(text, start).unwrap_or_else(|| {
            let number = Number::at(text, start);
            let follows = text.get(number.end).is_some_and(|byte| b",]} \n\r\t".contains(byte));
            !follows || number.is_kept()
        })
}

/// Whether no number has an exponent of three digits or more, of those marked in the stride at `from`: fewer leave a short
/// number in the range of floats.
fn exponents_are_clear(text: &[u8], from: usize, mut marked: u16) -> bool {
    while marked != 0 {
        let at = from + marked.trailing_zeros() as usize;
        marked &= marked - 1;
        let is_far = match text.get(at + 1..at + 5) {
            Some([b'+' | b'-', digits @ ..] | [digits @ .., _]) => {
                digits.iter().all(u8::is_ascii_digit)
            }
            _ => false,
        };
        // A longer one has been met at a place.
        let from = at.saturating_sub(STRIDE);
        let before = text.get(from..at).and_then(|run| run.iter().rposition(|b| !of_number(*b)));
        if is_far && before.is_some_and(|before| may_precede(text, from + before + 1)) {
            return false;
        }
    }
    true
}

/// Whether a number may begin at `start`, by the byte before it.
fn may_precede(text: &[u8], start: usize) -> bool {
    text.get(start.wrapping_sub(1)).is_some_and(|byte| b"[,: \n\r\t".contains(byte))
}

/// Whether the byte can stand in a number.
fn of_number(byte: u8) -> bool {
    of_mantissa(byte) || matches!(byte, b'+' | b'e' | b'E')
}

/// Whether the byte can stand before a number's exponent: a minus, a point, a digit, or the slash among them.
fn of_mantissa(byte: u8) -> bool {
    matches!(byte, b'-'..=b'9')
}
