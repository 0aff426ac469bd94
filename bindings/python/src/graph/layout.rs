//! [`Layout`]: the type and width of the numbers of an array, and the columns of a file that have them.

use varvite::ValueType;
use varvite::write::Codec;
use varvite_format::{ColumnId, ColumnRow, Encoding};
use varvite_store::Store;

use crate::array::Array;
use crate::failure::Result;

/// The layout of an array: the type as NumPy writes it, and the width of a number in bytes.
pub(super) struct Layout {
    pub(super) dtype: &'static str,
    pub(super) width: u8,
}

pub(super) const fn layout_of(dtype: &'static str, width: u8) -> Layout {
    Layout { dtype, width }
}

pub(super) fn layout(value_type: ValueType) -> Layout {
    match value_type {
        ValueType::Bool => layout_of("|b1", 1),
        ValueType::I8 => layout_of("|i1", 1),
        ValueType::I16 => layout_of("<i2", 2),
        ValueType::I32 => layout_of("<i4", 4),
        ValueType::I64 => layout_of("<i8", 8),
        ValueType::U8 => layout_of("|u1", 1),
        ValueType::U16 => layout_of("<u2", 2),
        ValueType::U32 | ValueType::Ref | ValueType::String | ValueType::Bytes => layout_of("<u4", 4),
        ValueType::U64 => layout_of("<u8", 8),
        ValueType::F32 => layout_of("<f4", 4),
        ValueType::F64 => layout_of("<f8", 8),
    }
}

pub(super) fn is_whole(layout: &Layout) -> bool {
    !matches!(layout.dtype, "<f4" | "<f8" | "|b1")
}

/// The layout in which a column stores plain whole numbers.
pub(super) fn stored_layout(row: &ColumnRow) -> Option<Layout> {
    Some(match (row.width, row.signed) {
        (1, true) => layout_of("|i1", 1),
        (1, false) => layout_of("|u1", 1),
        (2, true) => layout_of("<i2", 2),
        (2, false) => layout_of("<u2", 2),
        (4, true) => layout_of("<i4", 4),
        (4, false) => layout_of("<u4", 4),
        _ => return None,
    })
}

/// The numbers of a column in the mapped file, if they are stored there in numbers of this width. The values
/// of a property fit its type, so that bits of the same width mean the same number, with or without a sign.
pub(super) fn plain_view(store: &Store, column: ColumnId, layout: Layout) -> Result<Option<Array>> {
    let Some(row) = store.directory().columns.get(column.index()) else { return Ok(None) };
    if !is_plain(row, &layout) || layout.dtype == "|b1" {
        return Ok(None);
    }
    let Some(segment) = row.segments[0] else { return Ok(None) };
    let is_coded = store.directory().segments.get(segment.index()).is_none_or(|row| row.codec != Codec::None);
    if is_coded || !store.is_mapped() {
        return Ok(None);
    }
    let bytes = store.load(segment)?;
    let (len, width) = (row.count as usize, usize::from(layout.width));
    let fits = len.checked_mul(width).is_some_and(|need| need <= bytes.len());
    let is_aligned = bytes.as_ptr().addr().is_multiple_of(width);
    Ok((fits && is_aligned && bytes.is_mapped()).then(|| Array::view(bytes, layout.dtype, len)))
}

fn is_plain(row: &ColumnRow, layout: &Layout) -> bool {
    let is_same = row.base == 0 && !row.relative && row.width == layout.width;
    row.encoding == Encoding::Plain && is_same && cfg!(target_endian = "little")
}
