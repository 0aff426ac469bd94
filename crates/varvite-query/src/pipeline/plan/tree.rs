//! [`TreePlan`]: descendants and ancestors of nodes in the tree.

use std::ops::Range;
use std::sync::Arc;

use varvite_graph::internal::GrownTree;
use varvite_graph::{Adjacency, Subtree};

/// The tree of the graph, by its index.
#[derive(Clone, Debug)]
pub(crate) struct TreePlan {
    pub(crate) subtree: Arc<Subtree>,
    /// The places of appended nodes in it, if there are any.
    pub(crate) grown: Option<Arc<GrownTree>>,
    pub(crate) parents: Arc<Adjacency>,
    pub(crate) with_self: bool,
}

/// The rest of a node's descendants or ancestors in the result, in pre-order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Below {
    pub(crate) ids: Range<u32>,
    /// Appended nodes, which stand between these; a range of the order of the grown tree.
    pub(crate) appended: Range<u32>,
}

impl TreePlan {
    /// The nodes that stand for a node in the result.
    #[inline]
    pub(crate) fn below(&self, node: u32) -> Below {
        let below = self.subtree.descendants(node);
        let appended = self.grown.as_ref().map_or(0..0, |grown| grown.below(node, &below));
        match self.with_self {
            false => Below { ids: below, appended },
            true if self.is_appended(node) => {
                Below { ids: 0..0, appended: appended.start.saturating_sub(1)..appended.end }
            }
            true => Below { ids: node..below.end.max(node + 1), appended },
        }
    }

    /// The first node behind the subtree of one of the base.
    #[inline]
    pub(crate) fn end(&self, node: u32) -> u32 {
        self.subtree.descendants(node).end
    }

    /// Whether a node was appended to the tree, so that its id is not its place.
    #[inline]
    pub(crate) fn is_appended(&self, node: u32) -> bool {
        self.grown.as_ref().is_some_and(|grown| node >= grown.base_nodes())
    }

    /// Some appended nodes, in pre-order.
    #[inline]
    pub(crate) fn appended(&self, range: Range<u32>) -> &[u32] {
        self.grown.as_ref().map_or(&[], |grown| grown.nodes(range))
    }

    /// All nodes that stand for one in the result.
    pub(crate) fn iter_below(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let mut below = self.below(node);
        std::iter::from_fn(move || below.next(self))
    }
}

impl Below {
    /// The number of remaining nodes.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.ids.len() as u64 + self.appended.len() as u64
    }

    /// Takes at most `room` nodes.
    #[inline]
    pub(crate) fn take(&mut self, tree: &TreePlan, room: usize, output: &mut Vec<u32>) {
        let full = output.len().saturating_add(room);
        while output.len() < full {
            let room = u32::try_from(full - output.len()).unwrap_or(u32::MAX);
            let end = self.stop(tree).min(self.ids.start.saturating_add(room));
            output.extend(self.ids.start..end);
            self.ids.start = self.ids.start.max(end);
            if output.len() == full {
                return;
            }
            let Some(index) = self.appended.next() else { return };
            output.extend_from_slice(tree.appended(index..index + 1));
        }
    }

    fn next(&mut self, tree: &TreePlan) -> Option<u32> {
        if self.ids.start < self.stop(tree) {
            return self.ids.next();
        }
        let index = self.appended.next()?;
        tree.appended(index..index + 1).first().copied()
    }

    /// The id before which the next appended node stands, or the end.
    #[inline]
    fn stop(&self, tree: &TreePlan) -> u32 {
        match &tree.grown {
            Some(grown) if !self.appended.is_empty() => grown.place(self.appended.start).min(self.ids.end),
            _ => self.ids.end,
        }
    }
}
