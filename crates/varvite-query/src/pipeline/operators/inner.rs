//! [`Inner`]: a pipeline nested in a step.

use std::ops::Range;

use super::chain::{Measured, Operate, Stage, pull};
use super::condition::{Ask, select_one_by_one};
use super::context::Context;
use super::names::Named;
use super::runs::{apart, fill_around, number_of_many, together};
use super::stop::Stop;
use crate::pipeline::rows::{Batch, Carried, Element};

/// The operator that gives the rows with which an inner pipeline begins.
#[derive(Debug, Default)]
pub(crate) struct InnerInput {
    rows: Batch,
    is_fresh: bool,
}

impl Operate for InnerInput {
    fn next(&mut self, _: &mut [Stage], output: &mut Batch, _: &mut Context) -> Result<bool, Stop> {
        if self.is_fresh {
            std::mem::swap(output, &mut self.rows);
        }
        Ok(std::mem::take(&mut self.is_fresh))
    }

    fn reset(&mut self) {
        self.is_fresh = false;
    }

    fn give(&mut self, from: &Batch, rows: Range<usize>) {
        self.rows.clear();
        self.rows.push_range(from, rows);
        self.is_fresh = true;
    }

    fn give_all(&mut self, rows: &mut Batch) {
        std::mem::swap(&mut self.rows, rows);
        self.is_fresh = true;
    }

    fn give_numbered(&mut self, from: &Batch, rows: &[u32]) {
        self.rows.clear();
        self.rows.push_rows(from, rows, Carried::default());
        self.rows.depth.extend(0..rows.len() as u32);
        self.is_fresh = true;
    }
}

/// An inner pipeline, which runs for one row, or for many rows of a batch at once. Its first operator is
/// [`InnerInput`], or a scan that gets ranges of nodes.
#[derive(Debug)]
pub(crate) struct Inner {
    stages: Vec<Stage>,
    /// A buffer for the element that [`Inner::gives_anything`] tests.
    asked: Batch,
    /// The number of the pipeline's name for its first row, if there is one; and this row, or the rows of a
    /// run for many rows.
    named: Option<usize>,
    begun_with: Named,
    /// Whether the rows for which the pipeline gives any result are found by a run for many rows.
    selects: bool,
    /// The numbers that the rows of such a run have in the run around it.
    around: Vec<u32>,
}

impl Inner {
    /// Makes the pipeline. `named` is the number of the row with which it begins, if the pipeline names it.
    pub(crate) fn new(stages: Vec<Stage>, named: Option<usize>, selects: bool) -> Self {
        let (asked, begun_with, around) = (Batch::default(), Named::default(), Vec::new());
        Self { stages, asked, named, begun_with, selects, around }
    }

    /// Prepares all operators.
    pub(crate) fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        let limit = cx.budget.limit();
        let mut stages = self.stages.iter_mut();
        stages.try_for_each(|stage| stage.operator.prepare(cx).map_err(|stop| stop.inside(&stage.at, limit)))
    }

    /// Makes the operators share the results of text tests with the same operators on another thread.
    pub(crate) fn share(&mut self, other: &Self) {
        for (stage, other) in self.stages.iter_mut().zip(&other.stages) {
            stage.operator.share(&*other.operator);
        }
    }

    /// Begins with some rows of a batch. There must be only one row, unless every step treats each row
    /// independently.
    pub(crate) fn begin(&mut self, from: &Batch, rows: Range<usize>) {
        if let Some(row) = self.named.and_then(|_| from.element(rows.start)) {
            self.begun_with = Named::Row(row);
        }
        if let Some(first) = self.reset() {
            first.operator.give(from, rows);
        }
    }

    /// Begins a run for many rows of a batch at once, for [`together`](super::runs::together). Each row
    /// carries its index in `rows` as its number. `around` gets the numbers that rows have outside of the
    /// run.
    pub(super) fn begin_numbered(&mut self, from: &Batch, rows: &[u32], around: &mut Vec<u32>, cx: &Context) {
        fill_around(around, from, rows, cx);
        if self.named.is_some() {
            self.begun_with.take_rows(from, rows);
        }
        if let Some(first) = self.reset() {
            first.operator.give_numbered(from, rows);
        }
    }

    /// The same as [`Inner::begin`], for all rows of a batch. The rows are moved, so `rows` has no defined
    /// content afterwards.
    pub(crate) fn begin_with(&mut self, rows: &mut Batch) {
        if let Some(first) = self.reset() {
            first.operator.give_all(rows);
        }
    }

    /// The same as [`Inner::begin`], but with the rows that the first operator finds in a range of nodes.
    pub(crate) fn begin_range(&mut self, nodes: Range<u32>) {
        if let Some(first) = self.reset() {
            first.operator.give_nodes(nodes);
        }
    }

    /// Whether the first operator, once prepared, can find its rows in any range of nodes.
    pub(crate) fn has_ranges(&self) -> bool {
        self.stages.first().is_some_and(|first| first.operator.has_ranges())
    }

    /// The stages, for an operator that pulls from them.
    pub(crate) fn stages_mut(&mut self) -> &mut [Stage] {
        &mut self.stages
    }

    /// Resets all operators, and returns the first.
    fn reset(&mut self) -> Option<&mut Stage> {
        self.stages.iter_mut().for_each(|stage| stage.operator.reset());
        self.stages.first_mut()
    }

    /// Swaps the next results into `batch`, whose buffers are reused. Returns false at the end.
    pub(crate) fn next_into(&mut self, batch: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        let more = self.pull(cx)?;
        if let Some(last) = self.stages.last_mut().filter(|_| more) {
            std::mem::swap(batch, &mut last.output);
        }
        Ok(more)
    }

    /// The number of operators, including the one that gives the input rows.
    pub(crate) fn len(&self) -> usize {
        self.stages.len()
    }

    /// Adds the measurements of each operator to `sum`.
    pub(crate) fn add_measured(&self, sum: &mut [Measured]) {
        sum.iter_mut().zip(&self.stages).for_each(|(sum, stage)| sum.add(&stage.measured));
    }

    /// The first result for a row, as a number: a node or a value.
    pub(super) fn first(&mut self, input: &Batch, row: usize, cx: &mut Context) -> Result<Option<i64>, Stop> {
        cx.tick()?;
        alone(cx, input, row, 1, |cx| {
            self.begin(input, row..row + 1);
            Ok(self.next(cx)?.and_then(|rows| numbers(rows).next()))
        })
    }

    /// Pulls the next results, and meanwhile names what the pipeline began with.
    #[inline]
    fn pull(&mut self, cx: &mut Context) -> Result<bool, Stop> {
        let Some(name) = self.named else { return pull(&mut self.stages, cx) };
        cx.trails.names.name(name, std::mem::take(&mut self.begun_with));
        let outcome = pull(&mut self.stages, cx);
        self.begun_with = cx.trails.names.take(name);
        outcome
    }

    /// The next results. `None` at the end.
    #[inline]
    pub(crate) fn next(&mut self, cx: &mut Context) -> Result<Option<&Batch>, Stop> {
        let more = self.pull(cx)?;
        Ok(self.stages.last().filter(|_| more).map(|stage| &stage.output))
    }
}

/// Runs an inner pipeline for a row of a batch, in batches of `batch_rows` rows, which carry neither depth
/// nor trail.
pub(super) fn alone<T>(
    cx: &mut Context,
    input: &Batch,
    row: usize,
    batch_rows: usize,
    work: impl FnOnce(&mut Context) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let rows = std::mem::replace(&mut cx.batch_rows, batch_rows);
    let outcome = apart(cx, cx.number_of(input, row), work);
    cx.batch_rows = rows;
    outcome
}

/// The nodes or values of a batch, as numbers.
pub(super) fn numbers(batch: &Batch) -> impl Iterator<Item = i64> {
    batch.nodes.iter().map(|node| i64::from(*node)).chain(batch.numbers.iter().copied())
}

impl Ask for Inner {
    fn gives_anything(&mut self, element: Element, cx: &mut Context) -> Result<bool, Stop> {
        let mut asked = std::mem::take(&mut self.asked);
        asked.clear();
        asked.push(element);
        self.begin(&asked, 0..1);
        self.asked = asked;
        apart(cx, cx.number, |cx| self.pull(cx))
    }

    fn select(
        &mut self,
        batch: &Batch,
        rows: &mut Vec<u32>,
        keeps: bool,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        if !self.selects || cx.counts_batches {
            return self.select_alone(batch, rows, keeps, cx);
        }
        let mut left = self.select_together(batch, rows, keeps, cx)?;
        self.select_alone(batch, &mut left, keeps, cx)?;
        rows.append(&mut left);
        Ok(())
    }
}

impl Inner {
    /// Selects rows by one run for each of them.
    fn select_alone(
        &mut self,
        batch: &Batch,
        rows: &mut Vec<u32>,
        keeps: bool,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        select_one_by_one(batch, rows, cx, |element, cx| Ok(self.gives_anything(element, cx)? == keeps))
    }

    /// Selects rows by one run for all of them. If one row has too many results to find all of them, removes
    /// the rows after it from `rows` and returns them.
    fn select_together(
        &mut self,
        batch: &Batch,
        rows: &mut Vec<u32>,
        keeps: bool,
        cx: &mut Context,
    ) -> Result<Vec<u32>, Stop> {
        let mut around = std::mem::take(&mut self.around);
        self.begin_numbered(batch, rows, &mut around, cx);
        let (mut kept, mut left) = (Kept { rows, count: 0, next: 0, keeps }, Vec::new());
        let outcome = together(cx, &mut around, |cx| {
            cx.in_whole_batches(|cx| {
                while let Some(results) = self.next(cx)? {
                    cx.tick_by(results.rows())?;
                    results.depth.iter().for_each(|number| kept.see(*number as usize));
                    if number_of_many(results).is_some() {
                        left = kept.rows.split_off(kept.next);
                        break;
                    }
                }
                Ok(())
            })
        });
        kept.end();
        self.around = around;
        outcome.map(|()| left)
    }
}

/// The rows that a run for many rows keeps: those with results, or those without.
struct Kept<'r> {
    rows: &'r mut Vec<u32>,
    count: usize,
    /// The first number that was not seen yet.
    next: usize,
    keeps: bool,
}

impl Kept<'_> {
    /// Takes the number of a row that has a result. Numbers ascend.
    fn see(&mut self, number: usize) {
        if number < self.next {
            return;
        }
        if !self.keeps {
            self.keep(self.next..number);
        } else {
            self.keep(number..number + 1);
        }
        self.next = number + 1;
    }

    fn keep(&mut self, numbers: Range<usize>) {
        self.rows.copy_within(numbers.clone(), self.count);
        self.count += numbers.len();
    }

    fn end(mut self) {
        if !self.keeps {
            self.keep(self.next..self.rows.len());
        }
        self.rows.truncate(self.count);
    }
}
