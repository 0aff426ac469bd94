//! [`Run`]: a walk that is running.
//!
//! Each order has a module that chooses the next branch: `depth_first`, `breadth_first`, `best_first`. This
//! module visits, evaluates and expands a branch, in the same way for all orders. `sweep` returns many
//! results at once.

mod best_first;
mod breadth_first;
mod depth_first;
mod paused;
mod sweep;

pub(super) use paused::Paused;

use varvite_store::Task;

use super::arena::Arena;
use super::branch::{Arrival, Branch, NO_BRANCH, NO_WAY};
use super::counts::Counts;
use super::error::{WalkError, WalkResult};
use super::evaluation::Evaluation;
use super::guide::{Evaluating, Guide, Steps, Unguided};
use super::meter::Meter;
use super::order::Order;
use super::plan::Plan;
use super::uniqueness::Uniqueness;
use super::visit::Visit;
use super::visited::OpenPath;
use varvite_graph::{Budget, GraphError};

/// A walk that is running: [`next`](Self::next) returns its results one after another, and does only the work
/// that each result needs.
///
/// A run borrows its [`Arena`] until it is dropped. It ends with an error if the graph is damaged, if memory
/// or time runs out, or if the caller cancels; the results before the error are then incomplete.
#[derive(Debug)]
pub struct Run<'a, G: Guide = Unguided> {
    plan: &'a Plan,
    arena: &'a mut Arena<G::State>,
    guide: G,
    meter: Meter,
    counts: Counts,
    /// The number of start nodes that the walk has taken so far.
    started: usize,
    /// The position of the walk in its order.
    at: At,
    /// Whether [`sweep`](Self::sweep) runs the walk. No other loop may then continue it.
    is_swept: bool,
    gives_part: bool,
    stopped_by: Option<WalkError>,
    is_ended: bool,
}

/// The position of a walk in its order.
#[derive(Clone, Copy, Debug)]
struct At {
    /// The branch whose neighbours are pending.
    branch: u32,
    /// The next branch to expand, or to return.
    next: u32,
    /// The end of the current level.
    level_end: u32,
    /// Whether the last branch was returned, and must be expanded before the walk continues; in `is_closing`,
    /// whether it must be closed instead.
    is_fresh: bool,
    is_closing: bool,
}

/// A branch that the walk reached, and its state.
#[derive(Clone, Copy, Debug)]
struct Reached<S> {
    branch: Branch,
    state: S,
}

/// Methods that start runs.
impl Plan {
    /// Starts a walk at these nodes, one start node after another.
    ///
    /// # Errors
    /// [`WalkError::Graph`] for a node that the graph does not have; [`WalkError::NoHop`];
    /// [`WalkError::OverBudget`].
    pub fn run<'a>(&'a self, arena: &'a mut Arena, starts: &[u32]) -> Result<Run<'a>, WalkError> {
        self.run_guided(arena, starts, Unguided)
    }

    /// The same as [`run`](Self::run), with a function that evaluates each branch, in addition to the walk's
    /// evaluators.
    ///
    /// # Errors
    /// The errors of [`run`](Self::run).
    pub fn run_with<'a, F: FnMut(&Visit<'_>) -> Evaluation>(
        &'a self,
        arena: &'a mut Arena,
        starts: &[u32],
        evaluate: F,
    ) -> Result<Run<'a, Evaluating<F>>, WalkError> {
        self.run_guided(arena, starts, Evaluating(evaluate))
    }

    /// The same as [`run`](Self::run), but a guide's functions take part in the walk.
    ///
    /// # Errors
    /// The errors of [`run`](Self::run).
    pub fn run_guided<'a, G: Guide>(
        &'a self,
        arena: &'a mut Arena<G::State>,
        starts: &[u32],
        guide: G,
    ) -> Result<Run<'a, G>, WalkError> {
        if let Some(node) = starts.iter().find(|node| **node >= self.nodes) {
            return Err(GraphError::NoSuchNode { node: u64::from(*node), nodes: self.nodes }.into());
        }
        if self.hops.is_empty() && !G::EXPANDS {
            return Err(WalkError::NoHop);
        }
        arena.clear();
        arena.visited.begin(self, &arena.budget)?;
        for start in starts {
            if arena.visited.admits_start(self.uniqueness, *start, &arena.budget)? {
                arena.budget.make_room(&mut arena.starts, 1, &mut arena.held)?;
                arena.starts.push(*start);
            }
        }
        let at = At { branch: NO_BRANCH, next: 0, level_end: 0, is_fresh: false, is_closing: false };
        let meter = Meter::new(None, self.time_max);
        let (counts, gives_part, stopped_by) = (Counts::default(), false, None);
        let (started, is_swept, is_ended) = (0, false, false);
        Ok(Run {
            plan: self,
            arena,
            guide,
            meter,
            counts,
            started,
            at,
            is_swept,
            gives_part,
            stopped_by,
            is_ended,
        })
    }
}

/// Methods that return results.
impl<'a, G: Guide> Run<'a, G> {
    /// The same walk within the time limit of a task; the task's flag cancels the walk. The task's memory
    /// limit and threads have no effect: the walk uses the memory of the [`Arena`], and runs on the caller's
    /// thread.
    #[must_use]
    pub fn task(self, task: &Task<'_>) -> Self {
        Self { meter: Meter::new(Some(task.flag().clone()), self.plan.time_max), ..self }
    }

    /// The same walk, but if memory or time runs out, or the caller cancels, the walk ends as if it were
    /// complete. [`stopped_by`](Self::stopped_by) then returns the reason.
    #[must_use]
    pub fn allow_part(self) -> Self {
        Self { gives_part: true, ..self }
    }

    /// The next result; `None` at the end.
    ///
    /// # Errors
    /// [`WalkError`]; the walk is then ended.
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "what it gives is borrowed from the walk")]
    pub fn next(&mut self) -> Result<Option<Visit<'_>>, WalkError> {
        match self.advance() {
            Ok(number) => Ok(number.map(|number| self.visit(number))),
            Err(error) => Err(*error),
        }
    }

    /// Calls `visit` with all remaining results.
    ///
    /// # Errors
    /// The errors of [`next`](Self::next).
    pub fn for_each(&mut self, mut visit: impl FnMut(&Visit<'_>)) -> Result<(), WalkError> {
        if self.may_sweep() {
            let all = |shown: &Visit<'_>| {
                visit(shown);
                true
            };
            self.sweep(all).map_err(|error| *error)?;
        }
        while let Some(number) = self.advance().map_err(|error| *error)? {
            visit(&self.visit(number));
        }
        Ok(())
    }

    /// Counts the remaining results.
    ///
    /// # Errors
    /// The errors of [`next`](Self::next).
    pub fn count(&mut self) -> Result<u64, WalkError> {
        let before = self.counts.results;
        if self.may_sweep() {
            self.sweep(|_| true).map_err(|error| *error)?;
        }
        while self.advance().map_err(|error| *error)?.is_some() {}
        Ok(self.counts.results - before)
    }

    /// How much work the walk has done so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The reason why the walk stopped early; `None` if it did not, or if [`allow_part`](Self::allow_part)
    /// was not called.
    pub fn stopped_by(&self) -> Option<&WalkError> {
        self.stopped_by.as_ref()
    }

    /// The guide of the walk.
    pub fn guide(&self) -> &G {
        &self.guide
    }

    #[inline]
    fn advance(&mut self) -> WalkResult<Option<u32>> {
        if self.is_ended || self.counts.results >= self.plan.results_max {
            return self.end();
        }
        let next = match self.plan.order {
            Order::DepthFirst => self.next_depth_first::<false>(),
            Order::DepthFirstPost => self.next_depth_first::<true>(),
            Order::BreadthFirst => self.next_breadth_first(),
            Order::BreadthFirstPost => self.next_of_levels(),
            Order::BestFirst => self.next_best_first(),
        };
        match next {
            Ok(None) => self.end(),
            Err(error) => self.stop(error),
            Ok(next) => {
                self.counts.results += 1;
                Ok(next)
            }
        }
    }

    #[cold]
    fn end(&mut self) -> WalkResult<Option<u32>> {
        if !std::mem::replace(&mut self.is_ended, true) {
            self.plan.damage.check()?;
        }
        Ok(None)
    }

    #[cold]
    fn stop(&mut self, error: Box<WalkError>) -> WalkResult<Option<u32>> {
        self.is_ended = true;
        let is_limit = matches!(
            *error,
            WalkError::OverBudget { .. } | WalkError::TimedOut { .. } | WalkError::Cancelled
        );
        if !self.gives_part || !is_limit {
            return Err(error);
        }
        self.stopped_by = Some(*error);
        self.plan.damage.check()?;
        Ok(None)
    }

    /// All branches in the arena.
    pub(super) fn branches(&self) -> &[Branch] {
        &self.arena.branches
    }

    pub(super) fn budget(&self) -> &Budget {
        &self.arena.budget
    }

    /// Counts one step of the walk, and checks the flag and the clock at intervals.
    pub(super) fn tick(&mut self) -> WalkResult<()> {
        self.meter.tick(1)
    }

    #[inline]
    fn visit(&self, number: u32) -> Visit<'_> {
        let Arena { branches, costs, .. } = &*self.arena;
        Visit { plan: self.plan, branches, branch: &branches[number as usize], number, costs }
    }
}

/// The work on a branch that is common to all orders.
impl<G: Guide> Run<'_, G> {
    /// Visits a node along an edge, if uniqueness allows it; returns the evaluated branch.
    #[inline(always)]
    fn arrive(&mut self, arrival: Arrival, open: OpenPath) -> WalkResult<Option<Reached<G::State>>> {
        self.counts.edges += 1;
        self.meter.tick(1)?;
        let plan = self.plan;
        if plan.skips_arriving_edge && self.is_arriving_edge(&arrival) {
            return Ok(None);
        }
        // A node whose labels the hop excludes must not count as visited, so labels are tested before the
        // visit is recorded.
        let early = if plan.has_targets { self.code_at(&arrival) } else { None };
        if plan.has_targets && early.is_none() {
            return Ok(None);
        }
        if plan.uniqueness != Uniqueness::None {
            let arena = &mut *self.arena;
            if !arena.visited.admits(plan, &arrival, open, &arena.branches, &arena.budget)? {
                return Ok(None);
            }
        }
        let code = if plan.has_targets { early } else { self.code_at(&arrival) };
        Ok(code.map(|code| self.reach(arrival, code)))
    }

    /// The code of the label set of an edge's target node; `None` if the edge is not followed to nodes with
    /// this label set.
    #[inline]
    fn code_at(&mut self, arrival: &Arrival) -> Option<u32> {
        self.counts.label_reads += 1;
        let plan = self.plan;
        let code = plan.labels.known_code(arrival.node)?;
        if plan.has_targets && plan.ways.get(arrival.way as usize).is_some_and(|way| !way.leads_to(code)) {
            return None;
        }
        Some(code)
    }

    /// Whether an edge is the one by which the walk arrived at the node from which the edge is now followed.
    fn is_arriving_edge(&self, arrival: &Arrival) -> bool {
        let Some(before) = self.arena.branches.get(arrival.parent as usize) else { return false };
        if before.way == NO_WAY || arrival.way == NO_WAY {
            return false;
        }
        let label = |way: u16| self.plan.ways[way as usize].edge_label;
        before.rank == arrival.rank && label(before.way) == label(arrival.way)
    }

    /// Visits the next start node; `None` if there are no more.
    fn start(&mut self, open: OpenPath) -> Option<Reached<G::State>> {
        loop {
            let node = self.arena.starts.get(self.started).copied()?;
            self.started += 1;
            let arrival = Arrival::start(node);
            if let Some(code) = self.code_at(&arrival) {
                self.arena.visited.enter_start(self.plan.uniqueness, open, node);
                return Some(self.reach(arrival, code));
            }
        }
    }

    /// Makes and evaluates a branch, without putting it into the arena.
    #[inline(always)]
    fn reach(&mut self, arrival: Arrival, code: u32) -> Reached<G::State> {
        let mut branch = arrival.branch(code);
        let state = self.evaluate(&mut branch, self.arena.branches.len() as u32);
        Reached { branch, state }
    }

    /// Evaluates a branch, and returns its state.
    #[inline(always)]
    fn evaluate(&mut self, branch: &mut Branch, number: u32) -> G::State {
        self.counts.branches += 1;
        let plan = self.plan;
        let Arena { branches, states, costs, .. } = &*self.arena;
        let state = states.get(branch.parent as usize).copied().unwrap_or_default();
        let before = Before { branches, costs, state };
        let Some(rule) = plan.rule(branch.code) else { return G::State::default() };
        let known = rule.evaluation.and(plan.depths.evaluate(branch.depth));
        evaluate(plan, &mut self.guide, before, known, branch, number, &mut self.counts.value_reads)
    }

    /// Reads the first neighbours of a branch that is in the arena.
    fn expand_held(&mut self, number: u32) -> WalkResult<bool> {
        let (branch, state) = (self.arena.branches[number as usize], self.arena.state(number));
        self.expand(&Reached { branch, state }, number)
    }

    /// Reads the first neighbours of a branch; returns false if there are none.
    #[inline(always)]
    fn expand(&mut self, reached: &Reached<G::State>, number: u32) -> WalkResult<bool> {
        self.counts.expansions += 1;
        if G::EXPANDS {
            return self.expand_by_guide(reached, number);
        }
        let (plan, arena, branch) = (self.plan, &mut *self.arena, &reached.branch);
        let ways = plan.ways_from(branch.code, branch.way);
        if !plan.may_lead_on(branch.node, ways.clone()) {
            return Ok(false);
        }
        arena.pending.open(plan, branch.node, ways, &arena.budget)
    }

    fn expand_by_guide(&mut self, reached: &Reached<G::State>, number: u32) -> WalkResult<bool> {
        let plan = self.plan;
        let Arena { branches, costs, pending, budget, .. } = &mut *self.arena;
        let Reached { branch, state } = reached;
        let visit = Visit { plan, branches, branch, number, costs };
        let begin = pending.len();
        let mut steps = Steps { plan, pending, budget, node: branch.node, code: branch.code };
        self.guide.expand(&visit, state, &mut steps).map_err(Box::new)?;
        pending.open_given(begin, budget)
    }
}

/// The context of a new branch: the branches in the arena, their costs, and the state of the parent branch.
struct Before<'a, S> {
    branches: &'a [Branch],
    costs: &'a [f64],
    state: S,
}

/// Evaluates a branch by the walk's tests and then by the guide, and returns its state. `known` is the part
/// of the evaluation that follows from the branch's label set and depth.
#[inline(always)]
fn evaluate<G: Guide>(
    plan: &Plan,
    guide: &mut G,
    before: Before<'_, G::State>,
    known: Evaluation,
    branch: &mut Branch,
    number: u32,
    reads: &mut u64,
) -> G::State {
    let Before { branches, costs, state } = before;
    let mut evaluation = plan.evaluate(known, branch, branches, reads);
    let visit = Visit { plan, branches, branch, number, costs };
    let state = guide.state(&visit, &state);
    if evaluation != Evaluation::EXCLUDE_AND_PRUNE {
        evaluation = evaluation.and(guide.evaluate(&visit, &state));
    }
    branch.evaluation = evaluation;
    state
}
