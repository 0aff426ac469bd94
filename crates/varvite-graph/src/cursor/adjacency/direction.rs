//! [`Direction`]: which end of an edge is the neighbour.

/// The direction in which edges are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the source of an edge to its target.
    Out,
    /// From the target of an edge to its source.
    In,
}

impl Direction {
    /// Both directions, [`Direction::Out`] first.
    pub const BOTH: [Self; 2] = [Self::Out, Self::In];

    /// The opposite direction.
    pub fn reversed(self) -> Self {
        match self {
            Self::Out => Self::In,
            Self::In => Self::Out,
        }
    }

    /// The name of the direction: `out` or `in`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::In => "in",
        }
    }
}
