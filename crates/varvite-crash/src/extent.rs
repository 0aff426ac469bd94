//! [`Extent`]: the extent of a check, small or whole.

use varvite_store::Operation;

/// In the small extent, one out of this number of successive writes is checked.
const WRITES_EVERY: usize = 8;

/// The extent of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Enough to find every known bug.
    Small,
    /// All cases.
    Whole,
}

impl Extent {
    /// The operations at which a check acts. In the small extent, most writes inside a run of successive
    /// writes are left out.
    pub(crate) fn places(self, operations: &[Operation]) -> Vec<usize> {
        let is_write = |index: usize| operations.get(index) == Some(&Operation::Write);
        let is_inside = |index: usize| {
            is_write(index) && is_write(index + 1) && index.checked_sub(1).is_some_and(is_write)
        };
        let is_told =
            |index: &usize| self == Self::Whole || !is_inside(*index) || index.is_multiple_of(WRITES_EVERY);
        (0..operations.len()).filter(is_told).collect()
    }

    /// Returns one of two values, depending on the extent.
    pub(crate) fn choose<T>(self, small: T, whole: T) -> T {
        match self {
            Self::Small => small,
            Self::Whole => whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_form_leaves_out_writes_in_the_middle_of_many() {
        use Operation::{Create, Sync, Write};
        let operations: Vec<Operation> =
            [Create].into_iter().chain([Write; 20]).chain([Sync, Write]).collect();
        assert_eq!(Extent::Whole.places(&operations).len(), 23);
        assert_eq!(Extent::Small.places(&operations), [0, 1, 8, 16, 20, 21, 22]);
    }
}
