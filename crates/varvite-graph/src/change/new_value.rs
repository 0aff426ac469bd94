//! [`NewValue`]: a value that a diff gives to a node or an edge.

use std::borrow::Cow;

use super::element::{NewNode, NodeRef};
use crate::cursor::value::{Value, ValueType};

/// A value that a diff gives to a node or an edge. Applying the diff checks that the value fits the property:
/// an integer fits every number type that can hold it exactly; a double is rounded to the nearest single if
/// the property has singles.
#[derive(Clone, Debug, PartialEq)]
pub enum NewValue<'a> {
    /// Null, as a value of a text or reference property.
    Null,
    /// A Boolean value.
    Bool(bool),
    /// Any signed integer.
    Int(i64),
    /// Any unsigned integer.
    Uint(u64),
    /// A single-precision number.
    F32(f32),
    /// A double-precision number.
    F64(f64),
    /// A text in UTF-8.
    Str(&'a str),
    /// A sequence of bytes.
    Bytes(Cow<'a, [u8]>),
    /// A reference to a node.
    Ref(NodeRef),
}

macro_rules! from {
    ($($type:ty => $variant:ident,)+) => {
        $(impl From<$type> for NewValue<'_> {
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        })+
    };
}

from! {
    bool => Bool,
    i8 => Int,
    i16 => Int,
    i32 => Int,
    i64 => Int,
    u8 => Uint,
    u16 => Uint,
    u32 => Uint,
    u64 => Uint,
    f32 => F32,
    f64 => F64,
    NodeRef => Ref,
    NewNode => Ref,
}

impl<'a> From<&'a str> for NewValue<'a> {
    fn from(text: &'a str) -> Self {
        Self::Str(text)
    }
}

impl<'a> From<&'a [u8]> for NewValue<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(Cow::Borrowed(bytes))
    }
}

impl From<Vec<u8>> for NewValue<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(Cow::Owned(bytes))
    }
}

impl<'a> NewValue<'a> {
    /// Makes a new value from a value of a graph. `node` maps the id of a referenced node to a node of the
    /// diff; a reference becomes null if `node` returns `None`.
    #[doc(hidden)]
    pub fn of(value: &'a Value<'_>, node: impl FnOnce(u32) -> Option<NodeRef>) -> Self {
        match value {
            Value::Bool(value) => (*value).into(),
            Value::Int(value) => Self::Int(*value),
            Value::Uint(value) => Self::Uint(*value),
            Value::F32(value) => Self::F32(*value),
            Value::F64(value) => Self::F64(*value),
            Value::Str(text) => Self::Str(text),
            Value::Bytes(bytes) => Self::from(&bytes[..]),
            Value::Ref(of) => of.and_then(node).map_or(Self::Null, Self::Ref),
            Value::Null => Self::Null,
        }
    }
}

impl NewValue<'_> {
    /// The name of the value's kind, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Int(_) | Self::Uint(_) => "integer",
            Self::F32(_) => "f32",
            Self::F64(_) => "f64",
            Self::Str(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Ref(_) => "ref",
        }
    }

    /// The integer that a file stores for this value in a number property of this type; `None` if the value
    /// does not fit.
    pub(crate) fn number(&self, value_type: ValueType) -> Option<i64> {
        match value_type {
            ValueType::Bool => match self {
                Self::Bool(value) => Some((*value).into()),
                _ => None,
            },
            ValueType::I8 => self.integer(i8::MIN.into(), i8::MAX.into()),
            ValueType::I16 => self.integer(i16::MIN.into(), i16::MAX.into()),
            ValueType::I32 => self.integer(i32::MIN.into(), i32::MAX.into()),
            ValueType::I64 => self.integer(i64::MIN.into(), i64::MAX.into()),
            ValueType::U8 => self.integer(0, u8::MAX.into()),
            ValueType::U16 => self.integer(0, u16::MAX.into()),
            ValueType::U32 => self.integer(0, u32::MAX.into()),
            ValueType::U64 => self.integer(0, u64::MAX.into()),
            ValueType::F32 => Some(self.single()?.to_bits().into()),
            ValueType::F64 => Some(self.double()?.to_bits() as i64),
            ValueType::String | ValueType::Bytes | ValueType::Ref => None,
        }
    }

    fn integer(&self, least: i128, most: i128) -> Option<i64> {
        let value = match self {
            Self::Int(value) => i128::from(*value),
            Self::Uint(value) => i128::from(*value),
            _ => return None,
        };
        // `u64` numbers from 2^63 on are stored as the negative `i64` with the same bits.
        (least..=most).contains(&value).then_some(value as i64)
    }

    fn single(&self) -> Option<f32> {
        match self {
            Self::F32(value) => Some(*value),
            Self::F64(value) => {
                let single = *value as f32;
                (single.is_finite() == value.is_finite()).then_some(single)
            }
            _ => {
                let double = self.double()?;
                let single = double as f32;
                (f64::from(single) == double).then_some(single)
            }
        }
    }

    fn double(&self) -> Option<f64> {
        let (double, integer) = match self {
            Self::F32(value) => return Some((*value).into()),
            Self::F64(value) => return Some(*value),
            Self::Int(value) => (*value as f64, i128::from(*value)),
            Self::Uint(value) => (*value as f64, i128::from(*value)),
            _ => return None,
        };
        (double as i128 == integer).then_some(double)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_fit_what_holds_them_exactly() {
        let fits = |value: NewValue<'_>, value_type| value.number(value_type);
        assert_eq!(fits(255u8.into(), ValueType::U8), Some(255));
        assert_eq!(fits(256u16.into(), ValueType::U8), None);
        assert_eq!(fits((-1).into(), ValueType::U64), None);
        assert_eq!(fits(u64::MAX.into(), ValueType::U64), Some(-1));
        assert_eq!(fits(u64::MAX.into(), ValueType::I64), None);
        assert_eq!(fits(3.into(), ValueType::F64), Some(3f64.to_bits() as i64));
        assert_eq!(fits(((1i64 << 53) + 1).into(), ValueType::F64), None);
        assert_eq!(fits(1.into(), ValueType::Bool), None);
        assert_eq!(fits(true.into(), ValueType::U8), None);
    }

    #[test]
    fn a_double_becomes_the_nearest_single() {
        let single = |value: f64| NewValue::from(value).number(ValueType::F32);
        assert_eq!(single(0.1), Some(0.1f32.to_bits().into()));
        assert_eq!(single(1e39), None);
        assert!(single(f64::NAN).is_some() && single(f64::INFINITY).is_some());
        assert_eq!(NewValue::from(16_777_217).number(ValueType::F32), None);
        assert_eq!(NewValue::from(0.1f32).number(ValueType::F32), Some(0.1f32.to_bits().into()));
    }
}
