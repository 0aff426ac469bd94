//! [`Side`]: the side of a patch on which lines are counted.

/// A side of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The files before the change.
    Old,
    /// The files after the change.
    New,
}
