//! [`Body`]: the stored form of a column of integers. Three functions have an arm for each encoding. One
//! opens a column and checks its row and the lengths of its segments, once; one reads a value; and one reads
//! a range of values.
//!
//! A new encoding needs arms only here. Look-ups of pairs, searches and folds use these arms, and have arms
//! of their own only for encodings that permit a faster way.

use std::ops::Deref;

use super::width::Width;
use super::{Ints, bits};
use crate::columns::capped::Capped;
use crate::columns::column::child;
use crate::columns::local::LocalDictionary;
use crate::columns::packed::Packed;
use crate::columns::source::segment;
use crate::columns::two_level::TwoLevel;
use crate::{ColumnId, Encoding, Fault, FormatError, Part, Result, Source};

/// The deepest nesting of dictionaries that a reader accepts.
const DEPTH_MAX: u32 = 2;
/// The largest number of values in a column without stored bytes: one for each node, and one for the end of
/// the last node's list.
pub(crate) const UNSTORED_MAX: u64 = 1 << 32;

/// The values of a column, without its base and its keys.
#[derive(Clone, Debug)]
pub(super) enum Body<B> {
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

impl<B: Deref<Target = [u8]> + Clone> Ints<B> {
    /// Opens a reader of the integers of `column`.
    ///
    /// # Errors
    /// Damage, if the column is no integer column or its segments are too short for its count.
    pub fn open<S: Source<Bytes = B>>(source: &S, column: ColumnId) -> Result<Self, S::Error> {
        Self::open_nested(source, column, DEPTH_MAX).map_err(|error| source.located(error))
    }

    fn open_nested<S: Source<Bytes = B>>(source: &S, column: ColumnId, depth: u32) -> Result<Self, S::Error> {
        let row = source.row(column)?;
        let part = || Part::Column(row.encoding, Some(column));
        let too_many = |most| Fault::TooMany { what: "values", most, found: row.count };
        let count = usize::try_from(row.count)
            .ok()
            .filter(|count| *count <= isize::MAX as usize / 8)
            .ok_or_else(|| FormatError::damaged(part(), too_many(isize::MAX as u64 / 8)))?;
        let unstored = matches!(row.encoding, Encoding::Constant | Encoding::Sequence);
        if unstored && row.count > UNSTORED_MAX {
            return Err(FormatError::damaged(part(), too_many(UNSTORED_MAX)).into());
        }
        let body = match row.encoding {
            Encoding::Constant => Body::Constant,
            Encoding::Sequence => Body::Sequence(row.step),
            Encoding::Bits => Body::Bits(segment(source, &row, 0, row.count.div_ceil(8))?),
            Encoding::Plain => {
                let width = Width::of(&row).ok_or_else(|| {
                    let found = row.width.into();
                    FormatError::damaged(part(), Fault::Unknown { what: "width of values", found })
                })?;
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
                    let (expected, found) = (row.count, codes.count as u64);
                    let fault = Fault::Count { what: "codes", expected, found };
                    return Err(FormatError::damaged(part(), fault).into());
                }
                Body::Dictionary(Box::new((codes, values)))
            }
            _ => {
                let fault = Fault::Encoding { expected: "encoding of integers", found: row.encoding };
                return Err(FormatError::damaged(part(), fault).into());
            }
        };
        Ok(Self { count, base: row.base, key_mask: if row.relative { u64::MAX } else { 0 }, body })
    }

    /// Value number `index`; `key` is used in relative columns only. `None` past the end or if bytes are
    /// missing.
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

    /// Fills `output` with the values from index `start` on, all read with `key`. `None` if there are fewer
    /// values.
    pub fn read(&self, start: usize, key: u64, output: &mut [i64]) -> Option<()> {
        if start.checked_add(output.len())? > self.count {
            return None;
        }
        let base = self.base.wrapping_add((key & self.key_mask) as i64);
        match &self.body {
            Body::Plain(width, bytes) => width.read(bytes, start, base, output),
            Body::Packed(packed) => packed.runs(start..start + output.len(), widen_into(base, output)),
            Body::Local(local) => local.runs(start..start + output.len(), widen_into(base, output)),
            Body::Dictionary(parts) => {
                parts.0.read(start, 0, output)?;
                output.iter_mut().try_for_each(|value| {
                    *value = base.wrapping_add(parts.1.get(usize::try_from(*value).ok()?, 0)?);
                    Some(())
                })
            }
            Body::TwoLevel(levels) => levels.runs(start..start + output.len(), widen_into(base, output)),
            Body::Capped(capped) => capped.read(start, base, output),
            Body::Bits(bytes) => bits::read(bytes, start, base, output),
            Body::Constant => {
                output.fill(base);
                Some(())
            }
            Body::Sequence(step) => {
                let value_of = |index: usize| base.wrapping_add(step.wrapping_mul(index as i64));
                (start..).zip(output).for_each(|(index, value)| *value = value_of(index));
                Some(())
            }
        }
    }
}

/// Returns a function that appends runs of stored values, each plus `base`, to `output`.
#[inline]
fn widen_into(base: i64, output: &mut [i64]) -> impl FnMut(&[u32]) -> Option<()> {
    let mut rest = output;
    move |values| {
        let (now, later) = std::mem::take(&mut rest).split_at_mut_checked(values.len())?;
        now.iter_mut().zip(values).for_each(|(value, stored)| *value = base.wrapping_add(i64::from(*stored)));
        rest = later;
        Some(())
    }
}
