//! [`Guide`]: functions that the caller supplies for decisions that a description cannot express.

use super::branch::NO_WAY;
use super::error::WalkError;
use super::evaluation::Evaluation;
use super::path_step::PathStep;
use super::pending::Pending;
use super::plan::Plan;
use super::visit::Visit;
use varvite_graph::Budget;

/// Functions that the caller supplies to guide a walk. They are called after the tests of the walk's
/// description. The guide's type is a parameter of the run, so the functions are compiled into the walk's
/// loop.
///
/// A closure that returns an [`Evaluation`] is a guide too ([`Plan::run_with`]). All functions are called on
/// the thread that requests the next result of the run.
pub trait Guide {
    /// The state that the guide keeps for a branch, computed from the state of the parent branch. A
    /// depth-first walk holds one state for each edge of the current path; other walks hold one state for
    /// each branch.
    type State: Copy + Default;

    /// Whether [`expand`](Self::expand) chooses the edges to follow, instead of the hops of the walk.
    const EXPANDS: bool = false;

    /// Whether the guide has any functions. If it has none, the walk only counts a node, without a visit, if
    /// the node is not a result and has no edge to follow.
    const IS_ASKED: bool = true;

    /// Computes the state of a branch; `before` is the state of the parent branch, or the default at a start.
    #[inline]
    fn state(&mut self, visit: &Visit<'_>, before: &Self::State) -> Self::State {
        let _ = visit;
        *before
    }

    /// Evaluates a branch, in addition to the walk's evaluators. Not called if the evaluators already exclude
    /// the branch and do not continue from it.
    #[inline]
    fn evaluate(&mut self, visit: &Visit<'_>, state: &Self::State) -> Evaluation {
        let _ = (visit, state);
        Evaluation::INCLUDE_AND_CONTINUE
    }

    /// Adds the next steps to `steps`, if [`EXPANDS`](Self::EXPANDS) is true.
    ///
    /// # Errors
    /// The errors of [`Steps`].
    fn expand(
        &mut self,
        visit: &Visit<'_>,
        state: &Self::State,
        steps: &mut Steps<'_>,
    ) -> Result<(), WalkError> {
        let _ = (visit, state, steps);
        Ok(())
    }

    /// The cost of an edge, in a walk by cost: a number of 0 or more. `step` is the edge and its target;
    /// `listed` is the cost according to the walk's description.
    #[inline]
    fn cost(&mut self, from: &Visit<'_>, step: PathStep, listed: f64) -> f64 {
        let _ = (from, step);
        listed
    }

    /// A lower bound of the remaining cost from a node, in a walk by cost. For each edge of the node, the
    /// bound must not exceed the cost of the edge plus the bound at the edge's target.
    #[inline]
    fn estimate(&mut self, node: u32) -> f64 {
        let _ = node;
        0.0
    }
}

/// A guide without functions, for walks that their description fully determines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unguided;

impl Guide for Unguided {
    type State = ();

    const IS_ASKED: bool = false;
}

/// A guide that consists of one function, which evaluates branches.
#[derive(Clone, Copy, Debug)]
pub struct Evaluating<F>(pub(super) F);

impl<F: FnMut(&Visit<'_>) -> Evaluation> Guide for Evaluating<F> {
    type State = ();

    #[inline]
    fn evaluate(&mut self, visit: &Visit<'_>, (): &()) -> Evaluation {
        self.0(visit)
    }
}

/// Collects the next steps from a branch.
#[derive(Debug)]
pub struct Steps<'a> {
    pub(super) plan: &'a Plan,
    pub(super) pending: &'a mut Pending,
    pub(super) budget: &'a Budget,
    pub(super) node: u32,
    pub(super) code: u32,
}

impl Steps<'_> {
    /// Follows all edges that the hops of the walk allow from this node.
    ///
    /// # Errors
    /// [`WalkError::OverBudget`].
    pub fn follow(&mut self) -> Result<(), WalkError> {
        for at in self.plan.ways_from(self.code, NO_WAY) {
            let way = self.plan.way_numbers[at as usize];
            self.pending.push_all(self.plan, way, self.node, self.budget).map_err(|error| *error)?;
        }
        Ok(())
    }

    /// Follows the edges of one hop of the walk, even if the hop's labels exclude this node. `hop` is the
    /// index of the hop, in the order in which hops were added to the walk.
    ///
    /// # Errors
    /// [`WalkError::OverBudget`].
    ///
    /// # Panics
    /// If the walk has no hop with this index.
    pub fn follow_hop(&mut self, hop: usize) -> Result<(), WalkError> {
        for way in &self.plan.hops[hop] {
            self.pending.push_all(self.plan, *way, self.node, self.budget).map_err(|error| *error)?;
        }
        Ok(())
    }

    /// Goes to a node without following an edge. An id that the graph does not have is ignored.
    ///
    /// # Errors
    /// [`WalkError::OverBudget`].
    pub fn go_to(&mut self, node: u32) -> Result<(), WalkError> {
        if node < self.plan.nodes {
            self.pending.push(node, NO_WAY, u32::MAX, self.budget).map_err(|error| *error)?;
        }
        Ok(())
    }
}
