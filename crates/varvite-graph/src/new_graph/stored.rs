//! [`Stored`]: a value in the form that a draft stores, after the check that the value fits its property.

use varvite_format::{Fault, InputError};

use crate::change::{NewValue, NodeRef};
use crate::change_error::ChangeError;
use crate::cursor::bounds::{Bounds, NULL_REF};
use crate::cursor::value::ValueType;
use crate::draft::double_of_single;
use crate::error::{GraphError, Result};

/// A value that fits its property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored<'v> {
    /// A number, a Boolean, the bits of an `f64`, or a node.
    Number(i64),
    /// A text or bytes; `None` is null.
    Bytes(Option<&'v [u8]>),
}

impl<'v> Stored<'v> {
    /// Converts a value for a property of this type, in a graph of `nodes` nodes.
    ///
    /// # Errors
    /// A value of another type, or outside the range of the type; the id of a node that does not exist.
    pub(super) fn of(
        value: &'v NewValue<'_>,
        value_type: ValueType,
        property: &str,
        nodes: u32,
    ) -> Result<Self, ChangeError> {
        let number = match (value_type, value) {
            (ValueType::String, NewValue::Str(text)) => return Ok(Self::Bytes(Some(text.as_bytes()))),
            (ValueType::Bytes, NewValue::Bytes(bytes)) => return Ok(Self::Bytes(Some(bytes))),
            (ValueType::String | ValueType::Bytes, NewValue::Null) => return Ok(Self::Bytes(None)),
            (ValueType::Ref, NewValue::Null) => return Ok(Self::Number(NULL_REF)),
            (ValueType::Ref, NewValue::Ref(NodeRef::Node(node))) if *node < nodes => Some(i64::from(*node)),
            (ValueType::Ref, NewValue::Ref(NodeRef::Node(node))) => {
                return Err(GraphError::NoSuchNode { node: u64::from(*node), nodes }.into());
            }
            // A draft stores singles as doubles, which represent each of them exactly.
            (ValueType::F32, _) => value.number(value_type).map(|bits| double_of_single(bits as u32) as i64),
            _ => value.number(value_type),
        };
        number.map(Self::Number).ok_or_else(|| refused(value, value_type, property))
    }
}

/// The type of a property, taken from its first value. For an integer this is `i64`, if the integer fits.
///
/// # Errors
/// Null, which has no type.
pub(super) fn type_of(value: &NewValue<'_>, property: &str) -> Result<ValueType, ChangeError> {
    Ok(match value {
        NewValue::Bool(_) => ValueType::Bool,
        NewValue::Int(_) => ValueType::I64,
        NewValue::Uint(number) if i64::try_from(*number).is_ok() => ValueType::I64,
        NewValue::Uint(_) => ValueType::U64,
        NewValue::F32(_) => ValueType::F32,
        NewValue::F64(_) => ValueType::F64,
        NewValue::Str(_) => ValueType::String,
        NewValue::Bytes(_) => ValueType::Bytes,
        NewValue::Ref(_) => ValueType::Ref,
        NewValue::Null => {
            let fault = Fault::Missing { what: "value that has a type, or a declaration", number: None };
            return Err(InputError::new(format!("property {property}"), fault).into());
        }
    })
}

/// The error for a value that does not fit: an integer that is too large, or a value of another type.
fn refused(value: &NewValue<'_>, value_type: ValueType, property: &str) -> ChangeError {
    let integer = match value {
        NewValue::Int(number) => Some(*number),
        NewValue::Uint(number) => i64::try_from(*number).ok(),
        _ => None,
    };
    let is_integer = (ValueType::I8 as u8..=ValueType::U64 as u8).contains(&(value_type as u8));
    let (name, found) = (property.to_owned(), value_type.name());
    match (integer, value) {
        (Some(integer), _) if is_integer => {
            let (least, most) = match value_type {
                ValueType::U64 => (0, i64::MAX),
                _ => Bounds::of(value_type, 0, 0).ends(),
            };
            let fault = Fault::Number { what: "value", at: None, least, most, found: Some(integer) };
            InputError::new(format!("property {property}"), fault).into()
        }
        (None, NewValue::Uint(_)) => GraphError::WrongType { name, expected: "u64", found }.into(),
        _ => GraphError::WrongType { name, expected: value.kind(), found }.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(value: NewValue<'_>, value_type: ValueType) -> String {
        Stored::of(&value, value_type, "P", 3).unwrap_err().to_string()
    }

    #[test]
    fn values_that_do_not_fit_say_what_would() {
        assert_eq!(told("x".into(), ValueType::I64), "property P holds i64, not string");
        assert_eq!(
            told(300.into(), ValueType::U8),
            "argument property P: expected a value from 0 to 255, found 300"
        );
        assert_eq!(told(u64::MAX.into(), ValueType::I64), "property P holds i64, not u64");
        assert_eq!(told(1.into(), ValueType::String), "property P holds string, not integer");
        assert_eq!(told(NodeRef::Node(3).into(), ValueType::Ref), "there is no node 3: ids are 0 to 2");
        assert_eq!(told(NewValue::Null, ValueType::I32), "property P holds i32, not null");
    }

    #[test]
    fn a_single_is_kept_as_the_double_that_it_is() {
        let stored = Stored::of(&NewValue::F64(0.1), ValueType::F32, "P", 0).unwrap();
        assert_eq!(stored, Stored::Number(f64::from(0.1f32).to_bits() as i64));
    }

    #[test]
    fn integers_are_i64_unless_they_are_larger() {
        let types =
            [NewValue::from(7u8), u64::MAX.into(), (-1).into()].map(|value| type_of(&value, "P").unwrap());
        assert_eq!(types, [ValueType::I64, ValueType::U64, ValueType::I64]);
        assert!(type_of(&NewValue::Null, "P").is_err());
    }
}
