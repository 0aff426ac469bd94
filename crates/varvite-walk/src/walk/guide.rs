//! [`Guide`]: functions of the caller for decisions that a description can't express.

use super::branch::NO_WAY;
use super::error::WalkError;
use super::evaluation::Evaluation;
use super::path_step::PathStep;
use super::pending::Pending;
use super::plan::Plan;
use super::visit::Visit;
use varvite_graph::Budget;

/// Functions of the caller that lead a walk: called after the description, and compiled into its loop.
///
/// A closure that gives an [`Evaluation`] is a guide ([`Plan::run_with`]). All functions are called on the
/// thread that requests the next result of the run.
pub trait Guide {
    /// The caller's state of a branch, made from that of the branch before. A depth-first walk holds one for
    /// each edge of a path, other walks one for each branch.
    type State: Copy + Default;

    /// Whether [`expand`](Self::expand) chooses the edges to follow, in place of the hops of the walk.
    const EXPANDS: bool = false;

    /// Whether any of the functions is there: without one, nodes that are no results and have nothing behind
    /// them are counted and no more.
    const IS_ASKED: bool = true;

    /// The state of a branch; `before` is that of the branch before, or the default where the walk starts.
    #[inline]
    fn state(&mut self, visit: &Visit<'_>, before: &Self::State) -> Self::State {
        let _ = visit;
        *before
    }

    /// The evaluation of a branch, in addition to the walk's evaluators. Not called where these exclude it
    /// and prune.
    #[inline]
    fn evaluate(&mut self, visit: &Visit<'_>, state: &Self::State) -> Evaluation {
        let _ = (visit, state);
        Evaluation::INCLUDE_AND_CONTINUE
    }

    /// Gives the next steps, if [`EXPANDS`](Self::EXPANDS).
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

    /// The cost of an edge, in a walk by cost: a number from 0 on. `step` is the edge and its target,
    /// `listed` the cost by the walk's description.
    #[inline]
    fn cost(&mut self, from: &Visit<'_>, step: PathStep, listed: f64) -> f64 {
        let _ = (from, step);
        listed
    }

    /// A lower bound of the remaining cost from a node on, in a walk by cost: never more than the cost of an
    /// edge plus the bound at its target.
    #[inline]
    fn estimate(&mut self, node: u32) -> f64 {
        let _ = node;
        0.0
    }
}

/// No functions: the description is complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unguided;

impl Guide for Unguided {
    type State = ();

    const IS_ASKED: bool = false;
}

/// A function that evaluates.
#[derive(Clone, Copy, Debug)]
pub struct Evaluating<F>(pub(super) F);

impl<F: FnMut(&Visit<'_>) -> Evaluation> Guide for Evaluating<F> {
    type State = ();

    #[inline]
    fn evaluate(&mut self, visit: &Visit<'_>, (): &()) -> Evaluation {
        self.0(visit)
    }
}

/// The next steps from a branch.
#[derive(Debug)]
pub struct Steps<'a> {
    pub(super) plan: &'a Plan,
    pub(super) pending: &'a mut Pending,
    pub(super) budget: &'a Budget,
    pub(super) node: u32,
    pub(super) code: u32,
}

impl Steps<'_> {
    /// Follows all edges that the hops of the walk allow here.
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

    /// Follows the edges of one hop of the walk, given by its place in the order of addition, even if the
    /// hop's labels exclude this node.
    ///
    /// # Errors
    /// [`WalkError::OverBudget`].
    ///
    /// # Panics
    /// If the walk has no such hop.
    pub fn follow_hop(&mut self, hop: usize) -> Result<(), WalkError> {
        for way in &self.plan.hops[hop] {
            self.pending.push_all(self.plan, *way, self.node, self.budget).map_err(|error| *error)?;
        }
        Ok(())
    }

    /// Goes to a node along no edge; ids that the graph does not have are left out.
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
