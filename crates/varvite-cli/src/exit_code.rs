//! The exit codes for errors of a graph, as `--help` documents them.

use varvite::GraphError;
use varvite::change::ChangeError;
use varvite::error::StoreError;

/// The exit code of an error of the graph.
pub(crate) fn exit_code_of(error: &GraphError) -> u8 {
    match error {
        GraphError::WrongType { .. } => 2,
        GraphError::Unknown { .. } | GraphError::NoSuchNode { .. } => 4,
        error if is_over_budget(error) => 6,
        _ => 3,
    }
}

/// The exit code of an error in changing or making a graph.
pub(crate) fn exit_code_of_change(error: &ChangeError) -> u8 {
    match error {
        ChangeError::Graph(error) => exit_code_of(error),
        ChangeError::HasIndex { .. } | ChangeError::NoIndex { .. } => 2,
        ChangeError::Operation { .. } | ChangeError::Input(_) => 2,
        _ => 3,
    }
}

/// Whether the memory limit was exceeded.
pub(crate) fn is_over_budget(error: &GraphError) -> bool {
    matches!(error, GraphError::OverBudget(_) | GraphError::Store(StoreError::OverBudget { .. }))
}
