//! The index: the offsets of all blocks. It is written as tables of at most [`TABLE_ENTRIES`] entries. Each
//! table has the offset of the previous one, so a recorder keeps only one table in memory. The end of the
//! trace has the offset of the last table.
//!
//! A table begins with the offset of the previous table, or 0 if it is the first (`u64`). Entries of 48 bytes
//! follow:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | offset of the block in the trace |
//! | 8 | 8 | thread |
//! | 16 | 8 | ordinal of the first record within the thread |
//! | 24 | 8 | time of the first record |
//! | 32 | 8 | time of the last record |
//! | 40 | 4 | number of records |
//! | 44 | 4 | stored bytes |

use std::collections::HashMap;

use crate::bytes::{put, u32_at, u64_at};
use crate::chunk::ChunkHeader;
use crate::header::MODULES_VERSION;

/// The maximum number of entries of a table.
pub(crate) const TABLE_ENTRIES: usize = 256;
/// The size of an entry in bytes.
pub(crate) const ENTRY_LEN: usize = 48;
/// The content size in bytes of the chunk that ends a trace.
pub(crate) const END_LEN: usize = 40;
/// The same as [`END_LEN`], but for traces of version 1, which have no modules.
pub(crate) const END_LEN_V1: usize = 32;

/// A block's entry in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexEntry {
    /// The offset of the block in the trace.
    pub offset: u64,
    /// The thread of the block's records.
    pub thread: u64,
    /// The ordinal in its thread of the block's first record.
    pub first_ordinal: u64,
    /// The time of the block's first record.
    pub first_time: u64,
    /// The time of the block's last record.
    pub last_time: u64,
    /// The number of records in the block.
    pub records: u32,
    /// The stored size of the block in bytes, without the header.
    pub stored_len: u32,
}

impl IndexEntry {
    pub(crate) fn of(header: &ChunkHeader, offset: u64) -> Self {
        Self {
            offset,
            thread: header.thread,
            first_ordinal: header.first_ordinal,
            first_time: header.first_time,
            last_time: header.last_time,
            records: header.records,
            stored_len: header.stored_len,
        }
    }

    fn put(&self, bytes: &mut [u8]) {
        let places = [self.offset, self.thread, self.first_ordinal, self.first_time, self.last_time];
        for (index, place) in places.into_iter().enumerate() {
            put(bytes, 8 * index, &place.to_le_bytes());
        }
        put(bytes, 40, &self.records.to_le_bytes());
        put(bytes, 44, &self.stored_len.to_le_bytes());
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        Self {
            offset: u64_at(bytes, 0),
            thread: u64_at(bytes, 8),
            first_ordinal: u64_at(bytes, 16),
            first_time: u64_at(bytes, 24),
            last_time: u64_at(bytes, 32),
            records: u32_at(bytes, 40),
            stored_len: u32_at(bytes, 44),
        }
    }
}

/// A table of the index, as bytes in a fixed array.
#[derive(Debug)]
pub(crate) struct Table {
    bytes: [u8; 8 + TABLE_ENTRIES * ENTRY_LEN],
    entries: usize,
}

impl Table {
    pub(crate) fn new() -> Self {
        Self { bytes: [0; 8 + TABLE_ENTRIES * ENTRY_LEN], entries: 0 }
    }

    /// Adds an entry. Returns whether the table is then full.
    pub(crate) fn push(&mut self, entry: IndexEntry) -> bool {
        entry.put(&mut self.bytes[8 + ENTRY_LEN * self.entries..]);
        self.entries += 1;
        self.entries == TABLE_ENTRIES
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Empties the table, and returns the content of its chunk.
    pub(crate) fn take(&mut self, table_before: u64) -> &[u8] {
        put(&mut self.bytes, 0, &table_before.to_le_bytes());
        let len = 8 + ENTRY_LEN * std::mem::take(&mut self.entries);
        &self.bytes[..len]
    }

    /// Reads the offset of the previous table, and the entries. `None` if no table has this length.
    pub(crate) fn parse(content: &[u8]) -> Option<(u64, impl DoubleEndedIterator<Item = IndexEntry> + '_)> {
        let (before, entries) = content.split_first_chunk::<8>()?;
        if entries.is_empty() || !entries.len().is_multiple_of(ENTRY_LEN) {
            return None;
        }
        let entries = entries.chunks_exact(ENTRY_LEN).map(IndexEntry::from_bytes);
        Some((u64::from_le_bytes(*before), entries))
    }
}

/// The last chunk of a trace, with the numbers of blocks and records in the whole trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct End {
    pub(crate) table: u64,
    /// The offset of the last chunk of modules, or 0.
    pub(crate) modules: u64,
    /// The offset of the last chunk itself.
    pub(crate) offset: u64,
    /// The number of blocks of records.
    pub blocks: u64,
    /// The number of records.
    pub records: u64,
}

impl End {
    pub(crate) fn to_bytes(self) -> [u8; END_LEN] {
        let mut bytes = [0; END_LEN];
        let numbers = [self.table, self.offset, self.blocks, self.records, self.modules];
        for (index, number) in numbers.into_iter().enumerate() {
            put(&mut bytes, 8 * index, &number.to_le_bytes());
        }
        bytes
    }

    /// Reads the content of the last chunk. `None` unless the number of bytes is one that [`End::len_of`]
    /// returns.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let number = |index: usize| u64_at(bytes, 8 * index);
        let modules = match bytes.len() {
            END_LEN => number(4),
            END_LEN_V1 => 0,
            _ => return None,
        };
        Some(Self { table: number(0), offset: number(1), blocks: number(2), records: number(3), modules })
    }

    /// The content size in bytes of the last chunk, in a trace of this version.
    pub(crate) fn len_of(version: u32) -> usize {
        if version < MODULES_VERSION { END_LEN_V1 } else { END_LEN }
    }
}

/// The index in memory, for searches.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) entries: Vec<IndexEntry>,
    /// The ordinal in the trace of each block's first record.
    pub(crate) ordinals: Vec<u64>,
    /// The numbers of each thread's blocks, in order.
    by_thread: HashMap<u64, Vec<usize>>,
    records: u64,
}

impl Index {
    pub(crate) fn of(entries: impl IntoIterator<Item = IndexEntry>) -> Self {
        let mut index = Self::default();
        for entry in entries {
            index.by_thread.entry(entry.thread).or_default().push(index.entries.len());
            index.ordinals.push(index.records);
            index.records = index.records.saturating_add(entry.records.into());
            index.entries.push(entry);
        }
        index
    }

    /// The number of records.
    pub(crate) fn records(&self) -> u64 {
        self.records
    }

    /// The threads' numbers, in ascending order.
    pub(crate) fn threads(&self) -> Vec<u64> {
        let mut threads: Vec<u64> = self.by_thread.keys().copied().collect();
        threads.sort_unstable();
        threads
    }

    /// Finds the block with this record of the trace. Returns the block's number, and the record's number in
    /// the block.
    pub(crate) fn find_ordinal(&self, ordinal: u64) -> Option<(usize, u64)> {
        let block = self.ordinals.partition_point(|first| *first <= ordinal).checked_sub(1)?;
        self.inside(block, ordinal - self.ordinals[block])
    }

    /// Finds the block with this record of a thread. Returns the block's number, and the record's number in
    /// the block.
    pub(crate) fn find_in_thread(&self, thread: u64, ordinal: u64) -> Option<(usize, u64)> {
        let blocks = self.by_thread.get(&thread)?;
        let after = blocks.partition_point(|block| self.entries[*block].first_ordinal <= ordinal);
        let block = *blocks.get(after.checked_sub(1)?)?;
        self.inside(block, ordinal - self.entries[block].first_ordinal)
    }

    /// Finds the first block of a thread that has a record with this time or a later one.
    pub(crate) fn find_time(&self, thread: u64, time: u64) -> Option<usize> {
        let blocks = self.by_thread.get(&thread)?;
        let before = blocks.partition_point(|block| self.entries[*block].last_time < time);
        blocks.get(before).copied()
    }

    fn inside(&self, block: usize, record: u64) -> Option<(usize, u64)> {
        (record < self.entries[block].records.into()).then_some((block, record))
    }
}
