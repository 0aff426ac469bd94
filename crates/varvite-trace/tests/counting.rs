//! The global allocator, counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counted;

#[global_allocator]
static GLOBAL: Counted = Counted;

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the same contract.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Allocations of this thread while `work` ran.
pub(crate) fn allocations_during(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}
