//! [`LabelChange`]: the label sets of nodes that were appended or removed.

use std::ops::Range;

use varvite_format::{NodeSet, SmallInts, SmallLimit};
use varvite_store::Pinned;

use crate::cursor::damage::Damage;

/// The label sets of the nodes that were appended or removed since the base was written.
#[derive(Debug)]
pub(crate) struct LabelChange {
    /// The number of nodes in the base. The ids of appended nodes begin at this number.
    pub(crate) base_nodes: u32,
    /// The code of the label set of each appended node.
    pub(crate) codes: Option<SmallInts<Pinned>>,
    pub(crate) removed: Option<NodeSet<Pinned>>,
    /// The code of the empty label set, which removed nodes have.
    pub(crate) no_labels: u32,
    pub(crate) limit: SmallLimit,
}

impl LabelChange {
    /// The part of a range of nodes that is in the base.
    pub(crate) fn of_base(&self, nodes: &Range<u32>) -> Range<u32> {
        nodes.start.min(self.base_nodes)..nodes.end.min(self.base_nodes)
    }

    /// Whether any node of a range was appended or removed. Not inlined, because it would make loops over
    /// graphs without changes longer.
    #[inline(never)]
    pub(crate) fn is_in(&self, nodes: &Range<u32>) -> bool {
        nodes.end > self.base_nodes || self.removed_in(nodes).next().is_some()
    }

    /// The removed nodes in a range, ascending.
    pub(crate) fn removed_in(&self, nodes: &Range<u32>) -> impl Iterator<Item = u32> + '_ {
        let nodes = nodes.clone();
        let removed = self.removed.as_ref().map(|removed| removed.iter_from(nodes.start));
        removed.into_iter().flatten().take_while(move |node| *node < nodes.end)
    }

    /// The code of a node's label set; `of_base` reads the code of the node in the base. `None` if the code
    /// cannot be read.
    pub(crate) fn code(&self, node: u32, of_base: impl Fn() -> Option<u32>) -> Option<u32> {
        if self.removed.as_ref().is_some_and(|removed| removed.contains(node)) {
            return Some(self.no_labels);
        }
        match node.checked_sub(self.base_nodes) {
            None => of_base(),
            Some(place) => self.codes.as_ref()?.get_below(place as usize, self.limit),
        }
    }

    /// Calls `visit` with each appended or removed node in a range, and the code of its label set. Records
    /// damage for a node whose code cannot be read.
    pub(crate) fn for_each(&self, nodes: &Range<u32>, damage: &Damage, mut visit: impl FnMut(u32, u32)) {
        let of_base = self.of_base(nodes);
        self.removed_in(&of_base).for_each(|node| visit(node, self.no_labels));
        for node in nodes.start.max(self.base_nodes)..nodes.end {
            match self.code(node, || None) {
                Some(code) => visit(node, code),
                None => damage.note("labels", node),
            }
        }
    }
}
