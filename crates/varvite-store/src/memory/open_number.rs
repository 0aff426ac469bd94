//! [`OpenNumber`]: identifies open files that share buffers, independent of their names.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of an open file among all that this process ever opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenNumber(u64);

impl OpenNumber {
    /// A number that no other file has.
    pub(crate) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
