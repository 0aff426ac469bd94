//! [`Cache`]: the full slots, and a limit of their bytes.
//!
//! Above the limit, unpinned slots are emptied: those unused since the last turn first, by the clock
//! algorithm (Corbató, 1968). Pinned bytes stay, so that a reader with many pins may exceed the limit; the
//! ledger shows its pins. Files may share a cache: then the slots of all of them are one clock.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use crate::memory::open_number::OpenNumber;
use crate::memory::slot::Slot;
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering};

/// The full slots of one kind.
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
    /// A cache that keeps at most `bytes_max`, if it can.
    pub(crate) fn new(bytes_max: u64) -> Self {
        Self { bytes_max: AtomicU64::new(bytes_max), clock: Mutex::default() }
    }

    /// The bytes that it holds now.
    pub(crate) fn bytes(&self) -> u64 {
        self.clock().bytes
    }

    /// Keeps at most `bytes_max` from now on.
    pub(crate) fn limit(&self, bytes_max: u64) {
        self.bytes_max.store(bytes_max, Ordering::Relaxed);
        self.shrink(bytes_max);
    }

    /// Whether it would keep so much more without giving anything back.
    pub(crate) fn has_room_for(&self, bytes: u64) -> bool {
        self.bytes().saturating_add(bytes) <= self.bytes_max.load(Ordering::Relaxed)
    }

    /// Takes note that slot `index` of a file was filled with `bytes`, and makes room for them.
    pub(crate) fn admit(&self, file: OpenNumber, slots: &Arc<[Slot]>, index: usize, bytes: u64) {
        let mut clock = self.clock();
        clock.bytes += bytes;
        clock.full.push_back(Full { file, slots: Arc::clone(slots), index, bytes });
        clock.shrink(self.bytes_max.load(Ordering::Relaxed));
    }

    /// Empties slots until they hold at most `bytes_max` or everything left is pinned.
    pub(crate) fn shrink(&self, bytes_max: u64) {
        self.clock().shrink(bytes_max);
    }

    /// Empties the unpinned slots of one file. Costs a pass over all full slots.
    pub(crate) fn release(&self, file: OpenNumber) {
        self.clock().remove(|full| full.file == file && full.slot().give_back());
    }

    /// Leaves the slots of one file to the readers that still hold them: no later reader uses them. Costs a
    /// pass over all full slots.
    pub(crate) fn forget(&self, file: OpenNumber) {
        self.clock().remove(|full| full.file == file);
    }

    fn clock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock {
    /// Takes out the entries for which `is_gone` returns true.
    fn remove(&mut self, mut is_gone: impl FnMut(&Full) -> bool) {
        let Self { full, bytes } = self;
        full.retain(|full| {
            let is_gone = is_gone(full);
            *bytes -= if is_gone { full.bytes } else { 0 };
            !is_gone
        });
    }

    /// Visits each slot twice at most: the first visit may only clear its mark.
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
