//! A region of the caller's memory from which pieces are taken one after another and never returned.

use core::mem::{self, MaybeUninit};

/// The part of the region that is still free.
pub(crate) struct Arena<'m> {
    rest: &'m mut [MaybeUninit<u8>],
}

impl<'m> Arena<'m> {
    pub(crate) fn new(memory: &'m mut [MaybeUninit<u8>]) -> Self {
        Self { rest: memory }
    }

    /// Takes the next `len` bytes at a multiple of `align`, a power of two; `None` if too few bytes are left.
    pub(crate) fn take(&mut self, len: usize, align: usize) -> Option<&'m mut [MaybeUninit<u8>]> {
        let skipped = self.rest.as_ptr().align_offset(align);
        let needed = skipped.checked_add(len).filter(|needed| *needed <= self.rest.len())?;
        let (taken, rest) = mem::take(&mut self.rest).split_at_mut(needed);
        self.rest = rest;
        Some(&mut taken[skipped..])
    }

    /// Takes all remaining bytes, from the first address that is a multiple of `align`.
    #[cfg(any(feature = "zlib", feature = "zstd"))]
    pub(crate) fn take_rest(&mut self, align: usize) -> Option<&'m mut [MaybeUninit<u8>]> {
        let skipped = self.rest.as_ptr().align_offset(align);
        let len = self.rest.len().checked_sub(skipped)?;
        self.take(len, align)
    }

    /// Takes `len` numbers, initialized to zero.
    #[cfg(feature = "snappy")]
    pub(crate) fn zeros(&mut self, len: usize) -> Option<&'m mut [u16]> {
        let bytes = self.take(len * size_of::<u16>(), align_of::<u16>())?;
        bytes.fill(MaybeUninit::new(0));
        // SAFETY: `bytes` is borrowed exclusively for 'm, has the length and alignment of `len` numbers, and
        // is all zero.
        Some(unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), len) })
    }

    /// Moves `value` into the arena. The value is never dropped.
    #[cfg(any(feature = "lz4", feature = "zlib"))]
    pub(crate) fn place<T>(&mut self, value: T) -> Option<&'m mut T> {
        let bytes = self.take(size_of::<T>(), align_of::<T>())?;
        let slot: *mut MaybeUninit<T> = bytes.as_mut_ptr().cast();
        // SAFETY: `bytes` is exclusively ours for 'm, as long as a `T` and aligned for it.
        Some(unsafe { &mut *slot }.write(value))
    }
}

#[cfg(all(test, feature = "lz4", feature = "zlib", feature = "snappy"))]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_aligned_and_disjoint_and_end() {
        let mut memory = [MaybeUninit::uninit(); 100];
        let mut arena = Arena::new(&mut memory);
        let first = arena.take(3, 1).unwrap().as_ptr_range();
        let second = arena.take(8, 16).unwrap().as_ptr_range();
        assert!(second.start.addr().is_multiple_of(16) && second.start >= first.end);
        assert!(arena.take(100, 1).is_none());
        assert_eq!(*arena.place(7u64).unwrap(), 7);
        assert_eq!(arena.zeros(3).unwrap(), [0; 3]);
        assert!(arena.take_rest(1).is_some());
        assert!(arena.take(1, 1).is_none());
    }
}
