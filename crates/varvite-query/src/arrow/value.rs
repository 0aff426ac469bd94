//! [`ArrayValue`]: a value of an array, for programs that turn rows into objects of their language.

use super::array::{Array, Buffer};
use super::field::{DataType, Field};

/// A value of an array.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ArrayValue<'a> {
    /// Null.
    Null,
    /// A truth value.
    Bool(bool),
    /// A signed whole number of any width.
    Int(i64),
    /// An unsigned whole number of any width.
    Uint(u64),
    /// A float of 32 bits.
    F32(f32),
    /// A float of 64 bits.
    F64(f64),
    /// A text.
    Text(&'a str),
    /// A byte string, or a text that is not UTF-8.
    Bytes(&'a [u8]),
    /// The items of a list.
    List(Vec<ArrayValue<'a>>),
    /// The fields of a struct, with their names.
    Struct(Vec<(&'a str, ArrayValue<'a>)>),
}

impl Array {
    /// The value at an index, for an array whose type is `data_type`. [`ArrayValue::Null`] beyond the end.
    ///
    /// **Cost**: constant; for lists and structs, an allocation and the time of their items.
    pub fn value<'a>(&'a self, data_type: &'a DataType, index: usize) -> ArrayValue<'a> {
        if self.is_null(index) {
            return ArrayValue::Null;
        }
        self.value_at(data_type, index).unwrap_or(ArrayValue::Null)
    }

    /// Whether the value at an index is null.
    pub fn is_null(&self, index: usize) -> bool {
        let validity = self.buffers().first().and_then(Option::as_ref);
        index >= self.len() || validity.is_some_and(|bits| bit(bits, index) != Some(true))
    }

    fn value_at<'a>(&'a self, data_type: &'a DataType, index: usize) -> Option<ArrayValue<'a>> {
        let number = |value: i64| Some(ArrayValue::Int(value));
        match data_type {
            DataType::Boolean => bit(self.buffer(1)?, index).map(ArrayValue::Bool),
            DataType::Int8 => number(i8::from_le_bytes(self.bytes_at(index)?).into()),
            DataType::Int16 => number(i16::from_le_bytes(self.bytes_at(index)?).into()),
            DataType::Int32 => number(i32::from_le_bytes(self.bytes_at(index)?).into()),
            DataType::Int64 => number(i64::from_le_bytes(self.bytes_at(index)?)),
            DataType::UInt8 => Some(ArrayValue::Uint(u8::from_le_bytes(self.bytes_at(index)?).into())),
            DataType::UInt16 => Some(ArrayValue::Uint(u16::from_le_bytes(self.bytes_at(index)?).into())),
            DataType::UInt32 => Some(ArrayValue::Uint(u32::from_le_bytes(self.bytes_at(index)?).into())),
            DataType::UInt64 => Some(ArrayValue::Uint(u64::from_le_bytes(self.bytes_at(index)?))),
            DataType::Float32 => Some(ArrayValue::F32(f32::from_le_bytes(self.bytes_at(index)?))),
            DataType::Float64 => Some(ArrayValue::F64(f64::from_le_bytes(self.bytes_at(index)?))),
            DataType::LargeUtf8 | DataType::LargeBinary => self.text(data_type, index),
            DataType::Dictionary(values) => {
                let code = u32::from_le_bytes(self.bytes_at(index)?);
                Some(self.dictionary()?.value(values, usize::try_from(code).ok()?))
            }
            DataType::LargeList(item) => {
                let (start, end) = self.range(index)?;
                let items = self.children().first()?;
                Some(ArrayValue::List(
                    (start..end).map(|index| items.value(&item.data_type, index)).collect(),
                ))
            }
            DataType::Struct(fields) => {
                let parts = fields.iter().zip(self.children());
                let part = |(field, array): (&'a Field, &'a Array)| {
                    (field.name.as_str(), array.value(&field.data_type, index))
                };
                Some(ArrayValue::Struct(parts.map(part).collect()))
            }
        }
    }

    fn text<'a>(&'a self, data_type: &DataType, index: usize) -> Option<ArrayValue<'a>> {
        let (start, end) = self.range(index)?;
        let bytes = self.buffer(2)?.bytes().get(start..end)?;
        match std::str::from_utf8(bytes) {
            Ok(text) if *data_type == DataType::LargeUtf8 => Some(ArrayValue::Text(text)),
            _ => Some(ArrayValue::Bytes(bytes)),
        }
    }

    /// The range of the bytes of a text, or of the items of a list.
    fn range(&self, index: usize) -> Option<(usize, usize)> {
        let end_of = |index: usize| usize::try_from(i64::from_le_bytes(self.bytes_at(index)?)).ok();
        Some((end_of(index)?, end_of(index.checked_add(1)?)?))
    }

    fn buffer(&self, number: usize) -> Option<&Buffer> {
        self.buffers().get(number)?.as_ref()
    }

    /// The bytes of a number of the second buffer.
    fn bytes_at<const N: usize>(&self, index: usize) -> Option<[u8; N]> {
        let start = index.checked_mul(N)?;
        self.buffer(1)?.bytes().get(start..start.checked_add(N)?)?.try_into().ok()
    }
}

fn bit(bits: &Buffer, index: usize) -> Option<bool> {
    bits.bytes().get(index / 8).map(|byte| byte >> (index % 8) & 1 == 1)
}
