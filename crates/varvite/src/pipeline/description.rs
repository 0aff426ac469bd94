//! [`Pipeline`]: an immutable description of a traversal, and its stable form as JSON.
//!
//! A description holds names and values only. It is cheap to build, may be kept and sent, and runs on any graph that
//! has the names. The form carries a version; a reader refuses one that it does not know. Errors of the form name the
//! step, by the path of numbers that leads to it.

use serde::Serialize;

use super::error::Result;
use super::read::{self, PLAN_VERSION};
use super::step::{Step, Steps};

/// An immutable description of a traversal.
///
/// Steps are added by methods that take the description and give back a longer one:
///
/// ```
/// use varvite::pipeline::{eq, nodes};
///
/// let callers = nodes("METHOD").has("NAME", eq("memcpy")).in_("CALL");
/// assert!(callers.to_json().contains("memcpy"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pipeline {
    pub(crate) steps: Steps,
}

impl Pipeline {
    /// The steps, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps.0
    }

    /// The description with one more step.
    pub fn then(mut self, step: Step) -> Self {
        self.steps.0.push(step);
        self
    }

    /// The plan form: JSON with a version.
    pub fn to_json(&self) -> String {
        let envelope = Envelope { version: PLAN_VERSION, steps: self.steps.clone() };
        serde_json::to_string(&envelope).expect("steps hold strings and numbers, which JSON can say")
    }

    /// Reads the plan form. Costs in proportion to the text; nesting is limited.
    ///
    /// # Errors
    /// [`PipelineError::NotAPlan`](super::PipelineError::NotAPlan), with step and field, or
    /// [`PipelineError::Version`](super::PipelineError::Version).
    pub fn from_json(text: &str) -> Result<Self> {
        Ok(Self { steps: read::plan(text)? })
    }
}

#[derive(Serialize)]
struct Envelope {
    version: u32,
    steps: Steps,
}

impl From<Pipeline> for Steps {
    fn from(pipeline: Pipeline) -> Self {
        pipeline.steps
    }
}
