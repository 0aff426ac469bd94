//! [`ChangedSources`]: the nodes that have neighbours along an edge label with appended or removed edges.

use varvite_format::NodeSetIter;
use varvite_store::Pinned;

use super::Sources;
use crate::cursor::adjacency::cursor::changed::ChangedLists;

/// The nodes with neighbours in the base or among the appended edges, ascending, without the nodes that lost
/// all their edges.
#[derive(Clone, Debug)]
pub(super) struct ChangedSources<'a> {
    lists: &'a ChangedLists,
    base: BothEnds<Sources<'a>>,
    appended: BothEnds<std::iter::Flatten<std::option::IntoIter<NodeSetIter<'a, Pinned>>>>,
}

impl<'a> ChangedSources<'a> {
    pub(super) fn of(lists: &'a ChangedLists) -> Self {
        let appended = lists.columns().appended.as_ref().map(|lists| lists.owners());
        Self {
            lists,
            base: BothEnds::of(lists.base().stored_sources()),
            appended: BothEnds::of(appended.into_iter().flatten()),
        }
    }

    fn is_source(&self, node: u32) -> bool {
        !self.lists.is_touched(node) || self.lists.first(node).is_some()
    }
}

impl Iterator for ChangedSources<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            let (base, appended) = (self.base.first(), self.appended.first());
            let node = base.into_iter().chain(appended).min()?;
            self.base.take_first(node);
            self.appended.take_first(node);
            if self.is_source(node) {
                return Some(node);
            }
        }
    }
}

impl DoubleEndedIterator for ChangedSources<'_> {
    fn next_back(&mut self) -> Option<u32> {
        loop {
            let (base, appended) = (self.base.last(), self.appended.last());
            let node = base.into_iter().chain(appended).max()?;
            self.base.take_last(node);
            self.appended.take_last(node);
            if self.is_source(node) {
                return Some(node);
            }
        }
    }
}

/// Ascending nodes. A caller can look at the first and the last node before it takes them.
#[derive(Clone, Debug)]
struct BothEnds<I> {
    nodes: I,
    first: Option<u32>,
    last: Option<u32>,
}

impl<I: DoubleEndedIterator<Item = u32>> BothEnds<I> {
    fn of(nodes: I) -> Self {
        Self { nodes, first: None, last: None }
    }

    fn first(&mut self) -> Option<u32> {
        self.first = self.first.or_else(|| self.nodes.next());
        self.first.or(self.last)
    }

    fn last(&mut self) -> Option<u32> {
        self.last = self.last.or_else(|| self.nodes.next_back());
        self.last.or(self.first)
    }

    /// Takes the first node if it is `node`. [`Self::first`] must have read it before.
    fn take_first(&mut self, node: u32) {
        let place = if self.first.is_some() { &mut self.first } else { &mut self.last };
        place.take_if(|first| *first == node);
    }

    /// Takes the last node if it is `node`. [`Self::last`] must have read it before.
    fn take_last(&mut self, node: u32) {
        let place = if self.last.is_some() { &mut self.last } else { &mut self.first };
        place.take_if(|last| *last == node);
    }
}
