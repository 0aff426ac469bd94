//! [`Members`]: the nodes of a subgraph, numbered consecutively from 0.
//!
//! Algorithms refer to nodes by their index among the members. So an algorithm over a hundred thousand nodes
//! of a graph with many millions costs no more than one over a graph of a hundred thousand nodes.

use super::error::AlgorithmError;
use super::limits::Limits;
use varvite_graph::Result as GraphResult;
use varvite_graph::internal::RankedBits;
use varvite_graph::{Graph, GraphError, Reserved};

/// The number of nodes between two checks for cancellation.
const NODES_OF_LOOK: u32 = 1 << 16;

/// The nodes of a subgraph, in ascending order.
#[derive(Debug)]
pub(super) struct Members {
    /// The number of nodes of the graph.
    nodes: u32,
    /// The nodes that are members; `None` if all nodes are members.
    some: Option<Chosen>,
}

#[derive(Debug)]
struct Chosen {
    bits: RankedBits,
    /// The node ids of the members, by index.
    ids: Vec<u32>,
    _reserved: Reserved,
}

impl Members {
    /// All nodes of a graph that were not removed; if labels are given, only nodes with any of these labels.
    pub(super) fn of(graph: &Graph, labels: &[String], limits: &Limits) -> Result<Self, AlgorithmError> {
        let nodes = graph.node_count();
        let sets = labels.iter().map(|label| graph.nodes(label)).collect::<GraphResult<Vec<_>>>()?;
        let removed = if labels.is_empty() { graph.removed_nodes()? } else { None };
        if labels.is_empty() && removed.is_none() {
            return Ok(Self { nodes, some: None });
        }
        let mut reserved = limits.work.reserve(RankedBits::bytes(nodes) as usize)?;
        let bits = RankedBits::of(nodes, |add| match &removed {
            Some(removed) => (0..nodes)
                .take_while(|node| node % NODES_OF_LOOK != 0 || limits.check().is_ok())
                .filter(|node| !removed.contains(*node))
                .for_each(add),
            None => sets.iter().for_each(|set| set.iter().for_each(&mut *add)),
        });
        limits.check()?;
        reserved.resize(reserved.bytes() + size_of::<u32>() * bits.count() as usize)?;
        let mut ids = Vec::with_capacity(bits.count() as usize);
        ids.extend(bits.iter());
        Ok(Self { nodes, some: Some(Chosen { bits, ids, _reserved: reserved }) })
    }

    /// All nodes of a graph with this number of nodes, without removed nodes.
    pub(super) fn all(nodes: u32) -> Self {
        Self { nodes, some: None }
    }

    /// The number of members.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.some.as_ref().map_or(self.nodes as usize, |some| some.ids.len())
    }

    /// Whether every node of the graph is a member.
    #[inline]
    pub(super) fn are_all(&self) -> bool {
        self.some.is_none()
    }

    /// The node with an index, which must be less than the number of members.
    #[inline]
    pub(super) fn node(&self, index: u32) -> u32 {
        self.some.as_ref().map_or(index, |some| some.ids[index as usize])
    }

    /// The index of a node; `None` if it is not a member.
    #[inline]
    pub(super) fn index(&self, node: u32) -> Option<u32> {
        match &self.some {
            None => (node < self.nodes).then_some(node),
            Some(some) => some.bits.contains(node).then(|| some.bits.rank(node) as u32),
        }
    }

    /// The indexes of some nodes.
    pub(super) fn indexes(&self, nodes: &[u32]) -> Result<Vec<u32>, AlgorithmError> {
        let index = |node: &u32| match self.index(*node) {
            Some(index) => Ok(index),
            None if *node < self.nodes => Err(AlgorithmError::NotSelected { node: *node }),
            None => Err(GraphError::NoSuchNode { node: u64::from(*node), nodes: self.nodes }.into()),
        };
        nodes.iter().map(index).collect()
    }
}
