//! [`StoredBounds`]: the bounds of valid values, as bounds of the stored numbers (the values minus the
//! column's base).

use std::ops::RangeInclusive;

use crate::columns::kernels::{self, Stored};

/// The least and the greatest valid stored number. If `low` exceeds `high`, no number is valid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredBounds {
    low: u32,
    high: u32,
}

impl StoredBounds {
    /// The bounds of stored numbers: subtracts `base` from the bounds of values.
    pub(crate) fn of(bounds: &RangeInclusive<i64>, base: i64) -> Self {
        let above = |end: i64| i128::from(end) - i128::from(base);
        let (low, high) = (above(*bounds.start()).max(0), above(*bounds.end()).min(u32::MAX.into()));
        match (u32::try_from(low), u32::try_from(high)) {
            (Ok(low), Ok(high)) => Self { low, high },
            _ => Self { low: 1, high: 0 },
        }
    }

    /// Whether a stored number is valid.
    #[inline]
    pub(crate) fn hold(self, number: u32) -> bool {
        (self.low <= number) & (number <= self.high)
    }

    /// Whether all stored numbers are valid. All are tested, without a branch for each.
    #[inline]
    pub(crate) fn hold_all(self, numbers: impl Iterator<Item = u32>) -> bool {
        self.hold_any() || numbers.fold(true, |all, number| all & self.hold(number))
    }

    /// The count of valid numbers.
    #[inline]
    pub(crate) fn count<T: Stored>(self, numbers: &[T]) -> usize {
        kernels::count_within(numbers, self.low, self.high)
    }

    /// Calls `visit` with a bitmap of the valid numbers, for up to 64 numbers at a time.
    #[inline]
    pub(crate) fn masks<T: Stored>(self, numbers: &[T], visit: impl FnMut(u64, usize)) {
        kernels::masks_within(numbers, self.low, self.high, visit);
    }

    /// Whether every 32-bit number is valid.
    #[inline]
    pub(crate) fn hold_any(self) -> bool {
        self.low == 0 && self.high == u32::MAX
    }

    /// The bounds for numbers of a narrower type; `None` if no number of that type is valid.
    pub(super) fn ends_in<T: TryFrom<u32> + PartialOrd>(self, most: T) -> Option<(T, T)> {
        let (low, high) = (T::try_from(self.low).ok()?, T::try_from(self.high).unwrap_or(most));
        (low <= high).then_some((low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_seen_from_the_base() {
        let bounds = StoredBounds::of(&(5..=20), 10);
        assert!(bounds.hold(0) && bounds.hold(10) && !bounds.hold(11));
        assert!(bounds.hold_all([0, 3, 10].into_iter()) && !bounds.hold_all([0, 11].into_iter()));
        let bounds = StoredBounds::of(&(15..=i64::MAX), 10);
        assert!(!bounds.hold(4) && bounds.hold(5) && bounds.hold(u32::MAX));
        assert_eq!(bounds.ends_in(u8::MAX), Some((5, 255)));
        assert_eq!(StoredBounds::of(&(300..=400), 10).ends_in(u8::MAX), None);
        assert_eq!(StoredBounds::of(&RangeInclusive::new(0, -1), 0).ends_in(u8::MAX), None);
    }

    #[test]
    fn where_no_number_fits_none_is_held() {
        for (bounds, base) in
            [(0..=3, 4), (i64::MIN..=-1, 0), (1 << 40..=1 << 41, 0), (RangeInclusive::new(0, -1), 0)]
        {
            let stored = StoredBounds::of(&bounds, base);
            assert!(
                ![0, 1, u32::MAX].into_iter().any(|number| stored.hold(number)),
                "{bounds:?} from {base}"
            );
        }
    }
}
