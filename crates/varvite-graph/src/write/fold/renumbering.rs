//! [`Renumbering`]: the new ids of the nodes of a graph: first the graph's own nodes in pre-order, then the
//! nodes of each layer that can be dropped, in their old order.

use varvite_format::Quantity;

use crate::change_error::ChangeError;
use crate::error::Result;
use crate::graph::Graph;
use crate::write::check_claim;
use crate::write::order::NodeOrder;

/// The new id of each node. Nodes of the graph itself get their rank in the pre-order of the tree label,
/// without removed nodes.
pub(in crate::write) struct Renumbering {
    order: NodeOrder,
    /// The new id of each node's parent along the tree label, by the new id of the node; `u32::MAX` if the
    /// node has no parent. Empty without a tree label.
    parents: Vec<u32>,
}

impl Renumbering {
    pub(super) fn of(graph: &Graph) -> Result<Self, ChangeError> {
        let nodes = graph.node_count();
        check_claim(graph, nodes.into())?;
        let removed = graph.removed_nodes()?;
        let layers = LayerNodes::of(graph)?;
        let is_removed = |node| removed.as_ref().is_some_and(|removed| removed.contains(node));
        let is_dead = |node| is_removed(node) || layers.contain(node);
        let Some(tree) = graph.tree_label() else {
            let offsets = vec![0; nodes as usize + 1];
            let order = layers.append_to(NodeOrder::pre_order(&offsets, &[], is_dead)?);
            return Ok(Self { order, parents: Vec::new() });
        };
        let (out, in_) = (graph.out(tree)?, graph.in_(tree)?);
        check_claim(graph, out.edge_count())?;
        let edges = u32::try_from(out.edge_count()).map_err(|_| too_many_edges(out.edge_count()))?;
        let (mut offsets, mut targets) = (Vec::with_capacity(nodes as usize + 1), Vec::new());
        targets.reserve_exact(edges as usize);
        for node in 0..nodes {
            offsets.push(targets.len() as u32);
            if !layers.contain(node) {
                out.append(node, &mut targets);
            }
        }
        offsets.push(targets.len() as u32);
        let order = match layers.is_empty() {
            true => NodeOrder::pre_order(&offsets, &targets, is_dead)?,
            false => {
                layers.take_out(&mut offsets, &mut targets);
                layers.append_to(NodeOrder::pre_order(&offsets, &targets, is_dead)?)
            }
        };
        let parent =
            |old: &u32| in_.first(*old).map_or(NodeOrder::NONE, |old| order.new_of_old[old as usize]);
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

    /// The new id of a node; `None` if the node was removed.
    pub(super) fn new_id(&self, old: u32) -> Option<u32> {
        self.order.new_of_old.get(old as usize).copied().filter(|new| *new != NodeOrder::NONE)
    }

    pub(super) fn parents(&self) -> &[u32] {
        &self.parents
    }

    pub(super) fn into_new_of_old(self) -> Vec<u32> {
        self.order.new_of_old
    }
}

/// The nodes of layers that can be dropped.
struct LayerNodes {
    /// The nodes, layer by layer, and in ascending order in each layer.
    nodes: Vec<u32>,
    /// A bit for each node of the graph; empty if no layer has nodes.
    bits: Vec<u64>,
}

impl LayerNodes {
    fn of(graph: &Graph) -> Result<Self, ChangeError> {
        let (mut nodes, mut bits) = (Vec::new(), Vec::new());
        for (layer, row) in (0..).zip(&graph.store().directory().layers) {
            let first = nodes.len();
            let of_layer = graph.label_ids().zip(graph.labels()).filter(|(_, label)| label.layer == layer);
            for (label, _) in of_layer.filter(|_| row.nodes.is_some()) {
                nodes.extend(graph.nodes_of(label)?.iter());
            }
            nodes[first..].sort_unstable();
        }
        if !nodes.is_empty() {
            bits.resize((graph.node_count() as usize).div_ceil(64), 0u64);
        }
        // A node with several labels was added several times.
        nodes.retain(|node| {
            let (word, bit) = (&mut bits[*node as usize / 64], 1 << (node % 64));
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        });
        Ok(Self { nodes, bits })
    }

    fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn contain(&self, node: u32) -> bool {
        self.bits.get(node as usize / 64).is_some_and(|word| word >> (node % 64) & 1 != 0)
    }

    /// Removes the edges to these nodes from lists.
    fn take_out(&self, offsets: &mut [u32], targets: &mut Vec<u32>) {
        let (mut kept, mut start) = (0, 0);
        for offset in offsets.iter_mut().skip(1) {
            let end = *offset;
            for place in start..end {
                let target = targets[place as usize];
                if !self.contain(target) {
                    targets[kept as usize] = target;
                    kept += 1;
                }
            }
            (*offset, start) = (kept, end);
        }
        targets.truncate(kept as usize);
    }

    /// Appends these nodes to an order, so that they get the ids after those of all other nodes.
    fn append_to(&self, mut order: NodeOrder) -> NodeOrder {
        for node in &self.nodes {
            order.new_of_old[*node as usize] = order.old_of_new.len() as u32;
            order.old_of_new.push(*node);
        }
        order
    }
}

/// The error for more edges than 32-bit positions can count.
pub(super) fn too_many_edges(found: u64) -> ChangeError {
    ChangeError::TooLarge { what: Quantity::Edges, found, limit: u32::MAX.into() }
}
