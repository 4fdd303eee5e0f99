//! Most of a result's long numbers are floats as they print. They are read eight digits at a time.

use crate::number::{ALWAYS_KEPT, FAR_IN_RANGE};
use crate::shortest::{MOST_DIGITS, of_scale, ten_to};

/// Bytes that are looked at together.
const WORD: usize = 8;

/// Whether the number that begins at `start` is kept, where this can be told in few steps: most floats as they print.
pub fn is_kept_float(text: &[u8], start: usize) -> Option<bool> {
    let mut at = start + usize::from(text.get(start) == Some(&b'-'));
    let (mut value, mut digits, mut point) = (0u64, 0u32, None);
    loop {
        let next = Digits::at(text, at);
        digits += next.count - if value == 0 { next.zeros() } else { 0 };
        value = value.wrapping_mul(ten_to(next.count)).wrapping_add(next.value());
        at += next.count as usize;
        if (next.count as usize) < WORD {
            if point.is_some() || text.get(at) != Some(&b'.') {
                break;
            }
            at += 1;
            point = Some(at);
        }
    }
    let mut scale = at - point?;
    let last = text.get(at - 1).copied().filter(|last| *last != b'0')? & 15;
    if let Some(b'e' | b'E') = text.get(at) {
        let exponent = Digits::at(text, at + 2);
        if text.get(at + 1) != Some(&b'-') || exponent.count > 2 {
            return None;
        }
        scale += exponent.value() as usize;
    }
    match digits {
        ..=ALWAYS_KEPT if scale < FAR_IN_RANGE as usize => Some(true),
        ..=MOST_DIGITS => of_scale(value, scale, last),
        _ => None,
    }
}

/// Up to eight digits.
struct Digits {
    /// Each one's value in a byte, the first lowest; anything above them.
    bytes: u64,
    count: u32,
}

impl Digits {
    fn at(text: &[u8], at: usize) -> Self {
        let bytes = word(text, at) ^ of(b'0');
        // The lowest byte over 9 has its top bit set; what is carried into those above does not matter.
        let others = (bytes.wrapping_add(of(0x76)) | bytes) & of(0x80);
        Self { bytes, count: others.trailing_zeros() / 8 }
    }

    /// How many zeros come first.
    fn zeros(&self) -> u32 {
        self.bytes.trailing_zeros() / 8
    }

    /// The number that they make.
    fn value(&self) -> u64 {
        let bytes = self.bytes.checked_shl(64 - 8 * self.count).unwrap_or_default();
        let pairs = bytes.wrapping_mul(10).wrapping_add(bytes >> 8) & 0x00ff_00ff_00ff_00ff;
        let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
        fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff
    }
}

/// The byte, eight times.
const fn of(byte: u8) -> u64 {
    u64::from_le_bytes([byte; WORD])
}

/// Eight bytes of the text, the first lowest; zeros past its end.
fn word(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}
