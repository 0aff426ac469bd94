//! [`TreePlan`]: finds the descendants and ancestors of nodes in the tree with the subtree index.

use std::ops::Range;
use std::sync::Arc;

use varvite_graph::internal::GrownTree;
use varvite_graph::{Adjacency, Subtree};

/// The tree of the graph, with its subtree index.
#[derive(Clone, Debug)]
pub(crate) struct TreePlan {
    pub(crate) subtree: Arc<Subtree>,
    /// The positions of appended nodes in the tree. `None` if there are none.
    pub(crate) grown: Option<Arc<GrownTree>>,
    pub(crate) parents: Arc<Adjacency>,
    pub(crate) with_self: bool,
}

/// The remaining descendants of a node, in pre-order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Below {
    pub(crate) ids: Range<u32>,
    /// The remaining appended nodes, as a range in the order of the grown tree. In pre-order, their positions
    /// lie between those of the nodes in `ids`.
    pub(crate) appended: Range<u32>,
}

impl TreePlan {
    /// The descendants of a node, including the node itself if the step includes it.
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

    /// The first id after the subtree of a node that is in the base (not appended).
    #[inline]
    pub(crate) fn end(&self, node: u32) -> u32 {
        // A node without a stored size is a leaf.
        self.subtree.descendants(node).end.max(node.saturating_add(1))
    }

    /// Whether a node was appended to the tree, so that its id is not its position.
    #[inline]
    pub(crate) fn is_appended(&self, node: u32) -> bool {
        self.grown.as_ref().is_some_and(|grown| node >= grown.base_nodes())
    }

    /// A range of the appended nodes, in pre-order.
    #[inline]
    pub(crate) fn appended(&self, range: Range<u32>) -> &[u32] {
        self.grown.as_ref().map_or(&[], |grown| grown.nodes(range))
    }

    /// Iterates over the descendants of a node, including the node itself if the step includes it.
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

    /// Moves at most `room` nodes to `output`.
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

    /// The id before which the next appended node comes, or the end of the ids.
    #[inline]
    fn stop(&self, tree: &TreePlan) -> u32 {
        match &tree.grown {
            Some(grown) if !self.appended.is_empty() => grown.place(self.appended.start).min(self.ids.end),
            _ => self.ids.end,
        }
    }
}
