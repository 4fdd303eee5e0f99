//! Values to and from JSON.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::number;
use crate::vector::Vector;

use super::Value;

const MAX_SAFE: u64 = number::MAX_SAFE as u64;

impl Value {
    /// Reads JSON; the error names a place in the text and nothing of it.
    pub fn from_json(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// The value as compact JSON.
    pub fn to_json(&self) -> String {
        // Only a map with keys that are no strings fails to serialise, and a value has none.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A whole number, as a JavaScript number where that holds it.
pub(super) fn whole(value: u64) -> Value {
    if value <= MAX_SAFE { Value::Number(value as f64) } else { Value::Integer(value.to_string()) }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(whole(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(if value.unsigned_abs() <= MAX_SAFE {
            Value::Number(value as f64)
        } else {
            Value::Integer(value.to_string())
        })
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element::<Value>()? {
            list.push(item);
        }
        let numbers = list.iter().map(|item| match item {
            Value::Number(value) => Some(*value),
            _ => None,
        });
        Ok(match numbers.collect::<Option<Vec<f64>>>() {
            Some(numbers) if !numbers.is_empty() => Value::Numbers(Vector::F64(numbers)),
            _ => Value::List(list),
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut members = Vec::new();
        while let Some(entry) = entries.next_entry::<String, Value>()? {
            members.push(entry);
        }
        Ok(Value::Object(members))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null | Value::Undefined | Value::Other(_) => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(value) if value.fract() == 0.0 && value.abs() <= MAX_SAFE as f64 => {
                serializer.serialize_i64(*value as i64)
            }
            Value::Number(value) => serializer.serialize_f64(*value),
            Value::Integer(text) | Value::Text(text) => serializer.serialize_str(text),
            Value::List(items) => serializer.collect_seq(items),
            Value::Numbers(Vector::F64(values)) => serializer.collect_seq(values),
            Value::Numbers(Vector::F32(values)) => serializer.collect_seq(values),
            Value::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_reads_and_writes_back() {
        let text = r#"{"a":null,"b":[true,"x",-1,2.5],"c":{"d":[]},"e":"\u00e9"}"#;
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(value.to_json(), r#"{"a":null,"b":[true,"x",-1,2.5],"c":{"d":[]},"e":"é"}"#);
    }

    #[test]
    fn large_integers_keep_their_digits() {
        let value: Value =
            serde_json::from_str("[18446744073709551615,-9223372036854775808,9007199254740991]")
                .unwrap();
        let Value::List(items) = value else { panic!("a list") };
        assert_eq!(items[0], Value::Integer("18446744073709551615".into()));
        assert_eq!(items[1], Value::Integer("-9223372036854775808".into()));
        assert_eq!(items[2], Value::Number(9_007_199_254_740_991.0));
    }
}
