//! The two sides from which a file lists each edge.

/// The end of its edges that a column belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// The edges that arrive.
    In,
    /// The edges that leave.
    Out,
}
