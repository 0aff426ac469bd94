//! [`HeldBytes`]: bytes in memory, by state.

use std::ops::AddAssign;

use varvite_store::MemoryState;

/// Bytes of one holder in memory, by state. Sums over holders are exact: no byte counts twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeldBytes {
    /// Addresses of the map that readers were given since the graph was opened.
    pub mapped: u64,
    /// Mapped pages in this process's memory, more than were read: the system maps neighbours of a page along
    /// with it. None without a map, and where the system does not report it.
    pub resident: Option<u64>,
    /// Private buffers that were made from the file.
    pub decoded: u64,
    /// The part of the mapped and decoded bytes that readers hold now, so that it can't be evicted.
    pub pinned: u64,
    /// Working memory.
    pub scratch: u64,
    /// Tables that live as long as the graph is open.
    pub tables: u64,
}

impl HeldBytes {
    /// The names of the states, in the order of [`HeldBytes::bytes`].
    pub const NAMES: [&'static str; 6] = ["mapped", "resident", "decoded", "pinned", "scratch", "tables"];

    /// The bytes in each state; none where the system does not report it.
    pub fn bytes(&self) -> [Option<u64>; 6] {
        let Self { mapped, resident, decoded, pinned, scratch, tables } = *self;
        [Some(mapped), resident, Some(decoded), Some(pinned), Some(scratch), Some(tables)]
    }

    /// Bytes of the heap: decoded, scratch and tables.
    pub fn anonymous(&self) -> u64 {
        self.decoded + self.scratch + self.tables
    }

    /// Whether there are none, in any state.
    pub fn is_empty(&self) -> bool {
        self.bytes().iter().all(|bytes| bytes.unwrap_or(0) == 0)
    }

    pub(super) fn add(&mut self, state: MemoryState, bytes: u64) {
        *match state {
            MemoryState::Mapped => &mut self.mapped,
            MemoryState::Decoded => &mut self.decoded,
            MemoryState::Pinned => &mut self.pinned,
            MemoryState::Scratch => &mut self.scratch,
            MemoryState::Tables => &mut self.tables,
        } += bytes;
    }
}

impl AddAssign for HeldBytes {
    fn add_assign(&mut self, other: Self) {
        self.mapped += other.mapped;
        self.resident = match (self.resident, other.resident) {
            (Some(own), Some(others)) => Some(own + others),
            (own, others) => own.or(others),
        };
        self.decoded += other.decoded;
        self.pinned += other.pinned;
        self.scratch += other.scratch;
        self.tables += other.tables;
    }
}
