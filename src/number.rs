//! Finite numbers as text: the shortest that reads back as the same float.

/// The largest number up to which JavaScript tells all integers apart, 2^53 - 1.
pub const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

/// Whole numbers without a point, others as [`float`].
pub fn plain(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() <= MAX_SAFE {
        (value as i64).to_string()
    } else {
        float(value)
    }
}

/// With a point or an exponent, whatever the value: the engine types it as a float.
pub fn float(value: f64) -> String {
    zmij::Buffer::new().format_finite(value).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_kind() {
        assert_eq!(plain(2.0), "2");
        assert_eq!(plain(-0.5), "-0.5");
        assert_eq!(float(1.0), "1.0");
        for value in [1e300, 1e16, 5e-324, -2.5e-7] {
            assert_eq!(plain(value).parse::<f64>().unwrap(), value);
            assert!(float(value).contains(['.', 'e']), "{}", float(value));
        }
    }
}
