//! Ascending integers in two levels: four bytes for every 64 values, and one or two bytes for each value.
//!
//! The form suits offsets: a read takes two loads at computed positions. Together, the 64 lists of a group
//! may have up to 255 edges if differences take one byte, or 65,535 if they take two bytes.
//!
//! ```text
//! segment = u32 for every 64 values: the first of them;
//!           then u8 or u16 for each value: its difference from that
//! ```

use std::ops::Range;

use crate::bytes::{u16_at, u32_at};
use crate::{Encoding, Fault, FormatError, Part, Result};

const GROUP: usize = 64;

/// Reads two-level values from `B`.
#[derive(Clone, Debug)]
pub(crate) struct TwoLevel<B> {
    bytes: B,
    inner: usize,
    wide: bool,
}

impl<B: std::ops::Deref<Target = [u8]>> TwoLevel<B> {
    /// A reader of `count` values; `width` is the number of bytes for each value.
    pub(crate) fn new(bytes: B, count: u64, width: u8) -> Result<Self> {
        if !matches!(width, 1 | 2) {
            let fault = Fault::Unknown { what: "width of values", found: width.into() };
            return Err(FormatError::damaged(Part::encoding(Encoding::TwoLevel), fault));
        }
        let inner = count.div_ceil(GROUP as u64).saturating_mul(4);
        let end = count.saturating_mul(u64::from(width)).saturating_add(inner);
        if end > bytes.len() as u64 {
            return Err(FormatError::damaged(
                Part::encoding(Encoding::TwoLevel),
                Fault::TooFew { what: "bytes", least: end, found: bytes.len() as u64 },
            ));
        }
        Ok(Self { bytes, inner: inner as usize, wide: width == 2 })
    }

    /// Values number `index` and `index + 1`, which are usually in the same group.
    #[inline(always)]
    pub(crate) fn pair(&self, index: usize) -> Option<(u32, u32)> {
        if index % GROUP == GROUP - 1 {
            return Some((self.get(index)?, self.get(index + 1)?));
        }
        let base = u32_at(&self.bytes, index / GROUP * 4)?;
        let (first, second) = match self.wide {
            true => {
                let both = u32_at(&self.bytes, self.inner + 2 * index)?;
                (both & 0xffff, both >> 16)
            }
            false => {
                let both = u16_at(&self.bytes, self.inner + index)?;
                (u32::from(both & 0xff), u32::from(both >> 8))
            }
        };
        Some((base.wrapping_add(first), base.wrapping_add(second)))
    }

    /// Calls `visit` with the values of `range`, group by group, until `visit` returns `None`. Returns `None`
    /// in that case, and if bytes are missing. The caller checks the range against the count.
    #[inline]
    pub(crate) fn runs(
        &self,
        range: Range<usize>,
        mut visit: impl FnMut(&[u32]) -> Option<()>,
    ) -> Option<()> {
        let mut values = [0u32; GROUP];
        let mut at = range.start;
        while at < range.end {
            let end = range.end.min((at / GROUP + 1) * GROUP);
            let base = u32_at(&self.bytes, at / GROUP * 4)?;
            let values = values.get_mut(..end - at)?;
            match self.wide {
                true => self.above(base, at, values, u16::from_le_bytes)?,
                false => self.above(base, at, values, |[byte]: [u8; 1]| byte)?,
            }
            visit(values)?;
            at = end;
        }
        Some(())
    }

    /// Fills `values` with the values of one group from index `start` on.
    #[inline]
    fn above<const W: usize, T: Into<u32>>(
        &self,
        base: u32,
        start: usize,
        values: &mut [u32],
        number: impl Fn([u8; W]) -> T,
    ) -> Option<()> {
        let start = self.inner + W * start;
        let (inside, _) = self.bytes.get(start..start + W * values.len())?.as_chunks::<W>();
        values
            .iter_mut()
            .zip(inside)
            .for_each(|(value, inside)| *value = base.wrapping_add(number(*inside).into()));
        Some(())
    }

    /// Value number `index`.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<u32> {
        let base = u32_at(&self.bytes, index / GROUP * 4)?;
        let inside = match self.wide {
            true => u32::from(u16_at(&self.bytes, self.inner + 2 * index)?),
            false => u32::from(*self.bytes.get(self.inner + index)?),
        };
        Some(base.wrapping_add(inside))
    }
}

/// The two-level form of `values` and its width; `None` if a group of 64 values rises by 65,536 or more.
pub(crate) fn two_level(values: &[u32]) -> Option<(Vec<u8>, u8)> {
    let width = two_level_width(values)?;
    let mut output = Vec::with_capacity(values.len().div_ceil(GROUP) * 4 + values.len() * usize::from(width));
    values.chunks(GROUP).for_each(|group| output.extend(group[0].to_le_bytes()));
    for group in values.chunks(GROUP) {
        for value in group {
            output.extend_from_slice(&(value - group[0]).to_le_bytes()[..usize::from(width)]);
        }
    }
    Some((output, width))
}

/// The width that [`two_level`] would use for `values`; `None` if it can't encode them.
pub(crate) fn two_level_width(values: &[u32]) -> Option<u8> {
    let mut widest = 0;
    for group in values.chunks(GROUP) {
        for value in group {
            widest = widest.max(value.checked_sub(group[0])?);
        }
    }
    match widest {
        0..=0xff => Some(1),
        0x100..=0xffff => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_group_that_rises_too_far_is_refused() {
        assert!(two_level(&[0, 65_536]).is_none());
        assert!(two_level(&[1, 0]).is_none());
        assert_eq!(two_level_width(&[5, 260]), Some(1));
        assert_eq!(two_level_width(&[5, 261]), Some(2));
    }

    proptest! {
        #[test]
        fn rising_values_come_back(steps in proptest::collection::vec(0u32..9, 0..300), start: u32) {
            let mut value = start / 2;
            let values: Vec<u32> = steps.iter().map(|step| { value += step; value }).collect();
            let (bytes, width) = two_level(&values).unwrap();
            let read = TwoLevel::new(&bytes[..], values.len() as u64, width).unwrap();
            for (index, value) in values.iter().enumerate() {
                prop_assert_eq!(read.get(index), Some(*value));
            }
        }
    }
}
