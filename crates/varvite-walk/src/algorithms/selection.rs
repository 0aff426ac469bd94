//! [`Selection`]: which nodes and edges of a graph an algorithm runs over, in terms of names.

use crate::walk::{Hop, Walk};
use varvite_graph::internal::Names;

/// The nodes and edges of a graph that an algorithm runs over: an immutable description, from which
/// [`open`](Self::open) makes a [`Subgraph`](super::Subgraph).
///
/// Edges are those that a [`Hop`] follows, in the direction in which it follows them: along
/// `Hop::in_("CALL")` an edge leads from the callee to the call, and along `Hop::both("E")` every edge leads
/// both ways, as in an undirected graph. Parallel edges count each. Edges with an end that is not selected
/// are left out.
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
    /// An edge of the subgraph is one of each of these, one behind the other.
    pub(super) stages: Vec<Vec<Hop>>,
    /// Labels; a node needs any one of them. Empty for all nodes.
    pub(super) labels: Vec<String>,
    pub(super) cost: Option<Cost>,
}

/// The costs of edges.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cost {
    pub(super) property: String,
    pub(super) default: Option<f64>,
}

impl Selection {
    /// All nodes, and the edges that a hop follows.
    pub fn along(hop: Hop) -> Self {
        Self { stages: vec![vec![hop]], labels: Vec::new(), cost: None }
    }

    /// These edges too. An edge that two hops allow is there once.
    #[must_use]
    pub fn hop(mut self, hop: Hop) -> Self {
        match self.stages.last_mut() {
            Some(stage) => stage.push(hop),
            None => self.stages.push(vec![hop]),
        }
        self
    }

    /// Makes each edge of two: an edge as selected so far, and one that this hop follows from its target. The
    /// node between need not be selected. A further [`hop`](Self::hop) adds edges to the second part.
    #[must_use]
    pub fn then(mut self, hop: Hop) -> Self {
        self.stages.push(vec![hop]);
        self
    }

    /// Only nodes with one of these labels.
    #[must_use]
    pub fn nodes(self, labels: impl Names) -> Self {
        Self { labels: labels.names(), ..self }
    }

    /// An edge costs the value that it has in a property of its label, a number from 0 on; one that is made
    /// of several costs as much as they do together.
    #[must_use]
    pub fn cost(self, property: &str) -> Self {
        Self { cost: Some(Cost { property: property.to_owned(), default: None }), ..self }
    }

    /// The same; an edge without a value costs `default`.
    #[must_use]
    pub fn cost_or(self, property: &str, default: f64) -> Self {
        Self { cost: Some(Cost { property: property.to_owned(), default: Some(default) }), ..self }
    }

    /// The same edges the other way round.
    #[must_use]
    pub fn reversed(self) -> Self {
        let reversed = |stage: Vec<Hop>| stage.into_iter().map(Hop::reversed).collect();
        Self { stages: self.stages.into_iter().rev().map(reversed).collect(), ..self }
    }

    /// A walk along the edges of one stage.
    pub(super) fn walk_of(&self, stage: &[Hop]) -> Walk {
        let walk = stage.iter().fold(Walk::breadth_first(), |walk, hop| walk.hop(hop.clone()));
        match &self.cost {
            None => walk,
            Some(Cost { property, default: None }) => walk.cost(property),
            Some(Cost { property, default: Some(default) }) => walk.cost_or(property, *default),
        }
    }
}
