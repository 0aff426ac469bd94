//! [`Bounds`]: the stored numbers that values of a property can be.
//!
//! A code beyond the texts, a node beyond the last one, a 300 in a byte: no writer stores them, so a reader
//! that finds one reports damage of the file.

use std::ops::RangeInclusive;

use crate::cursor::value::ValueType;

/// The null reference, as it is stored.
pub const NULL_REF: i64 = u32::MAX as i64;

/// Any number.
pub(crate) const ANY: RangeInclusive<i64> = i64::MIN..=i64::MAX;

/// The numbers that stand for values, and the one that is null. Each read compares its value with them, which
/// is one comparison for all but null.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The least, and how far the greatest is above it. Without values, null takes their place, or a number
    /// that nothing has.
    low: i64,
    span: u64,
    null: Option<i64>,
    /// The least and the greatest, which is below the least where there are no values.
    ends: (i64, i64),
}

impl Bounds {
    /// The bounds of a type, in a graph of so many nodes, in a property of so many texts.
    pub(crate) fn of(value_type: ValueType, nodes: u32, texts: u32) -> Self {
        let (numbers, null): (RangeInclusive<i64>, _) = match value_type {
            ValueType::Bool => (0..=1, None),
            ValueType::I8 => (i8::MIN.into()..=i8::MAX.into(), None),
            ValueType::I16 => (i16::MIN.into()..=i16::MAX.into(), None),
            ValueType::I32 => (i32::MIN.into()..=i32::MAX.into(), None),
            ValueType::U8 => (0..=u8::MAX.into(), None),
            ValueType::U16 => (0..=u16::MAX.into(), None),
            ValueType::U32 | ValueType::F32 => (0..=u32::MAX.into(), None),
            ValueType::I64 | ValueType::U64 | ValueType::F64 => (i64::MIN..=i64::MAX, None),
            ValueType::Ref => (0..=i64::from(nodes) - 1, Some(NULL_REF)),
            ValueType::String | ValueType::Bytes => (0..=i64::from(texts) - 1, Some(texts.into())),
        };
        Self::within(numbers, null)
    }

    fn within(numbers: RangeInclusive<i64>, null: Option<i64>) -> Self {
        let (low, high) = numbers.into_inner();
        let ends = (low, high);
        match low <= high {
            true => Self { low, span: high.wrapping_sub(low) as u64, null, ends },
            false => Self { low: null.unwrap_or(i64::MIN), span: 0, null, ends },
        }
    }

    /// The least and the greatest number that is a value.
    pub(crate) fn ends(&self) -> (i64, i64) {
        self.ends
    }

    /// The number that is null, if one is.
    pub(crate) fn null(&self) -> Option<i64> {
        self.null
    }

    /// The bounds of nodes.
    pub(crate) fn nodes(nodes: u32) -> Self {
        Self::within(0..=i64::from(nodes) - 1, None)
    }

    /// All that are allowed, if null does not lie apart from them.
    pub(crate) fn all(&self) -> Option<RangeInclusive<i64>> {
        match self.null {
            None => Some(self.ends.0..=self.ends.1),
            Some(null) => (self.ends.1 + 1 == null).then_some(self.ends.0..=null),
        }
    }

    /// Whether a number can be a value, or null.
    #[inline]
    #[doc(hidden)]
    pub fn allow(&self, number: i64) -> bool {
        number.wrapping_sub(self.low) as u64 <= self.span || self.null == Some(number)
    }

    /// Whether all numbers are possible; each is tested, without a branch.
    pub(crate) fn allow_all(&self, numbers: &[i64]) -> bool {
        match self.all().map(RangeInclusive::into_inner) {
            Some((low, high)) => {
                numbers.iter().fold(true, |all, number| all & (low <= *number) & (*number <= high))
            }
            None => numbers.iter().all(|number| self.allow(*number)),
        }
    }

    /// Whether a number is null.
    #[inline]
    #[doc(hidden)]
    pub fn is_null(&self, number: i64) -> bool {
        self.null == Some(number)
    }
}
