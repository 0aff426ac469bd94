//! [`Pipeline`]: an immutable description of a traversal, and its stable form as JSON.
//!
//! A description holds names and values only. It is cheap to build, may be kept and sent, and runs on any graph that
//! has the names. The form carries a version; a reader refuses one that it does not know. Errors of the form name the
//! step, by the path of numbers that leads to it.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

use super::error::{PipelineError, Result};
use super::step::Step;

/// The version of the plan form that this library writes and reads.
pub const PLAN_VERSION: u32 = 1;

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
    /// [`PipelineError::NotAPlan`], with the step, or [`PipelineError::Version`].
    pub fn from_json(text: &str) -> Result<Self> {
        let not_a_plan = |error: serde_json::Error| PipelineError::NotAPlan { reason: error.to_string() };
        let json: Json = serde_json::from_str(text).map_err(not_a_plan)?;
        if let Some(found) = json.get("version").and_then(Json::as_u64)
            && found != u64::from(PLAN_VERSION)
        {
            return Err(PipelineError::Version { found, known: PLAN_VERSION });
        }
        let envelope: Envelope = serde_json::from_value(json).map_err(not_a_plan)?;
        Ok(Self { steps: envelope.steps })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    version: u32,
    steps: Steps,
}

/// The steps of a pipeline or of one inside a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Steps(pub Vec<Step>);

impl From<Pipeline> for Steps {
    fn from(pipeline: Pipeline) -> Self {
        pipeline.steps
    }
}

impl<'de> Deserialize<'de> for Steps {
    /// Step by step, so that an error names the step. Inside of steps the same happens again.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let raw: Vec<Json> = Vec::deserialize(deserializer)?;
        let steps = raw.into_iter().zip(1..).map(|(json, number)| {
            let name = json.get("step").and_then(Json::as_str).unwrap_or("no name").to_owned();
            Step::deserialize(json)
                .map_err(|error| D::Error::custom(format!("step {number} ({name}): {error}")))
        });
        Ok(Self(steps.collect::<std::result::Result<_, _>>()?))
    }
}
