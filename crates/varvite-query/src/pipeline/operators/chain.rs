//! Chains of operators, each of which pulls rows from the operators before it.

use std::any::Any;
use std::ops::Range;
use std::time::{Duration, Instant};

use super::context::Context;
use super::stop::Stop;
use crate::pipeline::error::StepAt;
use crate::pipeline::rows::Batch;

/// The interface of operators.
pub(crate) trait Operate: Any + std::fmt::Debug + Send + Sync {
    /// Fills `output`, which the caller passes empty, with some rows. Pulls input from `before` as needed.
    /// Returns false at the end.
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop>;

    /// Drops all rows and begins again.
    fn reset(&mut self);

    /// Prepares the operator before its first rows. The same operators on other threads then take over the
    /// preparation with `share`.
    fn prepare(&mut self, _cx: &mut Context) -> Result<(), Stop> {
        Ok(())
    }

    /// Takes over the preparation of the same operator on another thread, `other`. The two operators then
    /// share the results of text tests.
    fn share(&mut self, _other: &dyn Operate) {}

    /// Whether the prepared operator can find its rows in any range of nodes.
    fn has_ranges(&self) -> bool {
        false
    }

    /// Begins with a range of nodes. Only for an operator for which [`Operate::has_ranges`] is true.
    fn give_nodes(&mut self, _nodes: Range<u32>) {}

    /// Takes copies of the rows with which an inner pipeline begins. Only for the first operator of the
    /// pipeline.
    fn give(&mut self, _from: &Batch, _rows: Range<usize>) {}

    /// The same as [`Operate::give`], for all rows of a batch. The rows are moved, so `rows` has no defined
    /// content afterwards.
    fn give_all(&mut self, _rows: &mut Batch) {}

    /// Takes copies of rows for a run for many rows. Each row carries its index in `rows` as its number.
    fn give_numbered(&mut self, _from: &Batch, _rows: &[u32]) {}

    /// The measurements of each operator nested in this one. `None` if there are none.
    fn inside(&self) -> Option<Vec<Measured>> {
        None
    }

    /// The rows that a `side` step gives to the caller in addition to the results. `None` for other
    /// operators.
    fn side(&self) -> Option<&Batch> {
        None
    }

    /// Drops the rows that [`Operate::side`] returns.
    fn clear_side(&mut self) {}
}

/// An operator in a run, with its output and its measurements.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) at: StepAt,
    pub(crate) operator: Box<dyn Operate>,
    pub(crate) output: Batch,
    pub(crate) measured: Measured,
    /// The number of bytes charged to the budget for the output.
    held: usize,
}

impl Stage {
    pub(crate) fn new(at: StepAt, operator: Box<dyn Operate>) -> Self {
        Self { at, operator, output: Batch::default(), measured: Measured::default(), held: 0 }
    }

    /// The measurements of each operator in the stage. `None` if the stage is a single operator.
    pub(crate) fn inside(&self) -> Option<Vec<Measured>> {
        self.operator.inside()
    }

    /// The rows that a `side` step gives to the caller in addition to the results. `None` for other stages.
    pub(crate) fn side(&self) -> Option<&Batch> {
        self.operator.side()
    }

    /// Drops the rows that [`Stage::side`] returns.
    pub(crate) fn clear_side(&mut self) {
        self.operator.clear_side();
    }
}

/// The measurements of an operator in a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measured {
    pub(crate) rows: u64,
    pub(crate) batches: u64,
    /// The time that the operator took, including the time of the operators before it.
    pub(crate) time: Duration,
    /// The number of values that searches have read, including searches by the operators before this one.
    pub(crate) values_read: u64,
    /// The peak number of bytes that the run held while the operator worked, not counting batches.
    pub(crate) held: usize,
}

impl Measured {
    /// Adds the measurements of the same operator on another thread.
    pub(crate) fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        self.batches += other.batches;
        self.time += other.time;
        self.held = self.held.max(other.held);
    }
}

/// Fills the output of the last stage. Returns false at the end.
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

/// Whether an operator may pull more input before it returns its output. It may not if rows carry trails and
/// the output has rows: when the first operator makes its next batch, it drops all trails.
#[inline]
pub(crate) fn may_pull(output: &Batch, cx: &Context) -> bool {
    !cx.carried.trail || output.rows() == 0
}
