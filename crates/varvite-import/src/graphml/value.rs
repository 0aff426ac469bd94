//! [`DataKind`], a type of values that a key can declare, and [`DataValue`], a value of such a type.

use serde_json::Value as Json;
use varvite::ValueType;
use varvite_graph::internal::{DefaultValue, Draft, DraftFault, Kind};

use super::xml::Xml;
use crate::text::TextFault;

/// Largest length of the text of a list in bytes; each byte may need about thirty bytes in memory.
const LIST_MAX: usize = 1 << 20;

/// The type of the values of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DataKind {
    value_type: ValueType,
    is_list: bool,
}

/// The value of a key: a single value, or a list.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum DataValue {
    Truth(bool),
    Whole(i64),
    Float(f64),
    Text(String),
    List(Vec<DataValue>),
}

impl DataKind {
    pub(super) const TEXT: Self = Self { value_type: ValueType::String, is_list: false };

    /// The type of a key, read from its attributes: `attr.type`, `attr.list` for lists in the form of APOC,
    /// and `varvite.type` for integer types that GraphML lacks.
    pub(super) fn of_key(xml: &Xml) -> Result<Self, TextFault> {
        let list = xml.attribute("attr.list");
        let attribute = if list.is_some() { "attr.list" } else { "attr.type" };
        let word = list.or_else(|| xml.attribute("attr.type")).unwrap_or("string");
        let value_type = match (word, xml.attribute("varvite.type")) {
            ("int", Some("i8")) => ValueType::I8,
            ("int", Some("i16")) => ValueType::I16,
            ("int", Some("u8")) => ValueType::U8,
            ("int", Some("u16")) => ValueType::U16,
            ("long", Some("u32")) => ValueType::U32,
            ("long", Some("u64")) => ValueType::U64,
            ("boolean" | "bool", _) => ValueType::Bool,
            ("int" | "integer", _) => ValueType::I32,
            ("long", _) => ValueType::I64,
            ("float", _) => ValueType::F32,
            ("double", _) => ValueType::F64,
            ("string", _) => ValueType::String,
            (other, _) => {
                let expected = "boolean, int, long, float, double or string";
                return Err(TextFault::Attribute { attribute, found: other.to_owned(), expected });
            }
        };
        Ok(Self { value_type, is_list: list.is_some() })
    }

    /// The type as a [`Kind`], the form that the draft of a graph uses.
    pub(super) fn kind(self) -> Kind {
        Kind { value_type: self.value_type, is_list: self.is_list }
    }

    /// A type that can represent the values of this key and of another key with the same name: floats if one
    /// key has floats and the other whole numbers, or else the common type by the rules of a draft.
    pub(super) fn with(self, name: &str, other: Kind) -> Result<Kind, DraftFault> {
        let whole = |value_type| {
            matches!(value_type, ValueType::I8 | ValueType::I16 | ValueType::I32 | ValueType::I64)
        };
        let float = |value_type| matches!(value_type, ValueType::F32 | ValueType::F64);
        let pair = [self.value_type, other.value_type];
        if pair.into_iter().any(whole) && pair.into_iter().any(float) {
            return Ok(Kind { value_type: ValueType::F64, is_list: self.is_list || other.is_list });
        }
        other.with(name, self.kind())
    }

    /// Parses the text of a value. `None` if the text is empty and the type is not text, because some
    /// programs write missing values as empty elements.
    pub(super) fn read(self, text: &str) -> Result<Option<DataValue>, TextFault> {
        let is_text = self.value_type == ValueType::String && !self.is_list;
        if !is_text && text.trim().is_empty() {
            return Ok(None);
        }
        if !self.is_list {
            return self.read_one(text).map(Some);
        }
        let refused = |expected| TextFault::Value { text: text.to_owned(), expected };
        if text.len() > LIST_MAX {
            return Err(TextFault::TooLong { what: "a list", limit: LIST_MAX });
        }
        // Lists are JSON arrays.
        let list: Vec<Json> = serde_json::from_str(text).map_err(|_| refused("list of JSON"))?;
        let read = |value: &Json| match value {
            Json::String(text) => self.read_one(text),
            Json::Number(number) => self.read_one(&number.to_string()),
            Json::Bool(truth) => self.read_one(if *truth { "true" } else { "false" }),
            _ => Err(refused("list of texts, numbers or truth values")),
        };
        Ok(Some(DataValue::List(list.iter().map(read).collect::<Result<_, _>>()?)))
    }

    fn read_one(self, text: &str) -> Result<DataValue, TextFault> {
        let trimmed = text.trim();
        let refused = |expected| TextFault::Value { text: text.to_owned(), expected };
        let whole = |min: i64, max: i64, expected| {
            let number = trimmed.parse().ok().filter(|number| (min..=max).contains(number));
            number.map(DataValue::Whole).ok_or_else(|| refused(expected))
        };
        match self.value_type {
            ValueType::Bool if trimmed.eq_ignore_ascii_case("true") || trimmed == "1" => {
                Ok(DataValue::Truth(true))
            }
            ValueType::Bool if trimmed.eq_ignore_ascii_case("false") || trimmed == "0" => {
                Ok(DataValue::Truth(false))
            }
            ValueType::Bool => Err(refused("boolean (true or false)")),
            ValueType::I8 => whole(i8::MIN.into(), i8::MAX.into(), "int of 8 bits"),
            ValueType::I16 => whole(i16::MIN.into(), i16::MAX.into(), "int of 16 bits"),
            ValueType::I32 => whole(i32::MIN.into(), i32::MAX.into(), "int (of 32 bits)"),
            ValueType::I64 => whole(i64::MIN, i64::MAX, "long (of 64 bits)"),
            ValueType::U8 => whole(0, u8::MAX.into(), "int of 8 bits without a sign"),
            ValueType::U16 => whole(0, u16::MAX.into(), "int of 16 bits without a sign"),
            ValueType::U32 => whole(0, u32::MAX.into(), "long of 32 bits without a sign"),
            ValueType::U64 => whole(0, i64::MAX, "long without a sign"),
            ValueType::F32 | ValueType::F64 => {
                trimmed.parse().map(DataValue::Float).map_err(|_| refused("number"))
            }
            _ => Ok(DataValue::Text(text.to_owned())),
        }
    }
}

impl DataValue {
    /// Adds the value to a draft; whole numbers become floats if the property has floats.
    pub(super) fn put(
        &self,
        draft: &mut Draft,
        property: usize,
        owner: u32,
        is_float: bool,
    ) -> Result<(), TextFault> {
        match self {
            Self::Text(text) => draft.put_text(property, owner, text)?,
            Self::List(values) => {
                return values.iter().try_for_each(|value| value.put(draft, property, owner, is_float));
            }
            other => draft.put_number(property, owner, other.number(is_float)?)?,
        }
        Ok(())
    }

    /// The value as the default of a property in a draft.
    pub(super) fn as_default(&self, is_float: bool) -> Result<DefaultValue, TextFault> {
        match self {
            Self::Text(text) => Ok(DefaultValue::Text(text.clone())),
            Self::List(_) => Err(TextFault::Unsupported { what: "a default of a list" }),
            other => Ok(DefaultValue::Number(other.number(is_float)?)),
        }
    }

    fn number(&self, is_float: bool) -> Result<i64, TextFault> {
        match self {
            Self::Truth(truth) => Ok(i64::from(*truth)),
            Self::Float(number) => Ok(number.to_bits() as i64),
            Self::Whole(number) if is_float => {
                let float = *number as f64;
                if float as i64 != *number {
                    let expected = "number that a double can be";
                    return Err(TextFault::Value { text: number.to_string(), expected });
                }
                Ok(float.to_bits() as i64)
            }
            Self::Whole(number) => Ok(*number),
            Self::Text(_) | Self::List(_) => unreachable!("these have no number"),
        }
    }

    /// The number of bytes of the value's texts.
    pub(super) fn text_len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::List(values) => values.iter().map(|value| size_of::<Self>() + value.text_len()).sum(),
            _ => 0,
        }
    }
}
