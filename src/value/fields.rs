//! The members of an object, read by name and kind, with one wording of errors.

use std::ops::RangeInclusive;

use crate::error::{Code, Error, Result};
use crate::number;
use crate::text::{listed, shown};
use crate::vector::Vector;

use super::Value;

/// The named members of an object, read one by one.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'a> {
    entries: &'a [(String, Value)],
}

impl<'a> Fields<'a> {
    /// Options a program wrote: `input` must be an object with no member outside `known`. `of` names the whole.
    pub fn new(of: &str, input: &'a Value, known: &[&str]) -> Result<Self> {
        let entries: &[(String, Value)] = match input {
            Value::Null | Value::Undefined => &[],
            Value::Object(entries) => entries,
            other => {
                let kind = other.kind();
                return Err(Error::new(
                    Code::InvalidArgument,
                    format!("The options of {of} must be an object, not {kind}"),
                ));
            }
        };
        for (name, _) in entries {
            if !known.contains(&name.as_str()) {
                return Err(Error::argument(
                    &shown(name),
                    format_args!(
                        "is not an option of {of}; it takes {}",
                        if known.is_empty() { "none".to_owned() } else { listed(known) }
                    ),
                ));
            }
        }
        Ok(Self { entries })
    }

    /// An answer of the service: members nobody asks for are of no concern.
    pub fn of_answer(answer: &'a Value) -> Result<Self> {
        match answer {
            Value::Object(entries) => Ok(Self { entries }),
            other => Err(refuse("the answer", "an object", other)),
        }
    }

    /// Arguments that a tool's schema has checked.
    pub fn checked(arguments: &'a Value) -> Self {
        match arguments {
            Value::Object(entries) => Self { entries },
            _ => Self { entries: &[] },
        }
    }

    /// The member, unless it is absent, null or undefined.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        // Of a member that is there twice the last one counts, as for every reader of JSON.
        let found = self.entries.iter().rev().find(|(key, _)| key == name)?;
        Some(&found.1).filter(|value| !matches!(value, Value::Null | Value::Undefined))
    }

    /// A string.
    pub fn text(&self, name: &str) -> Result<Option<&'a str>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Text(value)) => Ok(Some(value)),
            Some(other) => Err(refuse(name, "a string", other)),
        }
    }

    /// A string that must be there.
    pub fn required_text(&self, name: &str) -> Result<&'a str> {
        self.text(name)?.ok_or_else(|| missing(name, "a string"))
    }

    /// `true` or `false`.
    pub fn bool(&self, name: &str) -> Result<Option<bool>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(*value)),
            Some(other) => Err(refuse(name, "true or false", other)),
        }
    }

    /// A whole number within `range`.
    pub fn whole(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>> {
        let Some(input) = self.get(name) else {
            return Ok(None);
        };
        let value = whole_number(input);
        match value {
            Some(value) if range.contains(&value) => Ok(Some(value)),
            _ => {
                let (least, most) = (range.start(), range.end());
                Err(refuse(name, &format!("a whole number from {least} to {most}"), input))
            }
        }
    }

    /// A finite number of at least `least`, or above it where `or_equal` is false.
    pub fn number(&self, name: &str, least: f64, or_equal: bool) -> Result<Option<f64>> {
        let Some(input) = self.get(name) else {
            return Ok(None);
        };
        match input {
            Value::Number(value)
                if value.is_finite() && (*value > least || (or_equal && *value == least)) =>
            {
                Ok(Some(*value))
            }
            other => {
                let bound = if or_equal { "of at least" } else { "above" };
                Err(refuse(
                    name,
                    &format!("a finite number {bound} {}", number::plain(least)),
                    other,
                ))
            }
        }
    }

    /// One of a few words.
    pub fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Result<Option<T>> {
        let word = self.word(name, &mut choices.iter().map(|(word, _)| *word))?;
        Ok(word.and_then(|at| choices.get(at)).map(|(_, choice)| *choice))
    }

    /// Which of the words it is.
    pub fn word(&self, name: &str, words: &mut dyn Iterator<Item = &str>) -> Result<Option<usize>> {
        let Some(input) = self.get(name) else {
            return Ok(None);
        };
        let mut known = String::from("one of ");
        for (at, word) in words.enumerate() {
            if matches!(input, Value::Text(text) if text == word) {
                return Ok(Some(at));
            }
            let comma = if at == 0 { "" } else { ", " };
            known.push_str(&format!("{comma}\"{word}\""));
        }
        Err(refuse(name, &known, input))
    }

    /// An array of strings.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<String>>> {
        let Some(input) = self.get(name) else {
            return Ok(None);
        };
        let Value::List(items) = input else {
            return Err(refuse(name, "an array of strings", input));
        };
        let mut texts = Vec::new();
        for item in items {
            match item {
                Value::Text(value) => texts.push(value.clone()),
                other => return Err(refuse(name, "an array of strings", other)),
            }
        }
        Ok(Some(texts))
    }

    /// A number of things.
    pub fn count(&self, name: &str) -> Result<Option<u64>> {
        self.whole(name, 0..=u64::MAX)
    }

    /// An array that must be there, each item still unread.
    pub fn required_items(&self, name: &str) -> Result<Vec<Value>> {
        match self.get(name) {
            None => Err(missing(name, "an array")),
            Some(_) => self.items(name, "an array"),
        }
    }

    /// An array, each item still unread; none where the member is absent.
    pub fn items(&self, name: &str, accepted: &str) -> Result<Vec<Value>> {
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(value) => value.as_list().ok_or_else(|| refuse(name, accepted, value)),
        }
    }

    /// A string of its own.
    pub fn owned_text(&self, name: &str) -> Result<Option<String>> {
        Ok(self.text(name)?.map(str::to_owned))
    }

    /// A vector: `number[]`, `Float32Array` or `Float64Array`, finite throughout.
    pub fn vector(&self, name: &str) -> Result<Option<Vector>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Numbers(vector)) => vector.clone().checked(name).map(Some),
            Some(Value::List(items)) if items.is_empty() => {
                Vector::F64(Vec::new()).checked(name).map(Some)
            }
            Some(other) => Err(refuse(name, "an array of numbers or a Float32Array", other)),
        }
    }
}

/// The error for a value of the wrong kind.
pub fn refuse(name: &str, accepted: &str, found: &Value) -> Error {
    let kind = found.kind();
    Error::argument(name, format_args!("must be {accepted}, not {kind}"))
}

/// The error for an argument that is not there.
pub fn missing(name: &str, accepted: &str) -> Error {
    Error::argument(name, format_args!("is missing: it must be {accepted}"))
}

/// A whole number of at most 2^53 - 1, or of any size as a bigint.
pub fn whole_number(input: &Value) -> Option<u64> {
    match input {
        Value::Number(value)
            if value.fract() == 0.0 && (0.0..=number::MAX_SAFE).contains(value) =>
        {
            Some(*value as u64)
        }
        Value::Integer(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// A whole number by its digits, as a model may write it: `5`, `5.0`.
pub fn whole_text(text: &str) -> Option<u64> {
    let digits = text.trim();
    let digits = digits.strip_suffix(".0").unwrap_or(digits);
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields_of(value: serde_json::Value) -> Value {
        Value::from(value)
    }

    #[test]
    fn an_unknown_member_is_named_with_what_is_taken() {
        let input = fields_of(json!({"tabel": "t"}));
        let error = Fields::new("search options", &input, &["table", "k"]).unwrap_err();
        assert_eq!(error.message, "`tabel` is not an option of search options; it takes table, k");
    }

    #[test]
    fn null_and_absent_are_the_same() {
        let input = fields_of(json!({"k": null}));
        let fields = Fields::new("o", &input, &["k"]).unwrap();
        assert_eq!(fields.whole("k", 1..=10).unwrap(), None);
        assert_eq!(fields.text("k").unwrap(), None);
    }

    #[test]
    fn whole_numbers_are_whole_and_in_range() {
        for value in
            [json!(0), json!(11), json!(2.5), json!("5"), json!([5]), json!(true), json!(-1)]
        {
            let input = fields_of(json!({"k": value}));
            let fields = Fields::new("o", &input, &["k"]).unwrap();
            let error = fields.whole("k", 1..=10).unwrap_err();
            assert!(error.message.starts_with("`k` must be a whole number from 1 to 10, not "));
        }
    }

    #[test]
    fn digits_are_a_whole_number_and_nothing_else_is() {
        for (text, expected) in
            [("5", 5), (" 7 ", 7), ("5.0", 5), ("18446744073709551615", u64::MAX)]
        {
            assert_eq!(whole_text(text), Some(expected));
        }
        for text in ["", "five", "5.5", "-1", "1e1", ".0", "18446744073709551616"] {
            assert_eq!(whole_text(text), None, "{text}");
        }
    }

    #[test]
    fn vectors_must_be_numbers_throughout() {
        for value in [json!([]), json!([1, null]), json!([1, "2"]), json!("[1]"), json!({"0": 1})] {
            let input = fields_of(json!({"vector": value}));
            let fields = Fields::new("o", &input, &["vector"]).unwrap();
            let error = fields.vector("vector").unwrap_err();
            assert!(error.message.contains("`vector` must"), "{}", error.message);
        }
    }

    #[test]
    fn long_strings_do_not_fill_a_message() {
        let input = fields_of(json!({"k": "x".repeat(5000)}));
        let fields = Fields::new("o", &input, &["k"]).unwrap();
        assert!(fields.whole("k", 1..=10).unwrap_err().message.len() < 120);
    }
}
