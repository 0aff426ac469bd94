//! The end of an edge that is the neighbour.

/// From where to where edges are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From source to targets.
    Out,
    /// From target to sources.
    In,
}

impl Direction {
    /// Both, out first.
    pub const BOTH: [Self; 2] = [Self::Out, Self::In];

    /// The other one.
    pub fn reversed(self) -> Self {
        match self {
            Self::Out => Self::In,
            Self::In => Self::Out,
        }
    }

    /// `out` or `in`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::In => "in",
        }
    }
}
