//! [`ValueType`], [`Cardinality`] and [`Value`]: types and values of properties.

use std::fmt;
use std::ops::Deref;

use varvite_format::Text;
use varvite_store::Pinned;

/// The type of a property's values. The numbers of the types are part of the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ValueType {
    /// True or false.
    Bool = 0,
    /// Signed 8-bit integer.
    I8 = 1,
    /// Signed 16-bit integer.
    I16 = 2,
    /// Signed 32-bit integer.
    I32 = 3,
    /// Signed 64-bit integer.
    I64 = 4,
    /// Unsigned 8-bit integer.
    U8 = 5,
    /// Unsigned 16-bit integer.
    U16 = 6,
    /// Unsigned 32-bit integer.
    U32 = 7,
    /// Unsigned 64-bit integer.
    U64 = 8,
    /// IEEE 754 binary32.
    F32 = 9,
    /// IEEE 754 binary64.
    F64 = 10,
    /// UTF-8 text.
    String = 11,
    /// Any bytes.
    Bytes = 12,
    /// Reference to a node of the same graph.
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

    /// The type with the given number in the file format; `None` if no type has this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The public name, in the schema and in messages.
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

    /// The type with the given public name; `None` if no type has this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value_type| value_type.name() == name)
    }

    /// True if values are codes into a string table.
    pub fn is_text(self) -> bool {
        matches!(self, Self::String | Self::Bytes)
    }
}

/// The number of values that an owner may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Cardinality {
    /// Exactly one value.
    One = 0,
    /// One value or none.
    Optional = 1,
    /// Any number of values, in order.
    List = 2,
}

impl Cardinality {
    const ALL: [Self; 3] = [Self::One, Self::Optional, Self::List];

    /// The cardinality with the given number in the file format; `None` if no cardinality has this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The cardinality with the given public name; `None` if no cardinality has this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cardinality| cardinality.name() == name)
    }

    /// The public name, in the schema and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Optional => "optional",
            Self::List => "list",
        }
    }
}

/// A text of a graph. It is borrowed from the mapped file if the file stores it uncompressed; otherwise this
/// value holds the decoded block that contains the text.
#[derive(Clone)]
pub struct Str<'g>(StrBody<'g>);

#[derive(Clone)]
enum StrBody<'g> {
    Borrowed(&'g str),
    /// A text in a decoded block. It was checked to be UTF-8 when the variant was made, and a decoded block
    /// does not change.
    Held(Text<'g, Pinned>),
}

impl<'g> Str<'g> {
    /// Returns `None` if the bytes are not UTF-8.
    #[inline]
    pub(crate) fn new(text: Text<'g, Pinned>) -> Option<Self> {
        if let Some(bytes) = text.as_borrowed() {
            return Some(Self(StrBody::Borrowed(std::str::from_utf8(bytes).ok()?)));
        }
        std::str::from_utf8(&text).is_ok().then_some(Self(StrBody::Held(text)))
    }
}

impl<'g> From<&'g str> for Str<'g> {
    fn from(text: &'g str) -> Self {
        Self(StrBody::Borrowed(text))
    }
}

impl Deref for Str<'_> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match &self.0 {
            StrBody::Borrowed(text) => text,
            StrBody::Held(text) => std::str::from_utf8(text).unwrap_or_default(),
        }
    }
}

impl AsRef<str> for Str<'_> {
    fn as_ref(&self) -> &str {
        self
    }
}

impl From<Str<'_>> for String {
    fn from(text: Str<'_>) -> String {
        (*text).to_owned()
    }
}

impl fmt::Display for Str<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, formatter)
    }
}

impl fmt::Debug for Str<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

impl PartialEq for Str<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// A value, borrowed from the graph.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'g> {
    /// A truth value.
    Bool(bool),
    /// A signed integer of any width.
    Int(i64),
    /// An unsigned integer of any width.
    Uint(u64),
    /// A single-precision floating-point number.
    F32(f32),
    /// A double-precision floating-point number.
    F64(f64),
    /// Text.
    Str(Str<'g>),
    /// Bytes.
    Bytes(Text<'g, Pinned>),
    /// A reference to a node; `None` is the null reference, which imported graphs may contain.
    Ref(Option<u32>),
    /// Null: the owner has a value, and it is null. Imported graphs may contain such values.
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
            Self::Bytes(value) => Hex(value).fmt(formatter),
            Self::Ref(Some(node)) => write!(formatter, "#{node}"),
            Self::Ref(None) | Self::Null => formatter.write_str("null"),
        }
    }
}

/// Shows bytes as two hexadecimal digits each.
pub struct Hex<'a>(pub &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}
