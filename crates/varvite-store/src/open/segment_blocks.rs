//! [`SegmentBlocks`]: a segment that is decoded block by block, on demand.
//!
//! Most texts of a segment are never read, and the others are read in no particular order. Decoding the whole
//! segment to read one text would cost more than all other work. When the cache needs room, it frees unpinned
//! blocks.

use std::sync::Arc;

use varvite_format::{Blocks, InPass};

use crate::error::{Result, StoreError};
use crate::memory::ledger::{Account, MemoryState};
use crate::memory::pinned::Pinned;
use crate::memory::slot::{Loaded, Slot};
use crate::open::segment_reader::SegmentReader;

/// The blocks of a segment.
#[derive(Debug)]
pub(crate) struct SegmentBlocks {
    reader: SegmentReader,
    slots: Arc<[Slot]>,
    account: Account,
}

impl SegmentBlocks {
    pub(crate) fn new(reader: SegmentReader, account: Account) -> Self {
        let slots = (0..reader.blocks()).map(|_| Slot::default()).collect();
        Self { reader, slots, account }
    }

    fn load(&self, number: usize) -> Result<Loaded> {
        let length = self.reader.row().plain_block_len(number as u64);
        let charge = self.account.charge(MemoryState::Decoded, length as u64);
        let mut bytes = self.reader.open_file().buffer(length)?.with_charge(charge);
        self.reader.read_block(number, bytes.as_mut_bytes())?;
        Ok(Loaded { bytes: Pinned::from(bytes), mapped: None, account: self.account.clone() })
    }

    /// Notes the failure of a block, and returns `None` for its bytes. `Failures::check` reports the failure.
    fn missing<T>(&self, failure: StoreError) -> Option<T> {
        self.reader.open_file().failures.note(failure);
        None
    }
}

impl Blocks<Pinned> for SegmentBlocks {
    fn len(&self) -> u64 {
        self.reader.row().plain_len
    }

    fn block_len(&self) -> usize {
        self.reader.row().block_len as usize
    }

    fn block(&self, number: usize) -> Option<Pinned> {
        match self.slots.get(number)?.lend(|| self.load(number)) {
            Ok((bytes, is_new)) => {
                if is_new {
                    self.reader.open_file().keep_block(&self.slots, number, bytes.len() as u64);
                }
                Some(bytes)
            }
            Err(failure) => self.missing(failure),
        }
    }

    fn block_in_pass(&self, number: usize, buffer: &mut Vec<u8>) -> Option<InPass<Pinned>> {
        let len = self.reader.row().plain_block_len(number as u64);
        if self.slots.get(number)?.is_full() || self.reader.open_file().has_room_for(len as u64) {
            return self.block(number).map(InPass::Kept);
        }
        buffer.resize(len, 0);
        match self.reader.read_block(number, buffer) {
            Ok(()) => Some(InPass::InBuffer),
            Err(failure) => self.missing(failure),
        }
    }
}
