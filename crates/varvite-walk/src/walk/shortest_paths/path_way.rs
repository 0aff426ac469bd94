//! [`PathWay`]: edges that a path may take, from both of their ends.

use varvite_format::EdgeLabelId;

use crate::walk::way::DirectedEdges;
use varvite_graph::Result as GraphResult;
use varvite_graph::internal::ListRest;
use varvite_graph::{Direction, Graph, LabelNodes};

/// Edges that a path may take: those of one label, one way round.
#[derive(Clone, Debug)]
pub struct PathWay {
    forward: DirectedEdges,
    backward: DirectedEdges,
    /// Keeps only edges whose target is one of these.
    targets: Option<LabelNodes>,
}

impl PathWay {
    /// The edges with a label. In the direction [`Direction::In`] a path takes them from target to source.
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

    /// Makes `found` the next of the nodes at the far ends of the edges at `node`, as a path goes or against
    /// it; false if there are no more behind them. `rest` has those that were found before.
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

/// Neighbours that are found at a time: a list may be as long as the graph is large.
const PIECE: usize = 1 << 12;

/// From which end a level is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Towards {
    Targets,
    Sources,
}
