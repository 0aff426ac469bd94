//! [`SmallInts`]: a fast reader of columns in which nearly all values fit a byte.
//!
//! The innermost loops read one small number in every hop. With this reader, that takes a bounds check, a
//! load and a comparison; larger values are read through [`Ints`].

use std::ops::Deref;

use crate::Ints;

/// A reader of integers that are read often and are mostly small.
#[derive(Clone, Debug)]
pub struct SmallInts<B> {
    /// One byte for each value, if the column has that form; other bytes may follow.
    bytes: B,
    /// The number of bytes in `bytes` that are values; 0 if the column does not have one byte for each value.
    in_bytes: usize,
    /// The value of byte 0.
    offset: u32,
    ints: Ints<B>,
}

/// An upper limit of valid values, prepared for comparison with bytes.
#[derive(Clone, Copy, Debug)]
pub struct SmallLimit {
    first_other: u8,
    limit: u32,
}

impl SmallLimit {
    /// The limit for bytes: a byte of [`SmallInts::bytes`] below this number stands for a value below the
    /// limit. The number is at most 255, the byte that stands for values stored elsewhere.
    pub fn first_other(self) -> u8 {
        self.first_other
    }
}

/// The byte that stands for a value that is stored elsewhere.
const ELSEWHERE: u8 = u8::MAX;

impl<B: Deref<Target = [u8]> + Clone + Default> SmallInts<B> {
    /// A reader of the values of `ints`, which must not be relative to a key.
    pub fn new(ints: Ints<B>) -> Self {
        let (bytes, offset) = ints.bytes().unwrap_or_default();
        let in_bytes = ints.len().min(bytes.len());
        Self { bytes, in_bytes, offset, ints }
    }

    /// A general reader of the same column.
    pub fn ints(&self) -> &Ints<B> {
        &self.ints
    }

    /// The bytes of all values, and the value of byte 0; `None` if the column does not have one byte for each
    /// value. The byte 255 stands for a value that is stored elsewhere.
    pub fn bytes(&self) -> Option<(&[u8], u32)> {
        Some((self.bytes.get(..self.len())?, self.offset))
    }

    /// The number of values.
    #[inline]
    pub fn len(&self) -> usize {
        self.ints.len()
    }

    /// True if there is no value.
    pub fn is_empty(&self) -> bool {
        self.ints.is_empty()
    }

    /// Value number `index`. `None` past the end, if bytes are missing, and if the value is no `u32`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<u32> {
        match self.byte(index) {
            Some(byte) if byte != ELSEWHERE => Some(self.offset.wrapping_add(u32::from(byte))),
            _ => self.elsewhere(index),
        }
    }

    #[inline]
    fn byte(&self, index: usize) -> Option<u8> {
        if index < self.in_bytes { self.bytes.get(index).copied() } else { None }
    }

    #[cold]
    fn elsewhere(&self, index: usize) -> Option<u32> {
        self.ints.get_u32(index, 0)
    }

    /// Prepares a limit for [`SmallInts::get_below`].
    pub fn limit(&self, limit: u32) -> SmallLimit {
        SmallLimit { first_other: limit.saturating_sub(self.offset).min(ELSEWHERE.into()) as u8, limit }
    }

    /// Value number `index`, as for [`SmallInts::get`], but `None` if the value is not below a limit. Costs
    /// no more than [`SmallInts::get`], which also needs one comparison of the byte.
    #[inline]
    pub fn get_below(&self, index: usize, limit: SmallLimit) -> Option<u32> {
        match self.byte_below(index, limit) {
            Some(byte) => Some(self.offset.wrapping_add(u32::from(byte))),
            None => self.elsewhere(index).filter(|value| *value < limit.limit),
        }
    }

    /// The byte of value number `index`. `None` if the value is not below the limit or is not stored in a
    /// byte.
    #[inline]
    pub fn byte_below(&self, index: usize, limit: SmallLimit) -> Option<u8> {
        self.byte(index).filter(|byte| *byte < limit.first_other)
    }
}
