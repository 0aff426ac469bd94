//! [`Outgrown`]: how much of a file is not in its columns; [`CompactWhen`]: how much of it is too much.

use std::collections::BTreeSet;

use varvite_format::{ColumnId, Directory, PAGE, SegmentId};

use crate::graph::Graph;

/// The bytes of a file by use: the columns of the last compaction or import with layers and indexes, and
/// everything beside them: changes, the log, and leftovers of earlier commits. The header and one directory,
/// which every file has, count as neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outgrown {
    /// Bytes of those columns.
    pub base: u64,
    /// Bytes of everything else.
    pub beyond: u64,
}

/// The condition for compacting a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompactWhen {
    /// Whenever anything was changed since it was.
    Changed,
    /// More bytes than this are outside of its columns.
    OverBytes(u64),
    /// The bytes outside the columns are more than so many percent of the columns.
    OverPercent(u32),
}

impl Outgrown {
    /// The bytes of a graph's file. Costs a pass over the directory.
    pub fn of(graph: &Graph) -> Self {
        let store = graph.store();
        let base = base_bytes(store.directory());
        let log = store.log().payload_bytes();
        let superblock = store.superblock();
        // A small graph is smaller than these, and would be compacted again and again.
        let always = 3 * PAGE as u64 + superblock.directory_len;
        Self { base, beyond: superblock.file_len.saturating_sub(base + always) + log }
    }
}

impl CompactWhen {
    /// Whether a graph is to be compacted.
    pub fn is_met(self, graph: &Graph) -> bool {
        let Outgrown { base, beyond } = Outgrown::of(graph);
        match self {
            Self::Changed => graph.store().directory().changes.is_some(),
            Self::OverBytes(most) => beyond > most,
            Self::OverPercent(most) => u128::from(beyond) * 100 > u128::from(base) * u128::from(most),
        }
    }
}

/// Bytes of all segments of columns that are no changes.
fn base_bytes(directory: &Directory) -> u64 {
    let without = Directory { changes: None, ..directory.clone() };
    let mut columns: Vec<ColumnId> = without.roots().collect();
    let (mut seen, mut segments) = (BTreeSet::new(), BTreeSet::<SegmentId>::new());
    while let Some(column) = columns.pop() {
        if let Some(row) = without.columns.get(column.index())
            && seen.insert(column)
        {
            columns.extend(row.children.iter().flatten());
            segments.extend(row.segments.iter().flatten());
        }
    }
    let rows = segments.iter().filter_map(|segment| without.segments.get(segment.index()));
    rows.map(|row| row.end() - row.offset).sum()
}
