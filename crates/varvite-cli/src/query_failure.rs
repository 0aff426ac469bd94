//! Failures of queries, in terms of the user's input: the message has the number of a plan's step, or repeats
//! a condition from the command line.

use std::fmt;

use varvite::pipeline::PipelineError;

use crate::exit_code::exit_code_of;

/// An error of a pipeline, and the input from which the pipeline was made.
#[derive(Debug)]
pub(crate) struct QueryFailure {
    asked: Asked,
    error: PipelineError,
}

/// The input from which a pipeline was made.
#[derive(Debug)]
pub(crate) enum Asked {
    /// Arguments of the command line.
    Words,
    /// The condition on the command line that is at fault.
    Condition(String),
    /// A plan, with the name of its file.
    Plan(String),
}

impl QueryFailure {
    /// Makes a failure from an error and the input.
    pub(crate) fn new(asked: Asked, error: PipelineError) -> Self {
        Self { asked, error }
    }

    /// The same failure, with the plan of this name as the input.
    pub(crate) fn of_plan(self, name: String) -> Self {
        Self { asked: Asked::Plan(name), ..self }
    }

    /// The exit code, as `--help` documents it.
    pub(crate) fn exit_code(&self) -> u8 {
        match &self.error {
            PipelineError::Graph { error, .. } => exit_code_of(error),
            PipelineError::Unknown { .. }
            | PipelineError::NotOfLabel { .. }
            | PipelineError::NoSuchNode { .. } => 4,
            PipelineError::OverBudget { .. }
            | PipelineError::PlanOverBudget { .. }
            | PipelineError::Endless { .. }
            | PipelineError::Overflow { .. }
            | PipelineError::Arithmetic { .. }
            | PipelineError::Cancelled { .. } => 6,
            _ => 2,
        }
    }

    /// The next step for the user; empty if the message already has it.
    pub(crate) fn advice(&self) -> &'static str {
        match &self.error {
            PipelineError::Unknown { .. } => "; `varvite info` lists the names of the graph",
            PipelineError::NotAPlan { .. }
            | PipelineError::TooLarge { .. }
            | PipelineError::BadStep { .. } => "; docs/plan.md describes plans",
            PipelineError::ParameterMissing { .. } => ": --param NAME=VALUE",
            PipelineError::OverBudget { .. } | PipelineError::PlanOverBudget { .. } => " with --memory",
            _ => "",
        }
    }

    /// The message on one line. Messages about regular expressions have several lines.
    fn reason(&self) -> String {
        self.error.to_string().lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// The message without the number of the step, for commands in which users do not write steps.
    fn reason_without_step(&self) -> String {
        let reason = self.reason();
        let step = self.error.at().map(|at| format!("{at}: ")).unwrap_or_default();
        reason.strip_prefix(&step).map(str::to_owned).unwrap_or(reason)
    }
}

impl fmt::Display for QueryFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.asked {
            Asked::Words => formatter.write_str(&self.reason_without_step()),
            Asked::Condition(words) => write!(formatter, "{words:?}: {}", self.reason_without_step()),
            Asked::Plan(name) => write!(formatter, "{name}: {}", self.reason()),
        }
    }
}
