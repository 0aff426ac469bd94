//! Chains of operators, and how one pulls from those before it.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::batch::Batch;
use super::branch::{ChooseOperator, Coalesce, Union};
use super::context::{Context, Stop};
use super::edges::{AllEdges, EndOfEdge, HopEdges};
use super::fold::{AggregateOperator, Count, Group};
use super::hop::Hop;
use super::keep::{Dedup, FilterOperator, Limit, Sample, Skip};
use super::order::Order;
use super::path::{PathOperator, SimplePath};
use super::repeat::RepeatOperator;
use super::scan::{IdsOperator, Scan};
use super::side::SideOperator;
use super::tree::{Ancestors, CountDescendants, Descendants, NearestAncestor};
use super::values::{ColumnsOperator, ValuesOperator};
use crate::pipeline::error::{PipelineError, StepAt};
use crate::pipeline::filter::Element;
use crate::pipeline::plan::{Operator, Physical};

/// What an operator does.
pub(crate) trait Operate: std::fmt::Debug + Send + Sync {
    /// Fills `output`, which is empty, with some rows; false at the end. Pulls from `before` as it needs.
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop>;

    /// Forgets all rows, to begin again.
    fn reset(&mut self);

    /// Takes copies of the rows that an inner pipeline begins with; only its first operator does.
    fn give(&mut self, _from: &Batch, _rows: Range<usize>) {}

    /// The same with all rows of a batch, which becomes another one.
    fn give_all(&mut self, _rows: &mut Batch) {}

    /// What was measured of each operator inside, where it stands for several.
    fn inside(&self) -> Option<Vec<Measured>> {
        None
    }
}

/// An operator in a run, with its output and what was measured.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) at: StepAt,
    operator: Box<dyn Operate>,
    pub(crate) output: Batch,
    pub(crate) measured: Measured,
}

impl Stage {
    pub(crate) fn new(at: StepAt, operator: Box<dyn Operate>) -> Self {
        Self { at, operator, output: Batch::default(), measured: Measured::default() }
    }

    /// What was measured of each operator that the stage stands for, if it does.
    pub(crate) fn inside(&self) -> Option<Vec<Measured>> {
        self.operator.inside()
    }
}

/// What a run measured of an operator.
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
    /// Adds what another thread measured of the same operator.
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
    let outcome = cx.cancel.check().and_then(|()| {
        last.output.clear();
        last.operator.next(before, &mut last.output, cx)
    });
    let more = outcome.map_err(|stop| stop.inside(&last.at, cx))?;
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

/// Whether an operator that has rows to give may pull more: not where trails are kept, which the first operator forgets.
#[inline]
pub(crate) fn may_pull(output: &Batch, cx: &Context) -> bool {
    !cx.lanes.trail || output.rows() == 0
}

impl Stop {
    /// The same, at its step.
    pub(crate) fn inside(self, at: &StepAt, cx: &Context) -> Self {
        Self::Inside(Box::new(self.at(at, cx)))
    }

    /// The error that names the step; of a step inside, that one.
    pub(crate) fn at(self, at: &StepAt, cx: &Context) -> PipelineError {
        let at = at.clone();
        match self {
            Self::Cancelled => PipelineError::Cancelled { at },
            Self::OverBudget { needed } => PipelineError::OverBudget { at, limit: cx.budget.limit(), needed },
            Self::Endless { depth } => PipelineError::Endless { at, depth },
            Self::Overflow => PipelineError::Overflow { at },
            Self::Graph(error) => PipelineError::Graph { at, error: *error },
            Self::Inside(error) => *error,
        }
    }
}

/// The stages of some operators, in order.
pub(crate) fn stages(steps: &[Physical]) -> Vec<Stage> {
    steps.iter().map(|step| Stage::new(step.at.clone(), operator(&step.operator))).collect()
}

fn operator(plan: &Operator) -> Box<dyn Operate> {
    match plan.clone() {
        Operator::Given => Box::new(Given::default()),
        Operator::Scan(scan) => Box::new(Scan::new(scan)),
        Operator::Ids(ids) => Box::new(IdsOperator::new(ids)),
        Operator::AllEdges(ways) => Box::new(AllEdges::new(ways)),
        Operator::Hop(ways) => Box::new(Hop::new(ways)),
        Operator::HopEdges(ways) => Box::new(HopEdges::new(ways)),
        Operator::EndOfEdge(direction) => Box::new(EndOfEdge::new(direction)),
        Operator::Filter(filter) => Box::new(FilterOperator::new(filter)),
        Operator::Descendants(tree) => Box::new(Descendants::new(tree)),
        Operator::Ancestors(tree) => Box::new(Ancestors::new(tree)),
        Operator::NearestAncestor { tree, labels, condition } => {
            Box::new(NearestAncestor::new(tree, labels, condition))
        }
        Operator::CountDescendants { tree, counted } => Box::new(CountDescendants::new(tree, counted)),
        Operator::Union(branches) => Box::new(Union::new(&branches)),
        Operator::Coalesce(branches) => Box::new(Coalesce::new(&branches)),
        Operator::Choose(choose) => Box::new(ChooseOperator::new(choose)),
        Operator::Repeat(repeat) => Box::new(RepeatOperator::new(*repeat)),
        Operator::Dedup(by) => Box::new(Dedup::new(by)),
        Operator::Order { by, descending, first } => Box::new(Order::new(by, descending, first)),
        Operator::Limit(count) => Box::new(Limit::new(count)),
        Operator::Skip(count) => Box::new(Skip::new(count)),
        Operator::Sample { count, seed } => Box::new(Sample::new(count, seed)),
        Operator::SimplePath => Box::new(SimplePath::default()),
        Operator::Side(side) => Box::new(SideOperator::new(side.index)),
        Operator::Path => Box::new(PathOperator::default()),
        Operator::Values(by) => Box::new(ValuesOperator::new(by)),
        Operator::Columns(columns) => Box::new(ColumnsOperator::new(columns)),
        Operator::GroupCount(by) => Box::new(Group::new(by, false)),
        Operator::Group(by) => Box::new(Group::new(by, true)),
        Operator::Count => Box::new(Count::default()),
        Operator::Aggregate(aggregate, meaning) => Box::new(AggregateOperator::new(aggregate, &meaning)),
    }
}

/// The rows that an inner pipeline begins with.
#[derive(Debug, Default)]
struct Given {
    rows: Batch,
    is_fresh: bool,
}

impl Operate for Given {
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

/// An inner pipeline, run for one row at a time. Its first operator is [`Operator::Given`].
#[derive(Debug)]
pub(crate) struct Inner {
    stages: Vec<Stage>,
    /// Holds the element of [`Inner::gives_anything`].
    asked: Batch,
}

impl Inner {
    pub(crate) fn new(steps: &[Physical]) -> Self {
        Self { stages: stages(steps), asked: Batch::default() }
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

    /// How many operators there are, the one that gives the rows included.
    pub(crate) fn len(&self) -> usize {
        self.stages.len()
    }

    /// Adds what was measured of each operator.
    pub(crate) fn add_measured(&self, sum: &mut [Measured]) {
        sum.iter_mut().zip(&self.stages).for_each(|(sum, stage)| sum.add(&stage.measured));
    }

    /// The next results; none at the end.
    #[inline]
    pub(crate) fn next(&mut self, cx: &mut Context) -> Result<Option<&Batch>, Stop> {
        let more = pull(&mut self.stages, cx)?;
        Ok(self.stages.last().filter(|_| more).map(|stage| &stage.output))
    }

    /// Whether there is any result for an element. Steps of a condition are not part of a path.
    pub(crate) fn gives_anything(&mut self, element: Element, cx: &mut Context) -> Result<bool, Stop> {
        let lanes = std::mem::take(&mut cx.lanes);
        let mut asked = std::mem::take(&mut self.asked);
        asked.clear();
        asked.push(element);
        self.begin(&asked, 0..1);
        self.asked = asked;
        let outcome = pull(&mut self.stages, cx);
        cx.lanes = lanes;
        outcome
    }
}
