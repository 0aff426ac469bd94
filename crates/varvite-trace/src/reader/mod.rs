//! The reader: blocks from front to back, or from a place that was sought.
//!
//! Everything is checked before it is believed: headers and contents by their checksums, numbers by limits, and each block by
//! its place in its thread. What a trace claims to need is never allocated before as many bytes as it says were read, or before a codec is
//! about to make them, at most 16 MiB.

mod modules;
mod recover;
mod seek;
mod threads;

use varvite_codec::Workspace;

use crate::block::Block;
use crate::chunk::{BadHeader, CHUNK_HEADER_LEN, ChunkHeader, Kind};
use crate::error::{Result, TraceError};
use crate::header::{HEADER_FIXED_LEN, MODULES_VERSION, TraceHeader};
use crate::index::{ENTRY_LEN, End, Index, TABLE_ENTRIES};
use crate::marks::Marks;
use crate::options::limit_of_plain;
use crate::source::{Source, read_full};
use crate::split;
use modules::Modules;
use threads::Threads;

/// How a trace ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its recorder finished it.
    Complete(End),
    /// Its recorder was stopped, or the trace was cut: `missing_bytes` of an unfinished block are at `offset`, and what came after is unknown.
    Cut {
        /// Where the last whole chunk ends.
        offset: u64,
        /// Bytes after it that make no whole chunk.
        partial_bytes: u64,
    },
}

/// What was passed over by a reader that skips damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Damaged places, each a block or more.
    pub places: u64,
    /// Records known to be lost.
    pub records: u64,
    /// Bytes passed over.
    pub bytes: u64,
}

/// Reads one trace.
///
/// **Memory**: a block as stored, split and plain, at most 16 MiB each and some; a few words for each thread; and 56 bytes for each block once
/// something was sought. Nothing is allocated for a block once buffers have grown to the largest.
///
/// ```
/// use varvite_trace::{Field, MemorySource, Options, Reader, Recorder, Schema};
///
/// # fn main() -> Result<(), varvite_trace::TraceError> {
/// let schema = Schema::of_fields("example/counter", &[Field::new("count", 8).with_delta()]);
/// let recorder = Recorder::create(Vec::new(), &Options::new(schema, [1; 16]))?;
/// let mut stream = recorder.stream(0)?;
/// for count in 0u64..100_000 {
///     stream.push(&(count * count).to_le_bytes())?;
/// }
/// stream.finish()?;
/// let mut reader = Reader::open(MemorySource(recorder.finish()?))?;
/// let block = reader.seek_ordinal(70_000)?.expect("there are so many");
/// assert_eq!(block.records().next(), Some(&4_900_000_000u64.to_le_bytes()[..]));
/// # Ok(())
/// # }
/// ```
pub struct Reader<S> {
    source: S,
    header: TraceHeader,
    seed: u64,
    /// Where the next chunk begins.
    at: u64,
    /// Number of the next block of records.
    block: u64,
    /// Ordinal of the next block's first record.
    ordinal: u64,
    threads: Threads,
    thread: Option<u64>,
    index: Option<Index>,
    modules: Modules,
    skips_damage: bool,
    /// Whether something was passed over, so that blocks may be missing.
    passed_damage: bool,
    losses: Losses,
    ending: Option<Ending>,
    /// Bytes of records that were decoded on the way to `self.at`.
    plain: u64,
    plain_to: u64,
    /// The last header that made sense, and where it is.
    sound_header: Option<(u64, ChunkHeader)>,
    /// The header of the block in the buffers.
    chunk: ChunkHeader,
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
}

/// Most bytes of a chunk that holds no records.
const TABLE_LEN_MAX: usize = 8 + TABLE_ENTRIES * ENTRY_LEN;

/// What a step forward came to.
enum Step {
    Block,
    Other,
    End,
}

/// Most records of a trace, so that sums of what threads claim to have lost stay numbers.
const RECORDS_MAX: u64 = i64::MAX as u64;

impl<S: Source> Reader<S> {
    /// Opens a trace: reads its header.
    ///
    /// # Errors
    /// [`TraceError::NotATrace`], [`TraceError::TooNew`], a damaged header, or [`TraceError::Io`].
    pub fn open(mut source: S) -> Result<Self> {
        let mut bytes = vec![0; HEADER_FIXED_LEN];
        let read = read_full(&mut source, 0, &mut bytes).map_err(|error| cannot_read(0, error))?;
        let len = TraceHeader::len_of(&bytes[..read])?;
        bytes.resize(len, 0);
        let rest = read_full(&mut source, HEADER_FIXED_LEN as u64, &mut bytes[HEADER_FIXED_LEN..])
            .map_err(|error| cannot_read(0, error))?;
        if HEADER_FIXED_LEN + rest < len {
            let found = (HEADER_FIXED_LEN + rest) as u64;
            return Err(damaged(0, 0, "length of the header", len as u64, found));
        }
        let header = TraceHeader::from_bytes(&bytes)?;
        let table = vec![0; split::table_len(&header.schema)];
        let seed = header.seed();
        Ok(Self {
            source,
            seed,
            at: len as u64,
            block: 0,
            ordinal: 0,
            threads: Threads::from_the_beginning(),
            thread: None,
            index: None,
            modules: Modules::default(),
            skips_damage: false,
            passed_damage: false,
            losses: Losses::default(),
            ending: None,
            plain: 0,
            plain_to: 0,
            sound_header: None,
            chunk: ChunkHeader::of_table(Kind::Records, 0, &[], seed),
            buffers: Buffers { table, stored: Vec::with_capacity(TABLE_LEN_MAX), ..Buffers::default() },
            header,
        })
    }

    /// From now on passes over damaged blocks, as [`Reader::pass`] does, and counts them in [`Reader::losses`], rather than stop with an error.
    pub fn skip_damaged(&mut self) {
        self.skips_damage = true;
    }

    /// From now on gives blocks of one thread only, or of all.
    pub fn follow(&mut self, thread: Option<u64>) {
        self.thread = thread;
    }

    /// What the trace says of itself.
    pub fn header(&self) -> &TraceHeader {
        &self.header
    }

    /// What was passed over so far.
    pub fn losses(&self) -> Losses {
        self.losses
    }

    /// How the trace ends, once it was read or searched to its end.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Reads the next block; nothing at the end, and [`Reader::ending`] then says how that is.
    ///
    /// # Errors
    /// Damage, with block and offset, unless it is skipped. The reader stays before the damaged block.
    pub fn next_block(&mut self) -> Result<Option<Block<'_>>> {
        loop {
            match self.step() {
                Ok(Step::Block) => return Ok(Some(self.current(0))),
                Ok(Step::Other) => {}
                Ok(Step::End) => return Ok(None),
                Err(error) if self.skips_damage => self.pass(error)?,
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads the chunk at `self.at` and goes past it.
    fn step(&mut self) -> Result<Step> {
        if self.ending.is_some_and(|ending| self.at >= ending.offset()) {
            return Ok(Step::End);
        }
        let Some(chunk) = self.read_header(self.at)? else { return Ok(Step::End) };
        match chunk.kind {
            Kind::Records => self.step_over_records(chunk),
            Kind::Index => {
                if self.read_content(&chunk)? {
                    self.at += chunk.chunk_len();
                    return Ok(Step::Other);
                }
                Ok(Step::End)
            }
            Kind::Modules => self.step_over_modules(&chunk),
            Kind::End => self.step_over_end(&chunk),
        }
    }

    fn step_over_records(&mut self, chunk: ChunkHeader) -> Result<Step> {
        let lost = self.threads.check(&chunk, self.skips_damage || self.passed_damage);
        let lost = lost.map_err(|(what, expected, found)| self.damaged(what, expected, found))?;
        let ordinal = self.ordinal_after(&chunk, lost)?;
        let is_wanted = self.thread.is_none_or(|thread| thread == chunk.thread);
        if is_wanted {
            self.check_growth(&chunk)?;
        }
        let is_whole = if is_wanted { self.read_content(&chunk)? } else { self.has_content(&chunk)? };
        if !is_whole {
            return Ok(Step::End);
        }
        if is_wanted {
            self.decode(&chunk)?;
        }
        self.threads.pass(&chunk);
        self.losses.records += lost;
        self.ordinal = ordinal;
        self.at += chunk.chunk_len();
        self.block += 1;
        self.chunk = chunk;
        Ok(if is_wanted { Step::Block } else { Step::Other })
    }

    /// The whole of a trace may not become many times what it is, block by block; whoever goes back begins anew.
    fn check_growth(&mut self, chunk: &ChunkHeader) -> Result<()> {
        let end = self.at + chunk.chunk_len();
        if end <= self.plain_to {
            self.plain = 0;
        }
        let (limit, plain) = (limit_of_plain(end), self.plain + u64::from(chunk.plain_len));
        if plain > limit {
            return Err(self.damaged("bytes of records in the trace so far", limit, plain));
        }
        (self.plain, self.plain_to) = (plain, end);
        Ok(())
    }

    /// How many records there are up to the end of a block, those that are lost before it among them: each thread may claim to
    /// have lost any number.
    fn ordinal_after(&self, chunk: &ChunkHeader, lost: u64) -> Result<u64> {
        let after =
            self.ordinal.checked_add(lost).and_then(|ordinal| ordinal.checked_add(chunk.records.into()));
        let after = after.filter(|ordinal| *ordinal <= RECORDS_MAX);
        after.ok_or_else(|| {
            self.damaged("number of records lost before the block", RECORDS_MAX - self.ordinal, lost)
        })
    }

    fn step_over_end(&mut self, chunk: &ChunkHeader) -> Result<Step> {
        if !self.read_content(chunk)? {
            return Ok(Step::End);
        }
        let Some(end) = self.end_of(&self.buffers.stored) else {
            let expected = End::len_of(self.header.version) as u64;
            return Err(self.damaged("length of the end", expected, chunk.stored_len.into()));
        };
        if end.offset != self.at {
            return Err(self.damaged("place of the end", end.offset, self.at));
        }
        let is_damaged = self.passed_damage || self.losses.records > 0;
        if self.threads.saw_all() && !is_damaged && (end.blocks, end.records) != (self.block, self.ordinal) {
            return Err(self.damaged("number of records before the end", end.records, self.ordinal));
        }
        if self.threads.saw_all() && is_damaged {
            self.losses.records += end.records.saturating_sub(self.ordinal);
            self.ordinal = end.records;
        }
        let after = self.at + chunk.chunk_len();
        let extra = self.source.byte_len().map_or(0, |len| len.saturating_sub(after));
        if extra > 0 && !self.skips_damage {
            return Err(self.damaged("bytes of the trace", after, after + extra));
        }
        self.losses.places += u64::from(extra > 0);
        self.losses.bytes += extra;
        self.ending = Some(Ending::Complete(end));
        Ok(Step::End)
    }

    /// The end that these bytes are, if they are as many as the version of the trace has there.
    fn end_of(&self, bytes: &[u8]) -> Option<End> {
        End::from_bytes(bytes).filter(|_| bytes.len() == End::len_of(self.header.version))
    }

    /// The header of the chunk at `offset`. At the end of the source, and where it was cut, there is none, and the ending is noted.
    fn read_header(&mut self, offset: u64) -> Result<Option<ChunkHeader>> {
        let mut bytes = [0; CHUNK_HEADER_LEN];
        let read =
            read_full(&mut self.source, offset, &mut bytes).map_err(|error| cannot_read(offset, error))?;
        if read < bytes.len() {
            self.ending = Some(Ending::Cut { offset, partial_bytes: read as u64 });
            return Ok(None);
        }
        let chunk = ChunkHeader::from_bytes(&bytes, self.seed).map_err(|bad| self.bad_header(bad))?;
        match self.number_beyond_limits(&chunk) {
            None => {
                self.sound_header = Some((offset, chunk));
                Ok(Some(chunk))
            }
            Some((what, expected, found)) => Err(self.damaged(what, expected, found)),
        }
    }

    /// A number of a header that no recorder writes: its name, its limit, and what it is.
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
        let split_most = split::bound(schema, plain_len as usize, lengths_len as usize) as u64;
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

    /// Reads the content of the chunk at `self.at` and checks it; false, with the ending noted, if the source ends in it.
    fn read_content(&mut self, chunk: &ChunkHeader) -> Result<bool> {
        if !self.has_content(chunk)? {
            return Ok(false);
        }
        let offset = self.at + CHUNK_HEADER_LEN as u64;
        let stored = &mut self.buffers.stored;
        stored.resize(chunk.stored_len as usize, 0);
        let read = read_full(&mut self.source, offset, stored).map_err(|error| cannot_read(offset, error))?;
        if read < stored.len() {
            self.note_cut(read as u64);
            return Ok(false);
        }
        let found = chunk.content_hash(stored, self.seed);
        if found != chunk.checksum {
            let (block, offset, expected) = (self.block, self.at, chunk.checksum);
            return Err(TraceError::Checksum { block, offset, part: "content", expected, found });
        }
        Ok(true)
    }

    /// Whether the source is long enough for the content, as far as its length is known.
    fn has_content(&mut self, chunk: &ChunkHeader) -> Result<bool> {
        let Some(len) = self.source.byte_len() else { return Ok(true) };
        let is_whole = len >= self.at + chunk.chunk_len();
        if !is_whole {
            self.note_cut(len.saturating_sub(self.at + CHUNK_HEADER_LEN as u64));
        }
        Ok(is_whole)
    }

    fn note_cut(&mut self, content_bytes: u64) {
        let partial_bytes = CHUNK_HEADER_LEN as u64 + content_bytes;
        self.ending = Some(Ending::Cut { offset: self.at, partial_bytes });
    }

    /// Makes records of the content that was read.
    fn decode(&mut self, chunk: &ChunkHeader) -> Result<()> {
        let schema = &self.header.schema;
        let (block, offset) = (self.block, self.at);
        let Buffers { workspace, stored, split, plain, lengths, table } = &mut self.buffers;
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
        split::decode(schema, records, count, table, plain, lengths).map_err(|malformed| {
            damaged(block, offset, malformed.0, plain.len() as u64, records.len() as u64)
        })?;
        if !Marks::are_sound(marks, chunk.records.into(), chunk.first_time, chunk.last_time) {
            return Err(damaged(block, offset, "marks of time", chunk.last_time, chunk.first_time));
        }
        Ok(())
    }

    /// The block that was decoded last.
    fn current(&self, from: usize) -> Block<'_> {
        Block {
            header: &self.chunk,
            schema: &self.header.schema,
            number: self.block - 1,
            offset: self.at - self.chunk.chunk_len(),
            ordinal: self.ordinal - u64::from(self.chunk.records),
            plain: &self.buffers.plain,
            lengths: &self.buffers.lengths,
            marks: &self.buffers.split[..self.chunk.marks_len as usize],
            from,
        }
    }

    fn bad_header(&self, bad: BadHeader) -> TraceError {
        match bad {
            BadHeader::Sync { found } => {
                self.damaged("sync word", u64::from_le_bytes(crate::chunk::SYNC), found)
            }
            BadHeader::Checksum { expected, found } => {
                TraceError::Checksum { block: self.block, offset: self.at, part: "header", expected, found }
            }
            BadHeader::Number { what, expected, found } => self.damaged(what, expected, found),
        }
    }

    fn damaged(&self, what: &'static str, expected: u64, found: u64) -> TraceError {
        damaged(self.block, self.at, what, expected, found)
    }
}

impl Ending {
    fn offset(&self) -> u64 {
        match self {
            Self::Complete(end) => end.offset,
            Self::Cut { offset, .. } => *offset,
        }
    }
}

fn damaged(block: u64, offset: u64, what: &'static str, expected: u64, found: u64) -> TraceError {
    TraceError::Damaged { block, offset, what, expected, found }
}

fn cannot_read(offset: u64, source: std::io::Error) -> TraceError {
    if source.kind() == std::io::ErrorKind::NotSeekable {
        return TraceError::NotSeekable;
    }
    TraceError::Io { what: "read", offset, source }
}
