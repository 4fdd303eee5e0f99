//! Typed filters: an object in, one SQL predicate out. Never SQL text from outside.
//!
//! `null` means absent data: `{a: null}` keeps rows where `a` is NULL. A comparison never keeps a NULL, except the
//! two that exclude: `$ne` and `$nin` keep rows whose column is NULL, since NULL is not the excluded value. `$not`
//! keeps every row its operand does not keep.

use crate::error::{Error, Result};
use crate::number;
use crate::text::{joined, shown};
use crate::value::Value;

use super::literal::text_literal;
use super::names::Column;

const MAX_DEPTH: usize = 16;
const MAX_CONDITIONS: usize = 1_000;
const OPERATORS: &str =
    "$eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $not, and $and, $or with lists of filters";

/// A predicate, checked and printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    sql: String,
}

impl Filter {
    /// Reads `{column: value | {$op: value}, $and: […], $or: […], $not: {…}}`. Several members all have to hold.
    /// An empty object is no filter.
    pub fn parse(argument: &str, input: &Value) -> Result<Option<Self>> {
        let mut reader = Reader { argument, conditions: 0 };
        let Value::Object(entries) = input else {
            return Err(reader.refuse("must be an object such as {city: \"sf\", beds: {$gte: 2}}"));
        };
        if entries.is_empty() {
            return Ok(None);
        }
        let sql = reader.object(entries, 0)?;
        Ok(Some(Self { sql }))
    }

    /// The predicate, safe to stand after WHERE.
    pub fn sql(&self) -> &str {
        &self.sql
    }
}

struct Reader<'a> {
    argument: &'a str,
    conditions: usize,
}

impl Reader<'_> {
    fn refuse(&self, why: impl std::fmt::Display) -> Error {
        Error::argument(self.argument, why)
    }

    fn object(&mut self, entries: &[(String, Value)], depth: usize) -> Result<String> {
        if depth > MAX_DEPTH {
            return Err(self.refuse(format_args!("must nest at most {MAX_DEPTH} deep")));
        }
        if entries.is_empty() {
            return Err(self.refuse("must not hold an empty condition"));
        }
        let mut parts = Vec::new();
        for (name, value) in entries {
            parts.push(self.member(name, value, depth)?);
        }
        Ok(join(parts, " AND "))
    }

    fn member(&mut self, name: &str, value: &Value, depth: usize) -> Result<String> {
        match name {
            "$and" => self.list(name, value, depth).map(|parts| join(parts, " AND ")),
            "$or" => self.list(name, value, depth).map(|parts| join(parts, " OR ")),
            "$not" => match value {
                Value::Object(entries) => {
                    Ok(format!("(({}) IS NOT TRUE)", self.object(entries, depth + 1)?))
                }
                _ => Err(self.refuse("must give `$not` an object")),
            },
            _ if name.starts_with('$') => {
                Err(self.refuse(format_args!("knows no `{}`; it takes {OPERATORS}", shown(name))))
            }
            _ => {
                let column = Column::parse(self.argument, name)?;
                self.column(&column, value, depth)
            }
        }
    }

    fn list(&mut self, name: &str, value: &Value, depth: usize) -> Result<Vec<String>> {
        let Value::List(items) = value else {
            return Err(self.refuse(format_args!("must give `{name}` a list of filters")));
        };
        if items.is_empty() {
            return Err(self.refuse(format_args!("must give `{name}` at least one filter")));
        }
        items
            .iter()
            .map(|item| match item {
                Value::Object(entries) => self.object(entries, depth + 1),
                _ => Err(self.refuse(format_args!("must give `{name}` a list of filters"))),
            })
            .collect()
    }

    fn column(&mut self, column: &Column, value: &Value, depth: usize) -> Result<String> {
        if depth > MAX_DEPTH {
            return Err(self.refuse(format_args!("must nest at most {MAX_DEPTH} deep")));
        }
        let Value::Object(entries) = value else {
            return self.compare(column, "$eq", value);
        };
        if entries.is_empty() {
            return Err(
                self.refuse(format_args!("must not give `{}` an empty condition", column.name()))
            );
        }
        let mut parts = Vec::new();
        for (operator, operand) in entries {
            parts.push(match operator.as_str() {
                "$not" => {
                    format!("(({}) IS NOT TRUE)", self.column(column, operand, depth + 1)?)
                }
                operator => self.compare(column, operator, operand)?,
            });
        }
        Ok(join(parts, " AND "))
    }

    fn compare(&mut self, column: &Column, operator: &str, operand: &Value) -> Result<String> {
        self.conditions += 1;
        if self.conditions > MAX_CONDITIONS {
            return Err(self.refuse(format_args!("must hold at most {MAX_CONDITIONS} conditions")));
        }
        let name = column.quoted();
        let symbol = match operator {
            "$eq" if *operand == Value::Null => return Ok(format!("{name} IS NULL")),
            "$ne" if *operand == Value::Null => return Ok(format!("{name} IS NOT NULL")),
            "$in" | "$nin" => return self.membership(column, operator, operand),
            "$ne" => {
                let value = self.value(column, operator, operand)?;
                return Ok(format!("({name} <> {value} OR {name} IS NULL)"));
            }
            "$eq" => "=",
            "$gt" => ">",
            "$gte" => ">=",
            "$lt" => "<",
            "$lte" => "<=",
            other => {
                return Err(self.refuse(format_args!(
                    "knows no `{}` on `{}`; it takes {OPERATORS}",
                    shown(other),
                    column.name()
                )));
            }
        };
        Ok(format!("{name} {symbol} {}", self.value(column, operator, operand)?))
    }

    fn membership(&mut self, column: &Column, operator: &str, operand: &Value) -> Result<String> {
        let Some(items) = operand.as_list() else {
            return Err(
                self.refuse(format_args!("must give `{operator}` on `{}` a list", column.name()))
            );
        };
        self.conditions += items.len();
        if self.conditions > MAX_CONDITIONS {
            return Err(self.refuse(format_args!("must hold at most {MAX_CONDITIONS} conditions")));
        }
        let name = column.quoted();
        let with_null = items.contains(&Value::Null);
        let mut values = Vec::new();
        for item in items.iter().filter(|item| **item != Value::Null) {
            values.push(self.value(column, operator, item)?);
        }
        let listed = joined(&values, ", ");
        Ok(match (operator, values.is_empty(), with_null) {
            ("$in", true, false) => "FALSE".to_owned(),
            ("$in", true, true) => format!("{name} IS NULL"),
            ("$in", false, false) => format!("{name} IN ({listed})"),
            ("$in", false, true) => format!("({name} IN ({listed}) OR {name} IS NULL)"),
            (_, true, false) => "TRUE".to_owned(),
            (_, true, true) => format!("{name} IS NOT NULL"),
            (_, false, false) => format!("({name} NOT IN ({listed}) OR {name} IS NULL)"),
            (_, false, true) => format!("({name} NOT IN ({listed}) AND {name} IS NOT NULL)"),
        })
    }

    fn value(&self, column: &Column, operator: &str, operand: &Value) -> Result<String> {
        match operand {
            Value::Text(text) if text.contains('\0') => Err(self.refuse("must not hold a NUL character")),
            Value::Text(text) => Ok(text_literal(text)),
            Value::Bool(true) => Ok("TRUE".to_owned()),
            Value::Bool(false) => Ok("FALSE".to_owned()),
            // Up to here a whole number may be meant as an integer, and has lost digits; above it no integer type reaches.
            Value::Number(value)
                if value.fract() == 0.0
                    && value.abs() > number::MAX_SAFE
                    && value.abs() < 2e19 =>
            {
                Err(self.refuse(format_args!(
                    "must not compare `{}` with a whole number above 2^53 - 1, which has lost digits: pass a bigint",
                    column.name()
                )))
            }
            Value::Number(value) if value.is_finite() => Ok(number::plain(*value)),
            Value::Integer(digits) if is_integer(digits) => Ok(digits.clone()),
            other => Err(self.refuse(format_args!(
                "must compare `{}` by `{operator}` with a string, a finite number, true or false, not {}",
                column.name(),
                other.kind()
            ))),
        }
    }
}

/// Up to 39 digits: what the engine's widest number holds.
fn is_integer(digits: &str) -> bool {
    let magnitude = digits.strip_prefix('-').unwrap_or(digits);
    (1..=39).contains(&magnitude.len()) && magnitude.bytes().all(|b| b.is_ascii_digit())
}

fn join(mut parts: Vec<String>, with: &str) -> String {
    match parts.len() {
        1 => parts.remove(0),
        _ => format!("({})", joined(&parts, with)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sql(filter: serde_json::Value) -> String {
        Filter::parse("filter", &filter.into()).unwrap().unwrap().sql
    }

    #[test]
    fn each_operator_prints_as_one_predicate() {
        for (filter, expected) in [
            (json!({"city": "sf"}), r#""city" = 'sf'"#),
            (json!({"City": "O'Hare"}), r#""city" = 'O''Hare'"#),
            (json!({"beds": {"$gte": 2}}), r#""beds" >= 2"#),
            (json!({"beds": {"$gt": 1, "$lte": 4.5}}), r#"("beds" > 1 AND "beds" <= 4.5)"#),
            (json!({"a": null}), r#""a" IS NULL"#),
            (json!({"a": {"$ne": null}}), r#""a" IS NOT NULL"#),
            (json!({"a": {"$ne": 1}}), r#"("a" <> 1 OR "a" IS NULL)"#),
            (json!({"a": {"$lt": 1e300}}), r#""a" < 1e+300"#),
            (json!({"a": {"$in": [1, 2]}}), r#""a" IN (1, 2)"#),
            (json!({"a": {"$in": ["x", null]}}), r#"("a" IN ('x') OR "a" IS NULL)"#),
            (json!({"a": {"$in": []}}), "FALSE"),
            (json!({"a": {"$nin": []}}), "TRUE"),
            (json!({"a": {"$nin": [1]}}), r#"("a" NOT IN (1) OR "a" IS NULL)"#),
            (json!({"a": {"$nin": [1, null]}}), r#"("a" NOT IN (1) AND "a" IS NOT NULL)"#),
            (json!({"a": {"$not": {"$lt": 3}}}), r#"(("a" < 3) IS NOT TRUE)"#),
            (json!({"a": true, "b": {"$eq": false}}), r#"("a" = TRUE AND "b" = FALSE)"#),
            (json!({"$or": [{"a": 1}, {"b": 2, "c": 3}]}), r#"("a" = 1 OR ("b" = 2 AND "c" = 3))"#),
            (
                json!({"$and": [{"a": 1}, {"$not": {"b": 2}}]}),
                r#"("a" = 1 AND (("b" = 2) IS NOT TRUE))"#,
            ),
        ] {
            assert_eq!(sql(filter), expected);
        }
    }

    #[test]
    fn a_bigint_keeps_its_digits() {
        let filter = Value::Object(vec![("id".into(), Value::Integer("9007199254740993".into()))]);
        assert_eq!(
            Filter::parse("filter", &filter).unwrap().unwrap().sql,
            r#""id" = 9007199254740993"#
        );
    }

    #[test]
    fn an_empty_object_is_no_filter() {
        assert_eq!(Filter::parse("filter", &json!({}).into()).unwrap(), None);
    }

    #[test]
    fn what_is_not_a_filter_is_refused() {
        let mut deep = json!({"a": 1});
        for _ in 0..20 {
            deep = json!({"$not": deep});
        }
        for filter in [
            json!("a = 1"),
            json!([1]),
            json!({"$where": "1"}),
            json!({"a": {"$regex": "x"}}),
            json!({"a": {}}),
            json!({"a": {"$gt": null}}),
            json!({"a": 1e16}),
            json!({"a": {"$in": "x"}}),
            json!({"a": [1, 2]}),
            json!({"a\"b": 1}),
            json!({"": 1}),
            json!({"$or": []}),
            json!({"$or": [1]}),
            json!({"$or": [{}]}),
            json!({"$not": 1}),
            json!({"a": "x\u{0}"}),
            json!({"a": {"$in": vec![1; 1001]}}),
            deep,
        ] {
            let error = Filter::parse("filter", &filter.clone().into()).unwrap_err();
            assert!(error.message.starts_with("`filter` "), "{filter}: {}", error.message);
        }
        let absent = Value::Object(vec![("tenant".into(), Value::Undefined)]);
        let error = Filter::parse("filter", &absent).unwrap_err();
        assert!(error.message.ends_with("not undefined"), "{}", error.message);
        let unfinite = Value::Object(vec![("a".into(), Value::Number(f64::NAN))]);
        assert!(Filter::parse("filter", &unfinite).is_err());
    }
}
