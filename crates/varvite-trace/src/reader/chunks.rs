//! Reads one chunk at an offset, and checks the chunk's header and content.
//!
//! The checks do not depend on other chunks. Headers and contents are compared with their checksums. Lengths
//! are compared with a recorder's limits before memory is allocated for them.

use std::io;

use varvite_codec::Workspace;

use crate::chunk::{BadHeader, CHUNK_HEADER_LEN, ChunkHeader, Form, Kind};
use crate::error::{Result, TraceError};
use crate::header::{HEADER_FIXED_LEN, MODULES_VERSION, RUNS_VERSION, TraceHeader};
use crate::index::{ENTRY_LEN, End, TABLE_ENTRIES};
use crate::marks::Marks;
use crate::source::{Source, read_full};
use crate::split::{self, RunTables};

/// Reads the chunks of one trace, all into the same buffers.
pub(super) struct Chunks<S> {
    source: S,
    header: TraceHeader,
    seed: u64,
    buffers: Buffers,
}

#[derive(Default)]
struct Buffers {
    workspace: Workspace,
    stored: Vec<u8>,
    split: Vec<u8>,
    plain: Vec<u8>,
    lengths: Vec<u8>,
    table: Vec<u8>,
    runs: RunTables,
}

/// The position of a chunk in the trace, for errors.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The chunk's number among the blocks; if the chunk is not a block, the number of the next block.
    pub(super) block: u64,
    pub(super) offset: u64,
}

/// The source ends inside a chunk, after `partial_bytes` bytes of it.
pub(super) struct Cut {
    pub(super) partial_bytes: u64,
}

/// The result of a read, or [`Cut`] if the source ends inside the chunk.
pub(super) type Whole<T> = std::result::Result<T, Cut>;

/// The maximum content size in bytes of a chunk without records.
const TABLE_LEN_MAX: usize = 8 + TABLE_ENTRIES * ENTRY_LEN;

impl<S: Source> Chunks<S> {
    /// Reads the header of a trace.
    pub(super) fn open(mut source: S) -> Result<Self> {
        let mut bytes = vec![0; HEADER_FIXED_LEN];
        let read = read_full(&mut source, 0, &mut bytes).map_err(|error| cannot_read(0, error))?;
        let len = TraceHeader::len_of(&bytes[..read])?;
        bytes.resize(len, 0);
        let rest = read_full(&mut source, HEADER_FIXED_LEN as u64, &mut bytes[HEADER_FIXED_LEN..])
            .map_err(|error| cannot_read(0, error))?;
        if HEADER_FIXED_LEN + rest < len {
            let found = (HEADER_FIXED_LEN + rest) as u64;
            let start = Place { block: 0, offset: 0 };
            return Err(start.damaged("length of the header", len as u64, found));
        }
        let header = TraceHeader::from_bytes(&bytes)?;
        let table = vec![0; split::table_len(&header.schema)];
        let buffers = Buffers { table, stored: Vec::with_capacity(TABLE_LEN_MAX), ..Buffers::default() };
        Ok(Self { source, seed: header.seed(), header, buffers })
    }

    pub(super) fn header(&self) -> &TraceHeader {
        &self.header
    }

    /// A header without content, for a reader that has not read a block yet.
    pub(super) fn no_chunk(&self) -> ChunkHeader {
        ChunkHeader::of_table(Kind::Records, 0, &[], self.seed)
    }

    /// The number of bytes of the trace; `None` if it is unknown.
    pub(super) fn byte_len(&self) -> Option<u64> {
        self.source.byte_len()
    }

    /// Fills `bytes` with the bytes of the trace from `offset` on, as far as the trace reaches. Returns the
    /// number of bytes read.
    pub(super) fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> Result<usize> {
        read_full(&mut self.source, offset, bytes).map_err(|error| cannot_read(offset, error))
    }

    /// Reads the header of the chunk at `place`.
    pub(super) fn read_header(&mut self, place: Place) -> Result<Whole<ChunkHeader>> {
        let mut bytes = [0; CHUNK_HEADER_LEN];
        let read = self.read_at(place.offset, &mut bytes)?;
        if read < bytes.len() {
            return Ok(Err(Cut { partial_bytes: read as u64 }));
        }
        let chunk = ChunkHeader::from_bytes(&bytes, self.seed).map_err(|bad| place.bad_header(bad))?;
        match self.number_beyond_limits(&chunk) {
            None => Ok(Ok(chunk)),
            Some((what, expected, found)) => Err(place.damaged(what, expected, found)),
        }
    }

    /// Whether a chunk begins at `offset`, and the source has all of it.
    pub(super) fn is_chunk(&mut self, offset: u64) -> Result<bool> {
        let len = self.byte_len().unwrap_or(0);
        let chunk = self.sound_header(offset)?;
        Ok(chunk.is_some_and(|chunk| offset + chunk.chunk_len() <= len))
    }

    /// The content of the chunk at `offset`; `None` if no whole chunk of this kind is there.
    pub(super) fn read_table(&mut self, offset: u64, kind: Kind) -> Result<Option<Vec<u8>>> {
        let header = self.sound_header(offset)?.filter(|header| header.kind == kind);
        let Some(header) = header else { return Ok(None) };
        let mut content = vec![0; header.stored_len as usize];
        let read = self.read_at(offset + CHUNK_HEADER_LEN as u64, &mut content)?;
        let is_whole = read == content.len() && header.content_hash(&content, self.seed) == header.checksum;
        Ok(is_whole.then_some(content))
    }

    /// The header at `offset`; `None` if no valid header is there.
    fn sound_header(&mut self, offset: u64) -> Result<Option<ChunkHeader>> {
        let mut bytes = [0; CHUNK_HEADER_LEN];
        let read = self.read_at(offset, &mut bytes)?;
        let chunk = ChunkHeader::from_bytes(&bytes, self.seed).ok().filter(|_| read == bytes.len());
        Ok(chunk.filter(|chunk| self.number_beyond_limits(chunk).is_none()))
    }

    /// Finds, in a header, a number that exceeds a recorder's limits. Returns its name, its limit and its
    /// value.
    fn number_beyond_limits(&self, chunk: &ChunkHeader) -> Option<(&'static str, u64, u64)> {
        let schema = &self.header.schema;
        let block_len = u64::from(self.header.block_len);
        let (records, plain_len) = (u64::from(chunk.records), u64::from(chunk.plain_len));
        let (split_len, stored_len) = (u64::from(chunk.split_len), u64::from(chunk.stored_len));
        if chunk.kind == Kind::Modules && self.header.version < MODULES_VERSION {
            return Some(("kind of chunk", Kind::End as u64, chunk.kind as u64));
        }
        if chunk.kind != Kind::Records {
            let most = TABLE_LEN_MAX as u64;
            return (stored_len > most).then_some(("bytes of a table", most, stored_len));
        }
        let lengths_len = if schema.is_variable() { 4 * records } else { 0 };
        let marks_most = block_len / 4 + crate::marks::MARK_MAX as u64;
        let split_most = match chunk.form {
            Form::Runs => split::runs_bound(block_len as usize),
            Form::Split => split::bound(schema, plain_len as usize, lengths_len as usize),
        } as u64;
        if chunk.form == Form::Runs && (self.header.version < RUNS_VERSION || schema.anchors().is_none()) {
            return Some(("form of records", Form::Split as u64, chunk.form as u64));
        }
        if plain_len > block_len {
            return Some(("bytes of records", block_len, plain_len));
        }
        if let Some(len) = schema.fixed_len().filter(|len| *len as u64 * records != plain_len) {
            return Some(("bytes of records", len as u64 * records, plain_len));
        }
        if records == 0 || lengths_len > block_len.next_multiple_of(4) {
            return Some(("number of records", block_len / 4, records));
        }
        if u64::from(chunk.marks_len) > marks_most.min(split_len) {
            return Some(("bytes of marks", marks_most.min(split_len), chunk.marks_len.into()));
        }
        if split_len - u64::from(chunk.marks_len) > split_most {
            return Some(("bytes before the codec", split_most, split_len));
        }
        (stored_len > split_len).then_some(("bytes as stored", split_len, stored_len))
    }

    /// Checks that the source is long enough for the content, if its length is known.
    pub(super) fn has_content(&self, chunk: &ChunkHeader, place: Place) -> Whole<()> {
        let Some(len) = self.byte_len() else { return Ok(()) };
        if len >= place.offset + chunk.chunk_len() {
            return Ok(());
        }
        let content = len.saturating_sub(place.offset + CHUNK_HEADER_LEN as u64);
        Err(Cut { partial_bytes: CHUNK_HEADER_LEN as u64 + content })
    }

    /// Reads the content of a chunk and checks it.
    pub(super) fn read_content(&mut self, chunk: &ChunkHeader, place: Place) -> Result<Whole<()>> {
        if let Err(cut) = self.has_content(chunk, place) {
            return Ok(Err(cut));
        }
        let offset = place.offset + CHUNK_HEADER_LEN as u64;
        let stored = &mut self.buffers.stored;
        stored.resize(chunk.stored_len as usize, 0);
        let read = read_full(&mut self.source, offset, stored).map_err(|error| cannot_read(offset, error))?;
        if read < stored.len() {
            return Ok(Err(Cut { partial_bytes: (CHUNK_HEADER_LEN + read) as u64 }));
        }
        let (expected, found) = (chunk.checksum, chunk.content_hash(stored, self.seed));
        if found != expected {
            let Place { block, offset } = place;
            return Err(TraceError::Checksum { block, offset, part: "content", expected, found });
        }
        Ok(Ok(()))
    }

    /// Decodes the records from the content that was read last.
    pub(super) fn decode(&mut self, chunk: &ChunkHeader, place: Place) -> Result<()> {
        let schema = &self.header.schema;
        let Place { block, offset } = place;
        let Buffers { workspace, stored, split, plain, lengths, table, runs } = &mut self.buffers;
        split.resize(chunk.split_len as usize, 0);
        workspace.decompress(chunk.codec, stored, split).map_err(|source| TraceError::Codec {
            block,
            offset,
            source,
        })?;
        plain.resize(chunk.plain_len as usize, 0);
        let lengths_len = if schema.is_variable() { 4 * chunk.records as usize } else { 0 };
        lengths.resize(lengths_len, 0);
        let (marks, records) = split.split_at(chunk.marks_len as usize);
        let count = chunk.records as usize;
        let decoded = match (chunk.form, schema.anchors()) {
            (Form::Runs, Some(anchors)) => split::decode_runs(records, anchors, runs, plain),
            _ => split::decode(schema, records, count, table, plain, lengths),
        };
        decoded.map_err(|malformed| place.damaged(malformed.0, plain.len() as u64, records.len() as u64))?;
        if !Marks::are_sound(marks, chunk.records.into(), chunk.first_time, chunk.last_time) {
            return Err(place.damaged("marks of time", chunk.last_time, chunk.first_time));
        }
        Ok(())
    }

    /// The content that was read last.
    pub(super) fn stored(&self) -> &[u8] {
        &self.buffers.stored
    }

    /// The records that were decoded last.
    pub(super) fn plain(&self) -> &[u8] {
        &self.buffers.plain
    }

    /// The lengths of the records that were decoded last; empty if all records have one length.
    pub(super) fn lengths(&self) -> &[u8] {
        &self.buffers.lengths
    }

    /// The marks of time of the records that were decoded last. `chunk` is the header of their chunk.
    pub(super) fn marks(&self, chunk: &ChunkHeader) -> &[u8] {
        &self.buffers.split[..chunk.marks_len as usize]
    }

    /// Reads the content of the last chunk. `None` if its size is not right for the trace's version.
    pub(super) fn end_of(&self, bytes: &[u8]) -> Option<End> {
        End::from_bytes(bytes).filter(|_| bytes.len() == End::len_of(self.header.version))
    }
}

impl Place {
    fn bad_header(self, bad: BadHeader) -> TraceError {
        match bad {
            BadHeader::Sync { found } => {
                self.damaged("sync word", u64::from_le_bytes(crate::chunk::SYNC), found)
            }
            BadHeader::Checksum { expected, found } => {
                let Self { block, offset } = self;
                TraceError::Checksum { block, offset, part: "header", expected, found }
            }
            BadHeader::Number { what, expected, found } => self.damaged(what, expected, found),
        }
    }

    /// The error for a number in the chunk that is not as required.
    pub(super) fn damaged(self, what: &'static str, expected: u64, found: u64) -> TraceError {
        TraceError::Damaged { block: self.block, offset: self.offset, what, expected, found }
    }
}

fn cannot_read(offset: u64, source: io::Error) -> TraceError {
    if source.kind() == io::ErrorKind::NotSeekable {
        return TraceError::NotSeekable;
    }
    TraceError::Io { what: "read", offset, source }
}
