//! The innermost loops over stored numbers: sums, least and greatest numbers, counts and masks.
//!
//! The numbers are either read in place, from the bytes of a segment, or already decoded. The loops have no
//! branch for each number, so that the compiler vectorises them; [`wide`] selects vector instructions that
//! the processor supports. The loops do not depend on columns, bases or damage.

#[cfg(target_arch = "x86_64")]
use fearless_simd::{Level, Simd};

/// Runs `work`, compiled for the widest vectors that the processor supports. Functions that `work` calls must
/// be inlined.
#[inline(always)]
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Level::new().as_avx2() {
        return avx2.vectorize(work);
    }
    work()
}

/// A number of up to 32 bits: its bytes in a segment, or a decoded number.
pub(crate) trait Stored: Copy {
    /// How many numbers can be added without a sum beyond 32 bits; `None` if even two numbers may exceed
    /// that.
    const SUMMED: Option<usize>;

    fn number(self) -> u32;

    /// Counts the numbers within `low..=high`; there are at most 128 `values`. 0 if no number of the type is
    /// in this range.
    fn count_within(values: &[Self], low: u32, high: u32) -> usize;

    /// A bitmap of the numbers within `low..=high`; there are at most 64 `values`.
    fn mask_within(values: &[Self], low: u32, high: u32) -> u64;
}

macro_rules! stored {
    ($stored:ty, $number:ty, $summed:expr, $read:expr) => {
        impl Stored for $stored {
            const SUMMED: Option<usize> = $summed;

            #[inline(always)]
            fn number(self) -> u32 {
                u32::from($read(self))
            }

            #[inline(always)]
            fn count_within(values: &[Self], low: u32, high: u32) -> usize {
                let Some((low, span)) = span_of::<$number>(low, high) else { return 0 };
                let is_within = |value: &Self| <$number>::from($read(*value).wrapping_sub(low) <= span);
                // A count of at most 128 fits even in a byte.
                values.iter().map(is_within).sum::<$number>() as usize
            }

            #[inline(always)]
            fn mask_within(values: &[Self], low: u32, high: u32) -> u64 {
                let Some((low, span)) = span_of::<$number>(low, high) else { return 0 };
                let mut are_within = [0u8; 64];
                let pairs = are_within.iter_mut().zip(values);
                pairs.for_each(|(is, value)| *is = u8::from($read(*value).wrapping_sub(low) <= span));
                pack(&are_within)
            }
        }
    };
}

stored!(u32, u32, None, |number: u32| number);
stored!([u8; 4], u32, None, u32::from_le_bytes);
stored!([u8; 2], u16, Some(1 << 16), u16::from_le_bytes);
stored!([u8; 1], u8, Some(1 << 24), |[byte]: [u8; 1]| byte);

/// The range `low..=high` in a narrower type: the least number, and its distance to the greatest. `None` if
/// no number of the type is in this range.
#[inline(always)]
fn span_of<T: TryFrom<u32>>(low: u32, high: u32) -> Option<(T, T)> {
    let most = u32::MAX >> (u32::BITS - 8 * size_of::<T>() as u32);
    let span = high.min(most).checked_sub(low)?;
    Some((T::try_from(low).ok()?, T::try_from(span).ok()?))
}

/// Turns bytes of 0 and 1 into bits. One multiplication collects the bits of eight bytes.
#[inline(always)]
fn pack(bytes: &[u8; 64]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    let bits = |word: &[u8; 8]| u64::from_le_bytes(*word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    words.iter().enumerate().fold(0, |mask, (number, word)| mask | bits(word) << (8 * number))
}

/// The number of values counted at a time.
const CHUNK: usize = 128;

/// The sum of all numbers. There must be fewer than 2^32 of them.
pub(crate) fn sum<T: Stored>(values: &[T]) -> u64 {
    wide(|| sum_plainly(values))
}

#[inline(always)]
fn sum_plainly<T: Stored>(values: &[T]) -> u64 {
    match T::SUMMED {
        Some(count) => {
            let sums = values.chunks(count).map(|some| some.iter().map(|value| value.number()).sum::<u32>());
            sums.map(u64::from).sum()
        }
        None => values.iter().map(|value| u64::from(value.number())).sum(),
    }
}

/// The least and the greatest number. If there are no numbers, the first result is greater than the second.
pub(crate) fn ends<T: Stored>(values: &[T]) -> (u32, u32) {
    wide(|| ends_plainly(values))
}

#[inline(always)]
fn ends_plainly<T: Stored>(values: &[T]) -> (u32, u32) {
    let numbers = values.iter().map(|value| value.number());
    numbers.fold((u32::MAX, 0), |(low, high), number| (low.min(number), high.max(number)))
}

/// The count of numbers within `low..=high`.
pub(crate) fn count_within<T: Stored>(values: &[T], low: u32, high: u32) -> usize {
    wide(|| count_plainly(values, low, high))
}

#[inline(always)]
fn count_plainly<T: Stored>(values: &[T], low: u32, high: u32) -> usize {
    values.chunks(CHUNK).map(|some| T::count_within(some, low, high)).sum()
}

/// Calls `visit` for up to 64 numbers at a time, with a bitmap of those within `low..=high`, and the count of
/// numbers.
#[inline]
pub(crate) fn masks_within<T: Stored>(values: &[T], low: u32, high: u32, mut visit: impl FnMut(u64, usize)) {
    values.chunks(64).for_each(|some| visit(T::mask_within(some, low, high), some.len()));
}

/// Counts the occurrences of each byte. Four tables are used in turn, so that counting successive equal bytes
/// need not wait for the previous store.
pub(crate) fn count_bytes(bytes: &[u8]) -> [u64; 256] {
    let mut tables = [[0u64; 256]; 4];
    let (some, rest) = bytes.as_chunks::<4>();
    for four in some {
        tables.iter_mut().zip(four).for_each(|(table, byte)| table[usize::from(*byte)] += 1);
    }
    rest.iter().for_each(|byte| tables[0][usize::from(*byte)] += 1);
    std::array::from_fn(|byte| tables.iter().map(|table| table[byte]).sum())
}

/// The sum of 64-bit values.
#[inline]
pub(crate) fn sum_wide(values: &[i64]) -> i128 {
    // The sums of the low halves and of the high halves of 2^20 values each fit 64 bits.
    let sums = values.chunks(1 << 20).map(|some| {
        let (low, high) = some
            .iter()
            .fold((0u64, 0i64), |(low, high), value| (low + u64::from(*value as u32), high + (*value >> 32)));
        i128::from(low) + (i128::from(high) << 32)
    });
    sums.sum()
}

/// The least and the greatest of 64-bit values. If there are no values, the first result is greater than the
/// second.
#[inline]
pub(crate) fn ends_wide(values: &[i64]) -> (i64, i64) {
    values.iter().fold((i64::MAX, i64::MIN), |(low, high), value| (low.min(*value), high.max(*value)))
}

/// The count of 64-bit values within `low..=high`.
#[inline]
pub(crate) fn count_within_wide(values: &[i64], low: i64, high: i64) -> usize {
    values.iter().map(|value| usize::from((low <= *value) & (*value <= high))).sum()
}

/// The same as [`masks_within`], for 64-bit values.
#[inline]
pub(crate) fn masks_within_wide(values: &[i64], low: i64, high: i64, mut visit: impl FnMut(u64, usize)) {
    for some in values.chunks(64) {
        let mut are_within = [0u8; 64];
        let pairs = are_within.iter_mut().zip(some);
        pairs.for_each(|(is, value)| *is = u8::from((low <= *value) & (*value <= high)));
        visit(pack(&are_within), some.len());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Checks that the vectorised loops give the same results as plain iteration.
    fn check<T: Stored>(values: &[T], low: u32, high: u32) {
        let numbers: Vec<u32> = values.iter().map(|value| value.number()).collect();
        let is_within = |number: &u32| low <= *number && *number <= high;
        assert_eq!(sum(values), numbers.iter().map(|number| u64::from(*number)).sum());
        let expected = numbers.iter().min().copied().zip(numbers.iter().max().copied());
        assert_eq!(ends(values), expected.unwrap_or((u32::MAX, 0)));
        assert_eq!(
            count_within(values, low, high),
            numbers.iter().filter(|number| is_within(number)).count()
        );
        let (mut at, mut found) = (0, Vec::new());
        masks_within(values, low, high, |mask, count| {
            found.extend((0..64).filter(|bit| mask >> bit & 1 != 0).map(|bit| at + bit));
            at += count;
        });
        assert_eq!(at, values.len());
        assert!(found.into_iter().eq((0..at).filter(|index| is_within(&numbers[*index]))));
    }

    proptest! {
        #[test]
        fn wide_loops_give_what_a_walk_gives(
            values in proptest::collection::vec(prop_oneof![any::<u32>(), 0..300u32], 0..700),
            low in prop_oneof![any::<u32>(), 0..300u32], high in prop_oneof![any::<u32>(), 0..300u32],
        ) {
            check(&values, low, high);
            check(&values.iter().map(|value| value.to_le_bytes()).collect::<Vec<_>>(), low, high);
            check(&values.iter().map(|value| (*value as u16).to_le_bytes()).collect::<Vec<_>>(), low, high);
            check(&values.iter().map(|value| [*value as u8]).collect::<Vec<_>>(), low, high);
        }
    }
}
