//! [`CodeRow`]: the counts of a METHOD or a CALL.

use crate::measure::Counts;

/// The kind of a row's node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CodeKind {
    /// A METHOD.
    Method,
    /// A CALL.
    Call,
}

/// The counts of a METHOD or a CALL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeRow {
    /// The kind of the node.
    pub kind: CodeKind,
    /// The node of the METHOD or CALL.
    pub node: u32,
    /// The row's own counts. Those of a METHOD include the counts of functions that it called and that are
    /// not in the graph.
    pub own: Counts,
    /// The row's counts, including those of all callees. Recursive calls are counted once.
    pub all: Counts,
}
