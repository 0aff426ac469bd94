//! [`Run`]: the execution of a plan.

use std::time::Duration;

use super::description::{on_stack, stack_bytes};
use super::error::{PipelineError, Result, StepAt};
use super::operators::{Measured, Settings, Stage, Stop, Trails, pull, stages_alone, stages_on_threads};
use super::options::Options;
use super::plan::{Explanation, MeasuredStep, Plan};
use super::rows::{Batch, Rows};
use varvite_graph::{OverBudget, Reserved};

/// The execution of a plan, which returns the results in batches.
///
/// A run keeps the columns that it reads open, and holds no more memory than its budget allows. It may be
/// moved to another thread.
#[derive(Debug)]
pub struct Run {
    plan: Plan,
    stages: Vec<Stage>,
    settings: Settings,
    /// The trails (paths so far) of the rows in the operators' batches.
    trails: Trails,
    /// The number of values that searches of columns have read.
    values_read: u64,
    /// Whether the run has ended, with or without an error.
    is_over: bool,
    /// The budget's charge for the plan and its operators.
    held: Option<Reserved>,
    /// The reason why the run can't begin. `None` if it can.
    refused: Option<OverBudget>,
    /// The empty batch that a run returns if it can't begin.
    none: Batch,
}

/// A plan and its operators may take this number of bytes that are not charged to the budget. (Batches are
/// not charged either.)
const PLAN_BYTES_FREE: usize = 1 << 20;
/// The size in bytes of an operator in a run, not counting its copy of the plan.
const STAGE_BYTES: usize = size_of::<Stage>() + 512;

impl Plan {
    /// Begins a run. It reads nothing before the first call of [`Run::next`].
    pub fn run(&self, options: impl Into<Options>) -> Run {
        Run::new(self, &options.into())
    }
}

impl Run {
    fn new(plan: &Plan, options: &Options) -> Self {
        let mut run = Self {
            plan: plan.clone(),
            stages: Vec::new(),
            settings: Settings::new(plan, options),
            trails: Trails::default(),
            values_read: 0,
            is_over: false,
            held: None,
            refused: None,
            none: Batch::default(),
        };
        run.refused = run.begin().err();
        run
    }

    /// Makes the operators. If the budget has room for copies of the plan and its operators, the other
    /// threads get copies; otherwise the run uses one thread.
    fn begin(&mut self) -> std::result::Result<(), OverBudget> {
        let Self { plan, settings, .. } = self;
        let copy = plan.bytes().saturating_add(plan.operators.saturating_mul(STAGE_BYTES));
        let reserve = |copies: usize| {
            let bytes = plan.bytes().saturating_add(copy.saturating_mul(copies));
            settings.budget.reserve(bytes.saturating_sub(PLAN_BYTES_FREE))
        };
        let held = match settings.is_alone() {
            true => reserve(1)?,
            false => match reserve(2 + settings.threads()) {
                Ok(held) => held,
                Err(_) => {
                    let held = reserve(1)?;
                    settings.stay_alone();
                    held
                }
            },
        };
        self.held = Some(held);
        let made = || match settings.is_alone() {
            true => stages_alone(&plan.steps, plan.carried),
            false => stages_on_threads(&plan.steps, plan.carried),
        };
        self.stages = on_stack(stack_bytes(plan.extent), &settings.budget, made)?;
        Ok(())
    }

    /// The next batch, which has at least one row. `None` at the end. A batch is valid until the next call,
    /// and its size varies. After an error, the run has ended.
    ///
    /// # Errors
    /// [`PipelineError`], with the step: the budget is exceeded, the run is cancelled, a walk does not end,
    /// or the file is damaged. Damage is reported only at the end of the run.
    #[expect(clippy::should_implement_trait, reason = "a batch borrows from the run, which no Iterator may")]
    pub fn next(&mut self) -> Result<Option<Rows<'_>>> {
        if self.is_over {
            return Ok(None);
        }
        if let Some(refused) = self.refused.take() {
            self.is_over = true;
            return Err(refused.into());
        }
        if !self.plan.sides.is_empty() {
            self.stages.iter_mut().for_each(Stage::clear_side);
        }
        match self.pull() {
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
        Ok(last.map(|stage| Rows::new(&stage.output, &self.plan.shape, &self.settings.texts)))
    }

    fn pull(&mut self) -> std::result::Result<bool, Stop> {
        let Self { plan, stages, settings, trails, values_read, .. } = self;
        let work = || {
            let mut cx = settings.context(trails);
            cx.values_read = *values_read;
            let outcome = pull(stages, &mut cx);
            *values_read = cx.values_read;
            outcome
        };
        on_stack(stack_bytes(plan.extent), &settings.budget, work)?
    }

    /// Returns the last batch again. Before the first batch, returns a batch with all columns but no rows.
    /// `None` after the end.
    pub fn rows(&self) -> Option<Rows<'_>> {
        if self.refused.is_some() {
            return Some(Rows::new(&self.none, &self.plan.shape, &self.settings.texts));
        }
        let last = self.stages.last().filter(|_| !self.is_over);
        last.map(|stage| Rows::new(&stage.output, &self.plan.shape, &self.settings.texts))
    }

    /// The rows that passed the step [`side`](super::Pipeline::side) with this name while the last batch was
    /// being made; at the end of the run, those that passed it after the last batch. `None` if the plan has
    /// no such step. The rows are valid until the next batch is requested.
    ///
    /// Operators work in batches, so more rows may have passed this step than the results show.
    pub fn side(&self, name: &str) -> Option<Rows<'_>> {
        let side = self.plan.side(name)?;
        if self.refused.is_some() {
            return Some(Rows::new(&self.none, &side.shape, &self.settings.texts));
        }
        let rows = self.stages.iter().filter_map(Stage::side).nth(side.index)?;
        Some(Rows::new(rows, &side.shape, &self.settings.texts))
    }

    /// The peak number of bytes that the run has held, not counting its batches.
    pub fn memory_bytes(&self) -> usize {
        self.settings.budget.most()
    }

    /// For each operator, its measurements so far and the size of its batch in bytes.
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
        stop.at(&at, self.settings.budget.limit())
    }

    fn graph_error(&self, error: varvite_graph::GraphError) -> PipelineError {
        self.error(Stop::Graph(Box::new(error)))
    }
}

impl Run {
    /// The explanation of the plan with the measurements so far, if [`Options::profile`] was set.
    pub fn profile(&self) -> Explanation {
        let mut explanation = self.plan().explain();
        let (mut before, mut read_before) = (Duration::ZERO, 0);
        let mut lines = explanation.lines.iter_mut().filter(|line| line.depth == 0);
        for (measured, bytes) in self.measured() {
            let Some(line) = lines.next() else { break };
            let time = measured.time.saturating_sub(before);
            before = measured.time;
            let values_read = measured.values_read.saturating_sub(read_before);
            read_before = measured.values_read;
            let (rows, batches, bytes) = (measured.rows, measured.batches, bytes + measured.held);
            line.measured = Some(MeasuredStep { rows, batches, time, values_read, bytes });
        }
        explanation
    }
}

/// The measurements of the steps that one stage runs on several threads. Their times on all threads add up to
/// more than the elapsed time, so the elapsed time is divided among the steps in proportion.
fn shared_out(inside: Vec<Measured>, stage: Measured, before: Measured) -> impl Iterator<Item = Measured> {
    let went_by = stage.time.saturating_sub(before.time);
    let spent = inside.last().map_or(0.0, |last| last.time.as_secs_f64());
    inside.into_iter().map(move |step| {
        let share = if spent > 0.0 { step.time.as_secs_f64() / spent } else { 1.0 };
        Measured { time: before.time + went_by.mul_f64(share), values_read: stage.values_read, ..step }
    })
}
