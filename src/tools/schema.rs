//! What a tool takes, said once: the JSON Schema that a model sees is written from it, and a model's arguments are checked
//! by it, whatever a framework has or has not checked before.

use crate::error::{Error, Result};
use crate::number;
use crate::text::join;
use crate::value::{Fields, Value, missing, refuse, whole_number, whole_text};

/// One value: an argument, an item of a list, or the object of all arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    kind: Kind,
    description: String,
}

/// What a value may be.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A string.
    Text,
    /// A string; of a number or a truth value, its text.
    Scalar,
    /// A whole number. More than `most` is passed on: the tool does as much as it can and says so.
    Integer {
        /// Less is refused.
        least: u64,
        /// What a model is told it can have.
        most: u64,
    },
    /// One of these words.
    Choice(Vec<&'static str>),
    /// True or false.
    Boolean,
    /// A list; a lone item stands for a list of one.
    List(Box<Schema>),
    /// An object with these members and no others.
    Object(Vec<Parameter>),
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// What a call names it.
    pub name: &'static str,
    /// What it may be.
    pub schema: Schema,
    /// Whether a call without it is refused.
    pub required: bool,
}

/// The most items of a list: no question takes more.
const MOST_ITEMS: usize = 200;

impl Schema {
    /// JSON Schema 2020-12.
    pub fn to_value(&self) -> Value {
        let typed = |name: &str| Value::Object(vec![("type".to_owned(), name.into())]);
        let schema = match &self.kind {
            Kind::Text | Kind::Scalar => typed("string"),
            Kind::Integer { least, most } => {
                typed("integer").with("minimum", (*least).into()).with("maximum", (*most).into())
            }
            Kind::Choice(words) => {
                let words = Value::list(&mut words.iter().map(|word| Value::from(*word)));
                typed("string").with("enum", words)
            }
            Kind::Boolean => typed("boolean"),
            Kind::List(items) => typed("array").with("items", items.to_value()),
            Kind::Object(members) => {
                let (mut properties, mut required) = (Vec::new(), Vec::new());
                for member in members {
                    properties.push((member.name.to_owned(), member.schema.to_value()));
                    if member.required {
                        required.push(member.name.into());
                    }
                }
                typed("object")
                    .with("properties", Value::Object(properties))
                    .with("required", Value::List(required))
                    .with("additionalProperties", false.into())
            }
        };
        // What is plain by its name alone needs no description.
        if self.description.is_empty() {
            return schema;
        }
        schema.with("description", (&self.description).into())
    }

    /// The same as compact JSON.
    pub fn to_json(&self) -> String {
        self.to_value().to_json()
    }

    /// The arguments of `tool` in the kinds that are asked for, those that are null left out; of the schema of an object.
    pub fn check(&self, tool: &str, arguments: &Value) -> Result<Value> {
        let members: &[Parameter] = match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        };
        let mut known = Vec::new();
        for member in members {
            known.push(member.name);
        }
        let fields = Fields::new(tool, arguments, &known)?;
        let mut checked = Vec::new();
        for Parameter { name, schema, required } in members {
            match fields.get(name) {
                Some(given) => checked.push(((*name).to_owned(), schema.taken(name, given)?)),
                None if *required => return Err(missing(name, &schema.accepted())),
                None => {}
            }
        }
        Ok(Value::Object(checked))
    }

    /// A value as it is meant, or the error that names the argument and what is accepted.
    fn taken(&self, name: &str, given: &Value) -> Result<Value> {
        let taken = match (&self.kind, given) {
            (Kind::Text | Kind::Scalar, Value::Text(_)) | (Kind::Boolean, Value::Bool(_)) => {
                Some(given.clone())
            }
            (Kind::Scalar, Value::Bool(_) | Value::Integer(_)) => {
                Some(given.kind().trim_end_matches('n').into())
            }
            (Kind::Scalar, Value::Number(value)) if value.is_finite() => {
                Some(number::plain(*value).into())
            }
            (Kind::Integer { least, .. }, _) => {
                let number = match given {
                    Value::Text(digits) => whole_text(digits),
                    _ => whole_number(given),
                };
                number.filter(|value| value >= least).map(Value::from)
            }
            (Kind::Choice(words), Value::Text(text)) => words
                .iter()
                .find(|word| word.eq_ignore_ascii_case(text.trim()))
                .map(|word| (*word).into()),
            (Kind::Boolean, Value::Text(text)) => [false, true]
                .into_iter()
                .find(|value| value.to_string().eq_ignore_ascii_case(text.trim()))
                .map(Value::from),
            (Kind::List(items), _) => {
                let mut list = Vec::new();
                let given_items = given.as_list().unwrap_or_else(|| vec![given.clone()]);
                if given_items.len() > MOST_ITEMS {
                    let most = format_args!("must have at most {MOST_ITEMS} items");
                    return Err(Error::argument(name, most));
                }
                for item in given_items {
                    list.push(match (&items.kind, &item) {
                        (Kind::Object(_), Value::Object(_)) => {
                            items.taken(name, &item).map_err(|error| error.within(name))?
                        }
                        // What an item should be is said by what the list should.
                        _ => items.taken(name, &item).map_err(|_| self.refused(name, &item))?,
                    });
                }
                Some(Value::List(list))
            }
            (Kind::Object(_), Value::Object(_)) => Some(self.check(name, given)?),
            _ => None,
        };
        taken.ok_or_else(|| self.refused(name, given))
    }

    fn refused(&self, name: &str, given: &Value) -> Error {
        refuse(name, &self.accepted(), given)
    }

    /// What is accepted, as an error says it.
    fn accepted(&self) -> String {
        match &self.kind {
            Kind::Text | Kind::Scalar => "a string".to_owned(),
            Kind::Integer { least, most } => format!("a whole number from {least} to {most}"),
            Kind::Choice(words) => {
                let words = join(&mut words.iter().map(|word| format!("\"{word}\"")), ", ");
                format!("one of {words}")
            }
            Kind::Boolean => "true or false".to_owned(),
            Kind::List(items) => match &items.kind {
                Kind::Text | Kind::Scalar => "an array of strings".to_owned(),
                _ => format!("an array of {}", items.accepted()),
            },
            Kind::Object(members) => {
                let names = join(&mut members.iter().map(|member| member.name.to_owned()), ", ");
                format!("{{{names}}}")
            }
        }
    }
}

/// The schema of an object with these members, of which `required` must be there.
pub fn object_schema<const N: usize>(
    members: [(&'static str, Schema); N],
    required: &[&str],
) -> Schema {
    object(&mut members.into_iter(), required)
}

// The iterator comes behind a pointer: compiled once, not once a number of members.
fn object(members: &mut dyn Iterator<Item = (&'static str, Schema)>, required: &[&str]) -> Schema {
    let mut object = Vec::new();
    for (name, schema) in members {
        object.push(Parameter { name, schema, required: required.contains(&name) });
    }
    described(Kind::Object(object), "")
}

/// The schema of a string.
pub fn string_schema(description: &str) -> Schema {
    described(Kind::Text, description)
}

/// The schema of a string that stands for any single value.
pub fn scalar_schema(description: &str) -> Schema {
    described(Kind::Scalar, description)
}

/// The schema of a whole number.
pub fn integer_schema(least: u64, most: u64, description: &str) -> Schema {
    described(Kind::Integer { least, most }, description)
}

/// The schema of true or false.
pub fn boolean_schema(description: &str) -> Schema {
    described(Kind::Boolean, description)
}

/// The schema of a list.
pub fn array_schema(items: Schema, description: &str) -> Schema {
    described(Kind::List(Box::new(items)), description)
}

/// The schema of one of some words.
pub fn choice_schema(words: &mut dyn Iterator<Item = &'static str>, description: &str) -> Schema {
    let mut choice = Vec::new();
    for word in words {
        choice.push(word);
    }
    described(Kind::Choice(choice), description)
}

fn described(kind: Kind, description: &str) -> Schema {
    Schema { kind, description: description.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn schema() -> Schema {
        let key = object_schema(
            [("table", string_schema("")), ("columns", array_schema(string_schema(""), ""))],
            &["table", "columns"],
        );
        object_schema(
            [
                ("name", string_schema("A name.")),
                ("k", integer_schema(1, 100, "How many.")),
                ("mode", choice_schema(&mut ["append", "replace"].into_iter(), "")),
                ("dry", boolean_schema("")),
                ("value", scalar_schema("")),
                ("names", array_schema(string_schema(""), "Names.")),
                ("keys", array_schema(key, "")),
            ],
            &["name"],
        )
    }

    fn checked(arguments: Json) -> Result<Json> {
        let value = schema().check("a_tool", &Value::from(arguments))?;
        Ok(serde_json::from_str(&value.to_json()).unwrap())
    }

    #[test]
    fn the_json_schema_is_written_from_the_kinds() {
        let written: Json = serde_json::from_str(&schema().to_json()).unwrap();
        let text = json!({"type": "string"});
        assert_eq!(
            written,
            json!({"type": "object", "additionalProperties": false, "required": ["name"], "properties": {
                "name": {"type": "string", "description": "A name."},
                "k": {"type": "integer", "minimum": 1, "maximum": 100, "description": "How many."},
                "mode": {"type": "string", "enum": ["append", "replace"]},
                "dry": {"type": "boolean"},
                "value": text,
                "names": {"type": "array", "items": text, "description": "Names."},
                "keys": {"type": "array", "items": {"type": "object", "additionalProperties": false,
                    "required": ["table", "columns"],
                    "properties": {"table": text, "columns": {"type": "array", "items": text}}}},
            }})
        );
    }

    #[test]
    fn h16_a_tool_without_arguments_has_an_object_without_properties() {
        let none = object_schema([], &[]);
        assert_eq!(
            none.to_json(),
            r#"{"type":"object","properties":{},"required":[],"additionalProperties":false}"#
        );
        assert_eq!(none.check("t", &Value::Null).unwrap(), Value::Object(vec![]));
        let error = none.check("t", &Value::from(json!({"a": 1}))).unwrap_err();
        assert_eq!(error.message, "`a` is not an option of t; it takes none");
    }

    #[test]
    fn a_model_may_write_what_it_means() {
        for (given, meant) in [
            (json!({"k": "5"}), json!({"k": 5})),
            (json!({"k": 5.0}), json!({"k": 5})),
            (json!({"k": null}), json!({})),
            (json!({"k": 400}), json!({"k": 400})),
            (json!({"mode": " Append "}), json!({"mode": "append"})),
            (json!({"dry": "true"}), json!({"dry": true})),
            (json!({"dry": "False"}), json!({"dry": false})),
            (json!({"value": 5}), json!({"value": "5"})),
            (json!({"value": -1.5}), json!({"value": "-1.5"})),
            (json!({"value": true}), json!({"value": "true"})),
            (json!({"names": "a"}), json!({"names": ["a"]})),
            (json!({"names": []}), json!({"names": []})),
            (
                json!({"keys": {"table": "t", "columns": "a"}}),
                json!({"keys": [{"table": "t", "columns": ["a"]}]}),
            ),
        ] {
            let (mut given, mut meant) = (given, meant);
            given["name"] = json!("n");
            meant["name"] = json!("n");
            assert_eq!(checked(given).unwrap(), meant);
        }
    }

    #[test]
    fn nonsense_is_named_with_what_is_accepted() {
        for (given, says) in [
            (json!({"name": null}), "`name` is missing: it must be a string"),
            (json!({"name": 5}), "`name` must be a string, not 5"),
            (json!({"k": 0}), "`k` must be a whole number from 1 to 100, not 0"),
            (json!({"k": "many"}), "`k` must be a whole number from 1 to 100, not \"many\""),
            (json!({"k": 2.5}), "`k` must be a whole number from 1 to 100, not 2.5"),
            (json!({"k": [5]}), "`k` must be a whole number from 1 to 100, not an array"),
            (
                json!({"mode": "upsert"}),
                "`mode` must be one of \"append\", \"replace\", not \"upsert\"",
            ),
            (json!({"dry": "yes"}), "`dry` must be true or false, not \"yes\""),
            (json!({"value": [1]}), "`value` must be a string, not an array"),
            (json!({"names": 5}), "`names` must be an array of strings, not 5"),
            (json!({"names": ["a", 5]}), "`names` must be an array of strings, not 5"),
            (json!({"keys": ["t"]}), "`keys` must be an array of {table, columns}, not \"t\""),
            (
                json!({"keys": {"t": ["a"]}}),
                "keys: `t` is not an option of keys; it takes table, columns",
            ),
            (
                json!({"keys": [{"table": "t"}]}),
                "keys: `columns` is missing: it must be an array of strings",
            ),
            (json!({"limit": 5}), "`limit` is not an option of a_tool; it takes name, k, mode,"),
        ] {
            let mut given = given;
            if given.get("name").is_none() {
                given["name"] = json!("n");
            }
            let message = &checked(given).unwrap_err().message;
            assert!(message.starts_with(says), "{message}");
        }
        let message = &checked(json!([])).unwrap_err().message;
        assert_eq!(message, "The options of a_tool must be an object, not an array");
    }
}
