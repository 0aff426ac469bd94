//! Walks: traversals with an order, a uniqueness and evaluators. A walk in an arena that is large enough
//! allocates nothing.
//!
//! A [`Walk`] is an immutable description by names: the edges to follow ([`Hop`]), the [`Order`], the rule
//! for repeated visits of a node or edge ([`Uniqueness`]), and the branches that are results ([`Evaluator`]).
//! Compiled for a graph it is a [`Plan`], in which conditions on labels are tables by label set. A [`Run`]
//! goes from result to result in an [`Arena`], the reused memory of walks; each result is a [`Visit`], never
//! a path. A [`Guide`] has functions of the caller, compiled into the loop, for decisions that a description
//! cannot express.
//!
//! Reading order, in which each module imports only earlier modules:
//! - `evaluation`, `uniqueness`, `order`, `hop`, `evaluator`, `description`: the description; `error`;
//!   `form`: the description as JSON.
//! - `branch`, `path_step`: the path to a node, as stored and as returned; `way`: edges of one label in one
//!   direction.
//! - `branch_test`, `plan`, `compile`: the plan of a description, and its compiler.
//! - `skipped_nodes`, `pending`, `open_lists`, `key_set`, `visited`, `heap`, `arena`, `meter`: the memory of
//!   a walk and its limits.
//! - `plan_edges`: the edges that a plan follows from one node, for searches without branches; `edge_lists`:
//!   the same edges for algorithms that read the edges of all nodes.
//! - `visit`, `guide`, `counts`, `run`: a result, functions of the caller, counts of work, and the walk
//!   itself; `owned_run`: a run that owns its plan and arena.
//! - `two_sided`: walks from both ends. `shortest_paths`: all paths with the fewest edges, found by means of
//!   a distance stored for each node.
//!
//! Deliberately absent: results as paths, and threads. A walk is one loop; several threads may each run a
//! walk in their own arenas.

mod arena;
mod branch;
mod branch_test;
mod compile;
mod counts;
mod description;
#[cfg(feature = "algorithms")]
mod edge_lists;
mod error;
mod evaluation;
mod evaluator;
mod form;
mod guide;
mod heap;
mod hop;
mod key_set;
mod meter;
mod open_lists;
mod order;
mod owned_run;
mod path_step;
mod pending;
mod plan;
mod plan_edges;
mod run;
mod shortest_paths;
mod skipped_nodes;
mod two_sided;
mod uniqueness;
mod visit;
mod visited;
mod way;

pub use arena::Arena;
pub use counts::Counts;
pub use description::Walk;
#[cfg(feature = "algorithms")]
pub(crate) use edge_lists::WeightedScratch;
pub use error::WalkError;
#[cfg(feature = "algorithms")]
pub(crate) use error::WalkResult;
pub use evaluation::Evaluation;
pub use evaluator::Evaluator;
pub use guide::{Evaluating, Guide, Steps, Unguided};
pub use hop::Hop;
#[cfg(feature = "algorithms")]
pub(crate) use meter::Meter;
pub use order::Order;
pub use owned_run::OwnedRun;
pub use path_step::PathStep;
pub use plan::Plan;
#[cfg(feature = "algorithms")]
pub(crate) use plan_edges::PlanEdges;
pub use run::Run;
pub use shortest_paths::{PathEdges, PathOptions, ShortestPaths};
pub use two_sided::{Meet, Meeting, TwoSided, TwoSidedArena, TwoSidedPlan, TwoSidedRun};
pub use uniqueness::{Uniqueness, Within};
pub use visit::Visit;
