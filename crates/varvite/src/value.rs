//! Types and values of properties.

use std::fmt;

/// The type of a property. The numbers are part of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ValueType {
    /// True or false.
    Bool = 0,
    /// Signed, 8 bits.
    I8 = 1,
    /// Signed, 16 bits.
    I16 = 2,
    /// Signed, 32 bits.
    I32 = 3,
    /// Signed, 64 bits.
    I64 = 4,
    /// Unsigned, 8 bits.
    U8 = 5,
    /// Unsigned, 16 bits.
    U16 = 6,
    /// Unsigned, 32 bits.
    U32 = 7,
    /// Unsigned, 64 bits.
    U64 = 8,
    /// IEEE 754 binary32.
    F32 = 9,
    /// IEEE 754 binary64.
    F64 = 10,
    /// UTF-8 text.
    String = 11,
    /// Any bytes.
    Bytes = 12,
    /// A node of the same graph.
    Ref = 13,
}

impl ValueType {
    const ALL: [Self; 14] = [
        Self::Bool,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::F32,
        Self::F64,
        Self::String,
        Self::Bytes,
        Self::Ref,
    ];

    /// The type that a file means by `number`, if there is one.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The name users see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Ref => "ref",
        }
    }

    /// True if values are codes into a string table.
    pub fn is_text(self) -> bool {
        matches!(self, Self::String | Self::Bytes)
    }
}

/// How many values of a property a node of the right label has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Cardinality {
    /// Exactly one.
    One = 0,
    /// One or none.
    Optional = 1,
    /// Any number, in order.
    List = 2,
}

impl Cardinality {
    /// The cardinality that a file means by `number`, if there is one.
    pub fn from_number(number: u8) -> Option<Self> {
        [Self::One, Self::Optional, Self::List].get(usize::from(number)).copied()
    }

    /// The name users see.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Optional => "optional",
            Self::List => "list",
        }
    }
}

/// A value, borrowed from the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'g> {
    /// A truth value.
    Bool(bool),
    /// Any signed integer.
    Int(i64),
    /// Any unsigned integer.
    Uint(u64),
    /// Single precision.
    F32(f32),
    /// Double precision.
    F64(f64),
    /// Text.
    Str(&'g str),
    /// Bytes.
    Bytes(&'g [u8]),
    /// A node; none is the null reference of a foreign graph.
    Ref(Option<u32>),
    /// The null of a foreign graph: a value is there, and it is nothing.
    Null,
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(formatter),
            Self::Int(value) => value.fmt(formatter),
            Self::Uint(value) => value.fmt(formatter),
            Self::F32(value) => value.fmt(formatter),
            Self::F64(value) => value.fmt(formatter),
            Self::Str(value) => value.fmt(formatter),
            Self::Bytes(value) => value.iter().try_for_each(|byte| write!(formatter, "{byte:02x}")),
            Self::Ref(Some(node)) => write!(formatter, "#{node}"),
            Self::Ref(None) | Self::Null => formatter.write_str("null"),
        }
    }
}
