//! [`PathEdges`]: the edges that a path may follow, which can be read from source to target and from target
//! to source.

use std::sync::Arc;

use super::marks::Towards;
use crate::walk::description::Walk;
use crate::walk::error::{WalkError, WalkResult};
use crate::walk::hop::Hop;
use crate::walk::plan_edges::PlanEdges;
use varvite_graph::{Graph, GraphError};

/// The edges that a path may follow, compiled for one graph. A `PathEdges` is immutable: threads may share
/// it, and clones share its memory.
#[derive(Clone, Debug)]
pub struct PathEdges(Arc<[PlanEdges; 2]>);

impl PathEdges {
    /// Compiles the hops of a path for a graph, in both directions. A path follows the edges of a node in the
    /// order of the hops, and an edge that two hops follow only once. If there is no hop, only paths without
    /// edges are found.
    ///
    /// # Errors
    /// [`WalkError::Graph`] for a name that the graph does not have, with the nearest name.
    pub fn compile(graph: &Graph, hops: impl IntoIterator<Item = Hop>) -> Result<Self, WalkError> {
        let walk = hops.into_iter().fold(Walk::default(), Walk::hop);
        let side = |walk: &Walk| walk.compile(graph).map(PlanEdges::of);
        Ok(Self(Arc::new([side(&walk)?, side(&walk.reversed())?])))
    }

    /// The edges in the direction of a path, or against it.
    #[inline]
    pub(super) fn towards(&self, towards: Towards) -> &PlanEdges {
        match towards {
            Towards::Targets => &self.0[0],
            Towards::Sources => &self.0[1],
        }
    }

    /// The number of nodes of the graph; fails if any of `nodes` does not exist.
    pub(super) fn check_nodes<'n>(&self, mut nodes: impl Iterator<Item = &'n u32>) -> WalkResult<u32> {
        let count = self.0[0].plan.nodes;
        match nodes.find(|node| **node >= count) {
            Some(node) => Err(GraphError::NoSuchNode { node: u64::from(*node), nodes: count }.into()),
            None => Ok(count),
        }
    }

    /// Fails if damage was found in the graph.
    pub(super) fn check_damage(&self) -> WalkResult<()> {
        Ok(self.0[0].plan.damage.check()?)
    }
}
