//! [`Test`]: a predicate compiled for the numbers of one column.
//!
//! Columns hold numbers, so tests compare numbers. A test of texts is evaluated once for each distinct text,
//! and a value is then tested by its code. Unsigned 64-bit numbers are stored as signed numbers with the same
//! bits, so ranges compare order keys, which sort like the values.

use std::ops::Bound;
use std::sync::Arc;

use super::text_test::TextTest;

/// A test of one stored number.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Never,
    Equal(i64),
    Range(KeyRange),
    Set(NumberSet),
    Float(FloatRange),
    Texts(Box<TextTest>),
    Not(Box<Test>),
    Any(Vec<Test>),
}

impl Test {
    /// Whether the test reads texts.
    pub(crate) fn asks_texts(&self) -> bool {
        match self {
            Self::Texts(_) => true,
            Self::Not(test) => test.asks_texts(),
            Self::Any(tests) => tests.iter().any(Self::asks_texts),
            _ => false,
        }
    }

    /// Whether threads can share the test, because it has no state. Only text tests that are nested in other
    /// tests have state: they are evaluated on demand.
    pub(crate) fn is_shared(&self) -> bool {
        let is_plain = |test: &Test| !matches!(test, Self::Texts(_)) && test.is_shared();
        match self {
            Self::Not(test) => is_plain(test),
            Self::Any(tests) => tests.iter().all(is_plain),
            _ => true,
        }
    }

    /// Whether a number passes the test. Returns false for a test of texts, which the operator evaluates
    /// instead.
    #[inline]
    pub(crate) fn passes(&self, number: i64) -> bool {
        match self {
            Self::Never | Self::Texts(_) => false,
            Self::Equal(wanted) => number == *wanted,
            Self::Range(range) => range.contains(number),
            Self::Set(set) => set.contains(number),
            Self::Float(range) => range.contains(number),
            Self::Not(test) => !test.passes(number),
            Self::Any(tests) => tests.iter().any(|test| test.passes(number)),
        }
    }

    /// The kind of the test, as `explain` shows it.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Never => "false".into(),
            Self::Equal(_) => "equal".into(),
            Self::Range(_) => "range".into(),
            Self::Set(set) => format!("set of {}", set.numbers().len()),
            Self::Float(_) => "float range".into(),
            Self::Texts(texts) => format!("dictionary filter over {} texts", texts.strings.len()),
            Self::Not(test) => format!("not {}", test.words()),
            Self::Any(_) => "ranges".into(),
        }
    }

    /// A rough estimate of the share of values that pass. `distinct` is the number of distinct values, if
    /// known.
    pub(crate) fn share(&self, distinct: Option<f64>) -> f64 {
        let one = 1.0 / distinct.unwrap_or(10.0).max(1.0);
        match self {
            Self::Never => 0.0,
            Self::Equal(_) => one,
            Self::Set(set) => (one * set.numbers().len() as f64).min(1.0),
            Self::Range(_) | Self::Float(_) => 1.0 / 3.0,
            Self::Texts(_) => 0.1,
            Self::Not(test) => 1.0 - test.share(distinct),
            Self::Any(tests) => tests.iter().map(|test| test.share(distinct)).sum::<f64>().min(1.0),
        }
    }
}

/// A set of numbers. For most numbers outside the set, checking one bit is enough and no search is needed.
#[derive(Clone, Debug)]
pub(crate) struct NumberSet {
    /// The numbers, sorted.
    numbers: Arc<[i64]>,
    /// One bit for each remainder, set if a number in the set has this remainder.
    remainders: Arc<[u64; Self::WORDS]>,
}

impl NumberSet {
    const WORDS: usize = 16;

    /// Makes the set of `numbers`, which must be sorted.
    pub(crate) fn new(numbers: Vec<i64>) -> Self {
        let mut remainders = [0; Self::WORDS];
        for number in &numbers {
            let (word, bit) = Self::remainder(*number);
            remainders[word] |= bit;
        }
        Self { numbers: numbers.into(), remainders: Arc::new(remainders) }
    }

    pub(crate) fn numbers(&self) -> &[i64] {
        &self.numbers
    }

    #[inline]
    pub(crate) fn contains(&self, number: i64) -> bool {
        let (word, bit) = Self::remainder(number);
        self.remainders[word] & bit != 0 && self.numbers.binary_search(&number).is_ok()
    }

    /// The index of the word and the bit for a number's remainder.
    #[inline]
    fn remainder(number: i64) -> (usize, u64) {
        (number as usize / 64 % Self::WORDS, 1 << (number as usize % 64))
    }
}

/// A range of whole numbers, stored as order keys, which sort like the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyRange {
    pub(crate) low: u64,
    pub(crate) high: u64,
    pub(crate) is_unsigned: bool,
}

impl KeyRange {
    const SIGN: u64 = 1 << 63;

    /// The range of signed numbers from `low` to `high`, both included.
    pub(crate) fn signed(low: i64, high: i64) -> Self {
        let key = |number: i64| number as u64 ^ Self::SIGN;
        Self { low: key(low), high: key(high), is_unsigned: false }
    }

    /// The range of unsigned numbers from `low` to `high`, both included.
    pub(crate) fn unsigned(low: u64, high: u64) -> Self {
        Self { low, high, is_unsigned: true }
    }

    #[inline]
    pub(crate) fn contains(&self, number: i64) -> bool {
        let key = if self.is_unsigned { number as u64 } else { number as u64 ^ Self::SIGN };
        self.low <= key && key <= self.high
    }

    /// The bounds of the range as stored numbers. `None` if the stored numbers in this range do not sort like
    /// the values.
    pub(crate) fn stored(&self) -> Option<(i64, i64)> {
        if self.is_unsigned {
            // Up to the greatest signed number, stored numbers sort like the unsigned values.
            let bounds = (i64::try_from(self.low).ok()?, i64::try_from(self.high).ok()?);
            return Some(bounds);
        }
        Some(((self.low ^ Self::SIGN) as i64, (self.high ^ Self::SIGN) as i64))
    }
}

/// A range of floats, which are stored as their bits. No range contains a NaN.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloatRange {
    pub(crate) low: Bound<f64>,
    pub(crate) high: Bound<f64>,
    /// Whether floats are stored in 32 bits.
    pub(crate) is_single: bool,
}

impl FloatRange {
    #[inline]
    fn contains(&self, number: i64) -> bool {
        let value = match self.is_single {
            true => f64::from(f32::from_bits(number as u32)),
            false => f64::from_bits(number as u64),
        };
        let above = match self.low {
            Bound::Included(low) => value >= low,
            Bound::Excluded(low) => value > low,
            Bound::Unbounded => !value.is_nan(),
        };
        above
            && match self.high {
                Bound::Included(high) => value <= high,
                Bound::Excluded(high) => value < high,
                Bound::Unbounded => true,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_tells_numbers_with_equal_remainders_apart() {
        let set = NumberSet::new(vec![i64::MIN, -1024, -1, 0, 5, 1029, i64::MAX]);
        assert!(set.numbers().iter().all(|number| set.contains(*number)));
        assert!([-2048, -1025, 1, 1024, 2053, i64::MIN + 1024].iter().all(|number| !set.contains(*number)));
    }
}
