//! [`CodeRow`]: what a METHOD or a CALL allocates.

use crate::measure::Counts;

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CodeKind {
    /// A METHOD.
    Method,
    /// A CALL.
    Call,
}

/// What a METHOD or a CALL allocates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeRow {
    /// What it is.
    pub kind: CodeKind,
    /// Its node.
    pub node: u32,
    /// Itself: of a METHOD with what functions that the graph lacks did for it.
    pub own: Counts,
    /// With all that it called. What calls itself counts once.
    pub all: Counts,
}
