//! [`Run`]: a plan at work.

use super::error::{PipelineError, Result, StepAt};
use super::operators::{Context, Measured, Options, Side, Stage, Stop, pull, stages, stages_on_threads};
use super::plan::Plan;
use super::rows::Rows;

/// A plan at work: gives batches until there are no more.
///
/// Holds the columns that it reads, and memory within its budget. May be moved to another thread.
#[derive(Debug)]
pub struct Run {
    plan: Plan,
    stages: Vec<Stage>,
    cx: Context,
    /// It ended, well or not.
    is_over: bool,
}

impl Run {
    pub(crate) fn new(plan: &Plan, options: Options) -> Self {
        let mut cx = Context::new(&options, plan.lanes, plan.nodes);
        cx.forgets_trails = plan.forgets_trails();
        cx.sides.resize_with(plan.sides.len(), Side::default);
        let is_alone = cx.threads == 1;
        let stages = if is_alone { stages(&plan.steps) } else { stages_on_threads(&plan.steps, plan.lanes) };
        Self { stages, plan: plan.clone(), cx, is_over: false }
    }

    /// The next batch, which has at least one row; none at the end. A batch is good until the next is asked for; its size
    /// varies. After an error the run is over.
    ///
    /// # Errors
    /// [`PipelineError`], with the step: the budget, the flag that cancels, a walk without end, or damage in the file, which is
    /// reported at the end.
    #[expect(clippy::should_implement_trait, reason = "a batch borrows from the run, which no Iterator may")]
    pub fn next(&mut self) -> Result<Option<Rows<'_>>> {
        if self.is_over {
            return Ok(None);
        }
        self.cx.sides.iter_mut().for_each(Side::clear);
        match pull(&mut self.stages, &mut self.cx) {
            Ok(true) => {}
            Ok(false) => {
                self.is_over = true;
                self.plan.damage.check().map_err(|error| self.graph_error(error))?;
                return Ok(None);
            }
            Err(stop) => {
                self.is_over = true;
                return Err(self.error(stop));
            }
        }
        let last = self.stages.last();
        Ok(last.map(|stage| Rows::new(&stage.output, &self.plan.shape)))
    }

    /// The last batch once more. Before the first it has no rows, and all columns that there will be; none after the end.
    pub fn rows(&self) -> Option<Rows<'_>> {
        let last = self.stages.last().filter(|_| !self.is_over);
        last.map(|stage| Rows::new(&stage.output, &self.plan.shape))
    }

    /// Rows that passed the step [`side`](super::Pipeline::side) of this name while the last batch was made, or at the end after it; none if the
    /// plan has no such step. Good until the next batch is asked for.
    ///
    /// Rows are treated in batches, so that more may have passed than came out.
    pub fn side(&self, name: &str) -> Option<Rows<'_>> {
        let side = self.plan.side(name)?;
        Some(Rows::new(self.cx.sides.get(side.index)?.rows(), &side.shape))
    }

    /// Most bytes that the run has held beside its batches.
    pub fn memory_bytes(&self) -> usize {
        self.cx.budget.most()
    }

    /// What was measured of each operator so far, and the bytes of its batch.
    pub(crate) fn measured(&self) -> Vec<(Measured, usize)> {
        let (mut all, mut before) = (Vec::new(), Measured::default());
        for stage in &self.stages {
            match stage.inside() {
                Some(inside) => all.extend(shared_out(inside, stage.measured, before).map(|step| (step, 0))),
                None => all.push((stage.measured, 0)),
            }
            if let Some((_, bytes)) = all.last_mut() {
                *bytes = stage.output.bytes();
            }
            before = stage.measured;
        }
        all
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    fn error(&self, stop: Stop) -> PipelineError {
        let at = self.stages.last().map_or_else(|| StepAt::new("1", "nodes"), |stage| stage.at.clone());
        stop.at(&at, &self.cx)
    }

    fn graph_error(&self, error: crate::GraphError) -> PipelineError {
        self.error(Stop::Graph(Box::new(error)))
    }
}

/// What was measured of the steps of one stage. Their threads spent more time together than went by, so that this is shared out by what
/// each step took.
fn shared_out(inside: Vec<Measured>, stage: Measured, before: Measured) -> impl Iterator<Item = Measured> {
    let went_by = stage.time.saturating_sub(before.time);
    let spent = inside.last().map_or(0.0, |last| last.time.as_secs_f64());
    inside.into_iter().map(move |step| {
        let share = if spent > 0.0 { step.time.as_secs_f64() / spent } else { 1.0 };
        Measured { time: before.time + went_by.mul_f64(share), values_read: stage.values_read, ..step }
    })
}
