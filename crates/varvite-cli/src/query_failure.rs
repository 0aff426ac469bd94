//! The reason why a query was refused or stopped, in terms of the user's input: a plan's steps have numbers,
//! and a condition of the command line is repeated.

use std::fmt;

use varvite::pipeline::PipelineError;

use crate::exit_code::exit_code_of;

/// An error of a pipeline, with the pipeline's source.
#[derive(Debug)]
pub(crate) struct QueryFailure {
    asked: Asked,
    error: PipelineError,
}

/// The source of a pipeline.
#[derive(Debug)]
pub(crate) enum Asked {
    /// The words of the command line.
    Words,
    /// The condition at fault, from the command line.
    Condition(String),
    /// A plan, by the name of its file.
    Plan(String),
}

impl QueryFailure {
    /// An error, with the question that it answers.
    pub(crate) fn new(asked: Asked, error: PipelineError) -> Self {
        Self { asked, error }
    }

    /// The same failure, of a plan.
    pub(crate) fn of_plan(self, name: String) -> Self {
        Self { asked: Asked::Plan(name), ..self }
    }

    /// The exit code that `--help` documents.
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
            | PipelineError::Cancelled { .. } => 6,
            _ => 2,
        }
    }

    /// The next step for the user, if the message does not name it already.
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

    /// The message on one line: those on regular expressions have several lines.
    fn reason(&self) -> String {
        self.error.to_string().lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// The same without the step, for users who wrote no steps.
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
