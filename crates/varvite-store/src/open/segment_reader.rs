//! [`SegmentReader`]: reads, checks and decodes the blocks of one segment.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use varvite_format::{BlockTable, FormatError, Part, SegmentId, SegmentRow};

use crate::error::Result;
use crate::open::open_file::OpenFile;
use crate::work::threads;

/// Segments of at least this many plain bytes are decoded on all processors.
const PARALLEL_DECODE: usize = 4 << 20;

/// The number of threads that decode a segment of `bytes` plain bytes.
fn threads_for(bytes: usize) -> usize {
    match bytes >= PARALLEL_DECODE {
        true => threads::processors(),
        false => 1,
    }
}

/// Reads the blocks of a segment.
#[derive(Debug)]
pub(crate) struct SegmentReader {
    open: Arc<OpenFile>,
    segment: SegmentId,
    row: SegmentRow,
    table: BlockTable,
}

impl SegmentReader {
    /// Reads and checks the block table of a segment.
    pub(crate) fn new(open: &Arc<OpenFile>, segment: SegmentId, row: &SegmentRow) -> Result<Self> {
        let mut bytes = vec![0; row.table_len() as usize];
        open.file.read_exact_at(row.table_offset(), &mut bytes)?;
        let table = BlockTable::read(&bytes, open.file_id, segment.0, *row);
        let table = table.map_err(|error| open.damaged(error))?;
        Ok(Self { open: Arc::clone(open), segment, row: *row, table })
    }

    pub(crate) fn open_file(&self) -> &OpenFile {
        &self.open
    }

    pub(crate) fn row(&self) -> &SegmentRow {
        &self.row
    }

    /// The number of blocks.
    pub(crate) fn blocks(&self) -> usize {
        self.table.len()
    }

    /// Fills `plain` with the whole segment; decodes a large segment on all processors.
    pub(crate) fn read_all(&self, plain: &mut [u8]) -> Result<()> {
        let block_len = self.row.block_len as usize;
        let threads = threads_for(plain.len());
        let blocks_each = plain.len().div_ceil(block_len).div_ceil(threads).max(1);
        let shares = Mutex::new(plain.chunks_mut(blocks_each * block_len).enumerate());
        let next = || shares.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some((share, part)) = next() {
                if let Err(error) = self.read_blocks(share * blocks_each, part) {
                    return Some((share, error));
                }
            }
            None
        };
        // Threads take shares of the segment in order and stop at their first failure, so the segment's first
        // failure is among these.
        let failures = threads::run(threads, work).into_iter().flatten();
        failures.min_by_key(|(share, _)| *share).map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Fills `plain` with the blocks from number `first`, as many as fit.
    pub(crate) fn read_blocks(&self, first: usize, plain: &mut [u8]) -> Result<()> {
        let chunks = plain.chunks_mut(self.row.block_len as usize);
        (first..).zip(chunks).try_for_each(|(number, block)| self.read_block(number, block))
    }

    /// Fills `plain`, which is as long as block `number`, with its bytes: read, checked, decoded, unfiltered.
    pub(crate) fn read_block(&self, number: usize, plain: &mut [u8]) -> Result<()> {
        self.open.with_decoder(|decoder| {
            self.read_stored(number, &mut decoder.stored)?;
            decoder.workspace.decompress(self.row.codec, &decoder.stored, plain).map_err(|source| {
                let part = Part::Segment(self.segment);
                self.open.damaged(FormatError::Block { part, block: number as u64, source })
            })?;
            self.row.filter.undo(plain, &mut decoder.scratch);
            self.open.add_decoded(plain.len());
            Ok(())
        })
    }

    /// Checks all blocks of the segment, whose stored bytes are in memory; checks a large segment on all
    /// processors.
    pub(crate) fn check_stored(&self, stored: &[u8]) -> Result<()> {
        let next = AtomicUsize::new(0);
        let work = || {
            while let number = next.fetch_add(1, Ordering::Relaxed)
                && let Some((offset, len)) = self.table.block(number)
            {
                let start = (offset - self.row.offset) as usize;
                let block = stored.get(start..start + len).unwrap_or_default();
                if let Err(error) = self.table.check(number, block) {
                    return Some((number, self.open.damaged(error)));
                }
            }
            None
        };
        let failures = threads::run(threads_for(stored.len()), work).into_iter().flatten();
        failures.min_by_key(|(number, _)| *number).map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Replaces `stored` with the stored bytes of block `number`, checked but not decoded.
    pub(crate) fn read_stored(&self, number: usize, stored: &mut Vec<u8>) -> Result<()> {
        let out_of_range = || {
            let part = Part::Segment(self.segment);
            self.open.damaged(FormatError::damaged(part, self.table.no_such_block(number)))
        };
        let (offset, len) = self.table.block(number).ok_or_else(out_of_range)?;
        stored.resize(len, 0);
        self.open.file.read_exact_at(offset, stored)?;
        planted!(BlockChecksumIgnored => return Ok(()));
        self.table.check(number, stored).map_err(|error| self.open.damaged(error))
    }
}
