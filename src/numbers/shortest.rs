//! Whether digits are what a 64-bit float prints as: the fewest that read back as it.

use std::cmp::Ordering;

use crate::number::Number;

/// The most digits a float prints as.
pub const MOST_DIGITS: u32 = 17;

/// Powers of five, as far as [`of_scale`] counts with them.
const FIVES: [u64; 27] = {
    let mut fives = [1; 27];
    let mut at = 1;
    while at < fives.len() {
        fives[at] = 5 * fives[at - 1];
        at += 1;
    }
    fives
};

/// A power of ten, up to 10^19.
pub fn ten_to(power: u32) -> u64 {
    FIVES[power as usize] << power
}

/// Whether the digits of a number, 17 at most, are what some float prints as.
pub fn is_shortest(number: &Number) -> bool {
    of_scale(number.value, number.scale as usize, (number.value % 10) as u8)
        .unwrap_or_else(|| is_printed(number))
}

/// Whether `value`, which ends in no zero, is with `scale` places after the point what some float prints as; nothing where
/// that takes other means. `value` is below 10^17.
///
/// In integers, so exact. The float nearest to the value is `whole` / 2^`shift` / 2^`scale`, with a `whole` of 53 bits.
/// Times 10^`scale`, so that the value's last digit counts 1, floats are 5^`scale` / 2^`shift` apart: everything below is
/// 2^`shift` as large again. What is nearer to a float than half of that reads back as it. The value is what the float
/// prints as if it is the integer nearest to it, and no multiple of ten reads back as the float too.
pub fn of_scale(value: u64, scale: usize, last: u8) -> Option<bool> {
    const MANTISSA: u64 = (1 << 52) - 1;
    let spacing = *FIVES.get(scale)?;
    let bits = (value as i64 as f64 / spacing as i64 as f64).to_bits();
    let shift = 1075u64.wrapping_sub(bits >> 52);
    // At a power of two the spacing changes; past these shifts the products below could outgrow 63 bits.
    if bits.wrapping_add(2) & MANTISSA < 4 || !(1..=58).contains(&shift) {
        return None;
    }
    let whole = bits & MANTISSA | (MANTISSA + 1);
    // Only the difference has to fit.
    let past = (value << shift).wrapping_sub(whole.wrapping_mul(spacing)) as i64;
    let (half, spacing) = ((spacing / 2) as i64, spacing as i64);
    // The division may have come out at a neighbour of the nearest float.
    let past = past - spacing * (i64::from(past > half) - i64::from(past < -half));
    let (unit, last, off) = (1 << shift, i64::from(last), past.abs());
    if off > half || off == unit / 2 {
        return None;
    }
    // An odd spacing's half is no integer: nothing stands exactly at it.
    let alone = last * unit - past > half && (10 - last) * unit + past > half;
    Some(off < unit / 2 && alone)
}

/// The same for every number, found by printing floats from a computed guess on; no exact parser has to be carried.
fn is_printed(number: &Number) -> bool {
    // In two steps, since the power alone may be no float.
    let (power, value) = (number.scale.unsigned_abs() as i32, number.value as f64);
    let mut guess = value;
    for power in [power / 2, power - power / 2] {
        let power = 10f64.powi(power);
        guess = if number.scale > 0 { guess / power } else { guess * power };
    }
    let mut float = guess.min(f64::MAX);
    let mut first = None;
    // The guess is a few floats off at the most; 64 of them are far beyond.
    for _ in 0..64 {
        let printed = Number::at(zmij::Buffer::new().format_finite(float).as_bytes(), 0);
        let order = order(&printed, number);
        match order {
            Ordering::Equal => return true,
            passed if passed != *first.get_or_insert(order) => return false,
            Ordering::Less if float == f64::MAX => return false,
            Ordering::Less => float = float.next_up(),
            Ordering::Greater => float = float.next_down(),
        }
    }
    false
}

/// How two numbers compare that have at most 17 digits, the second of them some.
fn order(printed: &Number, number: &Number) -> Ordering {
    let key = |of: &Number| {
        (of.digits > 0, of.magnitude(), of.value * ten_to(MOST_DIGITS.saturating_sub(of.digits)))
    };
    key(printed).cmp(&key(number))
}
