//! [`DirectLists`]: lists of the direct profile as they lie in memory, for loops that read one after another.

use std::ops::Range;

use super::cursor::Adjacency;
use super::stored::StoredLists;

/// The lists of one label in one direction, in a file of the direct profile without changes of these edges.
#[derive(Clone, Copy, Debug)]
pub struct DirectLists<'a> {
    lists: &'a StoredLists,
    /// All lists, end to end. Their entries are not checked yet.
    entries: &'a [u32],
    /// A bit for each node that has a list; nothing where these are not stored as bits.
    owners: &'a [u8],
    /// The length of each list, if all are equal: their places then follow without a read of a column.
    list_len: Option<usize>,
}

impl<'a> DirectLists<'a> {
    /// None where neighbours have to be decoded or put together.
    #[doc(hidden)]
    #[inline]
    pub fn of(adjacency: &'a Adjacency) -> Option<Self> {
        let lists = adjacency.as_lists().filter(|_| adjacency.changes().is_none())?;
        let (entries, owners, list_len) = (lists.as_slice()?, lists.owner_bits(), lists.list_len());
        Some(Self { lists, entries, owners, list_len })
    }

    /// Whether a node may have a list: false for most nodes without. Costs the test of a bit.
    #[inline(always)]
    #[doc(hidden)]
    pub fn may_have(&self, node: u32) -> bool {
        self.owners.get(node as usize / 8).is_none_or(|byte| byte >> (node % 8) & 1 != 0)
    }

    /// Positions of the list of a node.
    #[inline(always)]
    #[doc(hidden)]
    pub fn range(&self, node: u32) -> Range<usize> {
        if let Some(len) = self.list_len {
            let Some(rank) = self.lists.rank(node) else { return 0..0 };
            let end = rank.saturating_add(1).saturating_mul(len);
            if end <= self.entries.len() {
                return end - len..end;
            }
        }
        self.lists.range(node)
    }

    /// The entries at some positions. They may be ids that the graph does not have.
    #[inline(always)]
    #[doc(hidden)]
    pub fn entries(&self, range: Range<usize>) -> &'a [u32] {
        self.entries.get(range).unwrap_or(&[])
    }

    /// Notes that the list of a node holds an id that the graph does not have.
    #[cold]
    #[inline(never)]
    #[doc(hidden)]
    pub fn note_damage(&self, node: u32) {
        self.lists.note_neighbors(node);
    }
}
