//! Any number, read digit by digit.

use crate::shortest::{MOST_DIGITS, is_shortest, ten_to};

/// The largest integer up to which JavaScript tells all integers apart, 2^53 - 1.
const MAX_SAFE: u64 = 9_007_199_254_740_991;
/// As many digits as any 64-bit float keeps.
pub const ALWAYS_KEPT: u32 = 15;
/// As many digits as fit 64 bits, whichever they are.
const FIT: u32 = 19;
/// Within the range of 64-bit floats, with room for a number's own digits.
pub const FAR_IN_RANGE: i32 = 290;

/// A number as it stands in a text, without its sign.
#[derive(Debug, Default)]
pub struct Number {
    /// Its digits without the zeros around them, as far as they fit.
    pub value: u64,
    /// How many those are, fitting or not; none where it is zero.
    pub digits: u32,
    /// How many places after the point the last of them stands.
    pub scale: i32,
    /// Whether it is written without point and exponent.
    is_integer: bool,
    /// Whether JSON writes numbers so.
    is_json: bool,
    /// Where it ends.
    pub end: usize,
}

impl Number {
    /// Reads the number that begins at `at`. Of text that is none, as much as reads like one.
    pub fn at(text: &[u8], at: usize) -> Self {
        let mut number = Self { is_integer: true, end: at, ..Self::default() };
        let next = |end: usize| text.get(end).copied().unwrap_or_default();
        if next(at) == b'-' {
            number.end += 1;
        }
        let first = next(number.end);
        // How many digits have passed; how many of them up to the last that is no zero, and up to the point.
        let (mut passed, mut last, mut whole) = (0, 0, 0);
        loop {
            match next(number.end) {
                b'0' => passed += 1,
                digit @ b'1'..=b'9' => {
                    passed += 1;
                    let more = if number.digits == 0 { 1 } else { passed - last };
                    number.digits += more;
                    if number.digits <= FIT {
                        number.value = number.value * ten_to(more) + u64::from(digit & 15);
                    }
                    last = passed;
                }
                b'.' if number.is_integer => {
                    number.is_integer = false;
                    whole = passed;
                }
                _ => break,
            }
            number.end += 1;
        }
        if number.is_integer {
            whole = passed;
        }
        number.scale = last as i32 - whole as i32;
        let is_whole = whole == 1 || (whole > 1 && first != b'0');
        number.is_json = is_whole && (number.is_integer || passed > whole);
        if let b'e' | b'E' = next(number.end) {
            number.is_integer = false;
            number.end += 1;
            let sign = next(number.end);
            if let b'-' | b'+' = sign {
                number.end += 1;
            }
            let (mut exponent, from) = (0, number.end);
            while let digit @ b'0'..=b'9' = next(number.end) {
                // Beyond every float, and far from what an integer holds.
                exponent = (exponent * 10 + i32::from(digit & 15)).min(100_000);
                number.end += 1;
            }
            number.is_json &= number.end > from;
            number.scale += if sign == b'-' { exponent } else { -exponent };
        }
        number
    }

    /// Whether the text, which it was read from the beginning of, is a number of JSON and nothing else.
    pub fn is_all_of(&self, text: &[u8]) -> bool {
        self.is_json && self.end == text.len()
    }

    /// How many places before the point the first digit stands.
    pub fn magnitude(&self) -> i32 {
        self.digits as i32 - self.scale
    }

    /// Whether it reads back digit for digit from a JavaScript number.
    pub fn is_kept(&self) -> bool {
        if self.is_integer {
            return match self.magnitude() {
                ..=15 => true,
                16 => self.value * ten_to(self.scale.unsigned_abs()) <= MAX_SAFE,
                _ => self.digits == 0,
            };
        }
        match self.digits {
            0 => true,
            1..=ALWAYS_KEPT if self.scale.abs() < FAR_IN_RANGE => true,
            1..=MOST_DIGITS => is_shortest(self),
            _ => false,
        }
    }
}
