//! [`AlignedBytes`]: a heap buffer that begins on an 8-byte boundary, for decoded columns.
//!
//! The length is in bytes and need not be a multiple of eight. Its size often comes from a file, so having it
//! can fail without ending the process.

use std::fmt;

use crate::error::{Result, StoreError};
use crate::ledger::Charge;

/// A buffer of bytes on an 8-byte boundary, with the charge that accounts for it.
pub struct AlignedBytes {
    words: Vec<u64>,
    length: usize,
    charge: Option<Charge>,
}

impl AlignedBytes {
    /// A buffer of `length` zeros.
    ///
    /// # Errors
    /// [`StoreError::OutOfMemory`] if it can't be had.
    pub fn zeroed(length: usize) -> Result<AlignedBytes> {
        let word_count = length.div_ceil(size_of::<u64>());
        let mut words = Vec::new();
        words.try_reserve_exact(word_count).map_err(|_| StoreError::OutOfMemory { bytes: length as u64 })?;
        words.resize(word_count, 0);
        Ok(AlignedBytes { words, length, charge: None })
    }

    /// The same buffer, whose bytes `charge` gives back when the buffer is freed.
    #[must_use]
    pub fn with_charge(mut self, charge: Charge) -> AlignedBytes {
        self.charge = Some(charge);
        self
    }

    /// The charge that accounts for it, if it has one.
    pub fn charge(&self) -> Option<&Charge> {
        self.charge.as_ref()
    }

    /// All the bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.length]
    }

    /// All the bytes, to be filled.
    pub fn as_mut_bytes(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.length]
    }
}

impl fmt::Debug for AlignedBytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("AlignedBytes").field("length", &self.length).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_length_is_aligned_and_zero() {
        for length in [0, 1, 7, 8, 9, 4097] {
            let mut bytes = AlignedBytes::zeroed(length).unwrap();
            assert_eq!(bytes.as_bytes(), vec![0; length]);
            assert_eq!(bytes.as_mut_bytes().len(), length);
            assert_eq!(bytes.as_bytes().as_ptr().addr() % 8, 0);
        }
    }

    #[test]
    fn a_size_beyond_memory_is_an_error() {
        let error = AlignedBytes::zeroed(usize::MAX).unwrap_err();
        assert!(matches!(error, StoreError::OutOfMemory { bytes } if bytes == usize::MAX as u64));
    }
}
