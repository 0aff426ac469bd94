//! [`Pipeline`]: an immutable description of a traversal, and its stable form as JSON.
//!
//! A description holds names and values only. It is cheap to build, may be stored and sent, and runs on any
//! graph that has the names. The JSON form has a version, and a reader refuses unknown versions. The reader's
//! errors name a step by its path, such as `2.1` for the first step nested in step 2.
//!
//! Reading order: `step` is the table of all steps; their JSON form, the methods that add them, Java's
//! methods and the sections of `docs/plan.md` are generated from this table. `declare` is the macro that
//! declares the table, and `fields` reads and writes the fields of a step. `template` replaces parameters by
//! values before the steps are read. `nested` visits all steps without recursion, to check the limits of
//! their depth and number, and to drop them.

mod builder;
mod declare;
mod deep;
mod fields;
mod key;
mod nested;
mod predicate;
mod repeat;
mod step;
mod summary;
mod template;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value as Json;

pub use builder::{all_nodes, it};
pub(crate) use declare::Gives;
pub(super) use deep::{on_stack, stack_bytes};
pub use key::{Function, Key, Match, Operands, Split};
pub(crate) use nested::{DEPTH_MAX, Descent, Extent};
pub use predicate::{
    Literal, PREDICATES, Predicate, between, contains, eq, gt, gte, inside, lt, lte, ne, none_of, one_of,
    outside, prefix, regex, suffix,
};
pub use repeat::{Emit, Repeat, WalkOrder};
pub use step::{STEPS, Step, edges, ids, nodes};
pub use summary::Summary;
pub use template::{Arguments, Parameter, ParameterType, Template};
pub use varvite_graph::internal::ALL;
pub use varvite_graph::internal::Names;

use super::error::Result;
use fields::Fields;
use varvite_graph::Budget;
use varvite_graph::json::Meter;

/// An immutable description of a traversal.
///
/// Steps are added by methods that take the description and return a longer one:
///
/// ```
/// use varvite::pipeline::{eq, nodes};
///
/// let callers = nodes("METHOD").has("NAME", eq("memcpy")).in_("CALL");
/// assert!(callers.to_json().contains("memcpy"));
/// ```
#[derive(Default)]
pub struct Pipeline {
    pub(crate) steps: Steps,
    /// The budget's charge for a description that was read from a plan.
    held: PlanCharge,
}

/// A charge of bytes to a budget, shared by a pipeline or template and its copies. All charges compare as
/// equal, so that they do not affect the comparison of plans.
#[derive(Clone, Debug, Default)]
struct PlanCharge(Option<Arc<Meter>>);

impl PartialEq for PlanCharge {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The steps of a pipeline, which may be the outermost one or nested in a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Steps(pub Vec<Step>);

/// One case of `choose`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Case {
    /// The test of the first value of `on`.
    pub is: Predicate,
    /// The pipeline for rows that pass the test.
    pub then: Steps,
}

/// The maximum number of bytes in the text of a plan.
pub(crate) const TEXT_BYTES_MAX: usize = 256 << 20;

impl Pipeline {
    /// The version of the plan form that this library writes and reads.
    pub const VERSION: u32 = 1;

    /// The steps, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps.0
    }

    /// The description with one more step.
    pub fn then(mut self, step: Step) -> Self {
        self.steps.0.push(step);
        self
    }

    /// The description as a plan: JSON with a version.
    ///
    /// # Panics
    /// Panics if pipelines are nested so deep that the system has no stack for them. Such nesting is far
    /// deeper than the compiler allows.
    pub fn to_json(&self) -> String {
        let envelope = Envelope { version: Self::VERSION, steps: &self.steps };
        self.deep(|| serde_json::to_string(&envelope))
            .expect("steps hold strings and numbers, which JSON can say")
    }

    /// Reads a plan. Takes time proportional to the length of the text, and at most [`Budget::default_bytes`]
    /// of memory. A plan with parameters is read as a [`Template`].
    ///
    /// # Errors
    /// [`PipelineError::ParameterMissing`](super::PipelineError::ParameterMissing) for a plan with
    /// parameters, [`PipelineError::NotAPlan`](super::PipelineError::NotAPlan), with step and field, or
    /// [`PipelineError::Version`](super::PipelineError::Version);
    /// [`PipelineError::TooLarge`](super::PipelineError::TooLarge) for a text larger than 256 MiB, and
    /// [`PipelineError::BadStep`](super::PipelineError::BadStep) for more than 100,000 steps in all or
    /// pipelines nested deeper than 256;
    /// [`PipelineError::PlanOverBudget`](super::PipelineError::PlanOverBudget).
    pub fn from_json(text: &str) -> Result<Self> {
        Self::from_json_within(text, &Budget::default())
    }

    /// The same as [`Pipeline::from_json`], within the caller's budget. Memory is charged before it is
    /// allocated. The charge is returned when the description and its copies are dropped.
    ///
    /// # Errors
    /// The errors of [`Pipeline::from_json`].
    pub fn from_json_within(text: &str, budget: &Budget) -> Result<Self> {
        Template::from_json_within(text, budget)?.into_pipeline()
    }

    /// Runs `work`, which recurses over the steps, on a stack that is large enough.
    fn deep<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let extent = Descent::without_limits(self.steps()).finish();
        let stack = extent.ok().and_then(stack_bytes);
        on_stack(stack, &Budget::new(usize::MAX), work).expect("a thread can be started")
    }
}

#[derive(Serialize)]
struct Envelope<'s> {
    version: u32,
    steps: &'s Steps,
}

impl Clone for Pipeline {
    fn clone(&self) -> Self {
        Self { steps: self.deep(|| self.steps.clone()), held: self.held.clone() }
    }
}

impl PartialEq for Pipeline {
    fn eq(&self, other: &Self) -> bool {
        self.deep(|| self.steps == other.steps)
    }
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pipeline").field("steps", &self.steps).finish_non_exhaustive()
    }
}

impl From<Pipeline> for Steps {
    fn from(pipeline: Pipeline) -> Self {
        pipeline.steps
    }
}

fn all_steps(branches: impl IntoIterator<Item = Pipeline>) -> Vec<Steps> {
    branches.into_iter().map(Steps::from).collect()
}

impl Steps {
    /// Reads the steps of a list. `inside` is the prefix of the steps' numbers.
    fn of_list(list: Vec<Json>, inside: &str) -> Result<Self> {
        let mut steps = Self(Vec::with_capacity(list.len()));
        for (number, json) in (1..).zip(list) {
            steps.0.push(Step::of_json(&format!("{inside}{number}"), json)?);
        }
        Ok(steps)
    }
}

impl Step {
    /// Reads a step. `path` is the path of numbers that leads to the step.
    fn of_json(path: &str, json: Json) -> Result<Self> {
        let name = json.get("step").and_then(Json::as_str).unwrap_or("no name").to_owned();
        let mut fields = Fields::of(&format!("step {path} ({name})"), format!("{path}."), json)?;
        let _: String = fields.read("step")?;
        let step = Self::read(&name, &mut fields)?;
        fields.finish()?;
        Ok(step)
    }

    /// Whether the step only keeps or drops rows, each independently of the others.
    pub(crate) fn is_condition(&self) -> bool {
        matches!(
            self,
            Self::Has { .. }
                | Self::HasNot { .. }
                | Self::HasLabel { .. }
                | Self::HasId { .. }
                | Self::Is { .. }
                | Self::Where { .. }
                | Self::WhereNot { .. }
                | Self::And { .. }
                | Self::Or { .. }
        )
    }

    /// Whether a condition reads nodes other than the one it tests.
    pub(crate) fn walks(&self) -> bool {
        let leaves = |steps: &Steps| steps.0.iter().any(|step| !step.is_condition() || step.walks());
        match self {
            Self::Where { pipeline } | Self::WhereNot { pipeline } => leaves(pipeline),
            Self::And { branches } | Self::Or { branches } => branches.iter().any(leaves),
            _ => false,
        }
    }
}
