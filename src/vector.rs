//! Query vectors, in the width of float they came in.

use crate::error::{Error, Result};

/// The widest vector accepted; embedding models in use stay below 10,000.
pub const MAX_WIDTH: usize = 65_536;

/// A vector of one or more finite numbers. 32-bit values stay 32-bit, so that they print in their own shortest form.
#[derive(Debug, Clone, PartialEq)]
pub enum Vector {
    /// From a `Float32Array`.
    F32(Vec<f32>),
    /// From plain numbers or a `Float64Array`.
    F64(Vec<f64>),
}

impl Vector {
    /// How many numbers it holds.
    pub fn width(&self) -> usize {
        match self {
            Vector::F32(values) => values.len(),
            Vector::F64(values) => values.len(),
        }
    }

    /// Checks the width and that every value is finite; `name` is the argument as the caller spells it.
    pub fn checked(self, name: &str) -> Result<Self> {
        let width = self.width();
        if width == 0 || width > MAX_WIDTH {
            return Err(Error::argument(
                name,
                format_args!("must hold 1 to {MAX_WIDTH} numbers, and holds {width}"),
            ));
        }
        let odd = match &self {
            Vector::F32(values) => values.iter().position(|v| !v.is_finite()),
            Vector::F64(values) => values.iter().position(|v| !v.is_finite()),
        };
        match odd {
            // The engine would read NaN as a column name (plain DataFusion 55: "No field named nan").
            Some(at) => Err(Error::argument(
                name,
                format_args!("must hold finite numbers only; the one at position {at} is not"),
            )),
            None => Ok(self),
        }
    }

    /// Appends the values as SQL, comma-separated, each the shortest text that reads back as the same float and
    /// always float-typed: the engine's distance functions do not take integer lists.
    pub(crate) fn write_sql(&self, out: &mut String) {
        let mut printer = zmij::Buffer::new();
        match self {
            Vector::F32(values) => {
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    out.push_str(printer.format_finite(*value));
                }
            }
            Vector::F64(values) => {
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    out.push_str(printer.format_finite(*value));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sql(vector: Vector) -> String {
        let mut out = String::new();
        vector.write_sql(&mut out);
        out
    }

    #[test]
    fn whole_numbers_keep_a_point() {
        assert_eq!(sql(Vector::F64(vec![1.0, 0.0, -0.0, 2e20])), "1.0,0.0,-0.0,2e+20");
    }

    #[test]
    fn each_width_prints_its_own_shortest_form() {
        assert_eq!(sql(Vector::F32(vec![0.1, 1e-7])), "0.1,1e-7");
        assert_eq!(sql(Vector::F64(vec![f64::from(0.1f32)])), "0.10000000149011612");
    }

    #[test]
    fn every_value_reads_back_exactly() {
        for value in [f64::MIN_POSITIVE, f64::MAX, 5e-324, 1.0 / 3.0, -123_456_789.123_456_79] {
            assert_eq!(sql(Vector::F64(vec![value])).parse::<f64>().unwrap(), value);
        }
        for value in [f32::MIN_POSITIVE, f32::MAX, 1e-45, 1.0 / 3.0] {
            assert_eq!(sql(Vector::F32(vec![value])).parse::<f32>().unwrap(), value);
        }
    }

    #[test]
    fn empty_wide_and_non_finite_are_refused_by_name_and_place() {
        for (vector, says) in [
            (Vector::F64(vec![]), "`vector` must hold 1 to 65536 numbers, and holds 0"),
            (Vector::F32(vec![0.0; MAX_WIDTH + 1]), "holds 65537"),
            (Vector::F64(vec![0.0, f64::NAN]), "at position 1 is not"),
            (Vector::F32(vec![f32::INFINITY]), "at position 0 is not"),
        ] {
            let error = vector.checked("vector").unwrap_err();
            assert!(error.message.contains(says), "{}", error.message);
        }
    }
}
