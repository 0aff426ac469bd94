//! [`Visit`]: the current node of a walk, and the branch to it.

use varvite_format::{EdgeLabelId, LabelId};

use super::branch::{Branch, NO_WAY, back_from};
use super::path_step::PathStep;
use super::plan::Plan;
use varvite_graph::Direction;

/// The current node of a walk, and the branch to it, which stays in the walk's memory. No method allocates,
/// except that [`path`](Self::path) may grow the caller's vector.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    pub(super) plan: &'a Plan,
    pub(super) branches: &'a [Branch],
    pub(super) branch: &'a Branch,
    /// The number of the branch; and, in `costs`, the costs of all branches, which is empty unless the walk
    /// is by cost.
    pub(super) number: u32,
    pub(super) costs: &'a [f64],
}

impl<'a> Visit<'a> {
    /// The current node.
    #[inline]
    pub fn node(&self) -> u32 {
        self.branch.node
    }

    /// The number of edges from the start.
    #[inline]
    pub fn depth(&self) -> u32 {
        self.branch.depth
    }

    /// The first 64 labels of the node, one bit each, as in [`Labels::word`](varvite_graph::Labels::word).
    /// The node's label set was already read; this call looks it up in the table of label sets.
    #[inline]
    pub fn label_word(&self) -> u64 {
        self.plan.labels.code_word(self.branch.code)
    }

    /// Whether the node has a label.
    #[inline]
    pub fn has(&self, label: LabelId) -> bool {
        self.plan.labels.code_has(self.branch.code, label)
    }

    /// The code of the node's label set.
    #[inline]
    pub fn label_code(&self) -> u32 {
        self.branch.code
    }

    /// The edge to the node: the edge's label, and the direction in which it was followed. `None` at a start,
    /// and after a step without an edge.
    #[inline]
    pub fn edge(&self) -> Option<(EdgeLabelId, Direction)> {
        self.plan.edge_of(self.branch.way)
    }

    /// The rank of the edge to the node, by which the edge's properties are found, if the walk identifies
    /// edges ([`Walk::with_edge_ranks`](super::Walk::with_edge_ranks)).
    #[inline]
    pub fn edge_rank(&self) -> Option<u32> {
        (self.plan.has_ranks && self.branch.way != NO_WAY).then_some(self.branch.rank)
    }

    /// The previous node; `None` at a start.
    #[inline]
    pub fn parent(&self) -> Option<u32> {
        Some(self.branches.get(self.branch.parent as usize)?.node)
    }

    /// The sum of the costs of the edges to this node, in a walk by cost; 0 in other walks.
    #[inline]
    pub fn cost(&self) -> f64 {
        self.costs.get(self.number as usize).copied().unwrap_or(0.0)
    }

    /// The steps to the node, the last one first.
    pub fn steps_back(&self) -> impl Iterator<Item = PathStep> + 'a {
        let (plan, branches) = (self.plan, self.branches);
        let first = std::iter::once(self.branch);
        let branches = first.chain(back_from(branches, self.branch.parent));
        branches.map(|branch| PathStep { node: branch.node, edge: plan.edge_of(branch.way) })
    }

    /// Sets `path` to the nodes and edges from the start to this node.
    pub fn path(&self, path: &mut Vec<PathStep>) {
        path.clear();
        path.extend(self.steps_back());
        path.reverse();
    }
}
