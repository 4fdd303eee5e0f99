//! Records that pass through: options on their way to the service, answers on their way back. What each member holds is
//! said once, in a table; one reader serves all of them.
//!
//! Names are JavaScript's (`expiresAt`); on the wire they are in snake case (`expires_at`).

use crate::error::Result;
use crate::text::listed;

use super::{Fields, Value, missing, refuse};

/// The members of a record.
pub type Shape = &'static [Member];

/// One member of a record.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    name: &'static str,
    holds: Holds,
    needed: bool,
}

/// What a member holds.
#[derive(Debug, Clone, Copy)]
pub enum Holds {
    /// A string.
    Text,
    /// `true` or `false`. Absent from an answer, it is false.
    Bool,
    /// A whole number from 1 to this, or in an answer any count.
    Count(u64),
    /// A number of at least 0.
    Number,
    /// One of these words. An answer may bring new ones.
    Word(&'static [&'static str]),
    /// An array of strings. Absent from an answer, it is empty.
    Texts,
    /// A record.
    Record(Shape),
    /// An array of records. Absent from an answer, it is empty.
    Records(Shape),
    /// Anything.
    Json,
}

/// A member that may be absent.
pub const fn may(name: &'static str, holds: Holds) -> Member {
    Member { name, holds, needed: false }
}

/// A member that must be there.
pub const fn must(name: &'static str, holds: Holds) -> Member {
    Member { name, holds, needed: true }
}

/// An answer's record under JavaScript names, absent members as null. So is a lone value that is not needed and of another
/// kind than it was: the rest of the answer is worth having.
pub fn incoming(fields: &Fields, shape: Shape) -> Result<Value> {
    let mut record = Vec::new();
    for member in shape {
        let wire = wire_name(member.name);
        if member.needed && fields.get(&wire).is_none() {
            return Err(missing(&wire, "given"));
        }
        let value = match (held(fields, &wire, member.holds), member.holds) {
            (Ok(value), _) => value,
            (Err(error), Holds::Texts | Holds::Records(_)) => return Err(error),
            (Err(error), _) if member.needed => return Err(error),
            (Err(_), Holds::Bool) => false.into(),
            (Err(_), _) => Value::Null,
        };
        record.push((member.name.to_owned(), value));
    }
    Ok(Value::Object(record))
}

fn held(fields: &Fields, wire: &str, holds: Holds) -> Result<Value> {
    Ok(match holds {
        Holds::Text | Holds::Word(_) => fields.owned_text(wire)?.into(),
        Holds::Bool => fields.bool(wire)?.unwrap_or(false).into(),
        Holds::Count(_) => fields.count(wire)?.into(),
        Holds::Number => fields.number(wire, 0.0, true)?.map(Value::Number).into(),
        Holds::Texts => Value::texts(&fields.texts(wire)?.unwrap_or_default()),
        Holds::Record(inner) => match fields.get(wire) {
            Some(record) => incoming(&Fields::of_answer(record)?, inner)?,
            None => Value::Null,
        },
        Holds::Records(inner) => {
            let mut records = Vec::new();
            for item in fields.items(wire, "an array")? {
                records.push(incoming(&Fields::of_answer(&item)?, inner)?);
            }
            Value::List(records)
        }
        Holds::Json => fields.get(wire).cloned().into(),
    })
}

/// Options under their wire names, absent ones left out; an error where one is of another kind or not among the shape's.
pub fn outgoing(of: &str, input: &Value, shape: Shape) -> Result<Value> {
    let mut known = Vec::new();
    for member in shape {
        known.push(member.name);
    }
    let fields = Fields::new(of, input, &known)?;
    let mut record = Vec::new();
    for member in shape {
        let name = member.name;
        let Some(given) = fields.get(name) else {
            if member.needed {
                return Err(missing(name, &accepted(member.holds)));
            }
            continue;
        };
        let value = match member.holds {
            Holds::Text => fields.text(name)?.into(),
            Holds::Bool => fields.bool(name)?.into(),
            Holds::Count(most) => fields.whole(name, 1..=most)?.into(),
            Holds::Number => fields.number(name, 0.0, true)?.map(Value::Number).into(),
            Holds::Word(words) => match given {
                Value::Text(word) if words.contains(&word.as_str()) => word.into(),
                other => return Err(refuse(name, &accepted(member.holds), other)),
            },
            Holds::Texts => Value::texts(&fields.texts(name)?.unwrap_or_default()),
            Holds::Record(inner) => outgoing(name, given, inner)?,
            Holds::Records(inner) => {
                let mut records = Vec::new();
                for (at, item) in fields.items(name, "a list of objects")?.iter().enumerate() {
                    let place = format!("{name}[{at}]");
                    let record = outgoing(&place, item, inner);
                    records.push(record.map_err(|error| error.within(&place))?);
                }
                Value::List(records)
            }
            Holds::Json => given.clone(),
        };
        record.push((wire_name(name), value));
    }
    Ok(Value::Object(record))
}

fn accepted(holds: Holds) -> String {
    match holds {
        Holds::Word(words) => format!("one of {}", listed(words)),
        Holds::Texts => "an array of strings".to_owned(),
        Holds::Record(_) => "an object".to_owned(),
        Holds::Records(_) => "a list of objects".to_owned(),
        Holds::Bool => "true or false".to_owned(),
        Holds::Count(_) | Holds::Number => "a number".to_owned(),
        Holds::Text | Holds::Json => "a string".to_owned(),
    }
}

/// `expires_at` for `expiresAt`.
fn wire_name(name: &str) -> String {
    let mut wire = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            wire.push('_');
        }
        wire.push(character.to_ascii_lowercase());
    }
    wire
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const INNER: Shape = &[must("columnName", Holds::Text)];
    const SHAPE: Shape = &[
        must("publicId", Holds::Text),
        may("active", Holds::Bool),
        may("partSize", Holds::Count(10)),
        may("timeMs", Holds::Number),
        may("kind", Holds::Word(&["a", "b"])),
        may("key", Holds::Texts),
        may("sortedBy", Holds::Records(INNER)),
        may("from", Holds::Record(INNER)),
        may("result", Holds::Json),
    ];

    fn read(answer: serde_json::Value) -> Result<serde_json::Value> {
        let answer = Value::from(answer);
        let record = incoming(&Fields::of_answer(&answer)?, SHAPE)?;
        Ok(serde_json::from_str(&record.to_json()).unwrap())
    }

    fn sent(options: serde_json::Value) -> Result<serde_json::Value> {
        let record = outgoing("createThing", &Value::from(options), SHAPE)?;
        Ok(serde_json::from_str(&record.to_json()).unwrap())
    }

    #[test]
    fn an_answer_is_renamed_completed_and_stripped() {
        let full = json!({"public_id": "p", "active": true, "part_size": 11, "time_ms": 1.5, "kind": "new",
            "key": ["k"], "sorted_by": [{"column_name": "c", "x": 1}], "from": {"column_name": "d"}, "result": {"a": [null]}, "surprise": 1});
        let expected = json!({"publicId": "p", "active": true, "partSize": 11, "timeMs": 1.5, "kind": "new",
            "key": ["k"], "sortedBy": [{"columnName": "c"}], "from": {"columnName": "d"}, "result": {"a": [null]}});
        assert_eq!(read(full).unwrap(), expected);
        let least = json!({"publicId": "p", "active": false, "partSize": null, "timeMs": null, "kind": null,
            "key": [], "sortedBy": [], "from": null, "result": null});
        assert_eq!(read(json!({"public_id": "p"})).unwrap(), least);
        let odd = json!({"public_id": "p", "active": 1, "part_size": "x", "time_ms": [], "kind": {}, "from": "db"});
        assert_eq!(read(odd).unwrap(), least);
        for broken in [
            json!({}),
            json!([]),
            json!({"public_id": 1}),
            json!({"public_id": "p", "sorted_by": [{}]}),
        ] {
            assert!(read(broken).is_err());
        }
    }

    #[test]
    fn options_are_checked_and_renamed() {
        let options = json!({"publicId": "p", "partSize": 10, "kind": "b", "key": [], "sortedBy": [{"columnName": "c"}], "active": null});
        let expected = json!({"public_id": "p", "part_size": 10, "kind": "b", "key": [], "sorted_by": [{"column_name": "c"}]});
        assert_eq!(sent(options).unwrap(), expected);
        for (options, says) in [
            (json!({}), "`publicId` is missing: it must be a string"),
            (json!({"publicId": 1}), "`publicId` must be a string, not 1"),
            (
                json!({"publicId": "p", "partSize": 11}),
                "`partSize` must be a whole number from 1 to 10, not 11",
            ),
            (json!({"publicId": "p", "kind": "c"}), "`kind` must be one of a, b, not \"c\""),
            (
                json!({"publicId": "p", "sortedBy": [{}]}),
                "sortedBy[0]: `columnName` is missing: it must be a string",
            ),
            (
                json!({"publicId": "p", "nope": 1}),
                "`nope` is not an option of createThing; it takes publicId, active,",
            ),
        ] {
            let error = sent(options).unwrap_err();
            assert!(error.message.starts_with(says), "{}", error.message);
        }
    }
}
