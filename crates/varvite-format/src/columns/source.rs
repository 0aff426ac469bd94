//! The source of a column's rows and bytes.

use std::ops::Deref;

use crate::columns::blocks::SharedBlocks;
use crate::{ColumnId, ColumnRow, Fault, FormatError, Part, Result, SegmentId};

/// An open file, or a slice in a test.
pub trait Source {
    /// The bytes of a segment; cheap to clone.
    type Bytes: Deref<Target = [u8]> + Clone;
    /// Errors on the way to the bytes.
    type Error: From<FormatError>;

    /// The row of a column.
    ///
    /// # Errors
    /// Damage, if there is no such column.
    fn row(&self, column: ColumnId) -> Result<ColumnRow, Self::Error>;

    /// The plain bytes of a segment: mapped, or decoded now.
    ///
    /// # Errors
    /// Damage, if there is no such segment or its bytes do not decode.
    fn segment(&self, segment: SegmentId) -> Result<Self::Bytes, Self::Error>;

    /// The blocks of a segment that is better read one by one; none if it is read whole.
    ///
    /// # Errors
    /// Damage, if there is no such segment or its block table is damaged.
    fn blocks(&self, _segment: SegmentId) -> Result<Option<SharedBlocks<Self::Bytes>>, Self::Error> {
        Ok(None)
    }

    /// Adds the file to an error of opening a column, which only the source has.
    fn located(&self, error: Self::Error) -> Self::Error {
        error
    }
}

/// Segment `index` of a row, which its encoding demands, with at least `len` bytes.
pub(crate) fn segment<S: Source>(
    source: &S,
    row: &ColumnRow,
    index: usize,
    len: u64,
) -> Result<S::Bytes, S::Error> {
    let part = || Part::encoding(row.encoding);
    let id =
        row.segments[index].ok_or_else(|| FormatError::damaged(part(), Fault::missing_segment(index)))?;
    let bytes = source.segment(id)?;
    if (bytes.len() as u64) < len {
        let fault = Fault::ShortSegment { segment: id, least: len, found: bytes.len() as u64 };
        return Err(FormatError::damaged(part(), fault).into());
    }
    Ok(bytes)
}
