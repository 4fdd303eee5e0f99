//! Numbers that JavaScript's own would change: found in a result's JSON text, and quoted.
//!
//! A column with one such number becomes text throughout, so that a program meets one type per column. The text goes
//! through in pieces of any size; nothing of it is kept but the number being read.

use std::cmp::Ordering;

/// The largest integer up to which JavaScript tells all integers apart, 2^53 - 1.
const MAX_SAFE: &[u8] = b"9007199254740991";
/// As many digits as any 64-bit float keeps.
const ALWAYS_KEPT: usize = 15;

/// The most digits a 64-bit float's shortest text has.
const EVER_NEEDED: usize = 17;

/// Whether a JSON number reads back digit for digit from a JavaScript number.
pub fn is_kept(number: &str) -> bool {
    let magnitude = number.strip_prefix('-').unwrap_or(number);
    if is_a_floats_own_text(magnitude) {
        return true;
    }
    if magnitude.bytes().all(|b| b.is_ascii_digit()) {
        let digits = magnitude.trim_start_matches('0').as_bytes();
        return digits.len() < MAX_SAFE.len()
            || (digits.len() == MAX_SAFE.len() && digits <= MAX_SAFE);
    }
    let exact = Digits::of(magnitude);
    match exact.count {
        // Within the range of floats, so many digits survive the way there and back.
        0..=ALWAYS_KEPT if exact.exponent.abs() < 300 => true,
        0..=EVER_NEEDED => is_shortest(&exact),
        _ => false,
    }
}

/// Whether a decimal without exponent is, to the letter, what some float prints as. Most long decimals of a result are:
/// this answers for them in one pass. False says nothing.
fn is_a_floats_own_text(magnitude: &str) -> bool {
    let (mut value, mut digits, mut fraction, mut after_point) = (0u64, 0, 0, false);
    for byte in magnitude.bytes() {
        match byte {
            b'.' => after_point = true,
            b'0'..=b'9' if digits < 19 => {
                value = value * 10 + u64::from(byte & 15);
                digits += usize::from(value > 0);
                fraction += i32::from(after_point);
            }
            _ => return false,
        }
    }
    // Powers of ten are floats themselves up to here.
    if !(1..=22).contains(&fraction) {
        return false;
    }
    digits <= ALWAYS_KEPT
        || zmij::Buffer::new().format_finite(quotient(value, 10f64.powi(fraction))) == magnitude
}

/// The float nearest to `value / divisor`, for all but a few: the rounding of the division is put right by what it left
/// over (Dekker, 1971).
fn quotient(value: u64, divisor: f64) -> f64 {
    let high = value as f64;
    let low = value.wrapping_sub(high as u64) as i64 as f64;
    let first = high / divisor;
    let split = |float: f64| {
        let scaled = float * 134_217_729.0;
        let upper = scaled - (scaled - float);
        (upper, float - upper)
    };
    let ((a, b), (c, d)) = (split(first), split(divisor));
    let product = first * divisor;
    let error = ((a * c - product) + a * d + b * c) + b * d;
    first + (((high - product) - error) + low) / divisor
}

/// Whether the digits are the shortest text of some float: they then read back as that float, which prints as they are.
/// The float is looked for from a computed guess on, so that no exact parser has to be carried.
fn is_shortest(exact: &Digits) -> bool {
    let power = exact.exponent + 1 - exact.count as i32;
    // In two steps, since the power alone may be no float.
    let guess = exact.value as f64 * 10f64.powi(power / 2) * 10f64.powi(power - power / 2);
    let mut float = guess.min(f64::MAX);
    let first = Digits::of(zmij::Buffer::new().format_finite(float)).order(exact);
    // The guess is a few floats off at the most; 64 of them are far beyond.
    for _ in 0..64 {
        let order = Digits::of(zmij::Buffer::new().format_finite(float)).order(exact);
        match order {
            Ordering::Equal => return true,
            passed if passed != first => return false,
            Ordering::Less if float == f64::MAX => return false,
            Ordering::Less => float = float.next_up(),
            Ordering::Greater => float = float.next_down(),
        }
    }
    false
}

/// A number's digits without the zeros around them, and the power of ten of the first.
#[derive(Debug, Default, PartialEq, Eq)]
struct Digits {
    value: u64,
    count: usize,
    exponent: i32,
}

impl Digits {
    /// How two numbers of at most 17 digits compare.
    fn order(&self, other: &Self) -> Ordering {
        let aligned = |digits: &Self| {
            digits.value * 10u64.pow((EVER_NEEDED - digits.count.min(EVER_NEEDED)) as u32)
        };
        let key = |digits: &Self| (digits.count > 0, digits.exponent, aligned(digits));
        key(self).cmp(&key(other))
    }

    fn of(magnitude: &str) -> Self {
        let (mantissa, exponent) = magnitude.split_once(['e', 'E']).unwrap_or((magnitude, "0"));
        let point = mantissa.find('.').unwrap_or(mantissa.len());
        let digits = || mantissa.bytes().filter(|b| *b != b'.').map(|b| u64::from(b & 15));
        let leading = digits().take_while(|digit| *digit == 0).count();
        let trailing = digits().rev().take_while(|digit| *digit == 0).count();
        let all = digits().count();
        if leading == all {
            return Self::default();
        }
        let count = all - leading - trailing;
        // More than 19 digits do not fit, and are not looked at: no float needs them.
        let value =
            digits().skip(leading).take(count.min(19)).fold(0, |value, digit| value * 10 + digit);
        let exponent = exponent.parse::<i32>().unwrap_or(1_000_000).clamp(-1_000_000, 1_000_000);
        Self { value, count, exponent: exponent + point as i32 - leading as i32 - 1 }
    }
}

/// Some of a result's columns, by position from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns(Vec<bool>);

impl Columns {
    /// Whether the column is among them.
    pub fn has(&self, column: usize) -> bool {
        self.0.get(column).copied().unwrap_or(false)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes a column in.
    pub fn add(&mut self, column: usize) {
        if self.0.len() <= column {
            self.0.resize(column + 1, false);
        }
        self.0[column] = true;
    }
}

/// The columns of a result that hold a number JavaScript would change.
#[derive(Debug, Default)]
pub struct Scan {
    walk: Walk,
    columns: Columns,
}

impl Scan {
    /// Reads the next piece of the text.
    pub fn feed(&mut self, piece: &[u8]) {
        let columns = &mut self.columns;
        self.walk.feed(piece, |event| {
            if let Event::Number { text, column } = event
                && text.len() > ALWAYS_KEPT
                && !columns.has(column)
                && std::str::from_utf8(text).is_ok_and(|text| !is_kept(text))
            {
                columns.add(column);
            }
        });
    }

    /// The columns found.
    pub fn columns(self) -> Columns {
        self.columns
    }
}

/// The same text with every number of the given columns between quotes.
#[derive(Debug)]
pub struct Quoted {
    walk: Walk,
    columns: Columns,
}

impl Quoted {
    /// For the columns a [`Scan`] found.
    pub fn new(columns: Columns) -> Self {
        Self { walk: Walk::default(), columns }
    }

    /// Appends the next piece of the text to `out`, changed.
    pub fn feed(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        let columns = &self.columns;
        self.walk.feed(piece, |event| match event {
            Event::Text(text) => out.extend_from_slice(text),
            Event::Number { text, column } if columns.has(column) => {
                out.push(b'"');
                out.extend_from_slice(text);
                out.push(b'"');
            }
            Event::Number { text, .. } => out.extend_from_slice(text),
        });
    }
}

enum Event<'a> {
    /// A number within a row, whole.
    Number { text: &'a [u8], column: usize },
    /// Everything else, as it came.
    Text(&'a [u8]),
}

/// Where in `{…, "rows": [[cell, …], …], …}` the text stands.
#[derive(Debug, Default)]
struct Walk {
    depth: usize,
    column: usize,
    in_rows: bool,
    in_string: bool,
    escaped: bool,
    /// The last string of the outermost object, while it may be a key.
    key: Vec<u8>,
    /// The beginning of a number that a piece broke off.
    number: Vec<u8>,
}

impl Walk {
    fn feed(&mut self, piece: &[u8], mut sink: impl FnMut(Event)) {
        let mut at = 0;
        let mut passed = 0;
        while at < piece.len() {
            if self.in_string {
                at = self.string(piece, at);
                continue;
            }
            let byte = piece[at];
            let starts_number = byte == b'-' || byte.is_ascii_digit();
            if !self.number.is_empty() || (starts_number && self.in_rows && self.depth >= 3) {
                let end = piece[at..]
                    .iter()
                    .position(|b| !matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
                    .map_or(piece.len(), |length| at + length);
                sink(Event::Text(&piece[passed..at]));
                passed = end;
                if end == piece.len() {
                    self.number.extend_from_slice(&piece[at..end]);
                } else if self.number.is_empty() {
                    sink(Event::Number { text: &piece[at..end], column: self.column });
                } else {
                    self.number.extend_from_slice(&piece[at..end]);
                    sink(Event::Number { text: &self.number, column: self.column });
                    self.number.clear();
                }
                at = end;
                continue;
            }
            self.step(byte);
            at += 1;
        }
        sink(Event::Text(&piece[passed..]));
    }

    fn step(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.in_string = true;
                if self.depth == 1 {
                    self.key.clear();
                }
            }
            b'[' | b'{' => {
                self.depth += 1;
                if self.depth == 3 {
                    self.column = 0;
                }
            }
            b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            b',' if self.depth == 3 => self.column += 1,
            b':' if self.depth == 1 => self.in_rows = self.key == b"rows",
            _ => {}
        }
    }

    /// Passes over a string, or what of it the piece holds.
    fn string(&mut self, piece: &[u8], from: usize) -> usize {
        let mut at = from;
        while at < piece.len() {
            let byte = piece[at];
            at += 1;
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' {
                self.escaped = true;
            } else if byte == b'"' {
                self.in_string = false;
                break;
            }
            if self.depth == 1 && self.key.len() < 8 {
                self.key.push(byte);
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_javascript_keeps() {
        for number in [
            "0",
            "-0",
            "9007199254740991",
            "-9007199254740991",
            "0.1",
            "-0.0",
            "1.0e16",
            "1e-7",
            "100.00",
            "0.30000000000000004",
            "1.7976931348623157e308",
            "5e-324",
            "123456789012345.0",
            "16777216.0",
            "0.0000000000000000000000000000012345",
        ] {
            assert!(is_kept(number), "{number}");
        }
    }

    #[test]
    fn numbers_that_javascript_changes() {
        for number in [
            "9007199254740992",
            "9007199254740993",
            "-9223372036854775808",
            "18446744073709551615",
            "12345678901234567890.12",
            "999999999999999999999999999999999999.99",
            "0.10000000000000001",
            "1e400",
            "0.3000000000000000444",
            "1e-400",
        ] {
            assert!(!is_kept(number), "{number}");
        }
    }

    #[test]
    fn it_agrees_with_an_exact_parser() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..20_000 {
            let float = f64::from_bits(random() & !(1 << 63));
            if float.is_finite() {
                assert!(is_kept(zmij::Buffer::new().format_finite(float)), "{float:e}");
            }
            let digits = 16 + random() % 4;
            let mantissa = random() % 10u64.pow(digits as u32);
            let text = format!("{mantissa}.0e{}", (random() % 640) as i64 - 340);
            let parsed: f64 = text.parse().unwrap();
            let shortest = parsed.is_finite()
                && Digits::of(zmij::Buffer::new().format_finite(parsed)) == Digits::of(&text);
            assert_eq!(is_kept(&text), shortest, "{text}");
        }
    }

    const RESULT: &str = r#"{"columns":["a","rows"],"note":"\"rows\": [[9007199254740993]]","rows":[[1,"9007199254740993",[2,9007199254740993],null],[3,"\\\"",[],-0.5]],"row_count":9007199254740993}"#;
    const QUOTED: &str = r#"{"columns":["a","rows"],"note":"\"rows\": [[9007199254740993]]","rows":[[1,"9007199254740993",["2","9007199254740993"],null],[3,"\\\"",[],-0.5]],"row_count":9007199254740993}"#;

    #[test]
    fn only_the_columns_that_need_it_are_quoted_whatever_the_pieces() {
        for size in 1..RESULT.len() {
            let mut scan = Scan::default();
            RESULT.as_bytes().chunks(size).for_each(|piece| scan.feed(piece));
            let columns = scan.columns();
            assert_eq!(columns, Columns(vec![false, false, true]), "pieces of {size}");
            let mut out = Vec::new();
            let mut quoted = Quoted::new(columns);
            RESULT.as_bytes().chunks(size).for_each(|piece| quoted.feed(piece, &mut out));
            assert_eq!(String::from_utf8(out).unwrap(), QUOTED, "pieces of {size}");
        }
    }

    #[test]
    fn text_that_is_no_json_passes_through() {
        for text in ["", "]]}}", "\"rows", "{\"rows\":[[-", "<html>1</html>"] {
            let mut scan = Scan::default();
            scan.feed(text.as_bytes());
            assert!(scan.columns().is_empty());
        }
    }
}
