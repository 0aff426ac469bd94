//! [`MemoryReport`]: the ledger of a graph as a tree, and the memory of the process as the operating system
//! reports it.

use std::collections::BTreeMap;

use varvite_format::{Directory, SegmentId};
use varvite_store::{AccountId, ProcessMemory, Store};

use super::held::HeldBytes;
use crate::cursor::columns::named_columns;
use crate::graph::Graph;
use crate::inspect::describe::Parts;

/// The memory of a graph at the time of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryReport {
    /// The memory of the process, read before the ledger; `None` if the operating system does not report it.
    pub process: Option<ProcessMemory>,
    /// The bytes of all parts together.
    pub total: HeldBytes,
    /// The parts of the graph in the order of its directory, followed by the parts `directory` and `engine`.
    pub parts: Vec<PartMemory>,
}

/// A part of a graph, such as `property NAME` or `edges CFG out`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartMemory {
    /// Name of the part.
    pub name: String,
    /// The bytes of all columns of the part. The parts `directory` and `engine` have bytes but no columns.
    pub bytes: HeldBytes,
    /// The columns of the part.
    pub columns: Vec<ColumnMemory>,
}

/// A column of a part, such as `values`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnMemory {
    /// Name of the column.
    pub name: String,
    /// The bytes of the column, by state. A segment that several columns share is counted for the first of
    /// these columns.
    pub bytes: HeldBytes,
}

impl MemoryReport {
    /// Makes a report. Costs a small read of the page table for each two megabytes of the file, and one for
    /// each segment.
    pub fn of(graph: &Graph) -> Self {
        let process = ProcessMemory::read();
        let mut accounts = Accounts::of(graph);
        let mut parts = column_parts(graph.store().directory(), &mut accounts);
        parts.extend(accounts.into_rest());
        let mut total = HeldBytes::default();
        parts.iter().for_each(|part| total += part.bytes);
        Self { process, total, parts }
    }

    /// Bytes of the process's heap and stacks that are not in the ledger: the program's own memory, the
    /// memory of pipeline runs, and free memory that the allocator keeps. `None` if the operating system does
    /// not report the memory of the process.
    pub fn unaccounted(&self) -> Option<u64> {
        Some(self.process?.anonymous.saturating_sub(self.total.anonymous()))
    }
}

/// The parts of the graph, each with its columns.
fn column_parts(directory: &Directory, accounts: &mut Accounts<'_>) -> Vec<PartMemory> {
    let mut parts: Vec<PartMemory> = Vec::new();
    for column in named_columns(directory) {
        let (part, name) = column.name.rsplit_once(' ').unwrap_or(("", &column.name));
        let mut bytes = HeldBytes::default();
        for segment in Parts::of(directory, column.id).segments {
            bytes += accounts.take(segment);
        }
        if parts.last().is_none_or(|last| last.name != part) {
            parts.push(PartMemory {
                name: part.to_owned(),
                bytes: HeldBytes::default(),
                columns: Vec::new(),
            });
        }
        if let Some(part) = parts.last_mut() {
            part.bytes += bytes;
            part.columns.push(ColumnMemory { name: name.to_owned(), bytes });
        }
    }
    parts
}

/// The bytes of the ledger that were not assigned to a column yet.
struct Accounts<'g> {
    store: &'g Store,
    held: BTreeMap<AccountId, HeldBytes>,
    /// For each segment, whether its pages were counted.
    counted: Vec<bool>,
    /// Bytes of resident mapped pages that were not assigned to a column yet.
    resident: Option<u64>,
}

impl<'g> Accounts<'g> {
    fn of(graph: &'g Graph) -> Self {
        let store = graph.store();
        let mut held: BTreeMap<AccountId, HeldBytes> = BTreeMap::new();
        for row in graph.ledger().snapshot() {
            held.entry(row.account).or_default().add(row.state, row.bytes);
        }
        let counted = vec![false; store.directory().segments.len()];
        Self { store, held, counted, resident: store.resident_bytes() }
    }

    /// Returns the bytes of a segment, and 0 for a segment that was taken before.
    fn take(&mut self, segment: SegmentId) -> HeldBytes {
        let Some(counted) = self.counted.get_mut(segment.index()) else { return HeldBytes::default() };
        if std::mem::replace(counted, true) {
            return HeldBytes::default();
        }
        let resident = self.resident.and_then(|_| self.store.resident_bytes_of(segment));
        // The operating system may load and evict pages while they are counted, so the difference could be
        // negative.
        self.resident = self.resident.map(|left| left.saturating_sub(resident.unwrap_or(0)));
        let held = self.held.remove(&AccountId(segment.0)).unwrap_or_default();
        HeldBytes { resident, ..held }
    }

    /// The bytes that belong to no column. The part `directory` has the header, the directory and the gaps
    /// between columns in the file, and the tables made from the directory. The part `engine` has other
    /// tables, and scratch memory on the heap.
    fn into_rest(mut self) -> [PartMemory; 2] {
        let mut directory = self.held.remove(&AccountId::DIRECTORY).unwrap_or_default();
        directory.resident = self.resident;
        let mut engine = HeldBytes::default();
        self.held.into_values().for_each(|held| engine += held);
        [("directory", directory), ("engine", engine)].map(|(name, bytes)| PartMemory {
            name: name.to_owned(),
            bytes,
            columns: Vec::new(),
        })
    }
}
