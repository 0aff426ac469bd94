//! Names and types of columns, in Arrow's terms.

use std::sync::Arc;

use varvite_graph::ValueType;

/// The name and type of a column, or of a part of a column, such as the items of lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name of the field.
    pub name: String,
    /// The type of the field's values.
    pub data_type: DataType,
    /// Whether a value may be null.
    pub is_nullable: bool,
}

impl Field {
    pub(crate) fn new(name: &str, data_type: DataType) -> Self {
        Self { name: name.to_owned(), data_type, is_nullable: false }
    }

    pub(crate) fn nullable(name: &str, data_type: DataType) -> Self {
        Self { is_nullable: true, ..Self::new(name, data_type) }
    }
}

/// The form of the texts of a property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextForm {
    /// Every row has its text.
    #[default]
    Full,
    /// Every row has a code, and each batch has a dictionary of the texts that occur in it.
    Dictionary,
}

/// The type of a column. Only the types of Arrow that occur in results are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "these are Arrow's words")]
pub enum DataType {
    Boolean,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float32,
    Float64,
    /// Texts, with 64-bit offsets.
    LargeUtf8,
    /// Byte strings, with 64-bit offsets.
    LargeBinary,
    /// Unsigned 32-bit codes, which are indexes into a dictionary with values of this type.
    Dictionary(Box<DataType>),
    /// Lists of items of this field, with 64-bit offsets.
    LargeList(Box<Field>),
    Struct(Arc<[Field]>),
}

impl DataType {
    /// The format string of the type in the Arrow C Data Interface. For a dictionary type, this is the format
    /// string of the codes.
    pub fn format(&self) -> &'static str {
        match self {
            Self::Boolean => "b",
            Self::Int8 => "c",
            Self::Int16 => "s",
            Self::Int32 => "i",
            Self::Int64 => "l",
            Self::UInt8 => "C",
            Self::UInt16 => "S",
            Self::UInt32 | Self::Dictionary(_) => "I",
            Self::UInt64 => "L",
            Self::Float32 => "f",
            Self::Float64 => "g",
            Self::LargeUtf8 => "U",
            Self::LargeBinary => "Z",
            Self::LargeList(_) => "+L",
            Self::Struct(_) => "+s",
        }
    }

    /// The child fields of the type.
    pub fn children(&self) -> &[Field] {
        match self {
            Self::LargeList(item) => std::slice::from_ref(item),
            Self::Struct(fields) => fields,
            _ => &[],
        }
    }

    /// The Arrow type for the value type of a property. A reference to a node is stored as the node's id.
    pub(crate) fn of(value_type: ValueType) -> Self {
        match value_type {
            ValueType::Bool => Self::Boolean,
            ValueType::I8 => Self::Int8,
            ValueType::I16 => Self::Int16,
            ValueType::I32 => Self::Int32,
            ValueType::I64 => Self::Int64,
            ValueType::U8 => Self::UInt8,
            ValueType::U16 => Self::UInt16,
            ValueType::U32 | ValueType::Ref => Self::UInt32,
            ValueType::U64 => Self::UInt64,
            ValueType::F32 => Self::Float32,
            ValueType::F64 => Self::Float64,
            ValueType::String => Self::LargeUtf8,
            ValueType::Bytes => Self::LargeBinary,
        }
    }

    pub(crate) fn dictionary_of_texts() -> Self {
        Self::Dictionary(Box::new(Self::LargeUtf8))
    }
}
