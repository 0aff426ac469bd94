//! [`AlignedBytes`]: a heap buffer that begins on an 8-byte boundary, for decoded columns.
//!
//! The length is in bytes and need not be a multiple of eight. The length often comes from a file, so a
//! failed allocation is an error and does not end the process. If memory is limited, a long buffer gets pages
//! of its own: freed heap memory would stay with the process while other allocations lie around it.

use std::fmt;

use memmap2::MmapMut;

use crate::error::{Result, StoreError};
use crate::memory::ledger::Charge;

/// A buffer of bytes that begins on an 8-byte boundary, with its charge in the ledger.
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

/// The least size of a buffer that gets its own pages. A smaller buffer, rounded up to whole pages, could
/// need more than a fifth more memory.
const PAGES_MIN: usize = 16 << 10;

impl AlignedBytes {
    /// A buffer of `length` zeros.
    ///
    /// # Errors
    /// [`StoreError::OutOfMemory`] if there is no memory for the buffer.
    pub fn zeroed(length: usize) -> Result<AlignedBytes> {
        let word_count = length.div_ceil(size_of::<u64>());
        let mut words = Vec::new();
        words.try_reserve_exact(word_count).map_err(|_| StoreError::OutOfMemory { bytes: length as u64 })?;
        words.resize(word_count, 0);
        Ok(AlignedBytes { memory: Memory::Heap(words), length, charge: None })
    }

    /// A buffer of `length` zeros. A long buffer has its own pages; freeing the buffer gives these pages back
    /// to the system. Allocation costs a few microseconds, and a tenth of the time that it takes to decode
    /// the bytes.
    ///
    /// # Errors
    /// The errors of [`AlignedBytes::zeroed`].
    pub fn zeroed_in_pages(length: usize) -> Result<AlignedBytes> {
        let is_long = length >= PAGES_MIN && !cfg!(miri);
        match is_long.then(|| MmapMut::map_anon(length)) {
            Some(Ok(pages)) => Ok(AlignedBytes { memory: Memory::Pages(pages), length, charge: None }),
            // The heap may still have memory if the system gives no pages.
            Some(Err(_)) | None => Self::zeroed(length),
        }
    }

    /// Adds a charge to the buffer. The charge ends when the buffer is freed.
    #[must_use]
    pub fn with_charge(mut self, charge: Charge) -> AlignedBytes {
        self.charge = Some(charge);
        self
    }

    /// The charge of this buffer in the ledger; `None` if it has none.
    pub fn charge(&self) -> Option<&Charge> {
        self.charge.as_ref()
    }

    /// All bytes of the buffer.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.memory {
            Memory::Heap(words) => &bytemuck::cast_slice(words)[..self.length],
            Memory::Pages(pages) => pages,
        }
    }

    /// All bytes of the buffer, mutable.
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
