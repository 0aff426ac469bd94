//! Chains of operators, and how one pulls from those before it.

use std::any::Any;
use std::ops::Range;
use std::time::{Duration, Instant};

use super::context::Context;
use super::stop::Stop;
use crate::pipeline::error::StepAt;
use crate::pipeline::rows::Batch;

/// The work of an operator.
pub(crate) trait Operate: Any + std::fmt::Debug + Send + Sync {
    /// Fills `output`, which is empty, with some rows; false at the end. Pulls from `before` as it needs.
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop>;

    /// Forgets all rows, to begin again.
    fn reset(&mut self);

    /// Prepares before the first rows; all threads share the findings.
    fn prepare(&mut self, _cx: &mut Context) -> Result<(), Stop> {
        Ok(())
    }

    /// Shares the answers about texts with the same operator of another thread.
    fn share(&mut self, _other: &dyn Operate) {}

    /// Whether the operator, which is ready, finds rows in any range of nodes.
    fn has_ranges(&self) -> bool {
        false
    }

    /// Begins with a range of nodes, where it has them.
    fn give_nodes(&mut self, _nodes: Range<u32>) {}

    /// Takes copies of the rows that an inner pipeline begins with; only its first operator does.
    fn give(&mut self, _from: &Batch, _rows: Range<usize>) {}

    /// The same with all rows of a batch, which becomes another one.
    fn give_all(&mut self, _rows: &mut Batch) {}

    /// The measurements of each operator inside, if it stands for several.
    fn inside(&self) -> Option<Vec<Measured>> {
        None
    }

    /// Rows that the caller gets beside the results, if the operator has any for it.
    fn side(&self) -> Option<&Batch> {
        None
    }

    /// Forgets these rows.
    fn clear_side(&mut self) {}
}

/// An operator in a run, with its output and its measurements.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) at: StepAt,
    pub(crate) operator: Box<dyn Operate>,
    pub(crate) output: Batch,
    pub(crate) measured: Measured,
    /// Bytes of the output that are charged to the budget.
    held: usize,
}

impl Stage {
    pub(crate) fn new(at: StepAt, operator: Box<dyn Operate>) -> Self {
        Self { at, operator, output: Batch::default(), measured: Measured::default(), held: 0 }
    }

    /// The measurements of each operator that the stage stands for, if there are several.
    pub(crate) fn inside(&self) -> Option<Vec<Measured>> {
        self.operator.inside()
    }

    /// Rows that the caller gets beside the results, if the operator has any for it.
    pub(crate) fn side(&self) -> Option<&Batch> {
        self.operator.side()
    }

    /// Forgets these rows.
    pub(crate) fn clear_side(&mut self) {
        self.operator.clear_side();
    }
}

/// The measurements of an operator in a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measured {
    pub(crate) rows: u64,
    pub(crate) batches: u64,
    /// With everything before it.
    pub(crate) time: Duration,
    /// Values that searches have read, with everything before it.
    pub(crate) values_read: u64,
    /// Most bytes that the run held, beside batches, while it was at work.
    pub(crate) held: usize,
}

impl Measured {
    /// Adds the measurements of another thread of the same operator.
    pub(crate) fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        self.batches += other.batches;
        self.time += other.time;
        self.held = self.held.max(other.held);
    }
}

/// Fills the output of the last stage; false at the end.
#[inline]
pub(crate) fn pull(stages: &mut [Stage], cx: &mut Context) -> Result<bool, Stop> {
    let Some((last, before)) = stages.split_last_mut() else { return Ok(false) };
    let begin = cx.is_profiled.then(Instant::now);
    let outcome = cx.cancel.check().map_err(Stop::from).and_then(|()| {
        last.output.clear();
        last.operator.next(before, &mut last.output, cx)
    });
    let counted = outcome.and_then(|more| {
        if cx.counts_batches {
            cx.budget.hold(&mut last.held, last.output.bytes())?;
        }
        Ok(more)
    });
    let more = counted.map_err(|stop| stop.inside(&last.at, cx.budget.limit()))?;
    if let Some(begin) = begin {
        let measured = &mut last.measured;
        measured.time += begin.elapsed();
        measured.values_read = cx.values_read;
        measured.held = measured.held.max(cx.budget.held());
        if more {
            measured.rows += last.output.rows() as u64;
            measured.batches += 1;
        }
    }
    Ok(more)
}

/// Whether an operator that has rows to give may pull more: not where trails are kept, which the first
/// operator forgets.
#[inline]
pub(crate) fn may_pull(output: &Batch, cx: &Context) -> bool {
    !cx.carried.trail || output.rows() == 0
}
