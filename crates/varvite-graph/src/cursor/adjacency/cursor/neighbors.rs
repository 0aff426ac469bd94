//! [`Neighbors`]: the neighbours of one node, in the order of the graph.

use std::iter::FusedIterator;

use super::Stored;
use super::changed::ChangedLists;
use crate::cursor::adjacency::stored::{ListRest, StoredLists};
use crate::cursor::subtree::Subtree;

/// The neighbours of one node.
#[derive(Clone, Debug)]
pub struct Neighbors<'a>(State<'a>);

#[derive(Clone, Debug)]
enum State<'a> {
    Slice {
        list: std::slice::Iter<'a, u32>,
        owner: u32,
        lists: &'a StoredLists,
    },
    Decode {
        lists: &'a StoredLists,
        next: usize,
        end: usize,
        key: u32,
    },
    Siblings {
        subtree: &'a Subtree,
        next: u32,
        end: u32,
    },
    One(Option<u32>),
    /// The neighbours of a node with changed edges. The list was merged before (`Ready`), or is merged during
    /// the iteration (`Merged`).
    Ready(std::slice::Iter<'a, u32>),
    Merged {
        lists: &'a ChangedLists,
        node: u32,
        rest: ListRest,
    },
}

impl<'a> Neighbors<'a> {
    #[inline(always)]
    pub(super) fn of(stored: &'a Stored, node: u32) -> Self {
        Self(match stored {
            Stored::Lists(lists) => {
                let range = lists.range(node);
                match lists.as_slice() {
                    Some(all) => {
                        State::Slice { list: all.get(range).unwrap_or(&[]).iter(), owner: node, lists }
                    }
                    None => State::Decode { lists, next: range.start, end: range.end, key: node },
                }
            }
            Stored::Children(subtree) => {
                let below = subtree.descendants(node);
                State::Siblings { subtree, next: below.start, end: below.end }
            }
            Stored::Parents(parents) => State::One(parents.parent(node)),
        })
    }

    /// Inlined although it is rarely used: a call would return its result through memory, and then the
    /// constructors of all other forms would have to do the same.
    #[inline(always)]
    pub(super) fn of_touched(lists: &'a ChangedLists, node: u32) -> Self {
        Self(match lists.list(node) {
            Some(list) => State::Ready(list.iter()),
            None => State::Merged { lists, node, rest: ListRest::default() },
        })
    }

    /// Folds a merged list. Not inlined, because it would make loops over graphs without changes longer.
    #[inline(never)]
    fn fold_ready<A, F: FnMut(A, u32) -> A>(list: &[u32], first: A, visit: F) -> A {
        list.iter().copied().fold(first, visit)
    }

    #[inline(never)]
    fn fold_merged<A, F: FnMut(A, u32) -> A>(
        lists: &ChangedLists,
        node: u32,
        rest: ListRest,
        first: A,
        mut visit: F,
    ) -> A {
        let mut folded = Some(first);
        lists.each(node, rest, &mut |neighbor| {
            folded = folded.take().map(|folded| visit(folded, neighbor));
        });
        folded.expect("put back after each visit")
    }
}

impl Iterator for Neighbors<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match &mut self.0 {
            State::Slice { list, owner, lists } => {
                let neighbor = *list.next()?;
                if lists.is_node(neighbor) {
                    return Some(neighbor);
                }
                lists.note_neighbors(*owner);
                *list = [].iter();
                None
            }
            State::Decode { lists, next, end, key } => {
                if next == end {
                    return None;
                }
                let neighbor = lists.neighbor_at(*next, *key);
                *next = if neighbor.is_some() { *next + 1 } else { *end };
                neighbor
            }
            State::Siblings { subtree, next, end } => {
                if *next >= *end {
                    return None;
                }
                let child = *next;
                *next += 1 + subtree.size(child);
                Some(child)
            }
            State::One(neighbor) => neighbor.take(),
            State::Ready(list) => list.next().copied(),
            State::Merged { lists, node, rest } => {
                // A copy of `rest` is passed to the call: a reference to a field of this iterator would force
                // every loop to keep the iterator in memory.
                let mut left = *rest;
                let step = lists.step(*node, &mut left);
                *rest = left;
                Some(step?.0)
            }
        }
    }

    /// The loop that `for_each`, `count` and `sum` use. The loop tests the stored form once per node, not
    /// once per neighbour. Always inlined: otherwise the iterator is passed through memory, which takes a
    /// third of the time of a hop.
    #[inline(always)]
    fn fold<A, F: FnMut(A, u32) -> A>(self, first: A, mut visit: F) -> A {
        match self.0 {
            State::Slice { list, owner, lists } => {
                lists.sound(list.as_slice(), owner).iter().copied().fold(first, visit)
            }
            State::Decode { lists, next, end, key } => {
                let mut folded = Some(first);
                let visit = |neighbor| folded = folded.take().map(|folded| visit(folded, neighbor));
                lists.each(next..end, key, visit);
                folded.expect("put back after each visit")
            }
            State::Siblings { subtree, mut next, end } => {
                let mut folded = first;
                while next < end {
                    folded = visit(folded, next);
                    next += 1 + subtree.size(next);
                }
                folded
            }
            State::One(neighbor) => neighbor.into_iter().fold(first, visit),
            State::Ready(list) => Self::fold_ready(list.as_slice(), first, visit),
            State::Merged { lists, node, rest } => Self::fold_merged(lists, node, rest, first, visit),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            State::Slice { list, .. } => (0, Some(list.len())),
            State::Decode { next, end, .. } => (0, Some(end - next)),
            State::Siblings { next, end, .. } => (0, Some(end.saturating_sub(*next) as usize)),
            State::One(neighbor) => (usize::from(neighbor.is_some()), Some(usize::from(neighbor.is_some()))),
            State::Ready(list) => (list.len(), Some(list.len())),
            State::Merged { .. } => (0, None),
        }
    }
}

impl FusedIterator for Neighbors<'_> {}
