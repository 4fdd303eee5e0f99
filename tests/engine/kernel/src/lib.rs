//! Distances between two vectors of one width, as Hotdata's SQL functions define them.
//!
//! A crate of its own so that these loops alone can be built optimised in a development build. Nothing here is
//! generic: a generic function would be compiled, unoptimised, into its caller. Sums run in [`LANES`] independent
//! lanes, which lets the compiler use vector registers and makes results the same on every machine.
//!
//! The two slices are expected to be of one length; what the longer one has more is ignored.
#![forbid(unsafe_code)]

/// Independent partial sums of a loop.
const LANES: usize = 16;

/// 1 - cosine of the angle; 1 where either vector is all zeros. From 0 (same direction) to 2 (opposite).
pub fn cosine_f32(a: &[f32], b: &[f32]) -> f32 {
    let mut dot = [0.0f32; LANES];
    let mut norm_a = [0.0f32; LANES];
    let mut norm_b = [0.0f32; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            dot[lane] += x[lane] * y[lane];
            norm_a[lane] += x[lane] * x[lane];
            norm_b[lane] += y[lane] * y[lane];
        }
    }
    for (lane, (x, y)) in a_rest.iter().zip(b_rest).enumerate() {
        dot[lane] += x * y;
        norm_a[lane] += x * x;
        norm_b[lane] += y * y;
    }
    let norms = sum_f32(&norm_a).sqrt() * sum_f32(&norm_b).sqrt();
    if norms == 0.0 { 1.0 } else { 1.0 - sum_f32(&dot) / norms }
}

/// The squared Euclidean distance.
pub fn l2_f32(a: &[f32], b: &[f32]) -> f32 {
    let mut sum = [0.0f32; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            let difference = x[lane] - y[lane];
            sum[lane] += difference * difference;
        }
    }
    for (lane, (x, y)) in a_rest.iter().zip(b_rest).enumerate() {
        sum[lane] += (x - y) * (x - y);
    }
    sum_f32(&sum)
}

/// Minus the inner product, so that lower is nearer.
pub fn negative_dot_f32(a: &[f32], b: &[f32]) -> f32 {
    let mut sum = [0.0f32; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sum[lane] += x[lane] * y[lane];
        }
    }
    for (lane, (x, y)) in a_rest.iter().zip(b_rest).enumerate() {
        sum[lane] += x * y;
    }
    -sum_f32(&sum)
}

/// Narrows each value, for a `Float64` side of a distance: distances are computed in single precision.
pub fn narrow(from: &[f64], to: &mut Vec<f32>) {
    to.clear();
    to.extend(from.iter().map(|value| *value as f32));
}

/// Lanes are added pairwise, which loses least.
fn sum_f32(lanes: &[f32; LANES]) -> f32 {
    let mut sums = *lanes;
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same formulas in double precision and reading order.
    fn plain(a: &[f32], b: &[f32]) -> (f64, f64, f64) {
        let pairs = || a.iter().zip(b).map(|(x, y)| (f64::from(*x), f64::from(*y)));
        let dot: f64 = pairs().map(|(x, y)| x * y).sum();
        let norms = pairs().map(|(x, _)| x * x).sum::<f64>().sqrt()
            * pairs().map(|(_, y)| y * y).sum::<f64>().sqrt();
        let l2 = pairs().map(|(x, y)| (x - y) * (x - y)).sum();
        (1.0 - dot / norms, l2, -dot)
    }

    /// Numbers in [-1, 1) from a fixed linear congruential sequence.
    fn sample(seed: u32, width: usize) -> Vec<f32> {
        let mut state = seed;
        (0..width)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 / 8_388_608.0 - 1.0
            })
            .collect()
    }

    #[test]
    fn agrees_with_double_precision_at_every_width() {
        for width in (1..=70).chain([384, 1536, 1537]) {
            let (a, b) = (sample(7, width), sample(11, width));
            let (cosine, l2, dot) = plain(&a, &b);
            let tolerance = 1e-5 * (1.0 + width as f64);
            assert!((f64::from(cosine_f32(&a, &b)) - cosine).abs() < 1e-5, "cosine at {width}");
            assert!((f64::from(l2_f32(&a, &b)) - l2).abs() < tolerance, "l2 at {width}");
            assert!(
                (f64::from(negative_dot_f32(&a, &b)) - dot).abs() < tolerance,
                "dot at {width}"
            );
        }
    }

    #[test]
    fn a_zero_vector_is_at_cosine_distance_one() {
        assert_eq!(cosine_f32(&[0.0; 3], &[1.0, 2.0, 3.0]), 1.0);
        assert_eq!(cosine_f32(&[], &[]), 1.0);
    }

    #[test]
    fn known_values() {
        assert_eq!(l2_f32(&[1.0, 2.0], &[4.0, 6.0]), 25.0);
        assert_eq!(negative_dot_f32(&[1.0, 2.0], &[4.0, 6.0]), -16.0);
        assert_eq!(cosine_f32(&[1.0, 0.0], &[0.0, 5.0]), 1.0);
        assert_eq!(cosine_f32(&[1.0, 0.0], &[-2.0, 0.0]), 2.0);
    }

    #[test]
    fn narrowing_replaces_what_was_there() {
        let mut to = vec![9.0];
        narrow(&[0.1, 2.0], &mut to);
        assert_eq!(to, vec![0.1f32, 2.0]);
    }
}
