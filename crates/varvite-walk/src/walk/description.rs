//! [`Walk`]: an immutable description of a walk, by names.

use std::time::Duration;

use super::evaluator::Evaluator;
use super::hop::Hop;
use super::order::Order;
use super::uniqueness::Uniqueness;

/// A description of a walk: its edges, its order, its rule for repeated visits, and its results. Each method
/// returns a new description; [`compile`](Self::compile) makes a [`Plan`](super::Plan) of it for one graph.
///
/// By default a walk is depth-first, visits each node once, includes all branches as results, and continues
/// from all branches.
///
/// ```no_run
/// use varvite::walk::{Arena, Evaluator, Hop, Walk};
///
/// # fn main() -> Result<(), varvite::walk::WalkError> {
/// let graph = varvite::Graph::open("zlib.varvite")?;
/// let plan = Walk::breadth_first()
///     .hop(Hop::out("CFG"))
///     .evaluator(Evaluator::to_depth(5))
///     .compile(&graph)?;
/// let mut arena = Arena::new(64 << 20);
/// let mut run = plan.run(&mut arena, &[17])?;
/// while let Some(visit) = run.next()? {
///     println!("{} after {} edges", visit.node(), visit.depth());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walk {
    pub(super) order: Order,
    pub(super) uniqueness: Uniqueness,
    pub(super) hops: Vec<Hop>,
    pub(super) evaluators: Vec<Evaluator>,
    pub(super) cost: Option<Cost>,
    pub(super) skips_arriving_edge: bool,
    pub(super) keeps_direction: bool,
    pub(super) has_ranks: bool,
    pub(super) results_max: Option<u64>,
    pub(super) time_max: Option<Duration>,
}

/// The costs of edges.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cost {
    pub(super) property: String,
    pub(super) default: Option<f64>,
}

/// Methods for the order.
impl Walk {
    /// The version of the JSON form that this library writes and reads.
    pub const VERSION: u32 = 1;

    /// A walk that follows each branch to its end before the next.
    pub fn depth_first() -> Self {
        Self::in_order(Order::DepthFirst)
    }

    /// A walk that visits branches level by level.
    pub fn breadth_first() -> Self {
        Self::in_order(Order::BreadthFirst)
    }

    /// A walk that visits the branch of least cost first: an edge costs 1, unless [`cost`](Self::cost) or a
    /// function gives another cost.
    pub fn best_first() -> Self {
        Self::in_order(Order::BestFirst)
    }

    /// A walk in the given order.
    pub fn in_order(order: Order) -> Self {
        Self { order, ..Self::default() }
    }

    /// Sets the cost of an edge to its value of a property of its label, which must be a number of 0 or more.
    #[must_use]
    pub fn cost(self, property: &str) -> Self {
        Self { cost: Some(Cost { property: property.to_owned(), default: None }), ..self }
    }

    /// The same as [`Self::cost`]; an edge without a value costs `default`.
    #[must_use]
    pub fn cost_or(self, property: &str, default: f64) -> Self {
        Self { cost: Some(Cost { property: property.to_owned(), default: Some(default) }), ..self }
    }
}

/// Methods for the edges to follow.
impl Walk {
    /// Adds edges to follow: the edges of all hops are followed, in the order of the hops. An edge that two
    /// hops follow is followed once.
    #[must_use]
    pub fn hop(mut self, hop: Hop) -> Self {
        self.hops.push(hop);
        self
    }

    /// Sets the rule for repeated visits of a node or repeated use of an edge.
    #[must_use]
    pub fn unique(self, uniqueness: Uniqueness) -> Self {
        Self { uniqueness, ..self }
    }

    /// Excludes the edge that led to a node from the edges followed from it, even if uniqueness allows it.
    /// The walk then identifies its edges, as with [`with_edge_ranks`](Self::with_edge_ranks).
    #[must_use]
    pub fn skip_arriving_edge(self) -> Self {
        Self { skips_arriving_edge: true, ..self }
    }

    /// Follows the edges of a branch only in the direction of the branch's first edge.
    #[must_use]
    pub fn keep_direction(self) -> Self {
        Self { keeps_direction: true, ..self }
    }

    /// Identifies edges, so that a [`Visit`](super::Visit) has the rank of its edge. Uniqueness of edges,
    /// costs and [`skip_arriving_edge`](Self::skip_arriving_edge) do so by themselves. For in-edges of a
    /// label without properties this costs a read of the out-lists of all neighbours.
    #[must_use]
    pub fn with_edge_ranks(self) -> Self {
        Self { has_ranks: true, ..self }
    }

    /// The same walk along the same edges in the opposite direction. Evaluators and functions stay as they
    /// are.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { hops: self.hops.into_iter().map(Hop::reversed).collect(), ..self }
    }
}

/// Methods for the tests of branches, and limits.
impl Walk {
    /// Adds a test of branches: a branch is a result if all tests include it, and the walk continues from it
    /// if all tests continue.
    #[must_use]
    pub fn evaluator(mut self, evaluator: Evaluator) -> Self {
        self.evaluators.push(evaluator);
        self
    }

    /// Ends the walk after `results` results.
    #[must_use]
    pub fn limit(self, results: u64) -> Self {
        Self { results_max: Some(results), ..self }
    }

    /// Sets a time limit, after which the walk fails with
    /// [`WalkError::TimedOut`](super::WalkError::TimedOut). The clock is read every 4096 edges.
    #[must_use]
    pub fn time_limit(self, limit: Duration) -> Self {
        Self { time_max: Some(limit), ..self }
    }
}
