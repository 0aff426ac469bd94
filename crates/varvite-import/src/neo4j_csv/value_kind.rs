//! [`ValueKind`]: the types of values that a header can name.

use varvite::ValueType;

/// A type of values in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// Integers within a range.
    Integer(ValueType, i64, i64),
    /// Floating-point numbers: `float` and `double`.
    Float(ValueType),
    Boolean,
    Char,
    /// Texts; also points, dates and times, which are stored as texts.
    Text,
}

impl ValueKind {
    /// The type with a name, in upper or lower case.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let integer = |value_type, min, max| Some(Self::Integer(value_type, min, max));
        match &*name.to_ascii_lowercase() {
            "byte" => integer(ValueType::I8, i8::MIN.into(), i8::MAX.into()),
            "short" => integer(ValueType::I16, i16::MIN.into(), i16::MAX.into()),
            "int" | "integer" => integer(ValueType::I32, i32::MIN.into(), i32::MAX.into()),
            "long" => integer(ValueType::I64, i64::MIN, i64::MAX),
            "float" => Some(Self::Float(ValueType::F32)),
            "double" => Some(Self::Float(ValueType::F64)),
            "boolean" | "bool" => Some(Self::Boolean),
            "char" => Some(Self::Char),
            "string" | "point" | "date" | "localtime" | "time" | "localdatetime" | "datetime"
            | "duration" => Some(Self::Text),
            _ => None,
        }
    }

    /// The type of the values in a graph.
    pub(super) fn value_type(self) -> ValueType {
        match self {
            Self::Integer(value_type, ..) | Self::Float(value_type) => value_type,
            Self::Boolean => ValueType::Bool,
            Self::Char | Self::Text => ValueType::String,
        }
    }

    /// The name of the type in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Integer(ValueType::I8, ..) => "byte (-128 to 127)",
            Self::Integer(ValueType::I16, ..) => "short (-32768 to 32767)",
            Self::Integer(ValueType::I32, ..) => "int (-2147483648 to 2147483647)",
            Self::Integer(..) => "long (a whole number of 64 bits)",
            Self::Float(ValueType::F32) => "float",
            Self::Float(_) => "double",
            Self::Boolean => "boolean (true or false)",
            Self::Char => "char (one character)",
            Self::Text => "string",
        }
    }
}
