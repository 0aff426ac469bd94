//! [`DirectLists`]: adjacency lists of the direct profile as slices of a column, for loops that read many
//! lists.

use std::ops::Range;

use super::cursor::Adjacency;
use super::stored::StoredLists;

/// The adjacency lists of one edge label in one direction, in a file of the direct profile. No edge of the
/// label has changed since the file was written.
#[derive(Clone, Copy, Debug)]
pub struct DirectLists<'a> {
    lists: &'a StoredLists,
    /// The entries of all lists, one list after the other. The entries are not checked yet.
    entries: &'a [u32],
    /// A bit for each node, set if the node has a list; empty if the owners of lists are not stored as bits.
    owners: &'a [u8],
    /// The length of each list, if all lists are equally long: positions of lists are then computed without
    /// reading a column.
    list_len: Option<usize>,
}

impl<'a> DirectLists<'a> {
    /// Returns `None` if neighbours have to be decoded or merged.
    #[doc(hidden)]
    #[inline]
    pub fn of(adjacency: &'a Adjacency) -> Option<Self> {
        let lists = adjacency.as_lists().filter(|_| adjacency.changes().is_none())?;
        let (entries, owners, list_len) = (lists.as_slice()?, lists.owner_bits(), lists.list_len());
        Some(Self { lists, entries, owners, list_len })
    }

    /// Whether a node may have a list: false for most nodes without a list. Costs one bit test.
    #[inline(always)]
    #[doc(hidden)]
    pub fn may_have(&self, node: u32) -> bool {
        self.owners.get(node as usize / 8).is_none_or(|byte| byte >> (node % 8) & 1 != 0)
    }

    /// Positions of a node's list in `entries`.
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

    /// The entries at the positions in `range`. They are unchecked and may be ids that the graph does not
    /// have.
    #[inline(always)]
    #[doc(hidden)]
    pub fn entries(&self, range: Range<usize>) -> &'a [u32] {
        self.entries.get(range).unwrap_or(&[])
    }

    /// Records as damage that the list of a node holds an id that the graph does not have.
    #[cold]
    #[inline(never)]
    #[doc(hidden)]
    pub fn note_damage(&self, node: u32) {
        self.lists.note_neighbors(node);
    }
}
