//! Arrays. An array has the buffers of a column in Arrow's layout, and the column's children and dictionary.
//!
//! A buffer is reference-counted and never changes, so other languages can read it in place.

use std::fmt;
use std::sync::Arc;

use bytemuck::NoUninit;

use super::field::DataType;

/// The values of a column. The buffers of an array come in Arrow's order: validity, then offsets or values,
/// then bytes.
#[derive(Clone, Debug)]
pub struct Array {
    len: usize,
    null_count: usize,
    buffers: Vec<Option<Buffer>>,
    children: Vec<Array>,
    dictionary: Option<Arc<Array>>,
}

impl Array {
    /// The number of values, including nulls.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the array has no values.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of nulls.
    pub fn null_count(&self) -> usize {
        self.null_count
    }

    /// The buffers of the array. The validity buffer is `None` if no value is null.
    pub fn buffers(&self) -> &[Option<Buffer>] {
        &self.buffers
    }

    /// The child arrays: the items of lists, or the fields of structs.
    pub fn children(&self) -> &[Array] {
        &self.children
    }

    /// The texts or names to which the array's codes refer. `None` if the array's values are not codes.
    pub fn dictionary(&self) -> Option<&Array> {
        self.dictionary.as_deref()
    }

    /// Makes an array of `len` values from one buffer.
    pub(crate) fn of(len: usize, values: Buffer) -> Self {
        let buffers = vec![None, Some(values)];
        Self { len, null_count: 0, buffers, children: Vec::new(), dictionary: None }
    }

    /// Makes an array of numbers of type `T`.
    pub(crate) fn numbers<T: NoUninit + Send + Sync>(numbers: Vec<T>) -> Self {
        Self::of(numbers.len(), Buffer::of(numbers))
    }

    /// Makes an array of numbers, each converted to the width of `data_type`. `numbers` has a float as its
    /// bits.
    pub(crate) fn narrowed(data_type: &DataType, numbers: &[i64]) -> Self {
        fn converted<T: NoUninit + Send + Sync>(numbers: &[i64], convert: fn(i64) -> T) -> Array {
            Array::numbers(numbers.iter().map(|number| convert(*number)).collect())
        }
        match data_type {
            DataType::Boolean => {
                Self::of(numbers.len(), Buffer::of_bits(numbers.iter().map(|number| *number != 0)))
            }
            DataType::Int8 => converted(numbers, |number| number as i8),
            DataType::Int16 => converted(numbers, |number| number as i16),
            DataType::Int32 => converted(numbers, |number| number as i32),
            DataType::UInt8 => converted(numbers, |number| number as u8),
            DataType::UInt16 => converted(numbers, |number| number as u16),
            DataType::UInt32 | DataType::Float32 | DataType::Dictionary(_) => {
                converted(numbers, |number| number as u32)
            }
            _ => Self::numbers(numbers.to_vec()),
        }
    }

    /// Makes an array of texts. `offsets` has one entry more than there are texts.
    pub(crate) fn texts(offsets: Vec<i64>, bytes: Vec<u8>) -> Self {
        let len = offsets.len().saturating_sub(1);
        let buffers = vec![None, Some(Buffer::of(offsets)), Some(Buffer::of(bytes))];
        Self { len, null_count: 0, buffers, children: Vec::new(), dictionary: None }
    }

    /// Makes an array of names, for use as a dictionary.
    pub(crate) fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let (mut offsets, mut bytes) = (vec![0i64], Vec::new());
        for name in names {
            bytes.extend_from_slice(name.as_bytes());
            offsets.push(bytes.len() as i64);
        }
        Self::texts(offsets, bytes)
    }

    /// Makes an array of lists of `items`. `offsets` has one entry more than there are lists.
    pub(crate) fn lists(offsets: Vec<i64>, items: Array) -> Self {
        let len = offsets.len().saturating_sub(1);
        Self { children: vec![items], ..Self::of(len, Buffer::of(offsets)) }
    }

    /// Makes an array of structs. Each of `fields` has `len` values.
    pub(crate) fn structs(len: usize, fields: Vec<Array>) -> Self {
        Self { len, null_count: 0, buffers: vec![None], children: fields, dictionary: None }
    }

    pub(crate) fn with_dictionary(self, dictionary: Arc<Array>) -> Self {
        Self { dictionary: Some(dictionary), ..self }
    }

    /// Returns the array of lists with other items in the same places.
    pub(crate) fn with_items(self, items: Array) -> Self {
        Self { children: vec![items], ..self }
    }

    /// Returns the array with nulls where another array of the same length has them.
    pub(crate) fn with_validity_of(mut self, other: &Self) -> Self {
        let bits = other.buffers.first().cloned().flatten();
        if let Some(own) = self.buffers.first_mut() {
            (self.null_count, *own) = (other.null_count, bits);
        }
        self
    }

    /// Returns the array with nulls where a bit of `bits` is not set.
    pub(crate) fn with_validity(mut self, null_count: usize, bits: Buffer) -> Self {
        self.null_count = null_count;
        self.buffers[0] = Some(bits);
        self
    }
}

/// Bytes that neither move nor change. Clones share the same bytes.
#[derive(Clone)]
pub struct Buffer(Arc<dyn Storage>);

/// The owner of a buffer's bytes.
trait Storage: Send + Sync {
    fn bytes(&self) -> &[u8];
}

impl<T: NoUninit + Send + Sync> Storage for Vec<T> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }
}

impl Buffer {
    /// The bytes, aligned for their type.
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// Makes a buffer of numbers, bytes or offsets.
    pub(crate) fn of<T: NoUninit + Send + Sync>(items: Vec<T>) -> Self {
        Self(Arc::new(items))
    }

    /// Makes a buffer with one bit per item.
    pub(crate) fn of_bits(bits: impl ExactSizeIterator<Item = bool>) -> Self {
        let mut bytes = vec![0u8; bits.len().div_ceil(8)];
        for (place, bit) in bits.enumerate() {
            bytes[place / 8] |= u8::from(bit) << (place % 8);
        }
        Self::of(bytes)
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Buffer of {} bytes", self.bytes().len())
    }
}
