//! Opening a column of integers: its row and the lengths of its segments are checked once.

use std::ops::Deref;

use super::width::Width;
use super::{Body, Ints};
use crate::capped::Capped;
use crate::column::child;
use crate::local::LocalDictionary;
use crate::packed::Packed;
use crate::source::segment;
use crate::two_level::TwoLevel;
use crate::{ColumnId, Encoding, FormatError, Part, Result, Source};

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
        let part = || Part::Column(row.encoding, Some(column));
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
}
