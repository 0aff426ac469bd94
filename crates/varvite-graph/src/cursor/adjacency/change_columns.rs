//! [`ChangeColumns`]: the stored changes of an edge label, in one direction.

use std::ops::Range;

use varvite_format::{Ints, NodeSet};
use varvite_store::Pinned;

use super::stored::StoredLists;

/// The columns of the changes of an edge label in one direction, their lengths checked.
#[derive(Clone, Debug)]
pub(crate) struct ChangeColumns {
    /// The number of the first appended edge.
    pub(crate) first: u64,
    pub(crate) appended: Option<StoredLists>,
    /// The number of the appended edge of each list entry; without this column, its position.
    pub(crate) ranks: Option<Ints<Pinned>>,
    /// The removed entries of the base: positions in its lists, or in a forest the targets.
    pub(crate) holes: Option<NodeSet<Pinned>>,
    /// The numbers of removed edges, if any of them was appended.
    pub(crate) removed: Option<NodeSet<Pinned>>,
}

/// The edge of a list entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryAt {
    /// The one at a position in the lists of the base; in a forest, the one to this target.
    Base(usize),
    /// An appended one, with its rank.
    Appended(u64),
}

impl EntryAt {
    /// The rank in the out direction; in a forest the number of the edge.
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
    /// Whether an entry of the base is removed.
    #[inline]
    pub(crate) fn is_hole(&self, position: usize) -> bool {
        let holes = self.holes.as_ref().zip(u32::try_from(position).ok());
        holes.is_some_and(|(holes, position)| holes.contains(position))
    }

    /// The first removed entry of the base from a position on; all ones if there is none.
    pub(super) fn next_hole(&self, position: usize) -> usize {
        let holes = self.holes.as_ref().zip(u32::try_from(position).ok());
        let hole = holes.and_then(|(holes, position)| holes.iter_from(position).next());
        hole.map_or(usize::MAX, |hole| hole as usize)
    }

    /// The first of some entries of the base that is not removed; their end if all are.
    pub(super) fn first_kept(&self, mut positions: Range<usize>) -> usize {
        let end = positions.end;
        positions.find(|position| !self.is_hole(*position)).unwrap_or(end)
    }

    /// The number of removed entries of the base between two positions.
    pub(crate) fn holes_between(&self, start: usize, end: usize) -> usize {
        let below = |position: usize| self.holes.as_ref()?.rank(u32::try_from(position).unwrap_or(u32::MAX));
        below(end).unwrap_or(0).saturating_sub(below(start).unwrap_or(0))
    }

    /// The rank of the appended edge at a position of the lists; none for a damaged file.
    #[inline]
    pub(crate) fn rank_at(&self, position: usize) -> Option<u64> {
        let index = match &self.ranks {
            Some(ranks) => ranks.get_u32(position, 0)?.into(),
            None => position as u64,
        };
        let count = self.appended.as_ref().map_or(0, StoredLists::entry_count) as u64;
        (index < count).then(|| self.first + index)
    }

    /// Whether an appended edge was removed again.
    #[inline]
    pub(crate) fn is_removed(&self, rank: u64) -> bool {
        let removed = self.removed.as_ref().zip(u32::try_from(rank).ok());
        removed.is_some_and(|(removed, rank)| removed.contains(rank))
    }
}
