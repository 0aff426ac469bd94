//! [`Selection`]: the nodes and edges of a graph that an algorithm runs over, described by names.

use crate::walk::{Hop, Walk};
use varvite_graph::internal::Names;

/// The nodes and edges of a graph that an algorithm runs over: an immutable description, from which
/// [`open`](Self::open) makes a [`Subgraph`](super::Subgraph).
///
/// The edges are those that the given [`Hop`]s follow, in the direction in which the hops follow them: along
/// `Hop::in_("CALL")` an edge leads from the callee to the call, and along `Hop::both("E")` every edge leads
/// both ways, as in an undirected graph. Parallel edges all count. An edge is left out if its source or its
/// target is not selected.
///
/// ```no_run
/// use varvite::algorithms::{AlgorithmOptions, Selection};
/// use varvite::walk::Hop;
///
/// # fn main() -> Result<(), varvite::algorithms::AlgorithmError> {
/// let graph = varvite::Graph::open("zlib.varvite")?;
/// // METHODs, and an edge for each call in one of them to another.
/// let calls = Selection::along(Hop::out("CONTAINS").to("CALL")).then(Hop::out("CALL")).nodes("METHOD");
/// let calls = calls.open(&graph, &AlgorithmOptions::default())?;
/// for (method, component) in calls.strong_components()?.iter() {
///     println!("{method} is in a cycle of calls with {component}, or alone");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The stages of an edge. An edge of the subgraph is a path in the graph, with one edge from each stage,
    /// in this order.
    pub(super) stages: Vec<Vec<Hop>>,
    /// The labels of selected nodes; a node needs at least one of them. Empty if all nodes are selected.
    pub(super) labels: Vec<String>,
    pub(super) cost: Option<Cost>,
    pub(super) is_distinct: bool,
}

/// The property that holds the costs of edges.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cost {
    pub(super) property: String,
    pub(super) default: Option<f64>,
}

impl Selection {
    /// Selects all nodes, and the edges that a hop follows.
    pub fn along(hop: Hop) -> Self {
        Self { stages: vec![vec![hop]], labels: Vec::new(), cost: None, is_distinct: false }
    }

    /// Adds the edges that another hop follows. An edge that two hops follow is selected once.
    #[must_use]
    pub fn hop(mut self, hop: Hop) -> Self {
        match self.stages.last_mut() {
            Some(stage) => stage.push(hop),
            None => self.stages.push(vec![hop]),
        }
        self
    }

    /// Combines each selected edge with a second one: the new edge is a path that consists of an edge
    /// selected so far and an edge that this hop follows from there. The node in the middle need not be
    /// selected. A later call of [`hop`](Self::hop) adds edges to the second part of the path.
    #[must_use]
    pub fn then(mut self, hop: Hop) -> Self {
        self.stages.push(vec![hop]);
        self
    }

    /// Selects only nodes with one of these labels.
    #[must_use]
    pub fn nodes(self, labels: impl Names) -> Self {
        Self { labels: labels.names(), ..self }
    }

    /// Makes the value of this property the cost of an edge. The property belongs to the edge's label, and
    /// the value must be a number of 0 or more. The cost of an edge that is combined from several edges is
    /// the sum of their costs.
    #[must_use]
    pub fn cost(self, property: &str) -> Self {
        Self { cost: Some(Cost { property: property.to_owned(), default: None }), ..self }
    }

    /// The same as [`Self::cost`], but an edge without a value costs `default`.
    #[must_use]
    pub fn cost_or(self, property: &str, default: f64) -> Self {
        Self { cost: Some(Cost { property: property.to_owned(), default: Some(default) }), ..self }
    }

    /// Selects only the first of parallel edges, so that no node has two edges to the same node. Algorithms
    /// then need decoded lists.
    #[must_use]
    pub fn distinct(self) -> Self {
        Self { is_distinct: true, ..self }
    }

    /// The same edges in the opposite direction.
    #[must_use]
    pub fn reversed(self) -> Self {
        let reversed = |stage: Vec<Hop>| stage.into_iter().map(Hop::reversed).collect();
        Self { stages: self.stages.into_iter().rev().map(reversed).collect(), ..self }
    }

    /// The walk along the edges of one stage.
    pub(super) fn walk_of(&self, stage: &[Hop]) -> Walk {
        let walk = stage.iter().fold(Walk::breadth_first(), |walk, hop| walk.hop(hop.clone()));
        match &self.cost {
            None => walk,
            Some(Cost { property, default: None }) => walk.cost(property),
            Some(Cost { property, default: Some(default) }) => walk.cost_or(property, *default),
        }
    }
}
