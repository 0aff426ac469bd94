//! [`Walk`]: an immutable description of a walk, by names.

use std::time::Duration;

use super::evaluator::Evaluator;
use super::hop::Hop;
use super::order::Order;
use super::uniqueness::Uniqueness;

/// A description of a walk: its edges, its order, its rule for repeated visits, and its results. Each method
/// returns a new description; [`compile`](Self::compile) turns it into a [`Plan`](super::Plan) for one graph.
///
/// By default, a walk is depth-first and visits each node once; all branches are results, and the walk
/// continues from all of them.
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

/// Methods that set the order.
impl Walk {
    /// The version of the JSON form that this library writes and reads.
    pub const VERSION: u32 = 1;

    /// A walk that follows each branch to its end before it starts the next one.
    pub fn depth_first() -> Self {
        Self::in_order(Order::DepthFirst)
    }

    /// A walk that visits branches level by level.
    pub fn breadth_first() -> Self {
        Self::in_order(Order::BreadthFirst)
    }

    /// A walk that visits the branch with the least cost first. An edge costs 1, unless [`cost`](Self::cost)
    /// or a [`Guide`](super::Guide) sets another cost.
    pub fn best_first() -> Self {
        Self::in_order(Order::BestFirst)
    }

    /// A walk in the given order.
    pub fn in_order(order: Order) -> Self {
        Self { order, ..Self::default() }
    }

    /// Makes the value of this property the cost of an edge. The property belongs to the edge's label, and
    /// the value must be a number of 0 or more.
    #[must_use]
    pub fn cost(self, property: &str) -> Self {
        Self { cost: Some(Cost { property: property.to_owned(), default: None }), ..self }
    }

    /// The same as [`Self::cost`], but an edge without a value costs `default`.
    #[must_use]
    pub fn cost_or(self, property: &str, default: f64) -> Self {
        Self { cost: Some(Cost { property: property.to_owned(), default: Some(default) }), ..self }
    }
}

/// Methods that choose the edges to follow.
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

    /// When the walk continues from a node, it does not follow the edge by which it arrived there, even if
    /// uniqueness allows that. The walk then identifies its edges, as with
    /// [`with_edge_ranks`](Self::with_edge_ranks).
    #[must_use]
    pub fn skip_arriving_edge(self) -> Self {
        Self { skips_arriving_edge: true, ..self }
    }

    /// Follows the edges of a branch only in the direction of the branch's first edge.
    #[must_use]
    pub fn keep_direction(self) -> Self {
        Self { keeps_direction: true, ..self }
    }

    /// Identifies edges, so that a [`Visit`](super::Visit) has the rank of its edge. A walk that has costs,
    /// edge uniqueness or [`skip_arriving_edge`](Self::skip_arriving_edge) identifies edges in any case. For
    /// in-edges of a label without properties, this costs a read of the out-lists of all neighbours.
    #[must_use]
    pub fn with_edge_ranks(self) -> Self {
        Self { has_ranks: true, ..self }
    }

    /// The same walk, along the same edges in the opposite direction. Evaluators are not changed.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { hops: self.hops.into_iter().map(Hop::reversed).collect(), ..self }
    }
}

/// Methods that add tests of branches and set limits.
impl Walk {
    /// Adds a test of branches: a branch is a result if all tests include it, and the walk continues from the
    /// branch unless a test ends it there.
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
