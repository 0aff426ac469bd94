//! [`Inner`]: a pipeline inside of a step.

use std::ops::Range;

use super::chain::{Measured, Operate, Stage, pull};
use super::condition::Ask;
use super::context::Context;
use super::stop::Stop;
use crate::pipeline::rows::{Batch, Element};

/// The rows that an inner pipeline begins with.
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

/// An inner pipeline, run for one row at a time. Its first operator is [`InnerInput`], or a scan that is
/// given ranges of nodes.
#[derive(Debug)]
pub(crate) struct Inner {
    stages: Vec<Stage>,
    /// Holds the element of [`Inner::gives_anything`].
    asked: Batch,
}

impl Inner {
    pub(crate) fn new(stages: Vec<Stage>) -> Self {
        Self { stages, asked: Batch::default() }
    }

    /// Gets all operators ready.
    pub(crate) fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        let limit = cx.budget.limit();
        let mut stages = self.stages.iter_mut();
        stages.try_for_each(|stage| stage.operator.prepare(cx).map_err(|stop| stop.inside(&stage.at, limit)))
    }

    /// Shares the answers about texts with the same operators of another thread.
    pub(crate) fn share(&mut self, other: &Self) {
        for (stage, other) in self.stages.iter_mut().zip(&other.stages) {
            stage.operator.share(&*other.operator);
        }
    }

    /// Begins with some rows of a batch: one, unless every step treats each row for itself.
    pub(crate) fn begin(&mut self, from: &Batch, rows: Range<usize>) {
        if let Some(first) = self.reset() {
            first.operator.give(from, rows);
        }
    }

    /// The same with all rows of a batch, which becomes another one.
    pub(crate) fn begin_with(&mut self, rows: &mut Batch) {
        if let Some(first) = self.reset() {
            first.operator.give_all(rows);
        }
    }

    /// The same with the rows that the first operator finds in a range of nodes.
    pub(crate) fn begin_range(&mut self, nodes: Range<u32>) {
        if let Some(first) = self.reset() {
            first.operator.give_nodes(nodes);
        }
    }

    /// Whether the first operator, which is ready, finds rows in any range of nodes.
    pub(crate) fn has_ranges(&self) -> bool {
        self.stages.first().is_some_and(|first| first.operator.has_ranges())
    }

    /// The operators, for others that pull from them.
    pub(crate) fn stages_mut(&mut self) -> &mut [Stage] {
        &mut self.stages
    }

    /// Makes all operators forget their rows; the first of them.
    fn reset(&mut self) -> Option<&mut Stage> {
        self.stages.iter_mut().for_each(|stage| stage.operator.reset());
        self.stages.first_mut()
    }

    /// Puts the next results into a batch whose buffers are used again; false at the end.
    pub(crate) fn next_into(&mut self, batch: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        let more = pull(&mut self.stages, cx)?;
        if let Some(last) = self.stages.last_mut().filter(|_| more) {
            std::mem::swap(batch, &mut last.output);
        }
        Ok(more)
    }

    /// The number of operators, the one that gives the rows included.
    pub(crate) fn len(&self) -> usize {
        self.stages.len()
    }

    /// Adds the measurements of each operator.
    pub(crate) fn add_measured(&self, sum: &mut [Measured]) {
        sum.iter_mut().zip(&self.stages).for_each(|(sum, stage)| sum.add(&stage.measured));
    }

    /// The next results; none at the end.
    #[inline]
    pub(crate) fn next(&mut self, cx: &mut Context) -> Result<Option<&Batch>, Stop> {
        let more = pull(&mut self.stages, cx)?;
        Ok(self.stages.last().filter(|_| more).map(|stage| &stage.output))
    }
}

impl Ask for Inner {
    fn gives_anything(&mut self, element: Element, cx: &mut Context) -> Result<bool, Stop> {
        let carried = std::mem::take(&mut cx.carried);
        let mut asked = std::mem::take(&mut self.asked);
        asked.clear();
        asked.push(element);
        self.begin(&asked, 0..1);
        self.asked = asked;
        let outcome = pull(&mut self.stages, cx);
        cx.carried = carried;
        outcome
    }
}
