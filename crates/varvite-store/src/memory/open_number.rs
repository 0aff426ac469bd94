//! [`OpenNumber`]: a number that identifies an open file among files that share buffers. It does not depend
//! on the name of the file.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of an open file, unique among all files that this process has opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenNumber(u64);

impl OpenNumber {
    /// A new number, which no other file has.
    pub(crate) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
