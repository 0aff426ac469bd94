//! [`Bounds`]: the range of stored numbers that are valid for a property.
//!
//! No writer stores the code of a text that does not exist, the id of a node that does not exist, or 300 in a
//! column of 8-bit integers. A reader that finds such a number reports that the file is damaged.

use std::ops::RangeInclusive;

use crate::cursor::value::ValueType;

/// The number that stands for the null reference in a column.
pub const NULL_REF: i64 = u32::MAX as i64;

/// The range of all numbers.
pub(crate) const ANY: RangeInclusive<i64> = i64::MIN..=i64::MAX;

/// The range of numbers that stand for values, and the number that stands for null. Each read compares the
/// stored number with these bounds, which is one comparison unless the number stands for null.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The least valid number. `span` is the difference between the greatest and the least valid number. If
    /// no number stands for a value, the range contains only null or, if there is no null, only `i64::MIN`.
    low: i64,
    span: u64,
    null: Option<i64>,
    /// The least and the greatest number that stands for a value. If no number does, the second is below the
    /// first.
    ends: (i64, i64),
}

impl Bounds {
    /// The bounds of a property's type, in a graph of `nodes` nodes; the property has `texts` texts.
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

    /// The least and the greatest number that stands for a value.
    pub(crate) fn ends(&self) -> (i64, i64) {
        self.ends
    }

    /// The number that stands for null; `None` if the type has no null.
    pub(crate) fn null(&self) -> Option<i64> {
        self.null
    }

    /// The bounds of node ids, in a graph of `nodes` nodes.
    pub(crate) fn nodes(nodes: u32) -> Self {
        Self::within(0..=i64::from(nodes) - 1, None)
    }

    /// The range of all valid numbers, null included; `None` if the number for null is not adjacent to the
    /// numbers of values.
    pub(crate) fn all(&self) -> Option<RangeInclusive<i64>> {
        match self.null {
            None => Some(self.ends.0..=self.ends.1),
            Some(null) => (self.ends.1 + 1 == null).then_some(self.ends.0..=null),
        }
    }

    /// Whether a number stands for a value or for null.
    #[inline]
    #[doc(hidden)]
    pub fn allow(&self, number: i64) -> bool {
        number.wrapping_sub(self.low) as u64 <= self.span || self.null == Some(number)
    }

    /// Whether all of `numbers` stand for values or null. Tests every number, usually without branches.
    pub(crate) fn allow_all(&self, numbers: &[i64]) -> bool {
        match self.all().map(RangeInclusive::into_inner) {
            Some((low, high)) => {
                numbers.iter().fold(true, |all, number| all & (low <= *number) & (*number <= high))
            }
            None => numbers.iter().all(|number| self.allow(*number)),
        }
    }

    /// Whether a number stands for null.
    #[inline]
    #[doc(hidden)]
    pub fn is_null(&self, number: i64) -> bool {
        self.null == Some(number)
    }
}
