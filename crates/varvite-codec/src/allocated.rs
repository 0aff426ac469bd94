//! A value together with the memory that contains it, from an [`Allocator`].

use core::mem::MaybeUninit;

use crate::CodecError;
use crate::allocator::{Allocation, Allocator};

/// A family of types that borrow the memory in which they lie.
pub(crate) trait Borrowing {
    type In<'m>;
}

/// A `B::In` and its memory, which is freed when this value is dropped.
pub(crate) struct Allocated<B: Borrowing> {
    // Declared before its memory, so that the value is dropped first.
    value: B::In<'static>,
    _memory: Allocation,
}

impl<B: Borrowing> Allocated<B> {
    /// Calls `make` to set up a value in `len` bytes of `allocator`; `None` if `make` returns `None`.
    pub(crate) fn new(
        allocator: &Allocator,
        len: usize,
        make: impl for<'m> FnOnce(&'m mut [MaybeUninit<u8>]) -> Option<B::In<'m>>,
    ) -> Result<Option<Self>, CodecError> {
        let mut memory = allocator.allocate(len)?;
        // SAFETY: called once. `make` is generic over the lifetime, so the slice can only be in the value,
        // which ends before the memory.
        let slice = unsafe { memory.detach() };
        Ok(make(slice).map(|value| Self { value, _memory: memory }))
    }

    pub(crate) fn get(&mut self) -> &mut B::In<'static> {
        &mut self.value
    }
}
