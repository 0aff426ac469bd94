//! [`ChangedLists`]: neighbours along an edge label with edges appended or removed since the columns were
//! written.
//!
//! There is a bit for each node, which is set if any of the node's edges changed. For a node without changed
//! edges, the list is read from the base, which costs one test more than in a graph without changes. For a
//! node with changed edges, a short list is stored in its merged form in [`Touched`]; a long list is merged
//! by [`MergedLists`] when it is read.

use std::sync::Arc;

use super::merged::MergedLists;
use super::touched::Touched;
use super::{Adjacency, Stored};
use crate::cursor::adjacency::change_columns::{ChangeColumns, EntryAt};
use crate::cursor::adjacency::stored::{ListRest, StoredLists, StoredParents};

/// The neighbours of every node along an edge label with changes, in one direction.
#[derive(Clone, Debug)]
pub struct ChangedLists {
    merged: MergedLists,
    touched: Arc<Touched>,
}

impl ChangedLists {
    pub(crate) fn new(merged: MergedLists, touched: Arc<Touched>) -> Self {
        Self { merged, touched }
    }

    /// The neighbours in the base, without the changes.
    #[inline]
    pub(super) fn base(&self) -> &Adjacency {
        &self.merged.base
    }

    pub(crate) fn columns(&self) -> &ChangeColumns {
        &self.merged.columns
    }

    pub(crate) fn touched(&self) -> &Touched {
        &self.touched
    }

    /// Whether any of the edges of `node` were appended or removed.
    #[inline(always)]
    #[doc(hidden)]
    pub fn is_touched(&self, node: u32) -> bool {
        self.touched.contains(node)
    }

    /// The parents in the base; `None` if the base does not store parents, or if the parent of any of its
    /// nodes changed.
    pub(super) fn untouched_parents(&self) -> Option<&StoredParents> {
        let Stored::Parents(parents) = &self.merged.base.stored else { return None };
        let is_touched = self.touched.iter().next().is_some_and(|first| first < parents.nodes());
        (!is_touched).then_some(parents)
    }

    /// The merged list of a node with changed edges, if [`Touched`] stores it.
    #[inline(never)]
    pub(super) fn list(&self, node: u32) -> Option<&[u32]> {
        self.touched.list(node)
    }

    /// Appends all neighbours of `node`. Like all methods here that hops call, this method is not inlined,
    /// because inlined code would take registers from hops in graphs without changes.
    #[inline(never)]
    pub(super) fn append(&self, node: u32, output: &mut Vec<u32>) {
        match self.list(node) {
            Some(list) => output.extend_from_slice(list),
            None => self.merged.each(node, ListRest::default(), |neighbor| output.push(neighbor)),
        }
    }

    #[inline(never)]
    pub(super) fn first(&self, node: u32) -> Option<u32> {
        match self.list(node) {
            Some(list) => list.first().copied(),
            None => Some(self.merged.step(node, &mut ListRest::default())?.0),
        }
    }

    #[inline(never)]
    pub(super) fn degree(&self, node: u32) -> usize {
        self.list(node).map_or_else(|| self.merged.degree(node), <[u32]>::len)
    }

    /// Takes the next neighbour of `node` from `rest`, and returns the neighbour and the edge that leads to
    /// it. `ListRest::default()` holds all neighbours.
    #[inline(never)]
    pub(super) fn step(&self, node: u32, rest: &mut ListRest) -> Option<(u32, EntryAt)> {
        self.merged.step(node, rest)
    }

    /// Calls `visit` with all neighbours of `node` that are left in `rest`.
    #[inline(never)]
    pub(super) fn each(&self, node: u32, rest: ListRest, visit: &mut dyn FnMut(u32)) {
        self.merged.each(node, rest, visit);
    }

    /// Appends at most `room` of the neighbours of `node` that are left in `rest`. Returns true if more are
    /// left.
    #[inline(never)]
    pub(super) fn append_rest(
        &self,
        node: u32,
        rest: &mut ListRest,
        room: usize,
        output: &mut Vec<u32>,
    ) -> bool {
        match self.list(node).filter(|list| !rest.is_begun() && list.len() <= room) {
            Some(list) => {
                output.extend_from_slice(list);
                false
            }
            None => self.merged.append_rest(node, rest, room, output),
        }
    }

    /// The same as [`Adjacency::append_many`], for lists with changes.
    pub(super) fn append_many(&self, nodes: &[u32], limit: usize, output: &mut Vec<u32>) -> usize {
        let mut many = self.base().as_lists().map(StoredLists::many);
        let mut done = 0;
        while done < nodes.len() && output.len() < limit {
            let left = &nodes[done..];
            let same = self.untouched_count(&left[..left.len().min(limit - output.len())]);
            if same > 0 {
                let taken = match &mut many {
                    Some(many) => many.append(&left[..same], limit, output),
                    None => self.base().append_many(&left[..same], limit, output),
                };
                done += taken;
                if taken < same {
                    break;
                }
            } else if self.degree(nodes[done]) <= limit - output.len() {
                self.append(nodes[done], output);
                done += 1;
            } else {
                break;
            }
        }
        done
    }

    /// The number of nodes at the start of `nodes` before the first touched node. Tests eight nodes at a
    /// time, without a branch between them.
    fn untouched_count(&self, nodes: &[u32]) -> usize {
        const AT_ONCE: usize = 8;
        let (chunks, _) = nodes.as_chunks::<AT_ONCE>();
        let is_untouched =
            |chunk: &&[u32; AT_ONCE]| !chunk.iter().fold(false, |any, node| any | self.is_touched(*node));
        let sure = AT_ONCE * chunks.iter().take_while(is_untouched).count();
        let more = nodes[sure..].iter().position(|node| self.is_touched(*node));
        more.map_or(nodes.len(), |more| sure + more)
    }

    /// The same as [`Adjacency::for_each_edge`], for lists with changes. Each edge of the base costs one
    /// comparison of its node with the next touched node. For a touched node, the merged list is visited in
    /// place of the list in the base.
    pub(super) fn for_each_edge(&self, mut visit: impl FnMut(u32, u32)) {
        let mut touched = self.touched.iter();
        // The next touched node, and whether its list was visited.
        let (mut next, mut is_visited) = (touched.next().unwrap_or(u32::MAX), false);
        let mut visit_base = |node: u32, neighbor: u32| {
            while node > next {
                if !std::mem::take(&mut is_visited) {
                    self.visit_touched(next, &mut visit);
                }
                next = touched.next().unwrap_or(u32::MAX);
            }
            if node < next {
                return visit(node, neighbor);
            }
            if !std::mem::replace(&mut is_visited, true) {
                self.visit_touched(node, &mut visit);
            }
        };
        self.base().for_each_stored(&mut visit_base);
        let left = (next != u32::MAX && !is_visited).then_some(next);
        left.into_iter().chain(touched).for_each(|node| self.visit_touched(node, &mut visit));
    }

    #[inline(never)]
    fn visit_touched(&self, node: u32, visit: &mut dyn FnMut(u32, u32)) {
        match self.list(node) {
            Some(list) => list.iter().for_each(|neighbor| visit(node, *neighbor)),
            None => self.merged.each(node, ListRest::default(), |neighbor| visit(node, neighbor)),
        }
    }
}
