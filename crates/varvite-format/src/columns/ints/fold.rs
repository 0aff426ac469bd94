//! Aggregates over a range of values: the sum, the least and the greatest value, the number of wanted values,
//! and a bitmap that marks the wanted values.
//!
//! Nothing is decoded if the result follows from the header of a lane, or from the base and step of a
//! constant or a sequence. Other values are decoded a lane at a time, and the loops of
//! [`kernels`](crate::columns::kernels) process them in their stored width. As in a search, the header of a
//! lane suffices only if all values that the lane can hold are within the bounds of valid values, and any
//! value outside the bounds ends the pass.

use std::ops::{Deref, Range, RangeInclusive};

use super::width::Width;
use super::{Body, Ints, bits};
use crate::columns::codes::LANE;
use crate::columns::kernels::{self, Stored};
use crate::columns::stored_bounds::StoredBounds;

/// The number of 64-bit values that are decoded at a time. All encodings with blocks have blocks of this
/// length.
const BLOCK: usize = 1024;

impl<B: Deref<Target = [u8]> + Clone> Ints<B> {
    /// The sum of the values in `range`. Not for relative columns. `None` if values are missing or outside
    /// `bounds`.
    ///
    /// Costs a fraction of a nanosecond for each value, and constant time for a constant or a sequence.
    pub fn sum(&self, range: Range<usize>, bounds: &RangeInclusive<i64>) -> Option<i128> {
        let mut sum = Sum(0);
        self.fold(range, bounds, &mut sum)?;
        Some(sum.0)
    }

    /// The least and the greatest value in `range`, unless it is empty. Not for relative columns. `None` if
    /// values are missing or outside `bounds`.
    ///
    /// A lane is skipped if its header shows that none of its values is a new least or greatest one.
    pub fn least_and_greatest(
        &self,
        range: Range<usize>,
        bounds: &RangeInclusive<i64>,
    ) -> Option<Option<(i64, i64)>> {
        let mut ends = Ends { low: i64::MAX, high: i64::MIN };
        self.fold(range, bounds, &mut ends)?;
        Some((ends.low <= ends.high).then_some((ends.low, ends.high)))
    }

    /// The number of `wanted` values in `range`. Not for relative columns. `None` if values are missing or
    /// outside `bounds`.
    ///
    /// Lanes whose header shows that all values are wanted, or that none can be, are not decoded.
    pub fn count_in(
        &self,
        wanted: &RangeInclusive<i64>,
        range: Range<usize>,
        bounds: &RangeInclusive<i64>,
    ) -> Option<u64> {
        let mut count = Count { low: *wanted.start(), high: *wanted.end(), count: 0 };
        self.fold(range, bounds, &mut count)?;
        Some(count.count)
    }

    /// Sets a bit for each value in `range` that is `wanted`: bit `i % 64` of word `i / 64` for value
    /// `range.start + i`. Other bits do not change. Not for relative columns. `None` if values are missing or
    /// outside `bounds`, or `bits` is too short.
    ///
    /// Lanes whose header shows that all values are wanted, or that none can be, are not decoded.
    pub fn select_in(
        &self,
        wanted: &RangeInclusive<i64>,
        range: Range<usize>,
        bounds: &RangeInclusive<i64>,
        bits: &mut [u64],
    ) -> Option<()> {
        (range.len().div_ceil(64) <= bits.len()).then_some(())?;
        self.fold(range, bounds, &mut Select { low: *wanted.start(), high: *wanted.end(), bits, at: 0 })
    }

    /// Adds to each `counts[n]` the number of values in `range` that equal `n`. Returns the number of values
    /// that are negative or beyond the end of `counts`. Not for relative columns. `None` if values are
    /// missing; some values may nevertheless have been counted.
    ///
    /// Costs about a nanosecond for each value, half of that if values are single bytes.
    pub fn count_each(&self, range: Range<usize>, counts: &mut [u64]) -> Option<u64> {
        let mut tally = Tally { counts, others: 0 };
        if let Body::Plain(Width::U8, bytes) = &self.body {
            (range.end <= self.count).then_some(())?;
            let bytes = if range.is_empty() { &[] } else { bytes.get(range)? };
            let counts = (0..).zip(kernels::count_bytes(bytes));
            counts.for_each(|(byte, count)| tally.add(self.base.wrapping_add(byte), count));
            return Some(tally.others);
        }
        self.fold(range, &(i64::MIN..=i64::MAX), &mut tally)?;
        Some(tally.others)
    }

    /// Passes the values of `range` to `fold`, in order. `None` if some values are missing or outside
    /// `bounds`.
    fn fold(&self, range: Range<usize>, bounds: &RangeInclusive<i64>, fold: &mut impl Fold) -> Option<()> {
        if range.start >= range.end {
            return (range.end <= self.count).then_some(());
        }
        (range.end <= self.count).then_some(())?;
        if let Some(line) = self.line(&range) {
            return line.is_within(bounds).then(|| fold.line(line));
        }
        // Stored numbers are compared with the bounds minus the base, unless a stored number plus the base
        // may wrap.
        if self.base.checked_add(u32::MAX.into()).is_none() {
            return self.fold_wide(range, bounds, fold);
        }
        let mut checked = Checked { fold, base: self.base, bounds: StoredBounds::of(bounds, self.base) };
        match &self.body {
            Body::Packed(packed) => {
                let mut values = [0; LANE];
                for lane in lanes(range) {
                    let (low, high) = packed.lane_bounds(lane.start)?;
                    checked.lane(low, high, lane.len(), || packed.decode(lane, &mut values))?;
                }
                Some(())
            }
            Body::Local(local) => local.runs(range, |values| checked.stored(values)),
            Body::TwoLevel(levels) => levels.runs(range, |values| checked.stored(values)),
            Body::Plain(Width::U8, bytes) => checked.plain::<1>(bytes, range),
            Body::Plain(Width::U16, bytes) => checked.plain::<2>(bytes, range),
            Body::Plain(Width::U32, bytes) => checked.plain::<4>(bytes, range),
            Body::Bits(bytes) => bits::words(bytes, range, |word, count| checked.bits(word, count)),
            _ => self.fold_wide(range, bounds, fold),
        }
    }

    /// Passes values of any width to `fold`, decoded a block at a time.
    fn fold_wide(
        &self,
        range: Range<usize>,
        bounds: &RangeInclusive<i64>,
        fold: &mut impl Fold,
    ) -> Option<()> {
        let (low, high) = (*bounds.start(), *bounds.end());
        let mut values = [0; BLOCK];
        let mut at = range.start;
        while at < range.end {
            let end = range.end.min((at / BLOCK + 1) * BLOCK);
            let values = values.get_mut(..end - at)?;
            self.read(at, 0, values)?;
            let hold_any = (low, high) == (i64::MIN, i64::MAX);
            (hold_any || kernels::count_within_wide(values, low, high) == values.len()).then_some(())?;
            fold.wide(values);
            at = end;
        }
        Some(())
    }

    /// The values of `range` as a [`Line`], if the column is a constant or a sequence and no value wraps.
    fn line(&self, range: &Range<usize>) -> Option<Line> {
        let step = match self.body {
            Body::Constant => 0,
            Body::Sequence(step) => i128::from(step),
            _ => return None,
        };
        let value = |index: usize| i64::try_from(i128::from(self.base) + step * index as i128).ok();
        let line = Line { first: value(range.start)?, step, count: range.len() };
        value(range.end - 1).map(|_| line)
    }
}

/// A sequence of at least one value. Each value is the previous one plus `step`.
#[derive(Clone, Copy)]
struct Line {
    first: i64,
    step: i128,
    count: usize,
}

impl Line {
    fn ends(self) -> (i64, i64) {
        let last = i128::from(self.first) + self.step * (self.count as i128 - 1);
        (self.first.min(last as i64), self.first.max(last as i64))
    }

    fn is_within(self, bounds: &RangeInclusive<i64>) -> bool {
        let (low, high) = self.ends();
        bounds.contains(&low) && bounds.contains(&high)
    }

    /// The indexes of the values within `low..=high`.
    fn places_within(self, low: i64, high: i64) -> Range<usize> {
        let (least, greatest) = self.ends();
        if high < least || greatest < low || high < low {
            return 0..0;
        }
        if self.step == 0 {
            return 0..self.count;
        }
        // Distances are measured from the first value, in the direction of the step.
        let (near, far) = if self.step > 0 { (low, high) } else { (high, low) };
        let distance = |end: i64| (i128::from(end) - i128::from(self.first)) * self.step.signum();
        let step = self.step.abs();
        let start = (distance(near).max(0) + step - 1) / step;
        let end = (distance(far) / step + 1).min(self.count as i128);
        start as usize..end.max(start) as usize
    }
}

/// A fold over values in order.
trait Fold {
    /// Adds the values of a line.
    fn line(&mut self, line: Line);

    /// Whether the bounds `low..=high` of the next `count` values determine the contribution of these values
    /// to the result. If so, this method adds the contribution, and the caller does not decode the values.
    fn is_known(&mut self, low: i64, high: i64, count: usize) -> bool;

    /// Adds stored values, each plus `base`. None of these sums wraps.
    fn stored<T: Stored>(&mut self, base: i64, values: &[T]);

    /// Adds the next `count` values, each `base` plus its bit in `word`.
    fn bits(&mut self, base: i64, word: u64, count: usize);

    fn wide(&mut self, values: &[i64]);
}

struct Sum(i128);

impl Fold for Sum {
    fn line(&mut self, line: Line) {
        let (low, high) = line.ends();
        self.0 += (i128::from(low) + i128::from(high)) * line.count as i128 / 2;
    }

    #[inline]
    fn is_known(&mut self, low: i64, high: i64, count: usize) -> bool {
        if low == high {
            self.0 += i128::from(low) * count as i128;
        }
        low == high
    }

    #[inline]
    fn stored<T: Stored>(&mut self, base: i64, values: &[T]) {
        self.0 += i128::from(base) * values.len() as i128 + i128::from(kernels::sum(values));
    }

    #[inline]
    fn bits(&mut self, base: i64, word: u64, count: usize) {
        self.0 += i128::from(base) * count as i128 + i128::from(word.count_ones());
    }

    fn wide(&mut self, values: &[i64]) {
        self.0 += kernels::sum_wide(values);
    }
}

struct Ends {
    low: i64,
    high: i64,
}

impl Ends {
    fn see(&mut self, low: i64, high: i64) {
        (self.low, self.high) = (self.low.min(low), self.high.max(high));
    }
}

impl Fold for Ends {
    fn line(&mut self, line: Line) {
        let (low, high) = line.ends();
        self.see(low, high);
    }

    #[inline]
    fn is_known(&mut self, low: i64, high: i64, _: usize) -> bool {
        if low == high {
            self.see(low, high);
        }
        self.low <= low && high <= self.high
    }

    #[inline]
    fn stored<T: Stored>(&mut self, base: i64, values: &[T]) {
        let (low, high) = kernels::ends(values);
        if low <= high {
            self.see(base + i64::from(low), base + i64::from(high));
        }
    }

    #[inline]
    fn bits(&mut self, base: i64, word: u64, count: usize) {
        let ones = word.count_ones() as usize;
        self.see(base + i64::from(ones == count), base + i64::from(ones > 0));
    }

    fn wide(&mut self, values: &[i64]) {
        let (low, high) = kernels::ends_wide(values);
        self.see(low, high);
    }
}

struct Count {
    low: i64,
    high: i64,
    count: u64,
}

impl Fold for Count {
    fn line(&mut self, line: Line) {
        self.count += line.places_within(self.low, self.high).len() as u64;
    }

    #[inline]
    fn is_known(&mut self, low: i64, high: i64, count: usize) -> bool {
        let are_all = self.low <= low && high <= self.high;
        if are_all {
            self.count += count as u64;
        }
        are_all || high < self.low || self.high < low
    }

    #[inline]
    fn stored<T: Stored>(&mut self, base: i64, values: &[T]) {
        let wanted = StoredBounds::of(&(self.low..=self.high), base);
        self.count += wanted.count(values) as u64;
    }

    #[inline]
    fn bits(&mut self, base: i64, word: u64, count: usize) {
        self.count += u64::from(bits_within(base, word, count, self.low, self.high).count_ones());
    }

    fn wide(&mut self, values: &[i64]) {
        self.count += kernels::count_within_wide(values, self.low, self.high) as u64;
    }
}

struct Select<'a> {
    low: i64,
    high: i64,
    bits: &'a mut [u64],
    /// The number of values that the fold has received so far.
    at: usize,
}

impl Select<'_> {
    /// Sets the next bits, at most 64.
    #[inline]
    fn push(&mut self, mask: u64, count: usize) {
        let (word, bit) = (self.at / 64, self.at % 64);
        if let Some(bits) = self.bits.get_mut(word) {
            *bits |= mask << bit;
        }
        if bit + count > 64
            && let Some(bits) = self.bits.get_mut(word + 1)
        {
            *bits |= mask >> (64 - bit);
        }
        self.at += count;
    }

    fn push_all(&mut self, count: usize) {
        for start in (0..count).step_by(64) {
            let count = (count - start).min(64);
            self.push(u64::MAX >> (64 - count), count);
        }
    }
}

impl Fold for Select<'_> {
    fn line(&mut self, line: Line) {
        let places = line.places_within(self.low, self.high);
        let end = self.at + line.count;
        self.at += places.start;
        self.push_all(places.len());
        self.at = end;
    }

    #[inline]
    fn is_known(&mut self, low: i64, high: i64, count: usize) -> bool {
        if self.low <= low && high <= self.high {
            self.push_all(count);
            return true;
        }
        let are_none = high < self.low || self.high < low;
        if are_none {
            self.at += count;
        }
        are_none
    }

    #[inline]
    fn stored<T: Stored>(&mut self, base: i64, values: &[T]) {
        let wanted = StoredBounds::of(&(self.low..=self.high), base);
        wanted.masks(values, |mask, count| self.push(mask, count));
    }

    #[inline]
    fn bits(&mut self, base: i64, word: u64, count: usize) {
        self.push(bits_within(base, word, count, self.low, self.high), count);
    }

    fn wide(&mut self, values: &[i64]) {
        let (low, high) = (self.low, self.high);
        kernels::masks_within_wide(values, low, high, |mask, count| self.push(mask, count));
    }
}

struct Tally<'a> {
    counts: &'a mut [u64],
    others: u64,
}

impl Tally<'_> {
    #[inline]
    fn add(&mut self, value: i64, count: u64) {
        let place = usize::try_from(value).ok().and_then(|value| self.counts.get_mut(value));
        *place.unwrap_or(&mut self.others) += count;
    }
}

impl Fold for Tally<'_> {
    fn line(&mut self, line: Line) {
        if line.step == 0 {
            return self.add(line.first, line.count as u64);
        }
        for index in 0..line.count as i128 {
            self.add((i128::from(line.first) + line.step * index) as i64, 1);
        }
    }

    #[inline]
    fn is_known(&mut self, low: i64, high: i64, count: usize) -> bool {
        if low == high {
            self.add(low, count as u64);
        }
        low == high
    }

    #[inline]
    fn stored<T: Stored>(&mut self, base: i64, values: &[T]) {
        values.iter().for_each(|value| self.add(base + i64::from(value.number()), 1));
    }

    #[inline]
    fn bits(&mut self, base: i64, word: u64, count: usize) {
        let ones = u64::from(word.count_ones());
        self.add(base, count as u64 - ones);
        self.add(base + 1, ones);
    }

    fn wide(&mut self, values: &[i64]) {
        values.iter().for_each(|value| self.add(*value, 1));
    }
}

/// The bits of the values within `low..=high` among the first `count` values, each of which is `base` plus
/// its bit in `word`.
fn bits_within(base: i64, word: u64, count: usize, low: i64, high: i64) -> u64 {
    let all_where = |value: i64| if low <= value && value <= high { u64::MAX } else { 0 };
    let chosen = (!word & all_where(base)) | (word & all_where(base + 1));
    chosen & (u64::MAX >> (64 - count))
}

/// Checks stored values against their bounds, and passes them to a fold.
struct Checked<'a, F> {
    fold: &'a mut F,
    base: i64,
    bounds: StoredBounds,
}

impl<F: Fold> Checked<'_, F> {
    /// Passes the values of a lane to the fold. All are within `low..=high`; they are decoded only if these
    /// bounds do not determine the result.
    #[inline]
    fn lane<'v>(
        &mut self,
        low: u32,
        high: u32,
        count: usize,
        decode: impl FnOnce() -> Option<&'v [u32]>,
    ) -> Option<()> {
        let value = |stored: u32| self.base + i64::from(stored);
        if !self.bounds.hold(low) || !self.bounds.hold(high) {
            return self.stored(decode()?);
        }
        if !self.fold.is_known(value(low), value(high), count) {
            self.fold.stored(self.base, decode()?);
        }
        Some(())
    }

    #[inline]
    fn stored<T: Stored>(&mut self, values: &[T]) -> Option<()> {
        (self.bounds.hold_any() || self.bounds.count(values) == values.len()).then_some(())?;
        self.fold.stored(self.base, values);
        Some(())
    }

    fn plain<const W: usize>(&mut self, bytes: &[u8], range: Range<usize>) -> Option<()>
    where
        [u8; W]: Stored,
    {
        let (values, _) = bytes.get(range.start * W..range.end * W)?.as_chunks::<W>();
        // The chunks are short, so that checked values are still in the CPU cache for the second read.
        values.chunks(BLOCK).try_for_each(|some| self.stored(some))
    }

    fn bits(&mut self, word: u64, count: usize) -> Option<()> {
        let ones = word.count_ones() as usize;
        let is_sound = |bit: u32, number: usize| number == 0 || self.bounds.hold(bit);
        (is_sound(1, ones) && is_sound(0, count - ones)).then_some(())?;
        self.fold.bits(self.base, word, count);
        Some(())
    }
}

/// Splits a range at the ends of lanes.
fn lanes(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = range.start;
    std::iter::from_fn(move || {
        let lane = at..range.end.min((at / LANE + 1) * LANE);
        at = lane.end;
        (!lane.is_empty()).then_some(lane)
    })
}
