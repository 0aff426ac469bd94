//! [`CodedSegment`]: a segment whose blocks are compressed and written one by one.
//!
//! The bytes of the segment are never all in memory: only the block that is being filled, and its stored
//! form. Nothing else is written to the file until the segment is finished.

use std::fmt;

use varvite_codec::{Codec, Coding, Filter, Workspace};
use varvite_format::{BlockTableBuilder, FormatError, SegmentId, SegmentRow};

use crate::error::Result;
use crate::writing::writer::StoreWriter;

/// An unfinished segment of a [`StoreWriter`]. Until it is finished, the writer writes nothing else.
pub struct CodedSegment {
    workspace: Workspace,
    coding: Coding,
    table: BlockTableBuilder,
    offset: u64,
    /// The end of the written blocks.
    end: u64,
    /// The number of bytes in the written blocks, before compression.
    plain_len: u64,
    blocks: u64,
    /// The bytes of the next block.
    block: Vec<u8>,
    stored: Vec<u8>,
}

impl StoreWriter {
    /// Begins a segment whose blocks are compressed by `coding`. No other column shares the segment.
    pub fn begin_coded(&self, coding: Coding) -> CodedSegment {
        // The segment is expected to be long, so it begins at a page.
        let (id, offset) = self.next_segment(u64::MAX);
        CodedSegment {
            table: BlockTableBuilder::new(self.file_id(), id.0),
            workspace: Workspace::new(),
            coding,
            offset,
            end: offset,
            plain_len: 0,
            blocks: 0,
            block: Vec::new(),
            stored: Vec::new(),
        }
    }
}

impl CodedSegment {
    /// The number of bytes in the segment so far, before compression.
    pub fn plain_len(&self) -> u64 {
        self.plain_len + self.block.len() as u64
    }

    /// Appends bytes. Writes each block once it is full.
    ///
    /// # Errors
    /// An error of the file system or of the codec, which fails only for lack of memory. After an error, the
    /// writer can't be used any more.
    pub fn push(&mut self, writer: &mut StoreWriter, mut bytes: &[u8]) -> Result<()> {
        let block_len = SegmentRow::block_len_of(self.coding.codec) as usize;
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min(block_len - self.block.len()));
            self.block.extend_from_slice(part);
            bytes = rest;
            if self.block.len() == block_len {
                self.write_block(writer)?;
            }
        }
        Ok(())
    }

    fn write_block(&mut self, writer: &mut StoreWriter) -> Result<()> {
        let block = self.blocks;
        let of_block = |source| FormatError::Block { part: "new segment".into(), block, source };
        self.workspace.compress(self.coding, &self.block, &mut self.stored).map_err(of_block)?;
        writer.write_at(self.end, &self.stored)?;
        self.table.push(&self.stored);
        self.end += self.stored.len() as u64;
        self.plain_len += self.block.len() as u64;
        self.blocks += 1;
        self.block.clear();
        Ok(())
    }

    /// Writes the last block and the block table, after which this value is of no more use. Returns the
    /// number of the segment.
    ///
    /// # Errors
    /// The errors of [`CodedSegment::push`].
    pub fn finish(&mut self, writer: &mut StoreWriter) -> Result<SegmentId> {
        if !self.block.is_empty() {
            self.write_block(writer)?;
        }
        let (table, table_hash) = self.table.clone().finish();
        // An empty segment has no blocks to decode.
        let codec = if self.plain_len == 0 { Codec::None } else { self.coding.codec };
        let row = SegmentRow {
            offset: self.offset,
            stored_len: self.end - self.offset,
            plain_len: self.plain_len,
            table_hash,
            block_len: SegmentRow::block_len_of(codec),
            codec,
            filter: Filter::NONE,
        };
        writer.write_at(row.table_offset(), &table)?;
        Ok(writer.push_segment(row))
    }
}

impl fmt::Debug for CodedSegment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain_len = self.plain_len();
        formatter.debug_struct("CodedSegment").field("plain_len", &plain_len).finish_non_exhaustive()
    }
}
