//! [`Guide`]: functions of the caller for decisions that a description cannot express.

use super::branch::NO_WAY;
use super::error::WalkError;
use super::evaluation::Evaluation;
use super::path_step::PathStep;
use super::pending::Pending;
use super::plan::Plan;
use super::visit::Visit;
use varvite_graph::Budget;

/// Functions of the caller that guide a walk. They are called after the tests of the description, and are
/// compiled into the walk's loop.
///
/// A closure that returns an [`Evaluation`] is a guide too ([`Plan::run_with`]). All functions are called on
/// the thread that requests the next result of the run.
pub trait Guide {
    /// The caller's state of a branch, computed from that of the parent branch. A depth-first walk holds one
    /// state for each edge of a path, other walks one for each branch.
    type State: Copy + Default;

    /// Whether [`expand`](Self::expand) chooses the edges to follow, in place of the hops of the walk.
    const EXPANDS: bool = false;

    /// Whether the guide has any functions. Without functions, nodes that are no results and from which no
    /// edge is followed are counted without a visit.
    const IS_ASKED: bool = true;

    /// Computes the state of a branch; `before` is the state of the parent branch, or the default at a start.
    #[inline]
    fn state(&mut self, visit: &Visit<'_>, before: &Self::State) -> Self::State {
        let _ = visit;
        *before
    }

    /// Evaluates a branch, in addition to the walk's evaluators. Not called if these exclude the branch and
    /// prune it.
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

    /// The cost of an edge, in a walk by cost: a number of 0 or more. `step` is the edge and its target,
    /// `listed` the cost by the walk's description.
    #[inline]
    fn cost(&mut self, from: &Visit<'_>, step: PathStep, listed: f64) -> f64 {
        let _ = (from, step);
        listed
    }

    /// A lower bound of the remaining cost from a node, in a walk by cost: it must not exceed the cost of an
    /// edge plus the bound at that edge's target.
    #[inline]
    fn estimate(&mut self, node: u32) -> f64 {
        let _ = node;
        0.0
    }
}

/// A guide without functions: the description is complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unguided;

impl Guide for Unguided {
    type State = ();

    const IS_ASKED: bool = false;
}

/// A guide that is a function which evaluates branches.
#[derive(Clone, Copy, Debug)]
pub struct Evaluating<F>(pub(super) F);

impl<F: FnMut(&Visit<'_>) -> Evaluation> Guide for Evaluating<F> {
    type State = ();

    #[inline]
    fn evaluate(&mut self, visit: &Visit<'_>, (): &()) -> Evaluation {
        self.0(visit)
    }
}

/// A collector of the next steps from a branch.
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

    /// Follows the edges of one hop of the walk, given by its index in the order of addition, even if the
    /// hop's labels exclude this node.
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

    /// Goes to a node without an edge; an id that the graph does not have is ignored.
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
