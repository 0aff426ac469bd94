//! A column as the directory describes it: an encoding with its parameters, child columns and segments.
//!
//! Columns form trees: a dictionary has a column of codes and a column of values, a sparse set has a column
//! of ids. A child always has a smaller number than its parent, so that there can be no cycle. Two parents
//! may share a child: equal sets of nodes are stored once.

use varvite_codec::{Coding, Filter};

use crate::bytes::Fields;
use crate::{ColumnId, Encoding, Fault, FormatError, Part, Result, SegmentId};

/// The largest number of children of a column.
pub(crate) const CHILDREN: usize = 3;
/// The largest number of segments of a column.
pub(crate) const SEGMENTS: usize = 2;

/// One row of the column table.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 2 | encoding |
/// | 2 | 1 | width of a value in bytes, 0 if the encoding has no width |
/// | 3 | 1 | flags: 1 relative to the caller's key, 2 sorted, 4 signed, 8 sloped |
/// | 4 | 8 | count: values of an integer column, members of a set, entries of a string table |
/// | 12 | 8 | base, signed |
/// | 20 | 8 | step, signed |
/// | 28 | 12 | child columns, 3 numbers, all ones for none |
/// | 40 | 8 | segments, 2 numbers, all ones for none |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnRow {
    /// The encoding of values as bytes.
    pub encoding: Encoding,
    /// The width of a value in bytes, 0 if the encoding has no width.
    pub width: u8,
    /// Whether values are differences from a key that the reader passes, usually the source node's id.
    pub relative: bool,
    /// Whether texts are in ascending order of their bytes.
    pub sorted: bool,
    /// Whether plain values of 1, 2 or 4 bytes are signed.
    pub signed: bool,
    /// Whether packed lanes have slopes.
    pub sloped: bool,
    /// The number of values, members or entries.
    pub count: u64,
    /// The number that is added to every integer; for a range set, the first id.
    pub base: i64,
    /// The difference of successive values of a sequence; in a capped column, the value of byte 0.
    pub step: i64,
    /// The numbers of the child columns.
    pub children: [Option<ColumnId>; CHILDREN],
    /// The numbers of the segments.
    pub segments: [Option<SegmentId>; SEGMENTS],
}

impl ColumnRow {
    /// The size of a row in the file, in bytes.
    pub const SIZE: usize = 2 + 1 + 1 + 8 + 8 + 8 + 4 * CHILDREN + 4 * SEGMENTS;

    /// A row without children and segments; its other fields are zero and false.
    pub fn empty(encoding: Encoding, count: u64) -> Self {
        Self {
            encoding,
            width: 0,
            relative: false,
            sorted: false,
            signed: false,
            sloped: false,
            count,
            base: 0,
            step: 0,
            children: [None; CHILDREN],
            segments: [None; SEGMENTS],
        }
    }

    pub(crate) fn write(&self, output: &mut Vec<u8>) {
        output.extend((self.encoding as u16).to_le_bytes());
        output.push(self.width);
        let flags = [self.relative, self.sorted, self.signed, self.sloped];
        output.push((0..).zip(flags).map(|(bit, flag)| u8::from(flag) << bit).sum());
        output.extend(self.count.to_le_bytes());
        output.extend(self.base.to_le_bytes());
        output.extend(self.step.to_le_bytes());
        self.children.iter().for_each(|child| output.extend(ColumnId::to_number(*child).to_le_bytes()));
        self.segments.iter().for_each(|segment| output.extend(SegmentId::to_number(*segment).to_le_bytes()));
    }

    /// Reads row `number`. Its children must come before it, and its segments must exist.
    #[inline]
    pub(crate) fn read(bytes: &[u8; Self::SIZE], number: u32, segments: u32) -> Result<Self> {
        let part = || Part::Row("column", number);
        let mut fields = Fields::new(bytes);
        let short = || {
            FormatError::damaged(
                part(),
                Fault::TooFew { what: "bytes", least: Self::SIZE as u64, found: bytes.len() as u64 },
            )
        };
        let encoding = fields.u16().ok_or_else(short)?;
        let encoding = Encoding::from_number(encoding).ok_or_else(|| {
            FormatError::damaged(part(), Fault::Unknown { what: "encoding", found: encoding.into() })
        })?;
        let width = fields.u8().ok_or_else(short)?;
        let flags = fields.u8().ok_or_else(short)?;
        if flags > 15 {
            return Err(FormatError::damaged(
                part(),
                Fault::Unknown { what: "set of flags", found: flags.into() },
            ));
        }
        let mut row = Self {
            encoding,
            width,
            relative: flags & 1 != 0,
            sorted: flags & 2 != 0,
            signed: flags & 4 != 0,
            sloped: flags & 8 != 0,
            count: fields.u64().ok_or_else(short)?,
            base: fields.i64().ok_or_else(short)?,
            step: fields.i64().ok_or_else(short)?,
            children: [None; CHILDREN],
            segments: [None; SEGMENTS],
        };
        for child in &mut row.children {
            *child = ColumnId::from_number(fields.u32().ok_or_else(short)?);
            if let Some(ColumnId(id)) = *child
                && id >= number
            {
                let fault = Fault::Order { what: "children before their parent", at: id.into() };
                return Err(FormatError::damaged(part(), fault));
            }
        }
        for segment in &mut row.segments {
            *segment = SegmentId::from_number(fields.u32().ok_or_else(short)?);
            if let Some(SegmentId(id)) = *segment
                && id >= segments
            {
                let (number, count) = (id.into(), segments.into());
                return Err(FormatError::damaged(part(), Fault::NoSuch { what: "segment", number, count }));
            }
        }
        Ok(row)
    }
}

/// Child `index` of a row, or an error if it is missing: the encoding of the row requires this child.
pub(crate) fn child(row: &ColumnRow, index: usize) -> Result<ColumnId> {
    row.children[index].ok_or_else(|| {
        let fault = Fault::Missing { what: "child", number: Some(index as u64) };
        FormatError::damaged(Part::encoding(row.encoding), fault)
    })
}

/// An encoded column, before the writer numbers its children and segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedColumn {
    /// The row, without the numbers of children and segments.
    pub row: ColumnRow,
    /// The child columns, in order.
    pub children: Vec<EncodedColumn>,
    /// The segments, in order.
    pub segments: Vec<EncodedSegment>,
}

/// The plain bytes of a segment, and the filter that suits them if they are compressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedSegment {
    /// The plain bytes.
    pub bytes: Vec<u8>,
    /// The filter that is applied before a codec.
    pub filter: Filter,
    /// The codec to use in every profile; `None` for the codec of the profile.
    pub coding: Option<Coding>,
}

impl EncodedSegment {
    /// A segment that uses the codec of the profile.
    pub fn new(bytes: Vec<u8>, filter: Filter) -> Self {
        Self { bytes, filter, coding: None }
    }
}

impl EncodedColumn {
    /// A column without children and segments.
    pub(crate) fn leaf(encoding: Encoding, count: u64) -> Self {
        Self { row: ColumnRow::empty(encoding, count), children: Vec::new(), segments: Vec::new() }
    }

    /// The number of plain bytes of this column and its descendants.
    pub fn plain_bytes(&self) -> usize {
        let own: usize = self.segments.iter().map(|segment| segment.bytes.len()).sum();
        own + self.children.iter().map(Self::plain_bytes).sum::<usize>()
    }
}
