//! The reader: reads blocks from front to back, or seeks to a block.
//!
//! All data is checked before use. `chunks` reads one chunk and checks it by itself; this module checks the
//! chunk's position among the others, and `threads` checks a block's position in its thread. `seek` and
//! `modules` read at other offsets of the trace, and `recover` skips damage. A length that the trace claims
//! never causes a larger allocation than the bytes read so far justify; only for the output of a codec, up to
//! 16 MiB are allocated at once.

mod chunks;
mod ending;
mod modules;
mod recover;
mod seek;
mod threads;

use crate::block::Block;
use crate::chunk::{ChunkHeader, Kind};
use crate::error::{Result, TraceError};
use crate::header::TraceHeader;
use crate::index::{End, Index};
use crate::options::limit_of_plain;
use crate::source::Source;
use chunks::{Chunks, Place, Whole};
pub use ending::{Ending, Losses};
use modules::Modules;
use threads::Threads;

/// Reads one trace.
///
/// **Memory**: one block in stored, split and plain form (each form takes at most slightly more than 16 MiB);
/// a few words for each thread; and, after the first seek, 56 bytes for each block. Once the buffers are as
/// large as the largest block, reading a block allocates nothing.
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
    chunks: Chunks<S>,
    /// The offset of the next chunk.
    at: u64,
    /// The number of the next block of records.
    block: u64,
    /// The ordinal of the next block's first record.
    ordinal: u64,
    threads: Threads,
    thread: Option<u64>,
    index: Option<Index>,
    modules: Modules,
    skips_damage: bool,
    /// Whether damage was skipped; then blocks may be missing.
    passed_damage: bool,
    losses: Losses,
    ending: Option<Ending>,
    /// The number of bytes of records in the blocks that end at or before the offset `plain_to`.
    plain: u64,
    plain_to: u64,
    /// The last valid header, and its offset.
    sound_header: Option<(u64, ChunkHeader)>,
    /// The header of the block in the buffers.
    chunk: ChunkHeader,
}

/// The result of reading one chunk.
enum Step {
    Block,
    Other,
    End,
}

/// The maximum number of records in a trace. This limit keeps sums from overflowing, even if blocks claim
/// that many records before them were lost.
const RECORDS_MAX: u64 = i64::MAX as u64;

impl<S: Source> Reader<S> {
    /// Opens a trace: reads its header.
    ///
    /// # Errors
    /// [`TraceError::NotATrace`], [`TraceError::TooNew`], a damaged header, or [`TraceError::Io`].
    pub fn open(source: S) -> Result<Self> {
        let chunks = Chunks::open(source)?;
        Ok(Self {
            at: chunks.header().len() as u64,
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
            chunk: chunks.no_chunk(),
            chunks,
        })
    }

    /// Makes the reader skip damaged blocks from now on, as [`Reader::pass`] does: they are reported in
    /// [`Reader::losses`] instead of as errors.
    pub fn skip_damaged(&mut self) {
        self.skips_damage = true;
    }

    /// Makes the reader return only blocks of one thread from now on; `None` means blocks of all threads.
    pub fn follow(&mut self, thread: Option<u64>) {
        self.thread = thread;
    }

    /// The header of the trace.
    pub fn header(&self) -> &TraceHeader {
        self.chunks.header()
    }

    /// The number of bytes of the trace, for example to show [`Block::offset`] as progress; `None` if the
    /// source has no length.
    pub fn byte_len(&self) -> Option<u64> {
        self.chunks.byte_len()
    }

    /// The damage that was skipped so far.
    pub fn losses(&self) -> Losses {
        self.losses
    }

    /// The kind of the trace's end; `None` until the trace was read or scanned to its end.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Reads the next block. `None` at the end of the trace; [`Reader::ending`] then returns the kind of the
    /// end.
    ///
    /// # Errors
    /// Damage, with its block and offset, unless the reader skips damage. After such an error, the reader is
    /// still before the damaged block.
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

    /// Reads the chunk at `self.at` and moves to the next one.
    fn step(&mut self) -> Result<Step> {
        if self.ending.is_some_and(|ending| self.at >= ending.offset()) {
            return Ok(Step::End);
        }
        let Some(chunk) = self.read_header()? else { return Ok(Step::End) };
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
        let is_whole = if is_wanted { self.read_content(&chunk)? } else { self.has_content(&chunk) };
        if !is_whole {
            return Ok(Step::End);
        }
        if is_wanted {
            self.chunks.decode(&chunk, self.place())?;
        }
        self.threads.pass(&chunk);
        self.losses.records += lost;
        self.ordinal = ordinal;
        self.at += chunk.chunk_len();
        self.block += 1;
        self.chunk = chunk;
        Ok(if is_wanted { Step::Block } else { Step::Other })
    }

    /// Checks the limit of expansion. The limit applies to the whole trace, not to each block; a reader that
    /// moves back begins to count anew.
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

    /// The number of records up to the end of a block, including records lost before the block. Each thread
    /// may claim any number of lost records, so the sum may overflow; the function then fails.
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
        let Some(end) = self.chunks.end_of(self.chunks.stored()) else {
            let expected = End::len_of(self.header().version) as u64;
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
        let extra = self.chunks.byte_len().map_or(0, |len| len.saturating_sub(after));
        if extra > 0 && !self.skips_damage {
            return Err(self.damaged("bytes of the trace", after, after + extra));
        }
        self.losses.places += u64::from(extra > 0);
        self.losses.bytes += extra;
        self.ending = Some(Ending::Complete(end));
        Ok(Step::End)
    }

    /// Reads the header of the chunk at `self.at`. `None` at the end of the source, even if this is inside
    /// the header; the ending is then recorded.
    fn read_header(&mut self) -> Result<Option<ChunkHeader>> {
        let read = self.chunks.read_header(self.place())?;
        let chunk = self.note_cut(read);
        self.sound_header = chunk.map(|chunk| (self.at, chunk)).or(self.sound_header);
        Ok(chunk)
    }

    /// Reads the content of the chunk at `self.at` and checks it. Returns false if the source ends inside the
    /// content; the ending is then recorded.
    fn read_content(&mut self, chunk: &ChunkHeader) -> Result<bool> {
        let read = self.chunks.read_content(chunk, self.place())?;
        Ok(self.note_cut(read).is_some())
    }

    /// Whether the source is long enough for the content; true if its length is unknown. If the source is too
    /// short, the ending is noted.
    fn has_content(&mut self, chunk: &ChunkHeader) -> bool {
        let found = self.chunks.has_content(chunk, self.place());
        self.note_cut(found).is_some()
    }

    /// The value of a read. `None` if the source ends inside the chunk; the ending is then recorded.
    fn note_cut<T>(&mut self, read: Whole<T>) -> Option<T> {
        let note = |cut: chunks::Cut| {
            self.ending = Some(Ending::Cut { offset: self.at, partial_bytes: cut.partial_bytes });
        };
        read.map_err(note).ok()
    }

    /// The block that was decoded last, from record number `from` on.
    fn current(&self, from: usize) -> Block<'_> {
        Block {
            header: &self.chunk,
            schema: &self.header().schema,
            number: self.block - 1,
            offset: self.at - self.chunk.chunk_len(),
            ordinal: self.ordinal - u64::from(self.chunk.records),
            plain: self.chunks.plain(),
            lengths: self.chunks.lengths(),
            marks: self.chunks.marks(&self.chunk),
            from,
        }
    }

    /// The number and offset of the next chunk.
    fn place(&self) -> Place {
        Place { block: self.block, offset: self.at }
    }

    fn damaged(&self, what: &'static str, expected: u64, found: u64) -> TraceError {
        self.place().damaged(what, expected, found)
    }
}
