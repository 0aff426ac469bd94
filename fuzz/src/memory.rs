//! [`Memory`]: a file's columns and segments in vectors, numbered as a writer numbers them.

use std::sync::Arc;

use varvite_format::{ColumnId, ColumnRow, EncodedColumn, FormatError, Result, SegmentId, Source};

/// Rows and segments by number. A number that is missing is damage, as in a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) rows: Vec<ColumnRow>,
    pub(crate) segments: Vec<Arc<[u8]>>,
}

impl Memory {
    /// The columns of one tree, and the number of its root.
    pub(crate) fn of(column: &EncodedColumn) -> (Self, ColumnId) {
        let mut memory = Self::default();
        let root = memory.add(column);
        (memory, root)
    }

    /// Adds a tree, children first.
    pub(crate) fn add(&mut self, column: &EncodedColumn) -> ColumnId {
        let mut row = column.row;
        for (place, child) in row.children.iter_mut().zip(&column.children) {
            *place = Some(self.add(child));
        }
        for (place, segment) in row.segments.iter_mut().zip(&column.segments) {
            *place = Some(SegmentId(self.segments.len() as u32));
            self.segments.push(Arc::from(&segment.bytes[..]));
        }
        self.rows.push(row);
        ColumnId(self.rows.len() as u32 - 1)
    }
}

impl Source for Memory {
    type Bytes = Arc<[u8]>;
    type Error = FormatError;

    fn row(&self, column: ColumnId) -> Result<ColumnRow> {
        let row = self.rows.get(column.index()).copied();
        row.ok_or_else(|| FormatError::damaged("memory", "a column that exists", column.0))
    }

    fn segment(&self, segment: SegmentId) -> Result<Arc<[u8]>> {
        let bytes = self.segments.get(segment.index()).cloned();
        bytes.ok_or_else(|| FormatError::damaged("memory", "a segment that exists", segment.0))
    }
}
