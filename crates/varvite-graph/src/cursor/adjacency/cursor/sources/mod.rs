//! [`Sources`]: the nodes that have neighbours.

mod changed;

use std::iter::FusedIterator;
use std::ops::Range;

use varvite_format::NodeSetIter;
use varvite_store::Pinned;

use self::changed::ChangedSources;
use super::Stored;
use super::changed::ChangedLists;
use crate::cursor::adjacency::stored::{StoredLists, StoredParents};
use crate::cursor::subtree::Subtree;

/// The nodes that have neighbours along an edge label, ascending.
#[derive(Clone, Debug)]
pub struct Sources<'a>(State<'a>);

#[derive(Clone, Debug)]
enum State<'a> {
    /// The owners of lists with one entry each, so that no list is empty.
    One(NodeSetIter<'a, Pinned>),
    /// The owners of lists with offsets, and the ranks of these owners, which are needed to recognise empty
    /// lists.
    Listed {
        lists: &'a StoredLists,
        owners: NodeSetIter<'a, Pinned>,
        ranks: Range<usize>,
    },
    Children {
        subtree: &'a Subtree,
        nodes: Range<u32>,
    },
    Parents {
        parents: &'a StoredParents,
        nodes: Range<u32>,
    },
    Changed(Box<ChangedSources<'a>>),
}

impl<'a> Sources<'a> {
    pub(super) fn of(stored: &'a Stored, nodes: u32) -> Self {
        let nodes = 0..nodes;
        Self(match stored {
            Stored::Lists(lists) if !lists.has_offsets() => State::One(lists.owners()),
            Stored::Lists(lists) => {
                let ranks = 0..lists.owner_count() as usize;
                State::Listed { lists, owners: lists.owners(), ranks }
            }
            Stored::Children(subtree) => State::Children { subtree, nodes },
            Stored::Parents(parents) => State::Parents { parents, nodes },
        })
    }

    pub(super) fn of_changed(changed: &'a ChangedLists) -> Self {
        Self(State::Changed(Box::new(ChangedSources::of(changed))))
    }
}

impl Iterator for Sources<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match &mut self.0 {
            State::One(owners) => owners.next(),
            State::Listed { lists, owners, ranks } => loop {
                let owner = owners.next()?;
                let rank = ranks.start;
                ranks.start += 1;
                if !lists.is_empty_at(rank) {
                    return Some(owner);
                }
            },
            State::Children { subtree, nodes } => nodes.find(|node| subtree.size(*node) > 0),
            State::Parents { parents, nodes } => nodes.find(|node| parents.parent(*node).is_some()),
            State::Changed(sources) => sources.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            State::One(owners) => owners.size_hint(),
            State::Listed { owners, .. } => (0, owners.size_hint().1),
            State::Children { nodes, .. } | State::Parents { nodes, .. } => (0, Some(nodes.len())),
            State::Changed(_) => (0, None),
        }
    }

    /// Tests the stored form once, not once per node.
    #[inline]
    fn fold<A, F: FnMut(A, u32) -> A>(self, first: A, mut visit: F) -> A {
        match self.0 {
            State::One(owners) => owners.fold(first, visit),
            State::Listed { lists, owners, ranks } => {
                let mut rank = ranks.start;
                owners.fold(first, |folded, owner| {
                    rank += 1;
                    if lists.is_empty_at(rank - 1) { folded } else { visit(folded, owner) }
                })
            }
            State::Children { subtree, nodes } => {
                nodes.filter(|node| subtree.size(*node) > 0).fold(first, visit)
            }
            State::Parents { parents, nodes } => {
                nodes.filter(|node| parents.parent(*node).is_some()).fold(first, visit)
            }
            State::Changed(sources) => sources.fold(first, visit),
        }
    }
}

impl DoubleEndedIterator for Sources<'_> {
    fn next_back(&mut self) -> Option<u32> {
        match &mut self.0 {
            State::One(owners) => owners.next_back(),
            State::Listed { lists, owners, ranks } => loop {
                let owner = owners.next_back()?;
                ranks.end = ranks.end.saturating_sub(1);
                if !lists.is_empty_at(ranks.end) {
                    return Some(owner);
                }
            },
            State::Children { subtree, nodes } => nodes.rfind(|node| subtree.size(*node) > 0),
            State::Parents { parents, nodes } => nodes.rfind(|node| parents.parent(*node).is_some()),
            State::Changed(sources) => sources.next_back(),
        }
    }
}

impl FusedIterator for Sources<'_> {}
