//! [`AlignedBytes`]: a heap buffer that begins on an 8-byte boundary, for decoded columns.
//!
//! The length is in bytes and need not be a multiple of eight. Its size often comes from a file, so an
//! allocation can fail without ending the process. With a limit of memory it is in pages of its own: freed
//! pages of the heap stay with the process while other allocations lie between them.

use std::fmt;

use memmap2::MmapMut;

use crate::error::{Result, StoreError};
use crate::memory::ledger::Charge;

/// A buffer of bytes on an 8-byte boundary, with the charge that accounts for it.
pub struct AlignedBytes {
    memory: Memory,
    length: usize,
    charge: Option<Charge>,
}

/// The owner of the bytes.
enum Memory {
    Heap(Vec<u64>),
    Pages(MmapMut),
}

/// Buffers below this are on the heap: pages of their own would be more than a fifth longer.
const PAGES_MIN: usize = 16 << 10;

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
        Ok(AlignedBytes { memory: Memory::Heap(words), length, charge: None })
    }

    /// The same in pages of its own if it is long; the system gets these back as soon as it is freed. Costs
    /// some microseconds, and a tenth of the time of decoding its bytes.
    ///
    /// # Errors
    /// As [`AlignedBytes::zeroed`].
    pub fn zeroed_in_pages(length: usize) -> Result<AlignedBytes> {
        let is_long = length >= PAGES_MIN && !cfg!(miri);
        match is_long.then(|| MmapMut::map_anon(length)) {
            Some(Ok(pages)) => Ok(AlignedBytes { memory: Memory::Pages(pages), length, charge: None }),
            // The heap may still have memory if the system gives no pages.
            Some(Err(_)) | None => Self::zeroed(length),
        }
    }

    /// The same buffer with its charge, which ends when the buffer is freed.
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
        match &self.memory {
            Memory::Heap(words) => &bytemuck::cast_slice(words)[..self.length],
            Memory::Pages(pages) => pages,
        }
    }

    /// All the bytes, to be filled.
    pub fn as_mut_bytes(&mut self) -> &mut [u8] {
        match &mut self.memory {
            Memory::Heap(words) => &mut bytemuck::cast_slice_mut(words)[..self.length],
            Memory::Pages(pages) => pages,
        }
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
        for length in [0, 1, 7, 8, 9, 4097, PAGES_MIN, PAGES_MIN + 1] {
            for mut bytes in
                [AlignedBytes::zeroed(length), AlignedBytes::zeroed_in_pages(length)].map(Result::unwrap)
            {
                assert_eq!(bytes.as_bytes(), vec![0; length]);
                assert_eq!(bytes.as_mut_bytes().len(), length);
                bytes.as_mut_bytes().fill(7);
                assert_eq!(bytes.as_bytes(), vec![7; length]);
                assert_eq!(bytes.as_bytes().as_ptr().addr() % 8, 0);
            }
        }
    }

    #[test]
    fn a_size_beyond_memory_is_an_error() {
        for made in [AlignedBytes::zeroed(usize::MAX), AlignedBytes::zeroed_in_pages(usize::MAX)] {
            let error = made.unwrap_err();
            assert!(matches!(error, StoreError::OutOfMemory { bytes } if bytes == usize::MAX as u64));
        }
    }
}
