//! A value beside the memory that it lies in, from an [`Allocator`].

use core::mem::MaybeUninit;

use crate::CodecError;
use crate::allocator::{Allocation, Allocator};

/// Names a type that borrows its memory.
pub(crate) trait Borrowing {
    type In<'m>;
}

/// A `B::In` and its memory, which goes back to the allocator when this is dropped.
pub(crate) struct Allocated<B: Borrowing> {
    // Before the memory that it lies in, so that it ends first.
    value: B::In<'static>,
    _memory: Allocation,
}

impl<B: Borrowing> Allocated<B> {
    /// Has `make` set a value up in `len` bytes of `allocator`; none if it refuses them.
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
