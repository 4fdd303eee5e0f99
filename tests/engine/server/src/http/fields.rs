//! The fields of a JSON request body, each refused by name when it is not of its type. Null counts as absent and
//! unknown fields are ignored.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::http::errors::ApiError;

pub struct Fields(Map<String, Value>);

impl Fields {
    pub fn new(map: Map<String, Value>) -> Self {
        Self(map)
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    pub fn string(&mut self, name: &str) -> Result<Option<String>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(wrong(name, "a string")),
        }
    }

    /// A string that must be there and hold something.
    pub fn required(&mut self, name: &str) -> Result<String, ApiError> {
        match self.string(name)? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            Some(_) => Err(ApiError::bad_request(format!("`{name}` must not be empty"))),
            None => Err(ApiError::bad_request(format!("`{name}` is required"))),
        }
    }

    pub fn boolean(&mut self, name: &str) -> Result<bool, ApiError> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(value),
            Some(_) => Err(wrong(name, "true or false")),
        }
    }

    pub fn integer(&mut self, name: &str) -> Result<Option<u64>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => match value.as_u64() {
                Some(value) => Ok(Some(value)),
                None => Err(wrong(name, "an integer of 0 or more")),
            },
        }
    }

    pub fn strings(&mut self, name: &str) -> Result<Vec<String>, ApiError> {
        self.parsed(name, "a list of strings").map(Option::unwrap_or_default)
    }

    /// An object, in the order sent.
    pub fn object(&mut self, name: &str) -> Result<Option<Map<String, Value>>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Object(map)) => Ok(Some(map)),
            Some(_) => Err(wrong(name, "an object")),
        }
    }

    /// A value with a shape of its own; `expected` says which.
    pub fn parsed<T: DeserializeOwned>(
        &mut self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => serde_json::from_value(value)
                .map(Some)
                .map_err(|e| ApiError::bad_request(format!("`{name}` must be {expected}: {e}"))),
        }
    }

    /// One of a few words.
    pub fn choice(
        &mut self,
        name: &str,
        accepted: &[&'static str],
    ) -> Result<Option<&'static str>, ApiError> {
        let Some(given) = self.string(name)? else {
            return Ok(None);
        };
        match accepted.iter().find(|word| **word == given) {
            Some(word) => Ok(Some(word)),
            None => Err(ApiError::bad_request(format!(
                "`{name}` must be one of {}, not {given:?}",
                accepted.join(", ")
            ))),
        }
    }
}

fn wrong(name: &str, expected: &str) -> ApiError {
    ApiError::bad_request(format!("`{name}` must be {expected}"))
}
