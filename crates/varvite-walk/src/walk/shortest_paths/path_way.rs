//! [`PathWay`]: edges that a path may follow, readable from both ends.

use varvite_format::EdgeLabelId;

use crate::walk::way::DirectedEdges;
use varvite_graph::Result as GraphResult;
use varvite_graph::internal::ListRest;
use varvite_graph::{Direction, Graph, LabelNodes};

/// Edges that a path may follow: the edges of one label in one direction.
#[derive(Clone, Debug)]
pub struct PathWay {
    forward: DirectedEdges,
    backward: DirectedEdges,
    /// The allowed targets of edges; `None` if all targets are allowed.
    targets: Option<LabelNodes>,
}

impl PathWay {
    /// The edges with a label. With [`Direction::In`] a path follows them from target to source.
    ///
    /// # Errors
    /// [`GraphError::Unknown`](varvite_graph::GraphError::Unknown), with the nearest name, or
    /// [`GraphError::Store`](varvite_graph::GraphError::Store).
    pub fn along(graph: &Graph, edge_label: &str, direction: Direction) -> GraphResult<Self> {
        let label = graph.edge_label(edge_label)?;
        let way = |direction| DirectedEdges::open(graph, label, direction);
        Ok(Self { forward: way(direction)?, backward: way(direction.reversed())?, targets: None })
    }

    /// Keeps only edges whose target has a label.
    ///
    /// # Errors
    /// [`GraphError::Unknown`](varvite_graph::GraphError::Unknown), with the nearest name, or
    /// [`GraphError::Store`](varvite_graph::GraphError::Store).
    pub fn with_target(self, graph: &Graph, label: &str) -> GraphResult<Self> {
        Ok(Self { targets: Some(graph.nodes(label)?), ..self })
    }

    /// The edge label, and the direction in which its edges are followed.
    pub(super) fn edge(&self) -> (EdgeLabelId, Direction) {
        (self.forward.edge_label, self.forward.direction)
    }

    /// Reads the next nodes at the other ends of the edges at `node` into `found`, in the direction of the
    /// path or against it; returns false if there are no more nodes after them. `rest` keeps the position
    /// between calls.
    pub(super) fn find(
        &self,
        node: u32,
        towards: Towards,
        rest: &mut ListRest,
        found: &mut Vec<u32>,
    ) -> bool {
        found.clear();
        let is_target = |node: u32| self.targets.as_ref().is_none_or(|targets| targets.contains(node));
        let leaves_source = (self.forward.direction == Direction::Out) == (towards == Towards::Targets);
        if !leaves_source && !is_target(node) {
            return false;
        }
        let way = match towards {
            Towards::Targets => &self.forward,
            Towards::Sources => &self.backward,
        };
        let more = way.adjacency.append_rest(node, rest, PIECE, found);
        if leaves_source && self.targets.is_some() {
            found.retain(|node| is_target(*node));
        }
        more
    }
}

/// The number of neighbours that are read at a time: a list may be nearly as long as the graph has nodes.
const PIECE: usize = 1 << 12;

/// The end towards which a level advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Towards {
    Targets,
    Sources,
}
