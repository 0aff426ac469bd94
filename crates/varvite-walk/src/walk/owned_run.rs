//! [`OwnedRun`]: runs walks one after another, and owns their plan and arena, for callers that cannot hold a
//! borrow.

use varvite_store::{Cancel, Task};

use super::arena::Arena;
use super::branch::Branch;
use super::counts::Counts;
use super::error::WalkError;
use super::path_step::PathStep;
use super::plan::Plan;
use super::run::{Paused, Run};
use super::visit::Visit;

/// Runs walks of one plan one after another, in an arena that it owns; [`begin`](Self::begin) starts each
/// walk. Returns the same results as [`Run`], some at a time.
#[derive(Debug)]
pub struct OwnedRun {
    plan: Plan,
    arena: Arena,
    /// The paused walk; `None` before the first walk.
    paused: Option<Paused>,
    counts: Counts,
    /// The branch that was returned last.
    last: Option<Branch>,
    /// The error that ended the walk, if the caller has not got it yet because it first got the results
    /// before the error.
    failure: Option<WalkError>,
}

impl OwnedRun {
    /// Prepares for walks of a plan, in an arena of at most `memory_bytes` bytes.
    pub fn new(plan: Plan, memory_bytes: usize) -> Self {
        let (arena, counts) = (Arena::new(memory_bytes), Counts::default());
        Self { plan, arena, paused: None, counts, last: None, failure: None }
    }

    /// The plan of the walks.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Ends the previous walk, and starts a walk at these nodes, one start node after another.
    ///
    /// # Errors
    /// The errors of [`Plan::run`].
    pub fn begin(&mut self, starts: &[u32], cancel: &Cancel) -> Result<(), WalkError> {
        (self.paused, self.last, self.failure, self.counts) = (None, None, None, Counts::default());
        let run = self.plan.run(&mut self.arena, starts)?;
        self.paused = Some(run.task(&Task::new().cancel(cancel)).pause());
        Ok(())
    }

    /// Calls `take` with one result after another, until `take` returns false or there are no more results.
    /// Returns the number of results passed to `take`: 0 at the end of the walk, and before the first walk.
    ///
    /// # Errors
    /// [`WalkError`]. Results before the error are returned first, and the next call returns the error.
    pub fn next_some(&mut self, mut take: impl FnMut(&Visit<'_>) -> bool) -> Result<u64, WalkError> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let Some(paused) = self.paused.take() else { return Ok(0) };
        let mut run = Run::resume(&self.plan, &mut self.arena, paused);
        let (mut given, mut last) = (0, self.last.take());
        let mut count = |visit: &Visit<'_>| {
            given += 1;
            last = Some(*visit.branch);
            take(visit)
        };
        let ended = give_some(&mut run, &mut count);
        self.last = last;
        match ended {
            Ok(()) => {}
            Err(error) if given > 0 => self.failure = Some(error),
            Err(error) => {
                self.counts = run.counts();
                return Err(error);
            }
        }
        self.counts = run.counts();
        self.paused = Some(run.pause());
        Ok(given)
    }

    /// Counts the remaining results, without returning them.
    ///
    /// # Errors
    /// [`WalkError`]; the number of results before the error is then in [`counts`](Self::counts).
    pub fn count(&mut self) -> Result<u64, WalkError> {
        let mut all = 0;
        loop {
            match self.next_some(|_| true)? {
                0 => return Ok(all),
                given => all += given,
            }
        }
    }

    /// Sets `path` to the nodes and edges from the start of the walk to the result that was returned last.
    /// Returns false if there is no such result: before the first result, and after the end of the walk.
    pub fn path(&mut self, path: &mut Vec<PathStep>) -> bool {
        let Some(last) = self.last else { return false };
        let Some(paused) = self.paused.take() else { return false };
        let run = Run::resume(&self.plan, &mut self.arena, paused);
        let visit = run.visit_again(&last);
        if let Some(visit) = &visit {
            visit.path(path);
        }
        let is_shown = visit.is_some();
        self.paused = Some(run.pause());
        is_shown
    }

    /// How much work the walk has done so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

/// Calls `take` with one result after another, until `take` returns false or there are no more results.
fn give_some(run: &mut Run<'_>, mut take: impl FnMut(&Visit<'_>) -> bool) -> Result<(), WalkError> {
    if run.may_sweep() {
        return run.sweep(take).map_err(|error| *error);
    }
    while let Some(visit) = run.next()? {
        if !take(&visit) {
            break;
        }
    }
    Ok(())
}
