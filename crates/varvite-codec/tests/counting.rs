//! A counting allocator for codecs, and a counter of calls to the global allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

use varvite_codec::Allocator;

thread_local! {
    static GLOBAL_CALLS: Cell<usize> = const { Cell::new(0) };
}

struct Counted;

#[global_allocator]
static GLOBAL: Counted = Counted;

// SAFETY: all calls are passed to the system's allocator.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        GLOBAL_CALLS.set(GLOBAL_CALLS.get() + 1);
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        GLOBAL_CALLS.set(GLOBAL_CALLS.get() + 1);
        // SAFETY: the caller keeps the same contract.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// The number of calls of this thread to the global allocator during `work`.
pub(crate) fn global_calls_during(work: impl FnOnce()) -> usize {
    let before = GLOBAL_CALLS.get();
    work();
    GLOBAL_CALLS.get() - before
}

/// Counts the calls to the functions of [`Asked::allocator`].
#[derive(Default)]
pub(crate) struct Asked {
    pub(crate) allocs: AtomicUsize,
    pub(crate) frees: AtomicUsize,
}

impl Asked {
    /// An allocator that counts its calls in `self` and takes memory from the system, not from the global
    /// allocator.
    pub(crate) fn allocator(&self) -> Allocator {
        // SAFETY: the functions below keep the contract, and only tests that outlive their codecs call this.
        unsafe { Allocator::new(alloc, free, (&raw const *self).cast_mut().cast()) }
    }

    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.allocs.load(Ordering::Relaxed), self.frees.load(Ordering::Relaxed))
    }
}

unsafe extern "C" fn alloc(asked: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: `asked` is the context that `Asked::allocator` gave out.
    unsafe { &*asked.cast::<Asked>() }.allocs.fetch_add(1, Ordering::Relaxed);
    // SAFETY: `size` is not 0.
    unsafe { System.alloc(layout(size)).cast() }
}

unsafe extern "C" fn free(asked: *mut c_void, memory: *mut c_void, size: usize) {
    // SAFETY: `asked` is the context that `Asked::allocator` gave out.
    unsafe { &*asked.cast::<Asked>() }.frees.fetch_add(1, Ordering::Relaxed);
    // SAFETY: `memory` came from `alloc` with this size.
    unsafe { System.dealloc(memory.cast(), layout(size)) }
}

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size, 16).expect("codecs ask for sizes far below the largest")
}
