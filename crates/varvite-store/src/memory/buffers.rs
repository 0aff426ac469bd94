//! [`Buffers`]: a cache of whole decoded columns and single blocks of texts, within one limit.
//!
//! A file has its own [`Buffers`], or shares those of a [`SharedBudget`](crate::SharedBudget) or of the
//! process with other files. In a shared cache, the least recently used buffers of all files are freed first.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::memory::cache::Cache;
use crate::memory::open_number::OpenNumber;

/// The memory for buffers is divided into this number of shares. Blocks of texts get at least
/// `BLOCKS_SHARES_MIN` and at most `BLOCKS_SHARES_MAX` of these shares.
const SHARES: u64 = 32;
const BLOCKS_SHARES_MIN: u64 = 4;
const BLOCKS_SHARES_MAX: u64 = 28;

/// The cached buffers of one file or several.
#[derive(Debug)]
pub(crate) struct Buffers {
    bytes_max: AtomicU64,
    /// Segments that were decoded as a whole.
    pub(crate) columns: Cache,
    /// Blocks of segments that are read block by block.
    pub(crate) blocks: Cache,
}

impl Buffers {
    /// A cache of at most `bytes_max` bytes; it may exceed this limit while readers hold buffers.
    pub(crate) fn new(bytes_max: u64) -> Self {
        let share = bytes_max / SHARES;
        let columns = Cache::new(bytes_max - BLOCKS_SHARES_MIN * share);
        let blocks = Cache::new(BLOCKS_SHARES_MAX * share);
        Self { bytes_max: AtomicU64::new(bytes_max), columns, blocks }
    }

    /// The buffers that all files opened with a process limit share. Their limit is the least limit that any
    /// of these files had, until all of them are closed.
    pub(crate) fn of_process(bytes_max: u64) -> Arc<Self> {
        static OF_PROCESS: Mutex<Weak<Buffers>> = Mutex::new(Weak::new());
        let mut of_process = OF_PROCESS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(buffers) = of_process.upgrade() {
            buffers.limit(bytes_max);
            return buffers;
        }
        let buffers = Arc::new(Self::new(bytes_max));
        *of_process = Arc::downgrade(&buffers);
        buffers
    }

    /// Lowers the limit to `bytes_max`, if that is less than the present one.
    fn limit(&self, bytes_max: u64) {
        if bytes_max < self.bytes_max.fetch_min(bytes_max, Ordering::Relaxed) {
            self.columns.limit(bytes_max - BLOCKS_SHARES_MIN * (bytes_max / SHARES));
            self.share_with_blocks();
        }
    }

    /// The number of bytes in these buffers.
    pub(crate) fn bytes(&self) -> u64 {
        self.columns.bytes().saturating_add(self.blocks.bytes())
    }

    /// Sets the limit for blocks of texts to the memory that columns leave, within the smallest and the
    /// largest share.
    pub(crate) fn share_with_blocks(&self) {
        let bytes_max = self.bytes_max.load(Ordering::Relaxed);
        let share = bytes_max / SHARES;
        let left = bytes_max.saturating_sub(self.columns.bytes());
        self.blocks.limit(left.clamp(BLOCKS_SHARES_MIN * share, BLOCKS_SHARES_MAX * share));
    }

    /// Frees unused buffers, columns first, until `bytes` bytes are free or no buffer is unused. Returns the
    /// number of freed bytes.
    pub(crate) fn give_back(&self, bytes: u64) -> u64 {
        let mut given = 0;
        for cache in [&self.columns, &self.blocks] {
            let kept = cache.bytes();
            cache.shrink(kept.saturating_sub(bytes - given));
            given = given.saturating_add(kept.saturating_sub(cache.bytes())).min(bytes);
        }
        given
    }

    /// Frees the unused buffers of one file.
    pub(crate) fn release(&self, file: OpenNumber) {
        [&self.columns, &self.blocks].into_iter().for_each(|cache| cache.release(file));
        self.share_with_blocks();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_of_the_process_keep_to_the_least_limit() {
        let first = Buffers::of_process(1 << 20);
        let second = Buffers::of_process(1 << 16);
        assert!(Arc::ptr_eq(&first, &second));
        assert!(!first.columns.has_room_for(1 << 16) && first.columns.has_room_for(1 << 15));
        let third = Buffers::of_process(1 << 20);
        assert!(!third.columns.has_room_for(1 << 16));
        drop((first, second, third));
        assert!(Buffers::of_process(1 << 20).columns.has_room_for(1 << 16));
    }
}
