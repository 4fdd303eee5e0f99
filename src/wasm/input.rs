//! Values from JavaScript as the core's [`Value`].

use js_sys::{Array, BigInt, Float32Array, Float64Array, Function};
use wasm_bindgen::prelude::*;

use crate::error::{Error, Result};
use crate::value::Value;
use crate::vector::{MAX_WIDTH, Vector};

/// Bounds a value that refers to itself.
const MAX_DEPTH: u32 = 64;
/// Bounds a value that holds much, itself many times over included.
const MAX_VALUES: u32 = 200_000;

#[wasm_bindgen(raw_module = "./values.js")]
extern "C" {
    /// The number of a kind that has a meaning here; 0 for any other.
    #[wasm_bindgen(js_name = kindOf)]
    fn kind_of(value: &JsValue) -> u8;

    #[wasm_bindgen(js_name = numbersOf)]
    fn numbers_of(value: &JsValue) -> JsValue;

    #[wasm_bindgen(js_name = nameOf)]
    fn name_of(value: &JsValue) -> String;

    #[wasm_bindgen(js_name = membersOf)]
    fn members_of(object: &JsValue, skipped: &Array) -> Option<Array>;

    #[wasm_bindgen(js_name = itemsOf)]
    fn items_of(array: &JsValue, most: u32) -> JsValue;
}

/// Decodes a value whole. What has no meaning to the core stays as [`Value::Other`], for a check to refuse by name.
pub fn decode(value: &JsValue) -> Value {
    Decoder { left: MAX_VALUES }.value(value, &[], 0)
}

/// The options of one call: the host's own objects left out, the rest decoded.
pub struct Options {
    /// Everything but the members left out.
    pub input: Value,
    whole: JsValue,
}

impl Options {
    /// Decodes `options`, leaving out the members named in `host`.
    pub fn read(options: &JsValue, host: &[&str]) -> Self {
        let input = Decoder { left: MAX_VALUES }.value(options, host, 0);
        Self { input, whole: options.clone() }
    }

    /// A member that is a function, where it is given; `accepted` is what it must be.
    pub fn function(&self, name: &str, accepted: &str) -> Result<Option<Function>> {
        let value = self.host(name);
        if !is_given(&value) {
            return Ok(None);
        }
        value.dyn_into().map(Some).map_err(|_| Error::argument(name, accepted))
    }

    /// A member as it is; undefined where absent.
    pub fn host(&self, name: &str) -> JsValue {
        if !self.whole.is_object() {
            return JsValue::UNDEFINED;
        }
        js_sys::Reflect::get(&self.whole, &name.into()).unwrap_or(JsValue::UNDEFINED)
    }
}

/// Whether an option is given.
pub fn is_given(value: &JsValue) -> bool {
    !value.is_undefined() && !value.is_null()
}

struct Decoder {
    left: u32,
}

impl Decoder {
    fn value(&mut self, value: &JsValue, skipped: &[&str], depth: u32) -> Value {
        if depth > MAX_DEPTH {
            // Whoever nests so deep refers to itself: the rest is not walked either.
            self.left = 0;
        }
        if self.left == 0 {
            return Value::Other("a value too deep or too large".to_owned());
        }
        self.left -= 1;
        // The numbers are those of values.js.
        match kind_of(value) {
            1 => Value::Null,
            2 => Value::Undefined,
            3 => Value::Bool(value.is_truthy()),
            4 => value.as_f64().map_or(Value::Undefined, Value::Number),
            5 => value.as_string().map_or(Value::Undefined, Value::Text),
            6 => integer(value.unchecked_ref()),
            7 => self.array(value, depth),
            8 => self.object(value, skipped, depth),
            9 => {
                let numbers: Float32Array = numbers_of(value).unchecked_into();
                self.numbers(numbers.length(), || Vector::F32(numbers.to_vec()))
            }
            10 => {
                let numbers: Float64Array = numbers_of(value).unchecked_into();
                self.numbers(numbers.length(), || Vector::F64(numbers.to_vec()))
            }
            _ => Value::Other(match name_of(value).as_str() {
                "Date" => "a Date (pass an ISO string)".to_owned(),
                "Promise" => "a Promise (await it first)".to_owned(),
                other => format!("a {other}"),
            }),
        }
    }

    /// A typed array, unless it is longer than what can still be taken.
    fn numbers(&mut self, length: u32, read: impl FnOnce() -> Vector) -> Value {
        // One more than a vector may have: its own check then says how many are accepted.
        if length > self.left.min(MAX_WIDTH as u32 + 1) {
            return Value::Other(format!("an array of {length} numbers"));
        }
        self.left -= length;
        Value::Numbers(read())
    }

    fn array(&mut self, array: &JsValue, depth: u32) -> Value {
        let items = items_of(array, self.left);
        if let Some(numbers) = items.dyn_ref::<Float64Array>() {
            return self.numbers(numbers.length(), || Vector::F64(numbers.to_vec()));
        }
        let Some(items) = items.dyn_ref::<Array>() else {
            return Value::Other("an array too long or that cannot be read".to_owned());
        };
        let mut list = Vec::new();
        for item in items.iter() {
            if self.left == 0 {
                return Value::Other("a value too deep or too large".to_owned());
            }
            list.push(self.value(&item, &[], depth + 1));
        }
        Value::List(list)
    }

    fn object(&mut self, object: &JsValue, skipped: &[&str], depth: u32) -> Value {
        let skipped: Array = skipped.iter().map(|name| JsValue::from(*name)).collect();
        let Some(members) = members_of(object, &skipped) else {
            return Value::Other("an object that cannot be read".to_owned());
        };
        let (names, values): (Array, Array) =
            (members.get(0).unchecked_into(), members.get(1).unchecked_into());
        let name = |at: u32| names.get(at).as_string().unwrap_or_default();
        let mut members = Vec::new();
        for at in 0..names.length() {
            if self.left == 0 {
                return Value::Other("a value too deep or too large".to_owned());
            }
            members.push((name(at), self.value(&values.get(at), &[], depth + 1)));
        }
        Value::Object(members)
    }
}

fn integer(value: &BigInt) -> Value {
    let digits = value.to_string(10).ok().map(String::from);
    digits.map_or_else(|| Value::Other("a bigint".to_owned()), Value::Integer)
}
