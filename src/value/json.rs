//! JSON text, read and written for the one [`Value`] type. A general library takes a tenth of the download, most of it to
//! read floats, which every host can do.

use std::fmt::Write as _;

use crate::number;
use crate::vector::Vector;

use super::Value;

/// The deepest nesting that is read.
const MAX_DEPTH: u32 = 128;
const MAX_SAFE: u64 = number::MAX_SAFE as u64;

impl Value {
    /// The value as compact JSON; what is no JSON is null, an [`Value::Integer`] a string of its digits.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        self.write_json(&mut json);
        json
    }

    fn write_json(&self, json: &mut String) {
        match self {
            Value::Null | Value::Undefined | Value::Other(_) => json.push_str("null"),
            Value::Bool(value) => json.push_str(if *value { "true" } else { "false" }),
            Value::Number(value) => write_number(*value, json),
            Value::Integer(text) | Value::Text(text) => write_text(text, json),
            Value::List(items) => {
                json.push('[');
                for (at, item) in items.iter().enumerate() {
                    comma(at, json);
                    item.write_json(json);
                }
                json.push(']');
            }
            Value::Numbers(vector) => {
                json.push('[');
                match vector {
                    Vector::F64(values) => {
                        for (at, value) in values.iter().enumerate() {
                            comma(at, json);
                            write_number(*value, json);
                        }
                    }
                    Vector::F32(values) => {
                        for (at, value) in values.iter().enumerate() {
                            comma(at, json);
                            write_number(f64::from(*value), json);
                        }
                    }
                }
                json.push(']');
            }
            Value::Object(members) => {
                json.push('{');
                for (at, (name, value)) in members.iter().enumerate() {
                    comma(at, json);
                    write_text(name, json);
                    json.push(':');
                    value.write_json(json);
                }
                json.push('}');
            }
        }
    }
}

/// Reads JSON text (RFC 8259); nothing where it is none. `float` reads a number that is not whole.
pub fn parse(text: &str, float: fn(&str) -> f64) -> Option<Value> {
    let mut parser = Parser::new(text, float);
    let value = parser.value(0)?;
    (parser.peek().is_none()).then_some(value)
}

/// Where in a JSON text reading stands.
pub struct Parser<'a> {
    text: &'a str,
    at: usize,
    float: fn(&str) -> f64,
}

impl<'a> Parser<'a> {
    /// At the start of a text.
    pub fn new(text: &'a str, float: fn(&str) -> f64) -> Self {
        Self { text, at: 0, float }
    }

    /// How many bytes have been read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The next byte that is no white space.
    pub fn peek(&mut self) -> Option<u8> {
        self.skip(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t'));
        self.byte()
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self, passes: fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.byte().is_some_and(passes) {
            self.at += 1;
        }
        self.at - start
    }

    /// Reads over white space and this byte.
    pub fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// The next value, nested so deep.
    pub fn value(&mut self, depth: u32) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.peek()? {
            b'"' => self.string().map(Value::Text),
            b'[' => self.array(depth),
            b'{' => self.object(depth),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Option<Value> {
        self.text.get(self.at..)?.starts_with(word).then(|| {
            self.at += word.len();
            value
        })
    }

    fn array(&mut self, depth: u32) -> Option<Value> {
        let (mut items, mut numbers) = (Vec::new(), Vec::new());
        self.take(b'[')?;
        while self.peek()? != b']' {
            if !items.is_empty() {
                self.take(b',')?;
            }
            let item = self.value(depth + 1)?;
            if let Value::Number(number) = item {
                numbers.push(number);
            }
            items.push(item);
        }
        self.at += 1;
        let packed = !items.is_empty() && numbers.len() == items.len();
        Some(if packed { Value::Numbers(Vector::F64(numbers)) } else { Value::List(items) })
    }

    fn object(&mut self, depth: u32) -> Option<Value> {
        let mut members = Vec::new();
        self.take(b'{')?;
        while self.peek()? != b'}' {
            if !members.is_empty() {
                self.take(b',')?;
                self.peek()?;
            }
            let name = self.string()?;
            self.take(b':')?;
            members.push((name, self.value(depth + 1)?));
        }
        self.at += 1;
        Some(Value::Object(members))
    }

    /// The string that starts here.
    pub fn string(&mut self) -> Option<String> {
        let start = self.at;
        if self.byte()? != b'"' {
            return None;
        }
        let mut plain = true;
        loop {
            self.at += 1;
            match self.byte()? {
                b'"' => break,
                b'\\' => {
                    plain = false;
                    self.at += 1;
                }
                0..=0x1f => return None,
                _ => {}
            }
        }
        self.at += 1;
        if plain {
            return self.text.get(start + 1..self.at - 1).map(str::to_owned);
        }
        unquoted(self.text.get(start..self.at)?)
    }

    fn number(&mut self) -> Option<Value> {
        let start = self.at;
        let is_digit = |byte: u8| byte.is_ascii_digit();
        if self.byte()? == b'-' {
            self.at += 1;
        }
        match self.byte()? {
            b'0' => self.at += 1,
            _ => (self.skip(is_digit) > 0).then_some(())?,
        }
        let mut whole = true;
        if self.byte() == Some(b'.') {
            whole = false;
            self.at += 1;
            (self.skip(is_digit) > 0).then_some(())?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            whole = false;
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            (self.skip(is_digit) > 0).then_some(())?;
        }
        let text = self.text.get(start..self.at)?;
        if !whole {
            return Some(Value::Number((self.float)(text)));
        }
        Some(match text.parse::<i64>() {
            Ok(value) if value.unsigned_abs() <= MAX_SAFE => Value::Number(value as f64),
            _ => Value::Integer(text.to_owned()),
        })
    }
}

fn comma(at: usize, json: &mut String) {
    if at > 0 {
        json.push(',');
    }
}

fn write_number(value: f64, json: &mut String) {
    if value.is_finite() {
        json.push_str(&number::plain(value));
    } else {
        json.push_str("null");
    }
}

fn write_text(text: &str, json: &mut String) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            // RFC 8259 allows no control character within a string.
            '\0'..='\x1f' => {
                let _ = write!(json, "\\u{:04x}", u32::from(character));
            }
            _ => json.push(character),
        }
    }
    json.push('"');
}

/// What a JSON string says; nothing where the text is none.
pub fn unquoted(json: &str) -> Option<String> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        text.push(match characters.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\x08',
            'f' => '\x0c',
            'u' => {
                let unit = code_unit(&mut characters)?;
                let mut ahead = characters.clone();
                let pair = (unit & 0xfc00 == 0xd800
                    && ahead.next() == Some('\\')
                    && ahead.next() == Some('u'))
                .then(|| code_unit(&mut ahead))
                .flatten()
                .filter(|low| low & 0xfc00 == 0xdc00);
                match pair {
                    Some(low) => {
                        characters = ahead;
                        char::from_u32(0x1_0000 + ((unit & 0x3ff) << 10) + (low & 0x3ff))?
                    }
                    // Half a pair stands for nothing.
                    None => char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER),
                }
            }
            escaped @ ('"' | '\\' | '/') => escaped,
            _ => return None,
        });
    }
    Some(text)
}

fn code_unit(characters: &mut std::str::Chars) -> Option<u32> {
    let mut unit = 0;
    for _ in 0..4 {
        unit = unit * 16 + characters.next()?.to_digit(16)?;
    }
    Some(unit)
}

/// A whole number, as a JavaScript number where that holds it.
pub(super) fn whole(value: u64) -> Value {
    if value <= MAX_SAFE { Value::Number(value as f64) } else { Value::Integer(value.to_string()) }
}

#[cfg(test)]
impl From<serde_json::Value> for Value {
    fn from(value: serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(value) => Value::Bool(value),
            serde_json::Value::Number(value) => Value::Number(value.as_f64().unwrap()),
            serde_json::Value::String(text) => Value::Text(text),
            serde_json::Value::Array(items) => {
                let numbers: Option<Vec<f64>> = items.iter().map(|item| item.as_f64()).collect();
                match numbers.filter(|numbers| !numbers.is_empty()) {
                    Some(numbers) => Value::Numbers(Vector::F64(numbers)),
                    None => Value::List(items.into_iter().map(Value::from).collect()),
                }
            }
            serde_json::Value::Object(members) => Value::Object(
                members.into_iter().map(|(name, value)| (name, value.into())).collect(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let text = r#"{"a":null,"b":[true,"x",-1,2.5],"c":{"d":[]},"e":"é","f":[1,0.5]}"#;
        let value = Value::from(serde_json::from_str::<serde_json::Value>(text).unwrap());
        assert_eq!(value.to_json(), text);
        let odd = Value::List(vec![
            Value::Integer("18446744073709551615".into()),
            Value::Number(f64::NAN),
            Value::Undefined,
            Value::Numbers(Vector::F32(vec![0.5, f32::INFINITY])),
        ]);
        assert_eq!(odd.to_json(), r#"["18446744073709551615",null,null,[0.5,null]]"#);
    }

    fn parsed(text: &str) -> Option<Value> {
        parse(text, |number| number.parse().unwrap())
    }

    fn by_a_library(text: &str) -> Option<Value> {
        serde_json::from_str::<serde_json::Value>(text).ok().map(Value::from)
    }

    #[test]
    fn json_is_read_as_a_library_reads_it() {
        let pieces = [
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"\\u00e9\\n\"",
            "\"",
            "1",
            "-0.5",
            "1E-2",
            "0",
            "01",
            "-",
            ".5",
            "true",
            "null",
            "nul",
            " ",
            "\n",
            "é",
            "\\",
            "{\"b\":[1,null]}",
            "[1,2]",
        ];
        let mut state = 5u64;
        let (mut read, mut refused) = (0, 0);
        for _ in 0..200_000 {
            let mut text = String::new();
            for _ in 0..1 + (state >> 40) % 7 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            }
            let expected = by_a_library(&text);
            match &expected {
                // A library keeps the last of two members of one name; ours keeps both, and gives the last.
                Some(_)
                    if text.matches("\"a\"").count() > 1 || text.matches("\"b\"").count() > 1 =>
                {
                    continue;
                }
                Some(_) => read += 1,
                None => refused += 1,
            }
            let ours = parsed(&text).map(|value| value.to_json());
            let order = |json: Option<String>| {
                json.map(|json| serde_json::from_str::<serde_json::Value>(&json).unwrap())
            };
            assert_eq!(order(ours), order(expected.map(|value| value.to_json())), "{text}");
        }
        assert!(read > 2_000 && refused > 2_000, "{read} {refused}");
    }

    #[test]
    fn integers_keep_their_digits_and_nesting_has_an_end() {
        let Some(Value::List(items)) =
            parsed("[18446744073709551615,-9223372036854775808,9007199254740991,1.5]")
        else {
            panic!("a list")
        };
        assert_eq!(items[0], Value::Integer("18446744073709551615".into()));
        assert_eq!(items[1], Value::Integer("-9223372036854775808".into()));
        assert_eq!(items[2], Value::Number(9_007_199_254_740_991.0));
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parsed(&nested(129)).is_some());
        assert!(parsed(&nested(130)).is_none());
    }

    #[test]
    fn every_string_is_written_and_read_as_a_library_does() {
        let mut state = 11u64;
        let alphabet =
            ['"', '\\', '\n', '\r', '\t', '\0', '\x1f', '/', 'u', 'é', '日', '👍', '\u{2028}'];
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..6 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push(alphabet[(state >> 33) as usize % alphabet.len()]);
            }
            let ours = Value::from(text.as_str()).to_json();
            assert_eq!(serde_json::from_str::<String>(&ours).unwrap(), text);
            assert_eq!(unquoted(&ours).as_ref(), Some(&text));
            assert_eq!(unquoted(&serde_json::to_string(&text).unwrap()), Some(text));
        }
    }

    #[test]
    fn escapes_are_read_pairs_and_halves_of_pairs_too() {
        for (json, text) in [
            (r#""\ud83d\udc4d""#, Some("👍")),
            (r#""\ud83d""#, Some("\u{fffd}")),
            (r#""\ud83d\n""#, Some("\u{fffd}\n")),
            (r#""\ud83d\u0041""#, Some("\u{fffd}A")),
            (r#""\/\b\f""#, Some("/\x08\x0c")),
            (r#""\u00""#, None),
            (r#""\"#, None),
            ("1", None),
            ("null", None),
            ("\"", None),
        ] {
            assert_eq!(unquoted(json).as_deref(), text, "{json}");
        }
    }
}
