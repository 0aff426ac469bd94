//! [`Memory`]: the columns and segments of a file in vectors, numbered as a writer numbers them.

use std::sync::Arc;

use varvite_format::{
    Blocks, ColumnId, ColumnRow, EncodedColumn, Fault, FormatError, InPass, Result, SegmentId, SharedBlocks,
    Source,
};

/// Rows and segments by number. A missing number is damage, as in a file.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The rows, by column number.
    pub rows: Vec<ColumnRow>,
    /// The segments, by number.
    pub segments: Vec<Arc<[u8]>>,
    /// The size of the blocks in which texts are read; `None` if pools are read as a whole.
    pub block_len: Option<usize>,
}

impl Memory {
    /// The columns of one tree, and the number of its root.
    pub fn of(column: &EncodedColumn) -> (Self, ColumnId) {
        let mut memory = Self::default();
        let root = memory.add(column);
        (memory, root)
    }

    /// Adds a tree, children first.
    pub fn add(&mut self, column: &EncodedColumn) -> ColumnId {
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
        row.ok_or_else(|| no_such("column", column.0, self.rows.len()))
    }

    fn segment(&self, segment: SegmentId) -> Result<Arc<[u8]>> {
        let bytes = self.segments.get(segment.index()).cloned();
        bytes.ok_or_else(|| no_such("segment", segment.0, self.segments.len()))
    }

    fn blocks(&self, segment: SegmentId) -> Result<Option<SharedBlocks<Arc<[u8]>>>> {
        let Some(block_len) = self.block_len else { return Ok(None) };
        Ok(Some(Arc::new(Chopped { bytes: self.segment(segment)?, block_len })))
    }
}

fn no_such(what: &'static str, number: u32, count: usize) -> FormatError {
    let fault = Fault::NoSuch { what, number: number.into(), count: count as u64 };
    FormatError::damaged("memory", fault)
}

/// A segment in blocks.
#[derive(Debug)]
struct Chopped {
    bytes: Arc<[u8]>,
    block_len: usize,
}

impl Blocks<Arc<[u8]>> for Chopped {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn block_len(&self) -> usize {
        self.block_len
    }

    fn block(&self, number: usize) -> Option<Arc<[u8]>> {
        self.bytes.chunks(self.block_len).nth(number).map(Arc::from)
    }

    fn block_in_pass(&self, number: usize, buffer: &mut Vec<u8>) -> Option<InPass<Arc<[u8]>>> {
        let block = self.bytes.chunks(self.block_len).nth(number)?;
        if number.is_multiple_of(2) {
            return Some(InPass::Kept(block.into()));
        }
        buffer.clear();
        buffer.extend_from_slice(block);
        Some(InPass::InBuffer)
    }
}
