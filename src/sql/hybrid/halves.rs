//! The rankings that a fused search is made of, and how they are read from its options.

use crate::error::{Error, Result};
use crate::sql::literal::query_literal;
use crate::sql::names::Column;
use crate::sql::options;
use crate::sql::vector::{Metric, metric, required_vector};
use crate::value::{Fields, Value, refuse};
use crate::vector::Vector;

const MAX_HALVES: usize = 8;

/// One ranking of a fused search.
#[derive(Debug, Clone, PartialEq)]
pub enum Half {
    /// By words, over a BM25 index.
    Text {
        /// The indexed text column.
        column: Column,
        /// The text, already a literal.
        query: String,
        /// How much its ranks count; above 0.
        weight: f64,
    },
    /// By distance, over a vector column.
    Vector {
        /// The vector column.
        column: Column,
        /// What the rows are compared with.
        vector: Vector,
        /// How they are compared.
        metric: Metric,
        /// How much its ranks count; above 0.
        weight: f64,
    },
}

impl Half {
    pub(super) fn weight(&self) -> f64 {
        match self {
            Half::Text { weight, .. } | Half::Vector { weight, .. } => *weight,
        }
    }

    pub(super) fn text_column(&self) -> Option<&Column> {
        match self {
            Half::Text { column, .. } => Some(column),
            Half::Vector { .. } => None,
        }
    }

    pub(super) fn vector_column(&self) -> Option<&Column> {
        match self {
            Half::Vector { column, .. } => Some(column),
            Half::Text { .. } => None,
        }
    }
}

/// The two halves of the flat form.
pub(super) fn text_and_vector(fields: &Fields) -> Result<Vec<Half>> {
    let (text_weight, vector_weight) = match fields.get("weights") {
        None => (1.0, 1.0),
        Some(input) => {
            let weights = Fields::new("weights", input, &["text", "vector"])?;
            let weight =
                |name: &str| weight(&weights, name).map_err(|error| error.within("weights"));
            (weight("text")?, weight("vector")?)
        }
    };
    Ok(vec![
        Half::Text {
            column: options::column(fields, "column")?,
            query: query_literal("query", fields.required_text("query")?)?,
            weight: text_weight,
        },
        Half::Vector {
            column: options::column(fields, "vectorColumn")?,
            vector: required_vector(fields)?,
            metric: metric(fields)?,
            weight: vector_weight,
        },
    ])
}

/// The halves of the general form.
pub(super) fn general_halves(fields: &Fields, input: &Value) -> Result<Vec<Half>> {
    for name in ["column", "vectorColumn", "query", "vector", "metric", "weights"] {
        if fields.get(name).is_some() {
            return Err(Error::argument(
                name,
                "must be left out beside `halves`: each half has its own",
            ));
        }
    }
    let accepted = "a list of 2 to 8 halves";
    let Value::List(items) = input else {
        return Err(refuse("halves", accepted, input));
    };
    if !(2..=MAX_HALVES).contains(&items.len()) {
        return Err(Error::argument(
            "halves",
            format_args!("must be {accepted}, and has {}", items.len()),
        ));
    }
    let mut halves = Vec::new();
    for (at, item) in items.iter().enumerate() {
        halves.push(one_half(item).map_err(|error| error.within(&format!("halves[{at}]")))?);
    }
    Ok(halves)
}

fn one_half(input: &Value) -> Result<Half> {
    #[derive(Clone, Copy)]
    enum Kind {
        Text,
        Vector,
    }
    let any = ["kind", "column", "query", "vector", "metric", "weight"];
    let fields = Fields::new("a half", input, &any)?;
    let kind = fields
        .choice("kind", &[("text", Kind::Text), ("vector", Kind::Vector)])?
        .ok_or_else(|| crate::value::missing("kind", "\"text\" or \"vector\""))?;
    match kind {
        Kind::Text => {
            let fields = Fields::new("a text half", input, &["kind", "column", "query", "weight"])?;
            Ok(Half::Text {
                column: options::column(&fields, "column")?,
                query: query_literal("query", fields.required_text("query")?)?,
                weight: weight(&fields, "weight")?,
            })
        }
        Kind::Vector => {
            let known = ["kind", "column", "vector", "metric", "weight"];
            let fields = Fields::new("a vector half", input, &known)?;
            Ok(Half::Vector {
                column: options::column(&fields, "column")?,
                vector: required_vector(&fields)?,
                metric: metric(&fields)?,
                weight: weight(&fields, "weight")?,
            })
        }
    }
}

fn weight(fields: &Fields, name: &str) -> Result<f64> {
    Ok(fields.number(name, 0.0, false)?.unwrap_or(1.0))
}
