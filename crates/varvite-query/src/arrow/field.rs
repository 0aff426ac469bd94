//! Names and types of columns, in Arrow's words.

use std::sync::Arc;

use varvite_graph::ValueType;

/// A column of a batch, or a part of one: its name and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Type of its values.
    pub data_type: DataType,
    /// Whether a row may be without a value.
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

/// Type of a column: those of Arrow's types that results have.
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
    /// Text, with offsets of 64 bits.
    LargeUtf8,
    /// Bytes, with offsets of 64 bits.
    LargeBinary,
    /// Codes of 32 bits without a sign, into values of this type.
    Dictionary(Box<DataType>),
    /// Lists of such items, with offsets of 64 bits.
    LargeList(Box<Field>),
    Struct(Arc<[Field]>),
}

impl DataType {
    /// The format string of the type in the Arrow C Data Interface; that of its codes for a dictionary.
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

    /// Its child types.
    pub fn children(&self) -> &[Field] {
        match self {
            Self::LargeList(item) => std::slice::from_ref(item),
            Self::Struct(fields) => fields,
            _ => &[],
        }
    }

    /// The type of values of a property; a node is its id.
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
