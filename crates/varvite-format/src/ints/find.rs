//! Searching integers: for one value, for a range, for what passes a test; each by the means of its encoding.

use std::ops::{ControlFlow, Deref, Range, RangeInclusive};

use super::width::Width;
use super::{Body, Ints};
use crate::packed::{LANE, Packed};

impl<B: Deref<Target = [u8]> + Clone> Ints<B> {
    /// Calls `visit` with every index in `range` whose value is `wanted`, in rising order, until it breaks; not for
    /// relative columns.
    ///
    /// Lanes of packed values that cannot hold `wanted` are skipped by their header. None if bytes are missing.
    pub fn find_equal(
        &self,
        wanted: i64,
        range: Range<usize>,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        let end = range.end.min(self.count);
        let mut range = range.start.min(end)..end;
        let _ = match self.body {
            Body::Constant if wanted == self.base => range.try_for_each(visit),
            Body::Sequence(step) => place_in_sequence(self.base, step, wanted)
                .filter(|index| range.contains(index))
                .into_iter()
                .try_for_each(visit),
            Body::Constant => ControlFlow::Continue(()),
            _ => return self.find_stored(wanted, range, visit),
        };
        Some(())
    }

    fn find_stored(
        &self,
        wanted: i64,
        range: Range<usize>,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        let Ok(stored) = u32::try_from(wanted.wrapping_sub(self.base)) else {
            return match self.body {
                Body::Plain(..) | Body::Dictionary(_) => self.find_one_by_one(wanted, range, visit),
                _ => Some(()),
            };
        };
        match &self.body {
            Body::Packed(packed) => find_packed(packed, stored, range, visit),
            Body::Local(local) => local.find_equal(stored, range, visit),
            Body::Plain(Width::U32, bytes) => {
                find_chunks(bytes.get(..4 * self.count)?, stored.to_le_bytes(), range, visit)
            }
            Body::Plain(Width::U16, bytes) if stored <= 0xffff => {
                find_chunks(bytes.get(..2 * self.count)?, (stored as u16).to_le_bytes(), range, visit)
            }
            Body::Plain(Width::U8, bytes) if stored <= 0xff => {
                find_chunks(bytes.get(..self.count)?, [stored as u8], range, visit)
            }
            _ => self.find_one_by_one(wanted, range, visit),
        }
    }

    /// Calls `visit` with every index in `range` whose value is in `wanted`, in rising order, until it breaks; not for
    /// relative columns.
    ///
    /// Lanes of packed values that cannot hold any are skipped by their header, and others are decoded as a whole. Gives
    /// how many values were decoded; none if bytes are missing.
    pub fn find_range(
        &self,
        wanted: RangeInclusive<i64>,
        range: Range<usize>,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<usize> {
        let end = range.end.min(self.count);
        let range = range.start.min(end)..end;
        let may_hold = |at| self.lane_may_hold(&wanted, at);
        self.find_in_lanes(range, may_hold, |value| wanted.contains(&value), visit)
    }

    /// Whether the lane of value `index` may hold one in `wanted`, by its header if it has one.
    fn lane_may_hold(&self, wanted: &RangeInclusive<i64>, index: usize) -> Option<bool> {
        let Body::Packed(packed) = &self.body else { return Some(true) };
        let (low, high) = packed.lane_bounds(index)?;
        let bounds = self.base.checked_add(i64::from(low)).zip(self.base.checked_add(i64::from(high)));
        Some(bounds.is_none_or(|(low, high)| low <= *wanted.end() && *wanted.start() <= high))
    }

    /// Calls `visit` with every index in `range` whose value passes, in rising order, until it breaks; not for relative
    /// columns.
    ///
    /// A block with a table of its values is passed over if none of these passes. None if bytes are missing.
    #[inline]
    pub fn find_if(
        &self,
        range: Range<usize>,
        passes: impl Fn(i64) -> bool,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        let end = range.end.min(self.count);
        let range = range.start.min(end)..end;
        let passes_stored = |stored: u32| passes(self.base.wrapping_add(i64::from(stored)));
        match &self.body {
            Body::Local(local) => local.find_if(range, passes_stored, visit),
            Body::Plain(Width::U32, bytes) => {
                let (values, _) = bytes.get(4 * range.start..4 * range.end)?.as_chunks::<4>();
                let mut hits =
                    range.zip(values).filter(|(_, value)| passes_stored(u32::from_le_bytes(**value)));
                let _ = hits.try_for_each(|(index, _)| visit(index));
                Some(())
            }
            _ => self.find_in_lanes(range, |_| Some(true), passes, visit).map(|_| ()),
        }
    }

    /// Whether all values in `range` are `allowed`; not for relative columns. None if bytes are missing.
    ///
    /// Lanes of packed values that can't hold any other are passed over by their header, and so are columns by their width.
    pub fn are_within(&self, allowed: &RangeInclusive<i64>, range: Range<usize>) -> Option<bool> {
        if self.limits().is_some_and(|(low, high)| allowed.contains(&low) && allowed.contains(&high)) {
            return Some(true);
        }
        let end = range.end.min(self.count);
        let (range, mut are_within) = (range.start.min(end)..end, true);
        let is_other = |value: i64| !allowed.contains(&value);
        let stop = &mut |_| {
            are_within = false;
            ControlFlow::Break(())
        };
        match &self.body {
            Body::Packed(_) => {
                let may_hold = |at| self.lane_is_within(allowed, at).map(|is_within| !is_within);
                self.find_in_lanes(range, may_hold, is_other, stop)?;
            }
            _ => self.find_if(range, is_other, stop)?,
        }
        Some(are_within)
    }

    /// The least and the greatest value that the encoding can hold, where that is known without a look.
    fn limits(&self) -> Option<(i64, i64)> {
        let above = match &self.body {
            Body::Constant => 0,
            Body::Plain(Width::U8, _) => 0xff,
            Body::Plain(Width::U16, _) => 0xffff,
            Body::Plain(Width::U32, _) => 0xffff_ffff,
            _ => return None,
        };
        Some((self.base, self.base.checked_add(above)?))
    }

    /// Whether a lane can't hold others than those allowed, by its header.
    fn lane_is_within(&self, allowed: &RangeInclusive<i64>, index: usize) -> Option<bool> {
        let Body::Packed(packed) = &self.body else { return Some(false) };
        let (low, high) = packed.lane_bounds(index)?;
        let bounds = self.base.checked_add(i64::from(low)).zip(self.base.checked_add(i64::from(high)));
        Some(bounds.is_some_and(|(low, high)| allowed.contains(&low) && allowed.contains(&high)))
    }

    /// Decodes lanes that may hold what passes, by the index of their first value; gives how many values that were.
    #[inline]
    fn find_in_lanes(
        &self,
        range: Range<usize>,
        may_hold: impl Fn(usize) -> Option<bool>,
        passes: impl Fn(i64) -> bool,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<usize> {
        let (mut values, mut decoded) = ([0i64; LANE], 0);
        let mut at = range.start;
        while at < range.end {
            let run = (range.end - at).min(LANE - at % LANE);
            if may_hold(at)? {
                self.read(at, 0, &mut values[..run])?;
                decoded += run;
                let mut hits = values[..run].iter().enumerate().filter(|(_, value)| passes(**value));
                if hits.try_for_each(|(offset, _)| visit(at + offset)).is_break() {
                    break;
                }
            }
            at += run;
        }
        Some(decoded)
    }

    fn find_one_by_one(
        &self,
        wanted: i64,
        range: Range<usize>,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        for index in range {
            if self.get(index, 0)? == wanted && visit(index).is_break() {
                break;
            }
        }
        Some(())
    }
}

/// The one index at which a sequence has a value, whatever its length.
fn place_in_sequence(base: i64, step: i64, wanted: i64) -> Option<usize> {
    let (distance, step) = (i128::from(wanted) - i128::from(base), i128::from(step));
    if distance.checked_rem(step)? != 0 {
        return None;
    }
    usize::try_from(distance / step).ok()
}

fn find_packed<B: Deref<Target = [u8]>>(
    packed: &Packed<B>,
    wanted: u32,
    range: Range<usize>,
    visit: &mut impl FnMut(usize) -> ControlFlow<()>,
) -> Option<()> {
    let (mut at, mut is_over) = (range.start, false);
    while at < range.end && !is_over {
        let end = range.end.min((at / LANE + 1) * LANE);
        let (low, high) = packed.lane_bounds(at)?;
        if low <= wanted && wanted <= high {
            packed.runs(at..end, |values| {
                let mut hits = (at..).zip(values).filter(|(_, value)| **value == wanted);
                is_over = hits.try_for_each(|(index, _)| visit(index)).is_break();
                Some(())
            })?;
        }
        at = end;
    }
    Some(())
}

/// Finds equal values of `W` bytes: a chunk is tested as a whole first, which vectorises.
fn find_chunks<const W: usize>(
    bytes: &[u8],
    wanted: [u8; W],
    range: Range<usize>,
    visit: &mut impl FnMut(usize) -> ControlFlow<()>,
) -> Option<()> {
    const CHUNK: usize = 64;
    let values = bytes.get(range.start * W..range.end * W)?;
    for (number, chunk) in values.chunks(CHUNK * W).enumerate() {
        let (values, _) = chunk.as_chunks::<W>();
        if values.iter().fold(false, |any, value| any | (*value == wanted)) {
            let start = range.start + number * CHUNK;
            let mut hits = values.iter().enumerate().filter(|(_, value)| **value == wanted);
            if hits.try_for_each(|(offset, _)| visit(start + offset)).is_break() {
                break;
            }
        }
    }
    Some(())
}
