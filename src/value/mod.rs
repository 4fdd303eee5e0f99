//! Values of any shape, as they cross a border: options from JavaScript, arguments from a model, JSON from the service.
//!
//! One type, so that the code which reads and writes JSON is compiled once and not once a record.

mod fields;
mod json;
pub mod shape;

pub use fields::{Fields, missing, refuse, whole_number, whole_text};
pub use json::{Parser, parse, unquoted};

use crate::number;
use crate::text::start;
use crate::vector::Vector;

/// A value, before any check.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `undefined`. As an option the same as `null` and as leaving it out; in a filter a mistake.
    Undefined,
    /// `true` or `false`.
    Bool(bool),
    /// A JavaScript number.
    Number(f64),
    /// An integer that may be no JavaScript number, by its digits: a bigint.
    Integer(String),
    /// A string.
    Text(String),
    /// An array of anything.
    List(Vec<Value>),
    /// A typed array, or an array that holds numbers only.
    Numbers(Vector),
    /// A plain object, in its own order.
    Object(Vec<(String, Value)>),
    /// Something with no meaning here, by its JavaScript name ("a function", "a Date").
    Other(String),
}

impl Value {
    /// An object of these members, those without a value left out.
    pub fn object<const N: usize>(members: [(&str, Value); N]) -> Self {
        Self::of(&mut members.into_iter().filter(|(_, value)| *value != Value::Null))
    }

    /// An object of these members, those without a value as null.
    pub fn record<const N: usize>(members: [(&str, Value); N]) -> Self {
        Self::of(&mut members.into_iter())
    }

    /// An object with one member more.
    pub fn with(mut self, name: &str, value: Value) -> Self {
        if let Value::Object(members) = &mut self {
            members.push((name.to_owned(), value));
        }
        self
    }

    /// A list of strings.
    pub fn texts(texts: &[String]) -> Self {
        let mut list = Vec::new();
        for text in texts {
            list.push(Value::from(text));
        }
        Value::List(list)
    }

    /// A list of values.
    pub fn list(items: &mut dyn Iterator<Item = Value>) -> Self {
        let mut list = Vec::new();
        for item in items {
            list.push(item);
        }
        Value::List(list)
    }

    // Iterators come behind a pointer: compiled once, not once a caller.
    fn of(members: &mut dyn Iterator<Item = (&str, Value)>) -> Self {
        let mut object = Vec::new();
        for (name, value) in members {
            object.push((name.to_owned(), value));
        }
        Value::Object(object)
    }

    /// What the value is, for the end of an error: "…, not an array".
    pub fn kind(&self) -> String {
        match self {
            Value::Null => "null".into(),
            Value::Undefined => "undefined".into(),
            Value::Bool(value) => value.to_string(),
            Value::Number(value) if value.is_finite() => number::plain(*value),
            Value::Number(_) => "a number that is not finite".into(),
            Value::Integer(digits) if digits.len() <= 40 => format!("{digits}n"),
            Value::Integer(_) => "a bigint".into(),
            Value::Text(text) if start(text, 40).is_none() => text_kind(text),
            Value::Text(_) => "a string".into(),
            Value::List(_) | Value::Numbers(_) => "an array".into(),
            Value::Object(_) => "an object".into(),
            Value::Other(name) => name.clone(),
        }
    }

    /// The members of an array, packed or not.
    pub fn as_list(&self) -> Option<Vec<Value>> {
        match self {
            Value::List(items) => Some(items.clone()),
            Value::Numbers(Vector::F64(values)) => {
                Some(values.iter().copied().map(Value::Number).collect())
            }
            Value::Numbers(Vector::F32(values)) => {
                Some(values.iter().map(|v| Value::Number(f64::from(*v))).collect())
            }
            _ => None,
        }
    }
}

fn text_kind(text: &str) -> String {
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("\"{shown}\"")
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Value::Text(text.clone())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        json::whole(value)
    }
}

impl<T> From<Option<T>> for Value
where
    Value: From<T>,
{
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Value::from)
    }
}
