//! [`Cache`]: the slots that hold bytes (cached segments and blocks), and a limit for these bytes.
//!
//! When the limit is exceeded, the clock algorithm (Corbató, 1968) empties unpinned slots, beginning with
//! those that were not used since the last turn of the clock. Pinned bytes stay, so a reader with many pins
//! may exceed the limit; the ledger shows its pins. Files may share a cache: the slots of all these files
//! then form one clock.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use crate::memory::open_number::OpenNumber;
use crate::memory::slot::Slot;
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering};

/// The full slots that share one limit.
#[derive(Debug)]
pub(crate) struct Cache {
    bytes_max: AtomicU64,
    clock: Mutex<Clock>,
}

#[derive(Debug, Default)]
struct Clock {
    full: VecDeque<Full>,
    bytes: u64,
}

#[derive(Debug)]
struct Full {
    file: OpenNumber,
    slots: Arc<[Slot]>,
    index: usize,
    bytes: u64,
}

impl Full {
    fn slot(&self) -> &Slot {
        &self.slots[self.index]
    }
}

impl Cache {
    /// A cache that keeps at most `bytes_max` bytes; pinned bytes may exceed this limit.
    pub(crate) fn new(bytes_max: u64) -> Self {
        Self { bytes_max: AtomicU64::new(bytes_max), clock: Mutex::default() }
    }

    /// The number of bytes in the slots of this cache.
    pub(crate) fn bytes(&self) -> u64 {
        self.clock().bytes
    }

    /// Sets the limit to `bytes_max`, and empties slots to stay within it.
    pub(crate) fn limit(&self, bytes_max: u64) {
        self.bytes_max.store(bytes_max, Ordering::Relaxed);
        self.shrink(bytes_max);
    }

    /// Whether the cache could keep `bytes` more bytes without emptying a slot.
    pub(crate) fn has_room_for(&self, bytes: u64) -> bool {
        self.bytes().saturating_add(bytes) <= self.bytes_max.load(Ordering::Relaxed)
    }

    /// Adds slot `index` of a file, which was filled with `bytes` bytes, and empties other slots to stay
    /// within the limit.
    pub(crate) fn admit(&self, file: OpenNumber, slots: &Arc<[Slot]>, index: usize, bytes: u64) {
        let mut clock = self.clock();
        clock.bytes += bytes;
        clock.full.push_back(Full { file, slots: Arc::clone(slots), index, bytes });
        clock.shrink(self.bytes_max.load(Ordering::Relaxed));
    }

    /// Empties slots until at most `bytes_max` bytes are left or all remaining slots are pinned.
    pub(crate) fn shrink(&self, bytes_max: u64) {
        self.clock().shrink(bytes_max);
    }

    /// Empties the unpinned slots of one file. Costs a pass over all full slots.
    pub(crate) fn release(&self, file: OpenNumber) {
        self.clock().remove(|full| full.file == file && full.slot().give_back());
    }

    /// Removes the slots of one file from the cache without emptying them: readers that still hold them keep
    /// the bytes, and no later reader uses them. Costs a pass over all full slots.
    pub(crate) fn forget(&self, file: OpenNumber) {
        self.clock().remove(|full| full.file == file);
    }

    fn clock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock {
    /// Removes the entries for which `is_gone` returns true.
    fn remove(&mut self, mut is_gone: impl FnMut(&Full) -> bool) {
        let Self { full, bytes } = self;
        full.retain(|full| {
            let is_gone = is_gone(full);
            *bytes -= if is_gone { full.bytes } else { 0 };
            !is_gone
        });
    }

    /// Visits each slot at most twice, because the first visit of a used slot only clears its mark.
    fn shrink(&mut self, bytes_max: u64) {
        for _ in 0..2 * self.full.len() {
            if self.bytes <= bytes_max {
                return;
            }
            let Some(full) = self.full.pop_front() else { return };
            if !full.slot().was_used() && full.slot().give_back() {
                self.bytes -= full.bytes;
            } else {
                self.full.push_back(full);
            }
        }
    }
}
