//! [`Renumbering`]: the new ids of the nodes of a graph.

use varvite_format::Quantity;

use crate::error::{GraphError, Result};
use crate::graph::Graph;
use crate::order::Order;
use crate::write::check_claim;

/// The new id of each node: its rank in the pre-order of the tree label, among nodes that were not removed.
pub(in crate::write) struct Renumbering {
    order: Order,
    /// The new id of the node above each node along the tree label, by its new id; `u32::MAX` for none. Empty without a
    /// tree label.
    parents: Vec<u32>,
}

impl Renumbering {
    pub(super) fn of(graph: &Graph) -> Result<Self> {
        let nodes = graph.node_count();
        check_claim(graph, nodes.into())?;
        let removed = graph.removed_nodes()?;
        let is_removed = |node| removed.as_ref().is_some_and(|removed| removed.contains(node));
        let Some(tree) = graph.tree_label() else {
            let offsets = vec![0; nodes as usize + 1];
            let order = Order::pre_order(&offsets, &[], is_removed);
            return Ok(Self { order, parents: Vec::new() });
        };
        let (out, in_) = (graph.out(tree)?, graph.in_(tree)?);
        check_claim(graph, out.edge_count())?;
        let edges = u32::try_from(out.edge_count()).map_err(|_| too_many_edges(out.edge_count()))?;
        let (mut offsets, mut targets) = (Vec::with_capacity(nodes as usize + 1), Vec::new());
        targets.reserve_exact(edges as usize);
        for node in 0..nodes {
            offsets.push(targets.len() as u32);
            out.append(node, &mut targets);
        }
        offsets.push(targets.len() as u32);
        let order = Order::pre_order(&offsets, &targets, is_removed);
        let parent = |old: &u32| in_.first(*old).map_or(Order::NONE, |old| order.new_of_old[old as usize]);
        let parents = order.old_of_new.iter().map(parent).collect();
        Ok(Self { order, parents })
    }

    pub(super) fn node_count(&self) -> u32 {
        self.order.old_of_new.len() as u32
    }

    pub(super) fn old_of_new(&self) -> &[u32] {
        &self.order.old_of_new
    }

    pub(super) fn new_of_old(&self) -> &[u32] {
        &self.order.new_of_old
    }

    /// The new id of a node; none of one that was removed.
    pub(super) fn new_id(&self, old: u32) -> Option<u32> {
        self.order.new_of_old.get(old as usize).copied().filter(|new| *new != Order::NONE)
    }

    pub(super) fn parents(&self) -> &[u32] {
        &self.parents
    }

    pub(super) fn into_new_of_old(self) -> Vec<u32> {
        self.order.new_of_old
    }
}

/// Positions in lists have 32 bits.
pub(super) fn too_many_edges(found: u64) -> GraphError {
    GraphError::TooLarge { what: Quantity::Edges, found, limit: u32::MAX.into() }
}
