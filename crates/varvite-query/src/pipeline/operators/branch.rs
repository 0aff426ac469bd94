//! Steps that send each row through inner pipelines: `union`, `coalesce`, `choose`.

use super::chain::{Operate, Stage, may_pull, pull};
use super::condition::Condition;
use super::context::Context;
use super::inner::{Inner, alone};
use super::merge::Merge;
use super::stop::Stop;
use crate::pipeline::rows::Batch;

/// The progress of an operator that passes each row of its input to branches: the current row and branch.
#[derive(Clone, Copy, Debug, Default)]
struct BranchProgress {
    has_input: bool,
    row: usize,
    branch: usize,
    /// Whether the current branch has begun to process the current row.
    is_begun: bool,
}

/// Where an operator continues at the end of a branch.
enum Then {
    NextBranch,
    NextRow,
}

/// Fills `output` with the results of branches, one input row after another. `first` returns the first branch
/// to run for a row. At the end of a branch, `then` returns the next step; its argument is true if the branch
/// gave results.
fn fill(
    at: &mut BranchProgress,
    branches: &mut [Inner],
    (before, output, cx): (&mut [Stage], &mut Batch, &mut Context),
    mut first: impl FnMut(&Batch, usize, &mut Context) -> Result<usize, Stop>,
    then: impl Fn(bool) -> Then,
    gave: &mut bool,
) -> Result<bool, Stop> {
    while output.rows() < cx.batch_rows {
        if !at.has_input {
            if !may_pull(output, cx) || !pull(before, cx)? {
                break;
            }
            *at = BranchProgress { has_input: true, ..BranchProgress::default() };
        }
        let Some(input) = before.last().map(|stage| &stage.output) else { break };
        if at.row >= input.rows() {
            at.has_input = false;
            continue;
        }
        if !at.is_begun {
            if at.branch == 0 {
                at.branch = first(input, at.row, cx)?;
            }
            *gave = false;
        }
        let Some(branch) = branches.get_mut(at.branch) else {
            (at.row, at.branch, at.is_begun) = (at.row + 1, 0, false);
            continue;
        };
        if !std::mem::replace(&mut at.is_begun, true) {
            branch.begin(input, at.row..at.row + 1);
        }
        match branch.next(cx)? {
            Some(results) => {
                *gave = true;
                // The results of a branch may make the output too large, but by less than one batch.
                output.reserve_like(results, 2 * cx.batch_rows);
                output.push_all(results);
            }
            None => {
                at.is_begun = false;
                at.branch = match then(*gave) {
                    Then::NextBranch => at.branch + 1,
                    Then::NextRow => usize::MAX,
                };
            }
        }
    }
    Ok(output.rows() > 0)
}

/// The operator of `union`.
#[derive(Debug)]
pub(crate) struct Union {
    branches: Vec<Inner>,
    /// The progress of branches that run for many rows at once, if they may.
    merge: Option<Merge>,
    at: BranchProgress,
    gave: bool,
}

impl Union {
    /// Makes the operator. `runs_together` is true if all branches may run for many rows at once.
    pub(crate) fn new(branches: Vec<Inner>, runs_together: bool) -> Self {
        let merge = runs_together.then(|| Merge::new(branches.len(), true));
        Self { branches, merge, at: BranchProgress::default(), gave: false }
    }
}

impl Operate for Union {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if let Some(merge) = self.merge.as_mut().filter(|_| Merge::is_possible(cx)) {
            return merge.next(&mut self.branches, (before, output, cx));
        }
        let then = |_| Then::NextBranch;
        fill(&mut self.at, &mut self.branches, (before, output, cx), |_, _, _| Ok(0), then, &mut self.gave)
    }

    fn reset(&mut self) {
        self.at = BranchProgress::default();
        self.merge.iter_mut().for_each(Merge::reset);
    }
}

/// The operator of `coalesce`.
#[derive(Debug)]
pub(crate) struct Coalesce(Union);

impl Coalesce {
    /// Makes the operator. `runs_together` is true if all branches may run for many rows at once, and all but
    /// the last probably give few results for each row.
    pub(crate) fn new(branches: Vec<Inner>, runs_together: bool) -> Self {
        let merge = runs_together.then(|| Merge::new(branches.len(), false));
        Self(Union { merge, ..Union::new(branches, false) })
    }
}

impl Operate for Coalesce {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        let Union { branches, merge, at, gave } = &mut self.0;
        if let Some(merge) = merge.as_mut().filter(|_| Merge::is_possible(cx)) {
            return merge.next(branches, (before, output, cx));
        }
        let then = |gave| if gave { Then::NextRow } else { Then::NextBranch };
        fill(at, branches, (before, output, cx), |_, _, _| Ok(0), then, gave)
    }

    fn reset(&mut self) {
        self.0.reset();
    }
}

/// The operator of `choose`.
#[derive(Debug)]
pub(crate) struct ChooseOperator {
    on: Inner,
    cases: Vec<Condition>,
    /// The branches of the cases, and of `otherwise` if there is one.
    branches: Vec<Inner>,
    at: BranchProgress,
    gave: bool,
}

impl ChooseOperator {
    /// Makes the operator. `branches` has one branch for each of `cases`, and one more for `otherwise` if
    /// there is one.
    pub(crate) fn new(on: Inner, cases: Vec<Condition>, branches: Vec<Inner>) -> Self {
        Self { on, cases, branches, at: BranchProgress::default(), gave: false }
    }
}

impl Operate for ChooseOperator {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        let Self { on, cases, branches, at, gave } = self;
        let first = |input: &Batch, row: usize, cx: &mut Context| chosen(on, cases, input, row, cx);
        fill(at, branches, (before, output, cx), first, |_| Then::NextRow, gave)
    }

    fn reset(&mut self) {
        self.at = BranchProgress::default();
    }
}

/// The index of the first case that accepts the first value of `on`. If there is no such case, the number of
/// cases.
fn chosen(
    on: &mut Inner,
    cases: &mut [Condition],
    input: &Batch,
    row: usize,
    cx: &mut Context,
) -> Result<usize, Stop> {
    alone(cx, input, row, cx.batch_rows, |cx| {
        on.begin(input, row..row + 1);
        let first = on.next(cx)?.and_then(|results| results.element(0));
        let Some(value) = first else { return Ok(cases.len()) };
        for (index, case) in cases.iter_mut().enumerate() {
            if case.passes(value, cx)? {
                return Ok(index);
            }
        }
        Ok(cases.len())
    })
}
