//! [`Tally`]: computes the sum, minimum, maximum or mean of numbers.

use std::cmp::Ordering;
use std::ops::Range;

use super::stop::Stop;
use crate::pipeline::plan::Aggregate;
use crate::pipeline::rows::Meaning;
use varvite_graph::{Property, ValueType};

/// The stored form of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Numbers {
    Signed,
    Unsigned,
    Single,
    Double,
}

impl Numbers {
    pub(super) fn of(meaning: &Meaning) -> Self {
        match meaning.value_type() {
            Some(ValueType::F32) => Self::Single,
            Some(ValueType::F64) => Self::Double,
            Some(ValueType::U8 | ValueType::U16 | ValueType::U32 | ValueType::U64) => Self::Unsigned,
            _ => Self::Signed,
        }
    }

    pub(super) fn whole(self, number: i64) -> i128 {
        match self {
            Self::Unsigned => i128::from(number as u64),
            _ => i128::from(number),
        }
    }

    pub(super) fn float(self, number: i64) -> f64 {
        match self {
            Self::Single => f64::from(f32::from_bits(number as u32)),
            Self::Double => f64::from_bits(number as u64),
            _ => self.whole(number) as f64,
        }
    }

    /// The order key of a number: a signed number that sorts like the value. Floats sort in the total order
    /// of IEEE 754.
    pub(super) fn order_key(self, number: i64) -> i64 {
        match self {
            Self::Signed => number,
            Self::Unsigned => number ^ i64::MIN,
            Self::Single => {
                let bits = number as u32 as i32;
                i64::from(bits ^ ((bits >> 31) as u32 >> 1) as i32)
            }
            Self::Double => number ^ ((number >> 63) as u64 >> 1) as i64,
        }
    }

    /// The number that has this order key, in its stored form.
    pub(super) fn of_order_key(self, key: i64) -> i64 {
        match self {
            // The mapping is its own inverse.
            Self::Single => i64::from(self.order_key(key) as u32),
            _ => self.order_key(key),
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::Single | Self::Double)
    }

    /// Whether a number is NaN. A NaN is never the minimum or maximum.
    #[inline]
    pub(super) fn is_nan(self, number: i64) -> bool {
        self.is_float() && self.float(number).is_nan()
    }

    fn least(self, numbers: &[i64]) -> Option<i64> {
        match self {
            Self::Signed => numbers.iter().copied().min(),
            Self::Unsigned => numbers.iter().copied().min_by(|a, b| self.compare(*a, *b)),
            _ => self.without_nan(numbers).min_by(|a, b| self.compare(*a, *b)),
        }
    }

    fn greatest(self, numbers: &[i64]) -> Option<i64> {
        match self {
            Self::Signed => numbers.iter().copied().max(),
            Self::Unsigned => numbers.iter().copied().max_by(|a, b| self.compare(*a, *b)),
            _ => self.without_nan(numbers).max_by(|a, b| self.compare(*a, *b)),
        }
    }

    fn without_nan(self, numbers: &[i64]) -> impl Iterator<Item = i64> + '_ {
        numbers.iter().copied().filter(move |number| !self.is_nan(*number))
    }

    /// The sum of whole numbers. There must be at most [`SUMMED_AT_ONCE`], so that the sum of their lower
    /// halves and the sum of their upper halves each fit into 64 bits.
    fn sum(self, numbers: &[i64]) -> i128 {
        let (low, high) = numbers.iter().fold((0u64, 0i64), |(low, high), number| {
            let upper = match self {
                Self::Unsigned => (*number as u64 >> 32) as i64,
                _ => *number >> 32,
            };
            (low + u64::from(*number as u32), high + upper)
        });
        (i128::from(high) << 32) + i128::from(low)
    }

    /// Compares two numbers by their values.
    pub(super) fn compare(self, a: i64, b: i64) -> Ordering {
        match self.is_float() {
            true => self.float(a).total_cmp(&self.float(b)),
            false => self.whole(a).cmp(&self.whole(b)),
        }
    }
}

/// The state for the numbers added so far. Only the fields that the aggregate needs are kept up to date.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    aggregate: Aggregate,
    numbers: Numbers,
    count: u64,
    whole: i128,
    float: f64,
    extreme: Option<i64>,
}

/// The maximum count of numbers that are summed at once. It keeps the sum of their lower halves and that of
/// their upper halves within 64 bits.
const SUMMED_AT_ONCE: usize = 1 << 20;

impl Tally {
    pub(super) fn new(aggregate: Aggregate, meaning: &Meaning) -> Self {
        let numbers = Numbers::of(meaning);
        Self { aggregate, numbers, count: 0, whole: 0, float: 0.0, extreme: None }
    }

    /// Removes all numbers.
    pub(super) fn reset(&mut self) {
        (self.count, self.whole, self.float, self.extreme) = (0, 0, 0.0, None);
    }

    /// Whether partial results can be merged in any order and still give the exact result. Sums of floats
    /// can't.
    pub(super) fn is_exact(&self) -> bool {
        !self.numbers.is_float()
    }

    /// Adds numbers.
    pub(super) fn add(&mut self, numbers: &[i64]) {
        self.count += numbers.len() as u64;
        match self.aggregate {
            Aggregate::Min => self.keep(self.numbers.least(numbers)),
            Aggregate::Max => self.keep(self.numbers.greatest(numbers)),
            Aggregate::Sum | Aggregate::Mean if self.numbers.is_float() => {
                numbers.iter().for_each(|number| self.float += self.numbers.float(*number));
            }
            Aggregate::Sum | Aggregate::Mean => {
                let parts = numbers.chunks(SUMMED_AT_ONCE);
                self.whole += parts.map(|part| self.numbers.sum(part)).sum::<i128>();
            }
        }
    }

    /// Whether numbers may be added directly from a stored column.
    pub(super) fn takes_stored(&self) -> bool {
        matches!(self.numbers, Numbers::Signed)
    }

    /// Adds the values of a range of nodes directly from the stored column.
    pub(super) fn add_stored(&mut self, property: &Property, nodes: Range<u32>) {
        match self.aggregate {
            Aggregate::Sum => self.whole += property.sum(nodes),
            Aggregate::Mean => {
                self.count += property.count_in(i64::MIN..=i64::MAX, nodes.clone());
                self.whole += property.sum(nodes);
            }
            Aggregate::Min => self.keep(property.least_and_greatest(nodes).map(|(least, _)| least)),
            Aggregate::Max => self.keep(property.least_and_greatest(nodes).map(|(_, greatest)| greatest)),
        }
    }

    /// Merges another tally, which was made of other numbers.
    pub(super) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.whole += other.whole;
        self.float += other.float;
        self.keep(other.extreme);
    }

    /// Stores the number as the new minimum (or maximum) if it is less (or greater) than the one so far.
    fn keep(&mut self, number: Option<i64>) {
        let Some(number) = number else { return };
        let is_better = self.extreme.is_none_or(|extreme| {
            let order = self.numbers.compare(number, extreme);
            if self.aggregate == Aggregate::Min { order.is_lt() } else { order.is_gt() }
        });
        if is_better {
            self.extreme = Some(number);
        }
    }

    /// The result. `None` if the result is null because there are no numbers.
    pub(super) fn result(&self) -> Result<Option<i64>, Stop> {
        let nothing = self.count == 0;
        Ok(match self.aggregate {
            Aggregate::Sum if self.numbers.is_float() => Some(self.float.to_bits() as i64),
            Aggregate::Sum => {
                let in_range = match self.numbers {
                    Numbers::Unsigned => u64::try_from(self.whole).ok().map(|sum| sum as i64),
                    _ => i64::try_from(self.whole).ok(),
                };
                Some(in_range.ok_or(Stop::Overflow)?)
            }
            Aggregate::Mean if nothing => None,
            Aggregate::Mean if self.numbers.is_float() => {
                Some((self.float / self.count as f64).to_bits() as i64)
            }
            Aggregate::Mean => Some((self.whole as f64 / self.count as f64).to_bits() as i64),
            Aggregate::Min | Aggregate::Max => self.extreme,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(aggregate: Aggregate, value_type: ValueType, numbers: &[i64]) -> Option<i64> {
        let mut whole = Tally::new(aggregate, &Meaning::Plain(value_type));
        let mut parts = whole.clone();
        whole.add(numbers);
        for part in numbers.chunks(2) {
            let mut some = Tally::new(aggregate, &Meaning::Plain(value_type));
            some.add(part);
            parts.merge(&some);
        }
        assert_eq!(parts.result().ok(), whole.result().ok(), "in parts");
        whole.result().ok().flatten()
    }

    #[test]
    fn sums_by_halves_are_sums() {
        let numbers = [i64::MAX, -1, i64::MIN, 1, i64::MAX, -7, 1 << 32, -(1 << 32)];
        let sum: i128 = numbers.iter().map(|number| i128::from(*number)).sum();
        assert_eq!(tally(Aggregate::Sum, ValueType::I64, &numbers), i64::try_from(sum).ok());
        let numbers = [-1, 0, 5];
        assert_eq!(tally(Aggregate::Sum, ValueType::U64, &numbers), None, "2^64 - 1 and 5 overflow");
        assert_eq!(tally(Aggregate::Sum, ValueType::U64, &numbers[..2]), Some(-1));
    }

    #[test]
    fn extremes_go_by_the_type() {
        let numbers = [3, -1, 2];
        assert_eq!(tally(Aggregate::Max, ValueType::I64, &numbers), Some(3));
        assert_eq!(tally(Aggregate::Max, ValueType::U64, &numbers), Some(-1));
        assert_eq!(tally(Aggregate::Min, ValueType::I64, &numbers), Some(-1));
        assert_eq!(tally(Aggregate::Min, ValueType::I64, &[]), None);
    }
    #[test]
    fn nan_is_neither_the_least_nor_the_greatest() {
        let bits = |numbers: &[f64]| numbers.iter().map(|it| it.to_bits() as i64).collect::<Vec<_>>();
        let numbers = bits(&[f64::NAN, 2.0, -f64::NAN, -1.0, f64::NAN]);
        for (aggregate, expected) in [(Aggregate::Min, -1.0f64), (Aggregate::Max, 2.0)] {
            assert_eq!(tally(aggregate, ValueType::F64, &numbers), Some(expected.to_bits() as i64));
            assert_eq!(tally(aggregate, ValueType::F64, &bits(&[f64::NAN, -f64::NAN])), None);
        }
        let singles = [f32::NAN, -0.5, -f32::NAN].map(|it| i64::from(it.to_bits()));
        assert_eq!(tally(Aggregate::Max, ValueType::F32, &singles), Some(singles[1]));
    }
}
