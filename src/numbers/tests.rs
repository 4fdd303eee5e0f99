//! Against the standard library's parser and printer, which share nothing with this crate's ways.

use crate::{clear, is_kept, is_number};

/// The digits without the zeros around them, and the power of ten of the first.
fn normal(text: &str) -> (String, i64) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    let first = whole.len() as i64 - (digits.len() - significant.len()) as i64;
    match significant.trim_end_matches('0') {
        "" => (String::new(), 0),
        // As far off as any that fits.
        digits => (digits.to_owned(), first + exponent.parse::<i64>().unwrap_or(i64::MAX / 2)),
    }
}

fn reads_back(number: &str) -> bool {
    let magnitude = number.trim_start_matches('-');
    if magnitude.bytes().all(|b| b.is_ascii_digit()) {
        return magnitude.parse::<u128>().is_ok_and(|value| value < 1 << 53);
    }
    let float: f64 = magnitude.parse().unwrap();
    float.is_finite() && normal(&printed(float)) == normal(magnitude)
}

/// What JavaScript prints: the fewest digits that read back, of these the nearest, of two as near the even one. The
/// standard library takes the upper one.
fn printed(float: f64) -> String {
    let shortest = format!("{float:e}");
    if !(1e-9..1e40).contains(&float) {
        // Out here, no float stands half way between two numbers of 17 digits.
        return shortest;
    }
    let places = shortest.find('e').unwrap_or_default().saturating_sub(2);
    let nearest = format!("{float:.places$e}");
    if nearest.parse() == Ok(float) { nearest } else { shortest }
}

/// Whether its exponent has three digits or more: such a number is always doubtful.
fn is_far(number: &str) -> bool {
    number
        .split_once('e')
        .is_some_and(|(_, exponent)| exponent.trim_start_matches(['+', '-']).len() > 2)
}

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn digits(&mut self, count: u64) -> String {
        (0..count).map(|_| char::from(b'0' + self.below(10) as u8)).collect()
    }

    /// A number's text: of some kind that results hold, or that is hard to judge.
    fn number(&mut self) -> String {
        let sign = if self.below(2) == 0 { "-" } else { "" };
        let float = match self.below(4) {
            0 => f64::from_bits(self.next() >> 1),
            1 => (self.next() as i64 as f64) / 10f64.powi(self.below(26) as i32),
            // Next to a power of two.
            2 => {
                f64::from_bits((self.below(2046) << 52).wrapping_add(self.below(5)).wrapping_sub(2))
            }
            _ => f64::from_bits(self.below(1 << 52) >> self.below(50)),
        };
        let float = if float.is_finite() { float.abs() } else { 1.5 };
        let magnitude = match self.below(8) {
            0 => format!("{float}"),
            1 => format!("{float:e}"),
            // A last digit or more off.
            2 => format!("{float:.*e}", 14 + self.below(6) as usize),
            3 => format!("{float:.*}", self.below(26) as usize),
            4 => {
                let digits = 1 + self.below(40);
                format!("{}{}", 1 + self.below(9), self.digits(digits - 1))
            }
            5 => {
                let (whole, fraction) = (self.below(20), 1 + self.below(30));
                format!("{}.{}", self.whole(whole), self.digits(fraction))
            }
            6 => {
                let (digits, exponent) = (self.below(20), self.below(700) as i64 - 350);
                format!("{}.{}e{exponent:+}", self.below(10), self.digits(digits + 1))
            }
            _ => {
                let (digits, zeros) = (1 + self.below(17), self.below(25) as usize);
                format!(
                    "0.{}{}{}",
                    "0".repeat(zeros / 2),
                    self.digits(digits),
                    "0".repeat(zeros / 2)
                )
            }
        };
        format!("{sign}{magnitude}")
    }

    fn whole(&mut self, digits: u64) -> String {
        match digits {
            0 => "0".to_owned(),
            _ => format!("{}{}", 1 + self.below(9), self.digits(digits - 1)),
        }
    }
}

#[test]
fn numbers_that_javascript_keeps() {
    for number in [
        "0",
        "-0",
        "9007199254740991",
        "-9007199254740991",
        "0.1",
        "-0.0",
        "0e9999999999",
        "0.00000000000000000000000000000",
        "1.0e16",
        "1e-7",
        "100.00",
        "0.30000000000000004",
        "1.7976931348623157e308",
        "5e-324",
        "123456789012345.0",
        "16777216.0",
        "0.0000000000000000000000000000012345",
        "1.50000000000000000000000000000000000000",
        "2251799813685248.5",
        "0.5000000000000001",
        "2.2250738585072014E-308",
    ] {
        assert!(reads_back(number), "{number}");
        assert!(is_kept(number.as_bytes()), "{number}");
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
        "1E+400",
        "0.3000000000000000444",
        "1e-400",
        "3e-324",
        "1.7976931348623159e308",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "9007199254740993.0",
        "1.00000000000000000000000000000000000001",
    ] {
        assert!(!reads_back(number), "{number}");
        assert!(!is_kept(number.as_bytes()), "{number}");
    }
}

#[test]
fn how_many_zeros_follow_the_point_decides_too() {
    for (zeros, is_kept_there) in
        [(280, true), (310, true), (323, true), (324, false), (400, false)]
    {
        let number = format!("0.{}5", "0".repeat(zeros));
        assert_eq!(reads_back(&number), is_kept_there, "{zeros} zeros");
        assert_eq!(is_kept(number.as_bytes()), is_kept_there, "{zeros} zeros");
    }
}

#[test]
fn every_number_is_judged_as_an_exact_parser_would() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut kept = 0;
    for _ in 0..2_000_000 {
        let number = random.number();
        let reads_back = reads_back(&number);
        assert_eq!(is_kept(number.as_bytes()), reads_back, "{number}");
        kept += u32::from(reads_back);
    }
    assert!((400_000..1_600_000).contains(&kept), "{kept} of one kind prove little");
}

#[test]
fn a_text_is_clear_only_if_every_number_in_it_is_kept() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut clear_texts = 0;
    for _ in 0..400_000 {
        let number = random.number();
        let before = " ".repeat(random.below(40) as usize)
            + ["[", ",", ": ", "\n"][random.below(4) as usize];
        let text =
            format!("{{{before}{number}{}", ["]", ",", "}", " \t,"][random.below(4) as usize]);
        let is_clear = clear(text.as_bytes()).is_some();
        if !reads_back(&number) {
            assert!(!is_clear, "{text}");
        } else if !is_far(&number) {
            assert!(is_clear, "{text}");
        }
        clear_texts += u32::from(is_clear);
    }
    assert!((80_000..320_000).contains(&clear_texts), "{clear_texts} of one kind prove little");
}

/// Reads a text as its caller does: each piece begins where the one before was left.
fn is_clear_in_pieces(text: &[u8], size: usize) -> bool {
    let mut from = 0;
    loop {
        let to = text.len().min(from + size);
        match clear(&text[from..to]) {
            Some(_) if to == text.len() => return true,
            Some(read) => from += read,
            None => return false,
        }
    }
}

#[test]
fn pieces_hide_no_number() {
    for number in ["9007199254740993", "0.10000000000000001", "-12345678901234567.89012", "1E400"] {
        for lead in 0..70 {
            let text = format!(r#"{{"rows":[[{}{number},"x"]]}}"#, " ".repeat(lead));
            // A piece has to hold a number whole, and the byte before it.
            for size in number.len() + 2..text.len() + 1 {
                assert!(!is_clear_in_pieces(text.as_bytes(), size), "{text} in pieces of {size}");
            }
        }
    }
}

#[test]
fn a_clear_text_is_clear_in_pieces() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut text = String::from(r#"{"rows":[["#);
    for _ in 0..300 {
        let float = f64::from_bits(random.next());
        let float =
            if float.is_finite() && (1e-20..1e20).contains(&float.abs()) { float } else { 0.1 };
        text += &format!(
            "{float:?},\"{} é日 2026-08-12T00:00:00.123456789\",{},",
            random.next(),
            random.below(1 << 53)
        );
    }
    text += "1]]}";
    for size in 64..text.len().min(2_000) {
        assert!(is_clear_in_pieces(text.as_bytes(), size), "pieces of {size}");
    }
}

#[test]
fn what_stands_in_strings_is_mostly_no_number() {
    for string in [
        "550e8400-e29b-41d4-a716-446655440000",
        "12345678901234567890",
        "abc12345678901234567890",
        "12345678901234567890abc",
        "2026-08-12T00:00:00.123456789Z",
        "1e400",
    ] {
        let text = format!(r#"{{"rows":[["{string}"]]}}"#);
        assert!(clear(text.as_bytes()).is_some(), "{string}");
    }
    // What might be one is left to the exact reading.
    assert_eq!(clear(br#"["a 12345678901234567890 b"]"#), None);
}

#[test]
fn texts_that_are_no_json_are_read_without_harm() {
    for text in
        ["", "1", "12345678901234567890", "]", "--..ee++", "é", "\u{0}", "[12345678901234567890"]
    {
        let read = clear(text.as_bytes());
        assert!(read.is_none_or(|read| read > 0 && read < text.len()), "{text}: {read:?}");
    }
}

#[test]
fn a_number_is_what_json_writes() {
    for text in ["0", "-0", "10", "-1.50", "0.0", "1e5", "1E+5", "-12.34e-56", "1e00"] {
        assert!(is_number(text.as_bytes()), "{text}");
    }
    for text in [
        "", "-", "01", "-01", "00", "1.", ".5", "1.e5", "1e", "1e+", "1-2", "--1", "+1", "1.2.3",
        "1e5e5", "1e5.5", "1 ", " 1", "NaN", "0x1", "1_0", "1/2",
    ] {
        assert!(!is_number(text.as_bytes()), "{text}");
    }
}
