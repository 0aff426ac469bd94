//! [`Outgrown`]: how many bytes of a file are in its columns, and how many are outside them. [`CompactWhen`]:
//! the condition for compacting the file.

use std::collections::BTreeSet;

use varvite_format::{ColumnId, Directory, PAGE, SegmentId};

use crate::graph::Graph;

/// The bytes of a file in two groups: first, the columns of the last compaction or import, with layers and
/// indexes; second, everything else, such as changes, the log, and leftovers of earlier commits. The header
/// and one directory, which every file has, are in neither group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outgrown {
    /// Bytes of the columns of the last compaction or import, with layers and indexes.
    pub base: u64,
    /// Bytes of the file outside the columns that `base` counts, without the header and one directory.
    pub beyond: u64,
}

/// The condition for compacting a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompactWhen {
    /// Compact if anything was changed since the last compaction.
    Changed,
    /// Compact if more than this many bytes of the file are outside its columns.
    OverBytes(u64),
    /// Compact if the bytes outside the columns exceed this percentage of the bytes of the columns.
    OverPercent(u32),
}

impl Outgrown {
    /// Measures the file of a graph. Costs a pass over the directory.
    pub fn of(graph: &Graph) -> Self {
        let store = graph.store();
        let base = base_bytes(store.directory());
        let log = store.log().payload_bytes();
        let superblock = store.superblock();
        // The header and one directory are excluded. In a small graph they may be larger than the columns,
        // and the graph would then be compacted again and again.
        let always = 3 * PAGE as u64 + superblock.directory_len;
        Self { base, beyond: superblock.file_len.saturating_sub(base + always) + log }
    }
}

impl CompactWhen {
    /// Whether the graph meets the condition for compaction.
    pub fn is_met(self, graph: &Graph) -> bool {
        let Outgrown { base, beyond } = Outgrown::of(graph);
        match self {
            Self::Changed => graph.store().directory().changes.is_some(),
            Self::OverBytes(most) => beyond > most,
            Self::OverPercent(most) => u128::from(beyond) * 100 > u128::from(base) * u128::from(most),
        }
    }
}

/// Bytes of all segments of columns that hold no changes.
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
