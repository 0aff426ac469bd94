//! [`ChangeColumns`]: the stored changes of an edge label, in one direction.

use std::ops::Range;

use varvite_format::{Ints, NodeSet};
use varvite_store::Pinned;

use super::stored::StoredLists;

/// The change columns of an edge label in one direction. Their lengths are checked when they are opened.
#[derive(Clone, Debug)]
pub(crate) struct ChangeColumns {
    /// The number ([`EntryAt::number`]) of the first appended edge.
    pub(crate) first: u64,
    pub(crate) appended: Option<StoredLists>,
    /// For each entry of the appended lists, the edge's number among the appended edges. `None` if that
    /// number equals the entry's position.
    pub(crate) ranks: Option<Ints<Pinned>>,
    /// The removed entries of the base: their positions in the lists of the base or, for a forest, the
    /// targets of the removed edges.
    pub(crate) holes: Option<NodeSet<Pinned>>,
    /// The numbers ([`EntryAt::number`]) of all removed edges. Readers use them to skip appended edges that
    /// were removed later; `None` if no appended edge was removed.
    pub(crate) removed: Option<NodeSet<Pinned>>,
}

/// The edge that an entry of a list stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryAt {
    /// The edge at a position in the lists of the base; in a forest, the edge to the node with this id.
    Base(usize),
    /// An appended edge, given by its rank.
    Appended(u64),
}

impl EntryAt {
    /// The position or rank that the variant holds. For an entry of an out-list, this is the edge's rank; in
    /// a forest, the edge's number.
    #[doc(hidden)]
    #[inline]
    pub fn number(self) -> u64 {
        match self {
            Self::Base(position) => position as u64,
            Self::Appended(rank) => rank,
        }
    }
}

impl ChangeColumns {
    /// Whether the entry of the base at `position` was removed.
    #[inline]
    pub(crate) fn is_hole(&self, position: usize) -> bool {
        let holes = self.holes.as_ref().zip(u32::try_from(position).ok());
        holes.is_some_and(|(holes, position)| holes.contains(position))
    }

    /// The first removed entry of the base at or after a position; `usize::MAX` if there is none.
    pub(super) fn next_hole(&self, position: usize) -> usize {
        let holes = self.holes.as_ref().zip(u32::try_from(position).ok());
        let hole = holes.and_then(|(holes, position)| holes.iter_from(position).next());
        hole.map_or(usize::MAX, |hole| hole as usize)
    }

    /// The first of `positions` whose entry in the base was not removed; the end of `positions` if all were
    /// removed.
    pub(super) fn first_kept(&self, mut positions: Range<usize>) -> usize {
        let end = positions.end;
        positions.find(|position| !self.is_hole(*position)).unwrap_or(end)
    }

    /// The number of removed entries of the base between two positions.
    pub(crate) fn holes_between(&self, start: usize, end: usize) -> usize {
        let below = |position: usize| self.holes.as_ref()?.rank(u32::try_from(position).unwrap_or(u32::MAX));
        below(end).unwrap_or(0).saturating_sub(below(start).unwrap_or(0))
    }

    /// The rank of the appended edge at a position of the appended lists; `None` if the file is damaged.
    #[inline]
    pub(crate) fn rank_at(&self, position: usize) -> Option<u64> {
        let index = match &self.ranks {
            Some(ranks) => ranks.get_u32(position, 0)?.into(),
            None => position as u64,
        };
        let count = self.appended.as_ref().map_or(0, StoredLists::entry_count) as u64;
        (index < count).then(|| self.first + index)
    }

    /// Whether the appended edge with this rank was removed later.
    #[inline]
    pub(crate) fn is_removed(&self, rank: u64) -> bool {
        let removed = self.removed.as_ref().zip(u32::try_from(rank).ok());
        removed.is_some_and(|(removed, rank)| removed.contains(rank))
    }
}
