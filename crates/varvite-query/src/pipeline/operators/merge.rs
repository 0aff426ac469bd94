//! [`Merge`]: runs the branches of a `union` or `coalesce` for all rows of a batch, one branch after another,
//! and merges their results in the order of the rows.
//!
//! All branches of a `union` begin with every row. A branch of a `coalesce` begins with the rows for which
//! the branches before it gave nothing. So the results of all branches but the last are held in memory. If a
//! branch gives too many, the branches begin again with fewer rows.

use std::ops::Range;

use super::chain::{Stage, pull};
use super::context::Context;
use super::inner::Inner;
use super::runs::together;
use super::stop::Stop;
use crate::pipeline::rows::Batch;

/// A branch gives too many results if it gives this number, and two for each row that it took.
const COLLECTED_MAX: usize = 1 << 13;

/// The progress of a merge.
#[derive(Debug)]
pub(super) struct Merge {
    is_union: bool,
    runs: Vec<Run>,
    /// The rows for which no branch has given anything so far.
    open: Vec<u32>,
    /// The rows of the input with which branches have not begun, and whether they run for rows before these.
    left: Range<u32>,
    is_begun: bool,
    /// The largest number of rows with which branches begin.
    rows_max: u32,
    /// The index in the input of the row whose results are given at present, and their branch.
    row: u32,
    branch: usize,
}

/// The run of a branch for rows of a batch.
#[derive(Debug, Default)]
struct Run {
    /// The indexes in the input of the rows with which the run began.
    rows: Vec<u32>,
    /// The numbers of these rows outside of the branch.
    around: Vec<u32>,
    results: Batch,
    /// The next result to give.
    next: usize,
    is_over: bool,
}

impl Merge {
    pub(super) fn new(branches: usize, is_union: bool) -> Self {
        let runs = (0..branches).map(|_| Run::default()).collect();
        let (open, left) = (Vec::new(), 0..0);
        Self { is_union, runs, open, left, is_begun: false, rows_max: u32::MAX, row: 0, branch: 0 }
    }

    /// Whether results can be merged: not if rows carry trails, or depths that numbers would replace. Nor in
    /// a plan with many operators, because each branch copies all rows of a batch, and the budget does not
    /// include these copies.
    pub(super) fn is_possible(cx: &Context) -> bool {
        !cx.counts_batches && !cx.carried.trail && (cx.has_numbers || !cx.carried.depth)
    }

    pub(super) fn reset(&mut self) {
        (self.left, self.is_begun) = (0..0, false);
    }

    /// Whether rows of the last input have results to give.
    fn has_input(&self) -> bool {
        self.is_begun || !self.left.is_empty()
    }

    /// Gives the next results.
    pub(super) fn next(
        &mut self,
        branches: &mut [Inner],
        (before, output, cx): (&mut [Stage], &mut Batch, &mut Context),
    ) -> Result<bool, Stop> {
        while output.rows() < cx.batch_rows {
            let is_new = !self.has_input();
            if is_new && !pull(before, cx)? {
                break;
            }
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            if is_new {
                self.left = 0..input.rows() as u32;
            }
            if !self.is_begun {
                self.begin(branches, input, cx)?;
            }
            self.fill(branches, input, output, cx)?;
        }
        Ok(output.rows() > 0)
    }

    /// Begins with the next rows of the input: with all of them, unless a branch gives too many results.
    fn begin(&mut self, branches: &mut [Inner], input: &Batch, cx: &mut Context) -> Result<(), Stop> {
        let start = self.left.start;
        let mut count = self.rows_max.min(self.left.end - start);
        while !self.begin_with(start..start + count, branches, input, cx)? {
            count = (count / 2).max(1);
        }
        self.left.start += count;
        self.rows_max = count.saturating_mul(2).max(1);
        (self.is_begun, self.branch) = (true, 0);
        Ok(())
    }

    /// Begins with some rows. Returns false if one of several rows has too many results to hold them.
    fn begin_with(
        &mut self,
        rows: Range<u32>,
        branches: &mut [Inner],
        input: &Batch,
        cx: &mut Context,
    ) -> Result<bool, Stop> {
        let is_one = rows.len() == 1;
        self.open.clear();
        self.open.extend(rows);
        let last = branches.len().saturating_sub(1);
        for (number, (run, branch)) in self.runs.iter_mut().zip(branches).enumerate() {
            run.begin(branch, input, &self.open, cx);
            if self.is_union || number == last {
                continue;
            }
            run.collect(branch, cx)?;
            if !run.is_over && !is_one {
                return Ok(false);
            }
            run.close(&mut self.open);
        }
        Ok(true)
    }

    /// Appends results until the output is full or the input ends.
    fn fill(
        &mut self,
        branches: &mut [Inner],
        input: &Batch,
        output: &mut Batch,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        loop {
            cx.tick()?;
            if self.branch == 0 {
                let Some(row) = self.least_row(branches, cx)? else { break };
                self.row = row;
            }
            while let (Some(run), Some(branch)) =
                (self.runs.get_mut(self.branch), branches.get_mut(self.branch))
            {
                while run.next_row(branch, cx)? == Some(self.row) {
                    if output.rows() >= cx.batch_rows {
                        return Ok(());
                    }
                    run.give(output);
                    if cx.carried.depth {
                        output.depth.resize(output.rows(), cx.number_of(input, self.row as usize));
                    }
                }
                self.branch += 1;
            }
            self.branch = 0;
        }
        self.is_begun = false;
        Ok(())
    }

    /// The first row that has a result which was not given yet.
    fn least_row(&mut self, branches: &mut [Inner], cx: &mut Context) -> Result<Option<u32>, Stop> {
        let mut least: Option<u32> = None;
        for (run, branch) in self.runs.iter_mut().zip(branches) {
            let row = run.next_row(branch, cx)?;
            least = least.into_iter().chain(row).min();
        }
        Ok(least)
    }
}

impl Run {
    fn begin(&mut self, branch: &mut Inner, input: &Batch, rows: &[u32], cx: &Context) {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.results.clear();
        (self.next, self.is_over) = (0, false);
        branch.begin_numbered(input, rows, &mut self.around, cx);
    }

    /// Collects all results, or the first ones if there are many.
    fn collect(&mut self, branch: &mut Inner, cx: &mut Context) -> Result<(), Stop> {
        let Self { rows, results, around, is_over, .. } = self;
        let most = COLLECTED_MAX.max(2 * rows.len());
        together(cx, around, |cx| {
            while results.rows() < most {
                match branch.next(cx)? {
                    Some(more) => results.push_all(more),
                    None => {
                        *is_over = true;
                        break;
                    }
                }
            }
            Ok(())
        })
    }

    /// Removes the rows that have results from `open`.
    fn close(&self, open: &mut Vec<u32>) {
        let mut found = self.results.depth.iter().peekable();
        let mut number = 0;
        open.retain(|_| {
            let has_result = found.next_if_eq(&&number).is_some();
            while found.next_if_eq(&&number).is_some() {}
            number += 1;
            !has_result
        });
    }

    /// The index in the input of the row to which the next result belongs.
    fn next_row(&mut self, branch: &mut Inner, cx: &mut Context) -> Result<Option<u32>, Stop> {
        while self.next == self.results.rows() && !self.is_over {
            let Self { results, around, .. } = self;
            self.is_over = !together(cx, around, |cx| branch.next_into(results, cx))?;
            self.next = if self.is_over { self.results.rows() } else { 0 };
        }
        Ok(self.results.depth.get(self.next).and_then(|number| self.rows.get(*number as usize)).copied())
    }

    /// Appends the next results of one row.
    fn give(&mut self, output: &mut Batch) {
        let Some(left) = self.results.depth.get(self.next..) else { return };
        let same = left.iter().take_while(|number| Some(*number) == left.first()).count();
        output.push_elements(&self.results, self.next..self.next + same);
        self.next += same;
    }
}
