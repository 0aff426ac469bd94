//! [`Direction`]: a file lists each edge twice, at its source and at its target.

/// The direction of the edges of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Edges listed at their targets.
    In,
    /// Edges listed at their sources.
    Out,
}
