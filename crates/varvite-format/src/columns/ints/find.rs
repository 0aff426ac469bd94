//! Searches for one value, for a range of values, or for values that pass a test. Each search uses the
//! properties of the encoding.
//!
//! Every search gets the bounds of valid values. It skips a block because of the block's header only if all
//! values that the block can hold are within these bounds. Other blocks are decoded, and a value outside the
//! bounds ends the search, because damage may have turned a wanted value into this one.

use std::ops::{BitOr, ControlFlow, Deref, Range, RangeInclusive};

use super::width::Width;
use super::{Body, Ints, bits};
use crate::columns::codes::LANE;
use crate::columns::packed::Packed;
use crate::columns::stored_bounds::StoredBounds;

impl<B: Deref<Target = [u8]> + Clone> Ints<B> {
    /// Calls `visit` with every index in `range` whose value is `wanted`, in ascending order, until `visit`
    /// breaks. Not for relative columns.
    ///
    /// Lanes of packed values whose header shows that they cannot hold `wanted` are skipped. `None` if bytes
    /// are missing, or if a value before the break is outside `bounds`.
    pub fn find_equal(
        &self,
        wanted: i64,
        range: Range<usize>,
        bounds: &RangeInclusive<i64>,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        let mut range = self.clip(range);
        self.rule_is_within(&range, bounds).then_some(())?;
        let _ = match self.body {
            // No writer makes a sequence of step 0, but a file may contain one.
            Body::Constant | Body::Sequence(0) if wanted == self.base => range.try_for_each(visit),
            Body::Sequence(step) => place_in_sequence(self.base, step, wanted)
                .filter(|index| range.contains(index))
                .into_iter()
                .try_for_each(visit),
            Body::Constant => ControlFlow::Continue(()),
            _ => return self.find_stored(wanted, range, bounds, visit),
        };
        Some(())
    }

    fn find_stored(
        &self,
        wanted: i64,
        range: Range<usize>,
        bounds: &RangeInclusive<i64>,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        let stored_bounds = StoredBounds::of(bounds, self.base);
        let stored = u32::try_from(wanted.wrapping_sub(self.base));
        match (&self.body, stored) {
            (Body::Packed(packed), Ok(stored)) => find_packed(packed, stored, range, stored_bounds, visit),
            (Body::Local(local), Ok(stored)) => local.find_equal(stored, range, stored_bounds, visit),
            (Body::Plain(Width::U32, bytes), Ok(stored)) => {
                let number = |bytes| u32::from_le_bytes(bytes);
                let is_other = |bytes| !stored_bounds.hold(number(bytes));
                let is_other = (!stored_bounds.hold_any()).then_some(is_other);
                find_chunks(bytes, range, |bytes| number(bytes) == stored, is_other, visit)
            }
            (Body::Plain(Width::U16, bytes), Ok(stored @ ..=0xffff)) => {
                let number = |bytes| u16::from_le_bytes(bytes);
                let Some((low, high)) = stored_bounds.ends_in(u16::MAX) else {
                    return range.is_empty().then_some(());
                };
                // A saturating subtraction of eight numbers is one instruction, while an unsigned comparison
                // takes several.
                let excess = |bytes| number(bytes).wrapping_sub(low).saturating_sub(high - low);
                let excess = ((low, high) != (0, u16::MAX)).then_some(excess);
                find_chunks(bytes, range, |bytes| number(bytes) == stored as u16, excess, visit)
            }
            (Body::Plain(Width::U8, bytes), Ok(stored @ ..=0xff)) => {
                let Some((low, high)) = stored_bounds.ends_in(u8::MAX) else {
                    return range.is_empty().then_some(());
                };
                let excess = |[byte]: [u8; 1]| byte.wrapping_sub(low).saturating_sub(high - low);
                let excess = ((low, high) != (0, u8::MAX)).then_some(excess);
                find_chunks(bytes, range, |[byte]: [u8; 1]| byte == stored as u8, excess, visit)
            }
            (Body::Bits(bytes), Ok(stored)) => bits::find(bytes, stored, range, stored_bounds, visit),
            _ => self.find_range(wanted..=wanted, range, bounds, visit).map(|_| ()),
        }
    }

    /// The part of a range that is inside the column.
    fn clip(&self, range: Range<usize>) -> Range<usize> {
        let end = range.end.min(self.count);
        range.start.min(end)..end
    }

    /// Whether the values of a constant or a sequence are within `bounds`: if the first and the last are, so
    /// are all between.
    fn rule_is_within(&self, range: &Range<usize>, bounds: &RangeInclusive<i64>) -> bool {
        let step = match self.body {
            Body::Constant => 0,
            Body::Sequence(step) => i128::from(step),
            _ => return true,
        };
        let is_within = |index: usize| {
            let value = i128::from(self.base) + step * index as i128;
            i64::try_from(value).is_ok_and(|value| bounds.contains(&value))
        };
        range.is_empty() || is_within(range.start) && is_within(range.end - 1)
    }

    /// Calls `visit` with every index in `range` whose value is in `wanted`, in ascending order, until
    /// `visit` breaks. Not for relative columns.
    ///
    /// Lanes of packed values whose header shows that they cannot hold a wanted value are skipped; other
    /// lanes are decoded completely. Returns the number of decoded values; `None` if bytes are missing, or if
    /// a value of a lane before the break is outside `bounds`.
    pub fn find_range(
        &self,
        wanted: RangeInclusive<i64>,
        range: Range<usize>,
        bounds: &RangeInclusive<i64>,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<usize> {
        let may_hold = |at| self.lane_may_hold(&wanted, bounds, at);
        self.find_in_lanes(self.clip(range), may_hold, bounds, |value| wanted.contains(&value), visit)
    }

    /// Whether the lane of value `index` may hold a value in `wanted` or outside `bounds`, judged by its
    /// header if it has one.
    fn lane_may_hold(
        &self,
        wanted: &RangeInclusive<i64>,
        bounds: &RangeInclusive<i64>,
        index: usize,
    ) -> Option<bool> {
        let Body::Packed(packed) = &self.body else { return Some(true) };
        let (low, high) = packed.lane_bounds(index)?;
        let ends = self.base.checked_add(i64::from(low)).zip(self.base.checked_add(i64::from(high)));
        Some(ends.is_none_or(|(low, high)| {
            let may_be_wanted = low <= *wanted.end() && *wanted.start() <= high;
            may_be_wanted || low < *bounds.start() || *bounds.end() < high
        }))
    }

    /// Calls `visit` with every index in `range` whose value passes the test, in ascending order, until
    /// `visit` breaks. Not for relative columns.
    ///
    /// A block with a table is skipped if no value of the table passes. `None` if bytes are missing, or a
    /// value of a block before the break is outside `bounds`.
    #[inline]
    pub fn find_if(
        &self,
        range: Range<usize>,
        bounds: &RangeInclusive<i64>,
        passes: impl Fn(i64) -> bool,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        let range = self.clip(range);
        let passes_stored = |stored: u32| passes(self.base.wrapping_add(i64::from(stored)));
        let stored_bounds = StoredBounds::of(bounds, self.base);
        match &self.body {
            Body::Local(local) => local.find_if(range, stored_bounds, passes_stored, visit),
            Body::Plain(Width::U32, bytes) => {
                find_plain(bytes, range, u32::from_le_bytes, stored_bounds, passes_stored, visit)
            }
            Body::Plain(Width::U16, bytes) => {
                let number = |bytes| u16::from_le_bytes(bytes).into();
                find_plain(bytes, range, number, stored_bounds, passes_stored, visit)
            }
            Body::Plain(Width::U8, bytes) => {
                let number = |[byte]: [u8; 1]| byte.into();
                find_plain(bytes, range, number, stored_bounds, passes_stored, visit)
            }
            _ => self.find_in_lanes(range, |_| Some(true), bounds, passes, visit).map(|_| ()),
        }
    }

    /// Decodes the lanes that may hold passing values, and visits these values. Returns the number of decoded
    /// values.
    #[inline]
    fn find_in_lanes(
        &self,
        range: Range<usize>,
        may_hold: impl Fn(usize) -> Option<bool>,
        bounds: &RangeInclusive<i64>,
        passes: impl Fn(i64) -> bool,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<usize> {
        let (mut values, mut decoded) = ([0i64; LANE], 0);
        let (low, high) = (*bounds.start(), *bounds.end());
        let holds_any = (low, high) == (i64::MIN, i64::MAX);
        let mut at = range.start;
        while at < range.end {
            let run = (range.end - at).min(LANE - at % LANE);
            if may_hold(at)? {
                let values = &mut values[..run];
                self.read(at, 0, values)?;
                decoded += run;
                // All values are tested against the bounds, without a branch for each.
                let is_out = |any: bool, value: &i64| any | (*value < low) | (high < *value);
                (holds_any || !values.iter().fold(false, is_out)).then_some(())?;
                let mut hits = values.iter().enumerate().filter(|(_, value)| passes(**value));
                if hits.try_for_each(|(offset, _)| visit(at + offset)).is_break() {
                    break;
                }
            }
            at += run;
        }
        Some(decoded)
    }
}

/// The index of `wanted` in the unbounded sequence `base`, `base + step`, ...; `None` if it does not occur,
/// or if `step` is 0. The caller compares the index with the length of the column.
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
    bounds: StoredBounds,
    visit: &mut impl FnMut(usize) -> ControlFlow<()>,
) -> Option<()> {
    let (mut at, mut is_over) = (range.start, false);
    while at < range.end && !is_over {
        let end = range.end.min((at / LANE + 1) * LANE);
        let (low, high) = packed.lane_bounds(at)?;
        let are_within = bounds.hold(low) && bounds.hold(high);
        if (low <= wanted && wanted <= high) || !are_within {
            packed.runs(at..end, |values| {
                (are_within || bounds.hold_all(values.iter().copied())).then_some(())?;
                let mut hits = (at..).zip(values).filter(|(_, value)| **value == wanted);
                is_over = hits.try_for_each(|(index, _)| visit(index)).is_break();
                Some(())
            })?;
        }
        at = end;
    }
    Some(())
}

/// Finds values of `W` bytes that pass the test, and ends at a value out of bounds.
///
/// This function is never inlined, because the compiler, after inlining it into a large function, kept a
/// second loop counter in memory.
#[inline(never)]
fn find_plain<const W: usize>(
    bytes: &[u8],
    range: Range<usize>,
    number: impl Fn([u8; W]) -> u32,
    bounds: StoredBounds,
    passes: impl Fn(u32) -> bool,
    visit: &mut impl FnMut(usize) -> ControlFlow<()>,
) -> Option<()> {
    let (values, _) = bytes.get(range.start * W..range.end * W)?.as_chunks::<W>();
    for (start, chunk) in range.step_by(LANE).zip(values.chunks(LANE)) {
        bounds.hold_all(chunk.iter().map(|value| number(*value))).then_some(())?;
        let mut hits = (0..chunk.len()).filter(|offset| passes(number(chunk[*offset])));
        if hits.try_for_each(|offset| visit(start + offset)).is_break() {
            break;
        }
    }
    Some(())
}

/// The number of values in a chunk. A chunk is tested as a whole.
const CHUNK: usize = 64;

/// Finds values of `W` bytes, and ends at a value whose `excess`, the distance from the valid range, is not
/// zero. Each chunk is first tested as a whole, in a loop that the compiler vectorises.
fn find_chunks<const W: usize, E: Default + PartialEq + BitOr<Output = E>>(
    bytes: &[u8],
    range: Range<usize>,
    is_wanted: impl Fn([u8; W]) -> bool,
    excess: Option<impl Fn([u8; W]) -> E>,
    visit: &mut impl FnMut(usize) -> ControlFlow<()>,
) -> Option<()> {
    let (values, _) = bytes.get(range.start * W..range.end * W)?.as_chunks::<W>();
    let (chunks, rest) = values.as_chunks::<CHUNK>();
    let mut find = |start: usize, chunk: &[[u8; W]]| {
        let mut hits = (start..).zip(chunk).filter(|(_, value)| is_wanted(**value));
        hits.try_for_each(|(index, _)| visit(index))
    };
    // Chunks of constant length need no bounds checks.
    for (start, chunk) in range.clone().step_by(CHUNK).zip(chunks) {
        if let Some(excess) = &excess {
            let all = chunk.iter().fold(E::default(), |all, value| all | excess(*value));
            (all == E::default()).then_some(())?;
        }
        let holds_wanted = chunk.iter().fold(false, |any, value| any | is_wanted(*value));
        if holds_wanted && find(start, chunk).is_break() {
            return Some(());
        }
    }
    let is_sound = |value: &[u8; W]| excess.as_ref().is_none_or(|excess| excess(*value) == E::default());
    rest.iter().all(is_sound).then_some(())?;
    let _ = find(range.end - rest.len(), rest);
    Some(())
}
