//! [`HeldBytes`]: the bytes that a column or another holder has in memory, by state.

use std::ops::AddAssign;

use varvite_store::MemoryState;

/// The bytes that one holder, such as a column, has in memory, by state. Sums over holders are exact: no byte
/// is counted for two holders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeldBytes {
    /// Bytes of the mapped file whose addresses were passed to readers since the graph was opened.
    pub mapped: u64,
    /// Bytes of mapped pages in this process's memory now. They may be more than was read, because the
    /// operating system also maps pages around a page that is read. `None` if the file is not mapped, or if
    /// the operating system does not report this number.
    pub resident: Option<u64>,
    /// Bytes of private buffers that were decoded or copied from the file.
    pub decoded: u64,
    /// The part of the mapped and decoded bytes that readers hold now, so that they cannot be evicted.
    pub pinned: u64,
    /// Bytes of working memory of operations.
    pub scratch: u64,
    /// Bytes of tables that exist while the graph is open.
    pub tables: u64,
}

impl HeldBytes {
    /// The names of the states, in the order of [`HeldBytes::bytes`].
    pub const NAMES: [&'static str; 6] = ["mapped", "resident", "decoded", "pinned", "scratch", "tables"];

    /// The bytes in each state; `None` if the operating system does not report them.
    pub fn bytes(&self) -> [Option<u64>; 6] {
        let Self { mapped, resident, decoded, pinned, scratch, tables } = *self;
        [Some(mapped), resident, Some(decoded), Some(pinned), Some(scratch), Some(tables)]
    }

    /// The bytes on the heap: decoded, scratch and tables.
    pub fn anonymous(&self) -> u64 {
        self.decoded + self.scratch + self.tables
    }

    /// Whether the bytes in all states are 0.
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
