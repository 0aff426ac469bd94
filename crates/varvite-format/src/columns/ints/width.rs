//! Plain integers of one, two, four or eight bytes each.

use crate::ColumnRow;
use crate::bytes::{u16_at, u32_at, u64_at};

/// The width of plain integers, and whether they are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    U8,
    U16,
    U32,
    I8,
    I16,
    I32,
    I64,
}

impl Width {
    pub(super) fn of(row: &ColumnRow) -> Option<Self> {
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

    pub(super) fn bytes(self) -> u64 {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 => 4,
            Self::I64 => 8,
        }
    }

    #[inline]
    pub(super) fn get(self, bytes: &[u8], index: usize) -> Option<i64> {
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

    /// Fills `output` with the values from index `start` on, each plus `base`. The width is tested once.
    pub(super) fn read(self, bytes: &[u8], start: usize, base: i64, output: &mut [i64]) -> Option<()> {
        let size = self.bytes() as usize;
        let bytes = bytes.get(size * start..size * (start + output.len()))?;
        match self {
            Self::U8 => widen(bytes, base, output, |[byte]| i64::from(byte)),
            Self::I8 => widen(bytes, base, output, |[byte]| i64::from(byte as i8)),
            Self::U16 => widen(bytes, base, output, |value| i64::from(u16::from_le_bytes(value))),
            Self::I16 => widen(bytes, base, output, |value| i64::from(i16::from_le_bytes(value))),
            Self::U32 => widen(bytes, base, output, |value| i64::from(u32::from_le_bytes(value))),
            Self::I32 => widen(bytes, base, output, |value| i64::from(i32::from_le_bytes(value))),
            Self::I64 => widen(bytes, base, output, i64::from_le_bytes),
        }
        Some(())
    }
}

#[inline]
fn widen<const W: usize>(bytes: &[u8], base: i64, output: &mut [i64], number: impl Fn([u8; W]) -> i64) {
    let (values, _) = bytes.as_chunks::<W>();
    output.iter_mut().zip(values).for_each(|(output, value)| *output = base.wrapping_add(number(*value)));
}
