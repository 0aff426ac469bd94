//! [`Bounds`]: the stored numbers that values of a property can be.
//!
//! A code beyond the texts, a node beyond the last one, a 300 in a byte: no writer puts them down, so a reader that meets one
//! knows that the file is damaged.

use std::ops::RangeInclusive;

use crate::value::ValueType;

/// The null reference, as it is stored.
pub(crate) const NULL_REF: i64 = u32::MAX as i64;

/// The numbers that stand for values, and the one that is null. Each value that is read is held against them: two plain
/// numbers are one comparison, where a `RangeInclusive` also asks whether it was used up.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    pub(crate) low: i64,
    /// Below `low` where there are no values.
    pub(crate) high: i64,
    null: Option<i64>,
}

impl Bounds {
    /// Those of a type, in a graph of so many nodes, in a property of so many texts.
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
        let (low, high) = numbers.into_inner();
        Self { low, high, null }
    }

    /// Those of nodes.
    pub(crate) fn nodes(nodes: u32) -> Self {
        Self { low: 0, high: i64::from(nodes) - 1, null: None }
    }

    /// All that are allowed, if null does not lie apart from them.
    pub(crate) fn all(&self) -> Option<RangeInclusive<i64>> {
        match self.null {
            None => Some(self.low..=self.high),
            Some(null) => (self.high + 1 == null).then_some(self.low..=null),
        }
    }

    /// Whether a number can be a value, or null.
    #[inline]
    pub(crate) fn allow(&self, number: i64) -> bool {
        (self.low <= number && number <= self.high) || self.null == Some(number)
    }

    /// Whether a number is null.
    #[inline]
    pub(crate) fn is_null(&self, number: i64) -> bool {
        self.null == Some(number)
    }
}
