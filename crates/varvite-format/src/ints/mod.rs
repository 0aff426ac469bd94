//! Integer columns: one reader over all encodings of integers.
//!
//! A value is `base + stored`, and `+ key` in a relative column, where the key is what the reader knows anyway: the
//! source node of a neighbour, the index of an offset. Arithmetic wraps: a damaged file gives a wrong number, which
//! is checked where it is used, never a panic.

use std::ops::{ControlFlow, Deref, Range, RangeInclusive};

use crate::bytes::{u16_at, u32_at, u64_at};
use crate::capped::Capped;
use crate::column::{child, segment};
use crate::local::LocalDictionary;
use crate::packed::{LANE, Packed};
use crate::two_level::TwoLevel;
use crate::{ColumnId, ColumnRow, Encoding, FormatError, IntsCursor, Result, Source};

/// A column of integers, each readable in constant time.
#[derive(Clone, Debug)]
pub struct Ints<B> {
    count: usize,
    base: i64,
    /// All ones in a relative column, else zero: a mask is cheaper than a branch.
    key_mask: u64,
    body: Body<B>,
}

#[derive(Clone, Debug)]
enum Body<B> {
    Constant,
    Sequence(i64),
    Bits(B),
    Plain(Width, B),
    TwoLevel(TwoLevel<B>),
    Packed(Packed<B>),
    Local(LocalDictionary<B>),
    Capped(Capped<B>),
    Dictionary(Box<(Ints<B>, Ints<B>)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    U8,
    U16,
    U32,
    I8,
    I16,
    I32,
    I64,
}

impl Width {
    fn of(row: &ColumnRow) -> Option<Self> {
        Some(match (row.width, row.signed) {
            (1, false) => Self::U8,
            (2, false) => Self::U16,
            (4, false) => Self::U32,
            (1, true) => Self::I8,
            (2, true) => Self::I16,
            (4, true) => Self::I32,
            (8, true) => Self::I64,
            _ => return None,
        })
    }

    fn bytes(self) -> u64 {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 => 4,
            Self::I64 => 8,
        }
    }

    #[inline]
    fn get(self, bytes: &[u8], index: usize) -> Option<i64> {
        Some(match self {
            Self::U8 => i64::from(*bytes.get(index)?),
            Self::I8 => i64::from(*bytes.get(index)? as i8),
            Self::U16 => i64::from(u16_at(bytes, 2 * index)?),
            Self::I16 => i64::from(u16_at(bytes, 2 * index)? as i16),
            Self::U32 => i64::from(u32_at(bytes, 4 * index)?),
            Self::I32 => i64::from(u32_at(bytes, 4 * index)? as i32),
            Self::I64 => u64_at(bytes, 8 * index)? as i64,
        })
    }
}

/// Deepest nesting of dictionaries that a reader follows.
const DEPTH_MAX: u32 = 2;
/// Most values of a column that has no bytes behind them: one for each node, and an end.
pub(crate) const UNSTORED_MAX: u64 = 1 << 32;

impl<B: Deref<Target = [u8]> + Clone> Ints<B> {
    /// A reader of the integers of `column`.
    ///
    /// # Errors
    /// Damage, if the column is not one of integers or its segments are too short for its count.
    pub fn open<S: Source<Bytes = B>>(source: &S, column: ColumnId) -> Result<Self, S::Error> {
        Self::open_nested(source, column, DEPTH_MAX).map_err(|error| source.located(error))
    }

    fn open_nested<S: Source<Bytes = B>>(source: &S, column: ColumnId, depth: u32) -> Result<Self, S::Error> {
        let row = source.row(column)?;
        let part = || format!("{} column {}", row.encoding.name(), column.0);
        let count = usize::try_from(row.count)
            .ok()
            .filter(|count| *count <= isize::MAX as usize / 8)
            .ok_or_else(|| FormatError::damaged(part(), "a count that fits memory", row.count))?;
        let unstored = matches!(row.encoding, Encoding::Constant | Encoding::Sequence);
        if unstored && row.count > UNSTORED_MAX {
            return Err(
                FormatError::damaged(part(), format!("at most {UNSTORED_MAX} values"), row.count).into()
            );
        }
        let body = match row.encoding {
            Encoding::Constant => Body::Constant,
            Encoding::Sequence => Body::Sequence(row.step),
            Encoding::Bits => Body::Bits(segment(source, &row, 0, row.count.div_ceil(8))?),
            Encoding::Plain => {
                let width = Width::of(&row)
                    .ok_or_else(|| FormatError::damaged(part(), "a width of 1, 2, 4 or 8", row.width))?;
                Body::Plain(width, segment(source, &row, 0, row.count * width.bytes())?)
            }
            Encoding::TwoLevel => {
                Body::TwoLevel(TwoLevel::new(segment(source, &row, 0, 0)?, row.count, row.width)?)
            }
            Encoding::Packed => {
                Body::Packed(Packed::new(segment(source, &row, 0, 0)?, row.count, row.sloped)?)
            }
            Encoding::Local => Body::Local(LocalDictionary::new(segment(source, &row, 0, 0)?, row.count)?),
            Encoding::Capped => Body::Capped(Capped::new(segment(source, &row, 0, 0)?, row.count, row.step)?),
            Encoding::Dictionary if depth > 0 => {
                let codes = Self::open_nested(source, child(&row, 0)?, depth - 1)?;
                let values = Self::open_nested(source, child(&row, 1)?, depth - 1)?;
                if codes.count != count {
                    return Err(FormatError::damaged(part(), format!("{count} codes"), codes.count).into());
                }
                Body::Dictionary(Box::new((codes, values)))
            }
            _ => {
                let found = row.encoding.name();
                return Err(FormatError::damaged(part(), "an encoding of integers", found).into());
            }
        };
        Ok(Self { count, base: row.base, key_mask: if row.relative { u64::MAX } else { 0 }, body })
    }

    /// How many values there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if there is no value.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Value number `index`; `key` matters in relative columns only. None past the end or where bytes are missing.
    #[inline]
    pub fn get(&self, index: usize, key: u64) -> Option<i64> {
        if index >= self.count {
            return None;
        }
        let stored = match &self.body {
            Body::Packed(packed) => i64::from(packed.get(index)?),
            Body::Capped(capped) => capped.get(index)?,
            Body::Local(local) => i64::from(local.get(index)?),
            Body::Plain(width, bytes) => width.get(bytes, index)?,
            Body::TwoLevel(levels) => i64::from(levels.get(index)?),
            Body::Sequence(step) => step.wrapping_mul(index as i64),
            Body::Constant => 0,
            Body::Bits(bytes) => i64::from(bytes.get(index / 8)? >> (index % 8) & 1),
            Body::Dictionary(parts) => parts.1.get(usize::try_from(parts.0.get(index, 0)?).ok()?, 0)?,
        };
        Some(self.base.wrapping_add(stored).wrapping_add((key & self.key_mask) as i64))
    }

    /// The same as a `u32`; None if it is out of that range.
    #[inline]
    pub fn get_u32(&self, index: usize, key: u32) -> Option<u32> {
        u32::try_from(self.get(index, u64::from(key))?).ok()
    }

    /// Values number `index` and `index + 1` of a column relative to its index or to nothing: where a list starts and
    /// ends. Cheaper than two reads.
    #[inline]
    pub fn pair(&self, index: usize) -> Option<(u64, u64)> {
        if index >= self.count.saturating_sub(1) {
            return None;
        }
        let (first, second) = match &self.body {
            Body::Packed(packed) => packed.pair(index).map(|(a, b)| (i64::from(a), i64::from(b)))?,
            Body::TwoLevel(levels) => levels.pair(index).map(|(a, b)| (i64::from(a), i64::from(b)))?,
            _ => {
                let pair = (self.get(index, index as u64)?, self.get(index + 1, index as u64 + 1)?);
                return Some((pair.0 as u64, pair.1 as u64));
            }
        };
        let base = self.base.wrapping_add((index as u64 & self.key_mask) as i64);
        let next = base.wrapping_add((1 & self.key_mask) as i64);
        Some((base.wrapping_add(first) as u64, next.wrapping_add(second) as u64))
    }

    /// A cursor for places that rise.
    pub fn cursor(&self) -> IntsCursor<'_, B> {
        IntsCursor::new(self)
    }

    /// Whether values share a base with their neighbours, so that many are decoded for little more than one.
    pub(crate) fn is_in_lanes(&self) -> bool {
        matches!(self.body, Body::Packed(_) | Body::Local(_))
    }

    /// One byte for each value, or 255 for a value that is elsewhere, and what bytes count from: if the column has that
    /// form. There may be more bytes after the last value.
    pub(crate) fn bytes(&self) -> Option<(B, u32)> {
        if self.key_mask != 0 {
            return None;
        }
        let (bytes, step) = match &self.body {
            Body::Capped(capped) => (capped.bytes(), capped.step()),
            Body::Plain(Width::U8, bytes) => (bytes, 0),
            _ => return None,
        };
        Some((bytes.clone(), u32::try_from(self.base.checked_add(step)?).ok()?))
    }

    /// True if value `index` is `index` for every index: offsets of lists of one.
    pub fn is_identity(&self) -> bool {
        self.base == 0 && self.key_mask == 0 && matches!(self.body, Body::Sequence(1))
    }

    /// All values as they lie in memory, if they are plain `u32`s.
    #[inline]
    pub fn as_u32_slice(&self) -> Option<&[u32]> {
        match &self.body {
            Body::Plain(Width::U32, bytes)
                if self.base == 0 && self.key_mask == 0 && cfg!(target_endian = "little") =>
            {
                bytemuck::try_cast_slice(bytes.get(..4 * self.count)?).ok()
            }
            _ => None,
        }
    }

    /// Fills `output` with the values from `start`, all read with `key`. None if there are fewer.
    pub fn read(&self, start: usize, key: u64, output: &mut [i64]) -> Option<()> {
        if start.checked_add(output.len())? > self.count {
            return None;
        }
        let base = self.base.wrapping_add((key & self.key_mask) as i64);
        match &self.body {
            Body::Packed(packed) => read_runs(start, base, output, |at, codes| packed.lane_run(at, codes)),
            Body::Local(local) => read_runs(start, base, output, |at, codes| local.lane_run(at, codes)),
            Body::Dictionary(parts) => {
                parts.0.read(start, 0, output)?;
                output.iter_mut().try_for_each(|value| {
                    *value = base.wrapping_add(parts.1.get(usize::try_from(*value).ok()?, 0)?);
                    Some(())
                })
            }
            _ => (start..).zip(output).try_for_each(|(index, value)| {
                *value = self.get(index, key)?;
                Some(())
            }),
        }
    }

    /// Appends the values of `range`, all read with `key`, to `output`. None, with less appended, where a value is missing
    /// or not below `limit`.
    #[inline]
    pub fn append_u32(&self, range: Range<usize>, key: u32, limit: u32, output: &mut Vec<u32>) -> Option<()> {
        self.each_u32(range, key, limit, |value| output.push(value))
    }

    /// Calls `visit` with the values of `range`, all read with `key`, in order. None, with fewer visited, where a value is
    /// missing or not below `limit`.
    #[inline]
    pub fn each_u32(
        &self,
        range: Range<usize>,
        key: u32,
        limit: u32,
        mut visit: impl FnMut(u32),
    ) -> Option<()> {
        if range.end > self.count {
            return None;
        }
        let base = self.base.wrapping_add((u64::from(key) & self.key_mask) as i64);
        let mut visit = |stored: i64| {
            let value = u32::try_from(base.wrapping_add(stored)).ok().filter(|value| *value < limit)?;
            visit(value);
            Some(())
        };
        match &self.body {
            Body::Capped(capped) => range.into_iter().try_for_each(|index| visit(capped.get(index)?)),
            Body::Packed(packed) => {
                range.into_iter().try_for_each(|index| visit(i64::from(packed.get(index)?)))
            }
            Body::Local(local) => range.into_iter().try_for_each(|index| visit(i64::from(local.get(index)?))),
            _ => range
                .into_iter()
                .try_for_each(|index| visit(self.get(index, u64::from(key))?.wrapping_sub(base))),
        }
    }

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
        let (mut values, mut decoded) = ([0i64; LANE], 0);
        let mut at = range.start.min(end);
        while at < end {
            let run = (end - at).min(LANE - at % LANE);
            if self.lane_may_hold(&wanted, at)? {
                self.read(at, 0, &mut values[..run])?;
                decoded += run;
                let mut hits = values[..run].iter().enumerate().filter(|(_, value)| wanted.contains(value));
                if hits.try_for_each(|(offset, _)| visit(at + offset)).is_break() {
                    break;
                }
            }
            at += run;
        }
        Some(decoded)
    }

    /// Whether the lane of value `index` may hold one in `wanted`, by its header if it has one.
    fn lane_may_hold(&self, wanted: &RangeInclusive<i64>, index: usize) -> Option<bool> {
        let Body::Packed(packed) = &self.body else { return Some(true) };
        let (low, high) = packed.lane_bounds(index)?;
        let bounds = self.base.checked_add(i64::from(low)).zip(self.base.checked_add(i64::from(high)));
        Some(bounds.is_none_or(|(low, high)| low <= *wanted.end() && *wanted.start() <= high))
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

/// Fills `output` with the values from `start` above `base`, lane by lane.
#[inline]
fn read_runs(
    start: usize,
    base: i64,
    output: &mut [i64],
    lane_run: impl Fn(usize, &mut [u32]) -> Option<()>,
) -> Option<()> {
    let mut codes = [0u32; LANE];
    let (mut at, mut rest) = (start, output);
    while !rest.is_empty() {
        let run = rest.len().min(LANE - at % LANE);
        lane_run(at, &mut codes[..run])?;
        let (now, later) = rest.split_at_mut(run);
        now.iter_mut().zip(codes).for_each(|(value, code)| *value = base.wrapping_add(i64::from(code)));
        (at, rest) = (at + run, later);
    }
    Some(())
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
    let mut values = [0u32; LANE];
    let mut at = range.start;
    while at < range.end {
        let run = (range.end - at).min(LANE - at % LANE);
        let (low, high) = packed.lane_bounds(at)?;
        if low <= wanted && wanted <= high {
            packed.lane_run(at, &mut values[..run])?;
            let mut hits = values[..run].iter().enumerate().filter(|(_, value)| **value == wanted);
            if hits.try_for_each(|(offset, _)| visit(at + offset)).is_break() {
                break;
            }
        }
        at += run;
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
