//! The source from which readers take the rows and bytes of columns.

use std::ops::Deref;

use crate::columns::blocks::SharedBlocks;
use crate::{ColumnId, ColumnRow, Fault, FormatError, Part, Result, SegmentId};

/// A source of columns, such as an open file or, in tests, memory.
pub trait Source {
    /// The bytes of a segment; cheap to clone.
    type Bytes: Deref<Target = [u8]> + Clone;
    /// The type of errors in reading rows and bytes.
    type Error: From<FormatError>;

    /// The row of a column.
    ///
    /// # Errors
    /// Damage, if there is no such column.
    fn row(&self, column: ColumnId) -> Result<ColumnRow, Self::Error>;

    /// The plain bytes of a segment: mapped, or decoded now.
    ///
    /// # Errors
    /// Damage, if there is no such segment or its bytes can't be decoded.
    fn segment(&self, segment: SegmentId) -> Result<Self::Bytes, Self::Error>;

    /// The blocks of a segment that should be read block by block; `None` if the segment should be read as a
    /// whole.
    ///
    /// # Errors
    /// Damage, if there is no such segment or its block table is damaged.
    fn blocks(&self, _segment: SegmentId) -> Result<Option<SharedBlocks<Self::Bytes>>, Self::Error> {
        Ok(None)
    }

    /// Adds the path of the file, which only the source knows, to an error of opening a column.
    fn located(&self, error: Self::Error) -> Self::Error {
        error
    }
}

/// Reads segment `index` of a row. Fails if the segment, which the encoding requires, is missing or is
/// shorter than `len` bytes.
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
