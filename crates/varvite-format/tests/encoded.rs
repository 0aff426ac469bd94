//! Encoded columns in memory, numbered as a writer numbers them.

use std::sync::Arc;

use varvite_format::{ColumnId, EncodedColumn, SegmentId};

use crate::memory::Memory;

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
