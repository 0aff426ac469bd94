//! An allocator that calls the system's allocator, and counts the bytes that all threads together have
//! allocated.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counted;

#[global_allocator]
static GLOBAL: Counted = Counted;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    let now = NOW.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: every call is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller satisfies the same requirements.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller satisfies the same requirements.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller satisfies the same requirements.
        unsafe { System.dealloc(memory, layout) }
    }

    /// Counts only the new size of a resized block. A large block grows in place, or its pages are moved, so
    /// its bytes are never in memory twice.
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        add(size);
        // SAFETY: the caller satisfies the same requirements.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// The peak number of bytes that were allocated while `work` ran, minus the number of bytes that were
/// allocated before.
pub(crate) fn most_during(work: impl FnOnce()) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    work();
    MOST.load(Ordering::Relaxed) - before
}

/// The number of bytes that are allocated now.
#[allow(dead_code, reason = "shared with the other tests")]
pub(crate) fn now() -> usize {
    NOW.load(Ordering::Relaxed)
}
