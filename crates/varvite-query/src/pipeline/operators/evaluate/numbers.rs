//! Arithmetic and comparisons of numbers.
//!
//! Whole numbers are computed with 128 bits, and a result has to fit into 64 bits with a sign. If one of two
//! numbers has a fraction, arithmetic rounds the other one to a float, but comparisons are exact.

use std::cmp::Ordering;

use super::spare::Values;
use crate::pipeline::fault::ArithmeticFault;
use crate::pipeline::operators::stop::Stop;
use crate::pipeline::plan::{Arithmetic, Comparison, ValueKind};

/// Replaces the number of each row by the result of an operation with another number. `kind` is the kind of
/// the results.
pub(super) fn compute(
    operation: Arithmetic,
    kind: ValueKind,
    [of_a, of_b]: [ValueKind; 2],
    values: &mut Values,
    others: &[Option<i64>],
) -> Result<(), Stop> {
    for (a, b) in values.iter_mut().zip(others) {
        *a = match (*a, *b) {
            (Some(a), Some(b)) if kind == ValueKind::Fraction => {
                Some(float(operation, of_a.float(a), of_b.float(b)).to_bits() as i64)
            }
            (Some(a), Some(b)) => Some(whole(operation, of_a.whole(a), of_b.whole(b))?),
            _ => None,
        };
    }
    Ok(())
}

/// The result of an operation. Keys compare by their bits, so equal results have equal bits: there is no
/// negative zero, and one NaN in place of those that differ between processors.
fn float(operation: Arithmetic, a: f64, b: f64) -> f64 {
    let result = match operation {
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => a * b,
        Arithmetic::Divide => a / b,
        Arithmetic::Remainder => a % b,
    };
    // Adding 0.0 changes negative zero alone.
    if result.is_nan() { f64::NAN } else { result + 0.0 }
}

fn whole(operation: Arithmetic, a: i128, b: i128) -> Result<i64, Stop> {
    let function = operation.name();
    let result = match operation {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        Arithmetic::Divide | Arithmetic::Remainder if b == 0 => {
            return Err(Stop::Arithmetic(ArithmeticFault::DivisionByZero { function }));
        }
        Arithmetic::Divide => a.checked_div(b),
        Arithmetic::Remainder => a.checked_rem(b),
    };
    let overflow = || Stop::Arithmetic(ArithmeticFault::Overflow { function });
    result.and_then(|result| i64::try_from(result).ok()).ok_or_else(overflow)
}

/// Replaces the value of each row by whether it compares in a way with another value. Both are numbers, or
/// both are truth values or nodes.
pub(super) fn compare(
    comparison: Comparison,
    [of_a, of_b]: [ValueKind; 2],
    values: &mut Values,
    others: &[Option<i64>],
) {
    for (a, b) in values.iter_mut().zip(others) {
        let order = a.zip(*b).map(|(a, b)| order(of_a, a, of_b, b));
        *a = order.map(|order| i64::from(comparison.holds(order)));
    }
}

/// The exact order of two numbers. `None` if one of them is NaN.
fn order(of_a: ValueKind, a: i64, of_b: ValueKind, b: i64) -> Option<Ordering> {
    match (of_a, of_b) {
        (ValueKind::Fraction, ValueKind::Fraction) => of_a.float(a).partial_cmp(&of_b.float(b)),
        (ValueKind::Fraction, _) => order_of_whole(of_b.whole(b), of_a.float(a)).map(Ordering::reverse),
        (_, ValueKind::Fraction) => order_of_whole(of_a.whole(a), of_b.float(b)),
        _ => Some(of_a.whole(a).cmp(&of_b.whole(b))),
    }
}

/// The exact order of a whole number and a float.
fn order_of_whole(whole: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    // The cast saturates at the limits of 128 bits, far outside the range of 64 bits.
    let beside = if float.fract() == 0.0 { Ordering::Equal } else { Ordering::Less };
    Some(whole.cmp(&(float.floor() as i128)).then(beside))
}

/// A number of one kind as a number of another.
pub(super) fn converted(number: i64, from: ValueKind, to: ValueKind) -> Result<i64, Stop> {
    match to {
        ValueKind::Fraction => Ok(from.float(number).to_bits() as i64),
        ValueKind::Signed => {
            let overflow = ArithmeticFault::Overflow { function: "first_of" };
            i64::try_from(from.whole(number)).map_err(|_| Stop::Arithmetic(overflow))
        }
        _ => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(float: f64) -> i64 {
        float.to_bits() as i64
    }

    #[test]
    fn whole_numbers_that_do_not_fit_are_errors() {
        let (low, high) = (i128::from(i64::MIN), i128::from(i64::MAX));
        assert_eq!(whole(Arithmetic::Add, high - 1, 1).ok(), Some(i64::MAX));
        let refused = [
            (Arithmetic::Add, high, 1),
            (Arithmetic::Subtract, low, 1),
            (Arithmetic::Multiply, high, 2),
            (Arithmetic::Divide, low, -1),
            (Arithmetic::Divide, 1, 0),
            (Arithmetic::Remainder, 1, 0),
        ];
        for (operation, a, b) in refused {
            assert!(whole(operation, a, b).is_err(), "{operation:?} {a} {b}");
        }
        assert_eq!(whole(Arithmetic::Divide, -7, 2).ok(), Some(-3));
        assert_eq!(whole(Arithmetic::Remainder, -7, 2).ok(), Some(-1));
        assert_eq!(whole(Arithmetic::Add, u64::MAX.into(), low).ok(), Some(i64::MAX));
    }

    #[test]
    fn numbers_of_different_kinds_compare_exactly() {
        use ValueKind::{Fraction, Signed, Unsigned};
        let large = (1i64 << 53) + 1;
        assert_eq!(order(Signed, large, Fraction, bits(large as f64)), Some(Ordering::Greater));
        assert_eq!(order(Fraction, bits(0.5), Signed, 0), Some(Ordering::Greater));
        assert_eq!(order(Signed, -1, Fraction, bits(-0.5)), Some(Ordering::Less));
        assert_eq!(order(Unsigned, -1, Signed, -1), Some(Ordering::Greater));
        assert_eq!(order(Unsigned, -1, Fraction, bits(f64::INFINITY)), Some(Ordering::Less));
        assert_eq!(order(Signed, 0, Fraction, bits(f64::NAN)), None);
        assert_eq!(order(Signed, 0, Fraction, bits(-0.0)), Some(Ordering::Equal));
    }
}
