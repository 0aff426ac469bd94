//! Reads of integers for different uses: ids, starts and ends of lists, and runs of ids.

use std::ops::{Deref, Range};

use super::width::Width;
use super::{Body, Ints};
use crate::columns::codes::LANE;

impl<B: Deref<Target = [u8]> + Clone> Ints<B> {
    /// Value number `index` as a `u32`; `None` if `get` returns `None`, or the value does not fit in a `u32`.
    #[inline]
    pub fn get_u32(&self, index: usize, key: u32) -> Option<u32> {
        u32::try_from(self.get(index, u64::from(key))?).ok()
    }

    /// Values number `index` and `index + 1`, such as the start and end of a list. Works for absolute columns
    /// and for columns relative to the index. Cheaper than two reads.
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

    /// Fills `output` with the values from index `start` on, each read with its index as the key. `None` if
    /// there are fewer values.
    pub fn read_indexed(&self, start: usize, output: &mut [i64]) -> Option<()> {
        self.read(start, start as u64, output)?;
        if self.key_mask != 0 {
            (0..).zip(output).for_each(|(offset, value)| *value = value.wrapping_add(offset));
        }
        Some(())
    }

    /// Appends the values of `range`, all read with `key`, to `output`. `None` if a value is missing or not
    /// below `limit`; fewer values are appended in that case.
    #[inline]
    pub fn append_u32(&self, range: Range<usize>, key: u32, limit: u32, output: &mut Vec<u32>) -> Option<()> {
        self.each_u32(range, key, limit, |value| output.push(value))
    }

    /// Appends the values of `range` to `output`, lane by lane. This is the fastest way to read many values.
    /// `None` if a value is missing or not below `limit`; fewer values are appended in that case. For a
    /// relative column, returns `None` and appends nothing.
    pub fn append_run(&self, range: Range<usize>, limit: u32, output: &mut Vec<u32>) -> Option<()> {
        if self.key_mask != 0 {
            return None;
        }
        match &self.body {
            _ if range.end > self.count => None,
            Body::Packed(packed) => packed.runs(range, append_sound(self.base, limit, output)),
            Body::Local(local) => local.runs(range, append_sound(self.base, limit, output)),
            _ => {
                let mut values = [0i64; LANE];
                for start in range.clone().step_by(LANE) {
                    let values = &mut values[..LANE.min(range.end - start)];
                    self.read(start, 0, values)?;
                    let sound = values.iter().take_while(|value| (0..i64::from(limit)).contains(value));
                    let before = output.len();
                    output.extend(sound.map(|value| *value as u32));
                    (output.len() - before == values.len()).then_some(())?;
                }
                Some(())
            }
        }
    }

    /// Calls `visit` with the values of `range`, all read with `key`, in order. `None` if a value is missing
    /// or not below `limit`; fewer values are visited in that case.
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
            Body::Plain(Width::U32, bytes) => {
                let (values, _) = bytes.get(4 * range.start..4 * range.end)?.as_chunks();
                values.iter().try_for_each(|value| visit(i64::from(u32::from_le_bytes(*value))))
            }
            _ => range
                .into_iter()
                .try_for_each(|index| visit(self.get(index, u64::from(key))?.wrapping_sub(base))),
        }
    }
}

/// Returns a function that appends runs of stored values, each plus `base`, up to the first that is not below
/// `limit`.
#[inline]
fn append_sound(base: i64, limit: u32, output: &mut Vec<u32>) -> impl FnMut(&[u32]) -> Option<()> {
    move |values| {
        let value_of = |stored: &u32| base.wrapping_add(i64::from(*stored));
        let is_sound = |stored: &u32| (0..i64::from(limit)).contains(&value_of(stored));
        // The whole run is tested first, because that needs only one branch.
        let sound = match values.iter().fold(true, |all, stored| all & is_sound(stored)) {
            true => values.len(),
            false => values.iter().take_while(|stored| is_sound(stored)).count(),
        };
        output.extend(values[..sound].iter().map(|stored| value_of(stored) as u32));
        (sound == values.len()).then_some(())
    }
}
