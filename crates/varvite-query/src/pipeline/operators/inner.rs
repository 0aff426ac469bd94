//! [`Inner`]: a pipeline nested in a step.

use std::ops::Range;

use super::chain::{Measured, Operate, Stage, pull};
use super::condition::Ask;
use super::context::Context;
use super::stop::Stop;
use crate::pipeline::rows::{Batch, Element};

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
}

/// An inner pipeline, usually run for one row at a time. Its first operator is [`InnerInput`], or a scan that
/// gets ranges of nodes.
#[derive(Debug)]
pub(crate) struct Inner {
    stages: Vec<Stage>,
    /// A buffer for the element that [`Inner::gives_anything`] tests.
    asked: Batch,
    /// The number of the row with which the pipeline begins, if the pipeline names it, and this row.
    named: Option<usize>,
    begun_with: Option<Element>,
}

impl Inner {
    /// Makes the pipeline. `named` is the number of the row with which it begins, if the pipeline names it.
    pub(crate) fn new(stages: Vec<Stage>, named: Option<usize>) -> Self {
        Self { stages, asked: Batch::default(), named, begun_with: None }
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
        self.begun_with = self.named.and_then(|_| from.element(rows.start));
        if let Some(first) = self.reset() {
            first.operator.give(from, rows);
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
        alone(cx, 1, |cx| {
            self.begin(input, row..row + 1);
            Ok(self.next(cx)?.and_then(|rows| numbers(rows).next()))
        })
    }

    /// Pulls the next results, after naming the row with which the pipeline began: since the last results,
    /// another pipeline may have named a row with the same number.
    #[inline]
    fn pull(&mut self, cx: &mut Context) -> Result<bool, Stop> {
        if let Some((number, row)) = self.named.zip(self.begun_with) {
            cx.name(number, row);
        }
        pull(&mut self.stages, cx)
    }

    /// The next results. `None` at the end.
    #[inline]
    pub(crate) fn next(&mut self, cx: &mut Context) -> Result<Option<&Batch>, Stop> {
        let more = self.pull(cx)?;
        Ok(self.stages.last().filter(|_| more).map(|stage| &stage.output))
    }
}

/// Runs an inner pipeline, whose rows carry neither depth nor trail, in batches of `batch_rows` rows.
pub(super) fn alone<T>(
    cx: &mut Context,
    batch_rows: usize,
    work: impl FnOnce(&mut Context) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let carried = std::mem::take(&mut cx.carried);
    let rows = std::mem::replace(&mut cx.batch_rows, batch_rows);
    let outcome = work(cx);
    (cx.carried, cx.batch_rows) = (carried, rows);
    outcome
}

/// The nodes or values of a batch, as numbers.
pub(super) fn numbers(batch: &Batch) -> impl Iterator<Item = i64> {
    batch.nodes.iter().map(|node| i64::from(*node)).chain(batch.numbers.iter().copied())
}

impl Ask for Inner {
    fn gives_anything(&mut self, element: Element, cx: &mut Context) -> Result<bool, Stop> {
        let carried = std::mem::take(&mut cx.carried);
        let mut asked = std::mem::take(&mut self.asked);
        asked.clear();
        asked.push(element);
        self.begin(&asked, 0..1);
        self.asked = asked;
        let outcome = self.pull(cx);
        cx.carried = carried;
        outcome
    }
}
