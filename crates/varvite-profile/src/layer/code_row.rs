//! [`CodeRow`]: the allocations of a METHOD or a CALL.

use crate::measure::Counts;

/// The kind of a row's node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CodeKind {
    /// A METHOD.
    Method,
    /// A CALL.
    Call,
}

/// The allocations of a METHOD or a CALL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeRow {
    /// The kind of the node.
    pub kind: CodeKind,
    /// The node of the METHOD or CALL.
    pub node: u32,
    /// The row's own counts. Those of a METHOD include functions that it called and that the graph lacks.
    pub own: Counts,
    /// The row's counts with those of all callees. Recursive calls count once.
    pub all: Counts,
}
