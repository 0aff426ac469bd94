//! Seeks by ordinal, by thread and by time. Each seek reads one block; the first seek also reads the index.

use super::chunks::Place;
use super::threads::Threads;
use super::{Reader, Step};
use crate::block::Block;
use crate::chunk::{CHUNK_HEADER_LEN, ChunkHeader, Kind};
use crate::error::{Result, TraceError};
use crate::index::{End, Index, IndexEntry, Table};
use crate::marks::Marks;
use crate::source::Source;

impl<S: Source> Reader<S> {
    /// Seeks a record by its ordinal in the trace, and returns its block; [`Block::records`] begins with that
    /// record. `None` if the trace has too few records. [`Reader::next_block`] then continues after the
    /// block.
    ///
    /// # Errors
    /// The errors of [`Reader::next_block`]; [`TraceError::NotSeekable`] in a pipe.
    pub fn seek_ordinal(&mut self, ordinal: u64) -> Result<Option<Block<'_>>> {
        match self.index()?.find_ordinal(ordinal) {
            Some((block, record)) => self.load(block, |_, _| Some(record)),
            None => Ok(None),
        }
    }

    /// Seeks a record by its ordinal in a thread, and returns its block. `None` if the thread has too few
    /// records.
    ///
    /// # Errors
    /// As [`Reader::seek_ordinal`].
    pub fn seek_thread(&mut self, thread: u64, ordinal: u64) -> Result<Option<Block<'_>>> {
        match self.index()?.find_in_thread(thread, ordinal) {
            Some((block, record)) => self.load(block, |_, _| Some(record)),
            None => Ok(None),
        }
    }

    /// Seeks the first record of a thread that has this time or a later one, and returns its block. `None` if
    /// all records of the thread are earlier.
    ///
    /// # Errors
    /// As [`Reader::seek_ordinal`].
    pub fn seek_time(&mut self, thread: u64, time: u64) -> Result<Option<Block<'_>>> {
        match self.index()?.find_time(thread, time) {
            Some(block) => self.load(block, |chunk, marks| {
                let marks = Marks::new(marks, chunk.first_time);
                marks.filter(|(_, marked)| *marked >= time).map(|(record, _)| record).next()
            }),
            None => Ok(None),
        }
    }

    /// The numbers of the trace's threads, in ascending order.
    ///
    /// # Errors
    /// The errors of [`Reader::seek_ordinal`] that reading the index can cause.
    pub fn threads(&mut self) -> Result<Vec<u64>> {
        Ok(self.index()?.threads())
    }

    /// The index: one entry for each block, in the order in which blocks were written.
    ///
    /// # Errors
    /// The errors of [`Reader::seek_ordinal`] that reading the index can cause.
    pub fn blocks(&mut self) -> Result<&[IndexEntry]> {
        Ok(&self.index()?.entries)
    }

    /// The number of records of the trace.
    ///
    /// # Errors
    /// The errors of [`Reader::seek_ordinal`] that reading the index can cause.
    pub fn record_count(&mut self) -> Result<u64> {
        Ok(self.index()?.records())
    }

    /// Reads block number `block`, and finds the wanted record in it by a call of `record`.
    fn load(
        &mut self,
        block: usize,
        record: impl FnOnce(&ChunkHeader, &[u8]) -> Option<u64>,
    ) -> Result<Option<Block<'_>>> {
        let index = self.index.take().unwrap_or_default();
        let (entry, ordinal) = (index.entries[block], index.ordinals[block]);
        self.index = Some(index);
        (self.at, self.block, self.ordinal) = (entry.offset, block as u64, ordinal);
        self.threads.forget();
        let follows = self.thread.take();
        let step = self.step();
        self.thread = follows;
        let is_same = matches!(step?, Step::Block) && IndexEntry::of(&self.chunk, entry.offset) == entry;
        if !is_same {
            let place = Place { block: block as u64, offset: entry.offset };
            return Err(place.damaged("records of an indexed block", entry.records.into(), 0));
        }
        let from = record(&self.chunk, self.chunks.marks(&self.chunk)).unwrap_or(0);
        Ok(Some(self.current(from as usize)))
    }

    /// The index. The first call reads it from its tables or, if that fails, makes it from the headers of all
    /// blocks.
    fn index(&mut self) -> Result<&Index> {
        if self.index.is_none() {
            let Some(len) = self.chunks.byte_len() else { return Err(TraceError::NotSeekable) };
            let index = match self.read_tables(len)? {
                Some(index) => index,
                None => self.scan()?,
            };
            self.index = Some(index);
        }
        Ok(self.index.as_ref().expect("made above"))
    }

    /// Reads the index from its tables. `None` if a table is missing or the tables contradict each other.
    fn read_tables(&mut self, len: u64) -> Result<Option<Index>> {
        let Some(end) = self.read_end(len)? else { return Ok(None) };
        let (mut entries, mut table) = (Vec::new(), end.table);
        while table != 0 {
            let Some(content) = self.chunks.read_table(table, Kind::Index)? else { return Ok(None) };
            let Some((before, backwards)) = Table::parse(&content) else { return Ok(None) };
            entries.extend(backwards.rev());
            if before >= table || entries.len() as u64 > end.blocks {
                return Ok(None);
            }
            table = before;
        }
        entries.reverse();
        let ascends = entries.is_sorted_by(|one, next| {
            one.offset + CHUNK_HEADER_LEN as u64 + u64::from(one.stored_len) <= next.offset
        });
        let index = Index::of(entries);
        let agrees = index.entries.len() as u64 == end.blocks && index.records() == end.records;
        let is_before = index.entries.last().is_none_or(|last| last.offset < end.offset);
        Ok((ascends && agrees && is_before).then_some(index))
    }

    /// Reads the chunk that ends the trace. `None` if the last bytes are not such a chunk.
    pub(super) fn read_end(&mut self, len: u64) -> Result<Option<End>> {
        let end_len = CHUNK_HEADER_LEN + End::len_of(self.header().version);
        let Some(at) = len.checked_sub(end_len as u64) else { return Ok(None) };
        let end = self.chunks.read_table(at, Kind::End)?.and_then(|content| self.chunks.end_of(&content));
        Ok(end.filter(|end| end.offset == at))
    }

    /// Makes the index from the headers of all blocks, for a trace without an end. Only the headers and the
    /// modules are read, not the contents of blocks.
    pub(super) fn scan(&mut self) -> Result<Index> {
        // The state is restored afterwards. This includes the losses, since a later read will count the same
        // damage again when it skips it.
        let (at, block, losses) = (self.at, self.block, self.losses);
        let threads = std::mem::replace(&mut self.threads, Threads::from_the_beginning());
        (self.at, self.block) = (self.header().len() as u64, 0);
        let entries = self.scan_headers();
        (self.at, self.block, self.losses, self.threads) = (at, block, losses, threads);
        Ok(Index::of(entries?))
    }

    fn scan_headers(&mut self) -> Result<Vec<IndexEntry>> {
        let mut entries = Vec::new();
        loop {
            let chunk = match self.read_header() {
                Ok(chunk) => chunk,
                Err(error) if self.skips_damage => {
                    self.pass(error)?;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let Some(chunk) = chunk.filter(|chunk| chunk.kind != Kind::End) else { return Ok(entries) };
            if !self.has_content(&chunk) {
                return Ok(entries);
            }
            match self.scan_module_chunk(&chunk) {
                Err(error) if self.skips_damage => {
                    self.pass(error)?;
                    continue;
                }
                scanned => scanned?,
            }
            if chunk.kind == Kind::Records {
                entries.push(IndexEntry::of(&chunk, self.at));
                self.block += 1;
            }
            self.at += chunk.chunk_len();
        }
    }
}
