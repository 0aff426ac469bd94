//! The recorder of a trace, with a [`Stream`] for each recording thread.
//!
//! A stream owns its block, and a push takes no lock. The recorder's lock is held while a finished block is
//! passed to the sink, once for each block. After a failed write, the recorder is closed for good, and every
//! stream gets an error at its next block.
//!
//! The interface can be exported to C: `Recorder::create`; `Stream::new`, in the caller's memory of
//! `Recorder::memory_needed` bytes; `push`, `push_all`, `set_time`, `flush` and `finish`. The arguments of
//! these functions are slices and integers, and they fail with an error.

use std::collections::HashSet;
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use varvite_codec::{Allocator, BlockCodec, Codec};

use crate::chunk::{ChunkHeader, Form, Kind, NO_THREAD};
use crate::error::{Result, TraceError};
use crate::header::TraceHeader;
use crate::index::{End, IndexEntry, Table};
use crate::marks::{MARK_MAX, Marker};
use crate::module::{self, MODULES_MAX, Module};
use crate::options::{Options, limit_of_plain};
use crate::schema::REFERENCE_LEN;
use crate::sink::Sink;
use crate::split::{self, Plain, RunBlock, RunEncoder, RunLimits};

/// Writes one trace.
///
/// **Threads**: threads share the recorder by reference or in an `Arc`, and each thread opens its own
/// [`Stream`]. **Memory**: about 13 KB, plus the memory of each stream.
pub struct Recorder<S> {
    header: TraceHeader,
    codec: Codec,
    level: i32,
    seed: u64,
    output: Mutex<Output<S>>,
}

/// The state under the lock: the sink, and the numbers of bytes, blocks and records written to it.
struct Output<S> {
    sink: S,
    offset: u64,
    blocks: u64,
    records: u64,
    /// The number of bytes of records.
    plain: u64,
    table: Table,
    tables: u64,
    last_table: u64,
    modules: u64,
    module_chunks: u64,
    last_modules: u64,
    threads: HashSet<u64>,
    is_closed: bool,
}

impl<S: Sink> Recorder<S> {
    /// Begins a trace: writes its header.
    ///
    /// # Errors
    /// [`TraceError::Options`] if an option is invalid, [`TraceError::Compress`] if the codec has no such
    /// level or is not part of this build, and [`TraceError::Io`] if the sink fails.
    pub fn create(sink: S, options: &Options) -> Result<Self> {
        options.check()?;
        varvite_codec::workspace_size(options.codec, options.level, 0).map_err(TraceError::Compress)?;
        let header = TraceHeader::of(options);
        let mut output = Output {
            sink,
            offset: 0,
            blocks: 0,
            records: 0,
            plain: 0,
            table: Table::new(),
            tables: 0,
            last_table: 0,
            modules: 0,
            module_chunks: 0,
            last_modules: 0,
            threads: HashSet::new(),
            is_closed: false,
        };
        output.put(&[&header.to_bytes()])?;
        let (codec, level) = (options.codec, options.level);
        Ok(Self { seed: header.seed(), codec, level, header, output: Mutex::new(output) })
    }

    /// Opens the stream of a thread, with memory from the global allocator. A thread's number may be any
    /// `u64` but the largest.
    ///
    /// # Errors
    /// [`TraceError::ThreadTaken`] if this thread already had a stream.
    pub fn stream(&self, thread: u64) -> Result<Stream<&Self, Vec<u8>, S>> {
        Stream::new(self, thread, vec![0; self.memory_needed()], &Allocator::global())
    }

    /// Registers a thread without opening a stream for it. Instead, the stream of another thread writes this
    /// thread's blocks, by [`Stream::exchange`].
    ///
    /// # Errors
    /// [`TraceError::ThreadTaken`] if this thread was already registered or already had a stream.
    pub fn thread(&self, thread: u64) -> Result<ThreadState> {
        take_thread(self, thread)?;
        Ok(ThreadState { thread, number: 0, ordinal: 0, time: 0 })
    }

    /// Makes an encoder of runs, whose blocks [`Stream::write_runs`] writes. `None` if the records are not
    /// references.
    pub fn run_encoder(&self) -> Option<RunEncoder> {
        let limits = RunLimits::of(&Parts::of(&self.header, self.codec));
        Some(RunEncoder::new(self.header.schema.anchors()?, limits))
    }

    /// The maximum number of bytes of records in a block.
    pub fn block_len(&self) -> u32 {
        self.header.block_len
    }

    /// The number of bytes of memory that [`Stream::new`] needs, besides the memory for the codec, which
    /// comes from the allocator.
    pub fn memory_needed(&self) -> usize {
        Parts::of(&self.header, self.codec).sum()
    }

    /// Records modules, at any time and from any thread. Add each module only once. A reader finds all
    /// modules, even if the recording process is killed later.
    ///
    /// **Cost**: allocates memory for a chunk, and waits for the sink.
    ///
    /// # Errors
    /// [`TraceError::Options`] for a path longer than 4096 bytes, a build id longer than 64, or more than
    /// 65,536 modules; nothing is then written. [`TraceError::Io`] or [`TraceError::Closed`], as for records.
    pub fn add_modules(&self, modules: &[Module]) -> Result<()> {
        let groups = module::groups(modules)?;
        let mut output = self.output();
        let found = output.modules + modules.len() as u64;
        if found > MODULES_MAX as u64 {
            return Err(TraceError::Options { what: "so many modules", found, limit: MODULES_MAX as u64 });
        }
        groups.into_iter().try_for_each(|group| output.put_modules(group, self.seed))
    }

    /// Ends the trace: writes the index and the end, and returns the sink. Finish all streams first.
    ///
    /// # Errors
    /// [`TraceError::Closed`] if an earlier write failed, [`TraceError::Io`] if a write fails now. The bytes
    /// written so far are still a readable trace.
    pub fn finish(self) -> Result<S> {
        let mut output = self.output.into_inner().unwrap_or_else(PoisonError::into_inner);
        if output.is_closed {
            return Err(TraceError::Closed);
        }
        output.put_table(self.seed)?;
        output.put_end(self.seed)?;
        output.sink.finish().map_err(|source| output.failed(source))?;
        Ok(output.sink)
    }

    fn output(&self) -> MutexGuard<'_, Output<S>> {
        // A poisoned lock is usable: if a thread panicked while it held the lock, the output is closed or has
        // only whole chunks.
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Sink> Output<S> {
    fn put(&mut self, parts: &[&[u8]]) -> Result<()> {
        if std::mem::replace(&mut self.is_closed, true) {
            return Err(TraceError::Closed);
        }
        for part in parts {
            self.sink.put(part).map_err(|source| self.failed(source))?;
            self.offset += part.len() as u64;
        }
        self.is_closed = false;
        Ok(())
    }

    fn failed(&self, source: std::io::Error) -> TraceError {
        TraceError::Io { what: "write", offset: self.offset, source }
    }

    fn put_block(&mut self, header: &ChunkHeader, stored: &[u8], seed: u64) -> Result<()> {
        let entry = IndexEntry::of(header, self.offset);
        self.put(&[&header.to_bytes(seed), stored])?;
        self.blocks += 1;
        self.records += u64::from(header.records);
        self.plain += u64::from(header.plain_len);
        if self.table.push(entry) { self.put_table(seed) } else { Ok(()) }
    }

    /// Whether the trace would come near the limit of expansion, which readers check, if a block with
    /// `plain_len` bytes of records were compressed to almost nothing.
    fn is_dense(&self, plain_len: usize) -> bool {
        self.plain + plain_len as u64 > limit_of_plain(self.offset) / 2
    }

    fn put_table(&mut self, seed: u64) -> Result<()> {
        if self.table.is_empty() {
            return Ok(());
        }
        let (offset, before) = (self.offset, self.last_table);
        let mut table = std::mem::replace(&mut self.table, Table::new());
        let content = table.take(before);
        let header = ChunkHeader::of_table(Kind::Index, self.tables, content, seed);
        self.put(&[&header.to_bytes(seed), content])?;
        (self.last_table, self.tables) = (offset, self.tables + 1);
        Ok(())
    }

    fn put_modules(&mut self, modules: &[Module], seed: u64) -> Result<()> {
        let content = module::content_of(modules, self.last_modules);
        let header = ChunkHeader::of_table(Kind::Modules, self.module_chunks, &content, seed);
        let offset = self.offset;
        self.put(&[&header.to_bytes(seed), &content])?;
        self.modules += modules.len() as u64;
        (self.last_modules, self.module_chunks) = (offset, self.module_chunks + 1);
        Ok(())
    }

    fn put_end(&mut self, seed: u64) -> Result<()> {
        let (blocks, records) = (self.blocks, self.records);
        let (table, modules) = (self.last_table, self.last_modules);
        let end = End { table, offset: self.offset, blocks, records, modules };
        let content = end.to_bytes();
        self.put(&[&ChunkHeader::of_table(Kind::End, 0, &content, seed).to_bytes(seed), &content])
    }
}

/// A writer of the records of one thread.
///
/// **Cost**: a push copies its record. If the block is full, the push also splits, compresses, hashes and
/// writes the block; this needs no further memory, and waits for the sink. **Threads**: only one thread at a
/// time can use a stream. Dropping the stream writes its buffered records and ignores a failure;
/// [`Stream::finish`] returns the failure.
pub struct Stream<R, B, S>
where
    R: Deref<Target = Recorder<S>>,
    S: Sink,
    B: AsMut<[u8]>,
{
    recorder: R,
    memory: B,
    parts: Parts,
    record_len: Option<usize>,
    fields_len: usize,
    block_len: usize,
    plain_len: usize,
    records: usize,
    marker: Marker,
    first_time: u64,
    state: ThreadState,
    coder: BlockCodec<'static>,
}

/// The state of a thread: its number, and the numbers of its blocks and records. With [`Stream::exchange`],
/// one stream can write the records of many threads, and only the memory of one stream is needed.
#[derive(Debug)]
pub struct ThreadState {
    thread: u64,
    /// The number of the next block.
    number: u64,
    /// The ordinal in the thread of the next block's first record.
    ordinal: u64,
    time: u64,
}

/// The lengths of the parts into which a stream divides its memory.
#[derive(Clone, Copy, Debug)]
struct Parts {
    plain: usize,
    lengths: usize,
    marks: usize,
    table: usize,
    scratch: usize,
    split: usize,
    stored: usize,
}

impl RunLimits {
    fn of(parts: &Parts) -> Self {
        Self { plain: parts.plain, split: parts.split - parts.marks, times: parts.marks / MARK_MAX }
    }
}

/// The parts into which a stream divides its memory.
struct Pieces<'a> {
    plain: &'a mut [u8],
    lengths: &'a mut [u8],
    marks: &'a mut [u8],
    table: &'a mut [u8],
    scratch: &'a mut [u8],
    split: &'a mut [u8],
    stored: &'a mut [u8],
}

impl Parts {
    fn of(header: &TraceHeader, codec: Codec) -> Self {
        let plain = header.block_len as usize;
        // There is room for one length (a `u32`) for every four bytes of a block. If records have fewer than
        // four bytes on average, blocks end before they are full.
        let lengths = if header.schema.is_variable() { plain.next_multiple_of(4) } else { 0 };
        let marks = plain / 4 + MARK_MAX;
        let of_runs = header.schema.anchors().map_or(0, |_| split::runs_bound(plain));
        let split = marks + split::bound(&header.schema, plain, lengths).max(of_runs);
        let scratch = split::scratch_len(&header.schema, plain);
        let table = split::table_len(&header.schema);
        Self { plain, lengths, marks, table, scratch, split, stored: codec.stored_len_max(split) }
    }

    fn sum(&self) -> usize {
        self.plain + self.lengths + self.marks + self.table + self.scratch + self.split + self.stored
    }

    fn of_memory<'a>(&self, memory: &'a mut [u8]) -> Pieces<'a> {
        let (plain, rest) = memory.split_at_mut(self.plain);
        let (lengths, rest) = rest.split_at_mut(self.lengths);
        let (marks, rest) = rest.split_at_mut(self.marks);
        let (table, rest) = rest.split_at_mut(self.table);
        let (scratch, rest) = rest.split_at_mut(self.scratch);
        let (split, rest) = rest.split_at_mut(self.split);
        Pieces { plain, lengths, marks, table, scratch, split, stored: &mut rest[..self.stored] }
    }
}

impl<R, B, S> Stream<R, B, S>
where
    R: Deref<Target = Recorder<S>>,
    S: Sink,
    B: AsMut<[u8]>,
{
    /// Opens the stream of a thread. The stream works in `memory`, which has at least
    /// [`Recorder::memory_needed`] bytes with any content, and in memory for the codec, which this function
    /// takes from `allocator`. Later calls allocate nothing. A thread's number may be any `u64` but the
    /// largest.
    ///
    /// # Errors
    /// [`TraceError::Memory`] if the memory is too small, [`TraceError::ThreadTaken`] if this thread already
    /// had a stream, and [`TraceError::Compress`] if the codec does not have the level or gets no memory.
    pub fn new(recorder: R, thread: u64, mut memory: B, allocator: &Allocator) -> Result<Self> {
        let Recorder { header, codec, level, .. } = &*recorder;
        let parts = Parts::of(header, *codec);
        let (needed, found) = (parts.sum(), memory.as_mut().len());
        if found < needed {
            return Err(TraceError::Memory { needed, found });
        }
        let coder =
            BlockCodec::allocate(*codec, *level, parts.split, allocator).map_err(TraceError::Compress)?;
        let state = recorder.thread(thread)?;
        let schema = &recorder.header.schema;
        Ok(Self {
            memory,
            parts,
            record_len: schema.fixed_len(),
            fields_len: schema.fields_len(),
            block_len: parts.plain,
            plain_len: 0,
            records: 0,
            marker: Marker::default(),
            first_time: 0,
            state,
            coder,
            recorder,
        })
    }

    /// Records one record.
    ///
    /// # Errors
    /// [`TraceError::RecordLen`] if the record does not fit the schema or a block; the stream can still be
    /// used. [`TraceError::Io`] or [`TraceError::Closed`] if a full block could not be written; that block,
    /// this record and all later ones are lost.
    #[inline]
    pub fn push(&mut self, record: &[u8]) -> Result<()> {
        let len = record.len();
        let fits =
            self.record_len.map_or(len >= self.fields_len && len <= self.block_len, |fixed| len == fixed);
        if !fits {
            return Err(self.wrong_len(len));
        }
        if self.plain_len + len > self.block_len
            || self.state.time != self.marker.time()
            || self.record_len.is_none()
        {
            self.prepare(len)?;
        }
        self.memory.as_mut()[self.plain_len..self.plain_len + len].copy_from_slice(record);
        self.plain_len += len;
        self.records += 1;
        Ok(())
    }

    /// Records any number of consecutive records of fixed length. This is cheaper than one push per record.
    ///
    /// # Errors
    /// As [`Stream::push`]. If `records` does not consist of whole records, nothing is recorded.
    pub fn push_all(&mut self, records: &[u8]) -> Result<()> {
        let Some(len) = self.record_len.filter(|len| records.len().is_multiple_of(*len)) else {
            return Err(self.wrong_len(records.len()));
        };
        let mut rest = records;
        while let Some((first, after)) = rest.split_at_checked(len).filter(|(first, _)| !first.is_empty()) {
            self.push(first)?;
            rest = self.push_run(after, len);
        }
        Ok(())
    }

    /// Copies as many records as the block has room for, all with the time of the last record. Returns the
    /// remaining records.
    fn push_run<'r>(&mut self, records: &'r [u8], len: usize) -> &'r [u8] {
        let room = (self.block_len - self.plain_len) / len * len;
        let (run, rest) = records.split_at(room.min(records.len()));
        self.memory.as_mut()[self.plain_len..][..run.len()].copy_from_slice(run);
        self.plain_len += run.len();
        self.records += run.len() / len;
        rest
    }

    /// Sets the time of all following records.
    ///
    /// # Errors
    /// [`TraceError::TimeBackwards`] if `time` is earlier than the current time, which then does not change.
    pub fn set_time(&mut self, time: u64) -> Result<()> {
        if time < self.state.time {
            return Err(TraceError::TimeBackwards {
                thread: self.state.thread,
                before: self.state.time,
                found: time,
            });
        }
        self.state.time = time;
        Ok(())
    }

    /// Writes the buffered records as a block, and then continues as the stream of the thread in `state`.
    /// Afterwards `state` has the state of the previous thread.
    ///
    /// # Errors
    /// The errors of [`Stream::flush`]; the stream then stays with its thread.
    pub fn exchange(&mut self, state: &mut ThreadState) -> Result<()> {
        self.flush()?;
        std::mem::swap(&mut self.state, state);
        Ok(())
    }

    /// The number of records that the thread has recorded so far, including buffered ones.
    pub fn records(&self) -> u64 {
        self.state.ordinal + self.records as u64
    }

    /// Writes the buffered records as a block, even if it is not full, so that a reader gets them now.
    ///
    /// # Errors
    /// [`TraceError::Io`] or [`TraceError::Closed`]; the buffered records are then lost.
    pub fn flush(&mut self) -> Result<()> {
        if self.records == 0 {
            return Ok(());
        }
        let written = self.write_block();
        self.begin_block();
        written
    }

    fn begin_block(&mut self) {
        (self.plain_len, self.records) = (0, 0);
        (self.first_time, self.marker) = (self.state.time, Marker::begin(self.state.time));
    }

    /// Writes the buffered records, and ends the stream.
    ///
    /// # Errors
    /// As [`Stream::flush`].
    pub fn finish(mut self) -> Result<()> {
        self.flush()
    }

    /// Makes room for a record, marks its time if it changed, and notes its length if lengths vary.
    fn prepare(&mut self, len: usize) -> Result<()> {
        if self.plain_len + len > self.block_len || self.has_full_notes() {
            self.flush()?;
        }
        if self.records == 0 {
            (self.first_time, self.marker) = (self.state.time, Marker::begin(self.state.time));
        }
        let pieces = self.parts.of_memory(self.memory.as_mut());
        if self.state.time != self.marker.time() {
            self.marker.mark(self.records as u64, self.state.time, pieces.marks);
        }
        if self.record_len.is_none() {
            pieces.lengths[4 * self.records..][..4].copy_from_slice(&(len as u32).to_le_bytes());
        }
        Ok(())
    }

    /// Whether there is no room for another mark or another length.
    fn has_full_notes(&self) -> bool {
        self.marker.len + MARK_MAX > self.parts.marks
            || self.record_len.is_none() && 4 * self.records >= self.parts.lengths
    }

    /// Writes the buffered records, and then a block of runs, which belong to the stream's thread too. A
    /// block without records is not written.
    ///
    /// **Cost**: compresses and hashes the block, and waits for the sink. Overwrites parts of the block.
    ///
    /// # Errors
    /// As [`Stream::flush`]; the runs are then lost. [`TraceError::Memory`] if the encoder of the block
    /// belongs to a recorder with larger blocks.
    pub fn write_runs(&mut self, block: &mut RunBlock) -> Result<()> {
        self.flush()?;
        let limits = RunLimits::of(&self.parts);
        if let Some((needed, found)) = block.exceeded(&limits) {
            return Err(TraceError::Memory { needed, found });
        }
        self.mark_runs(block)?;
        if block.is_empty() {
            return Ok(());
        }
        let pieces = self.parts.of_memory(self.memory.as_mut());
        let (marks, rest) = pieces.split.split_at_mut(self.marker.len);
        marks.copy_from_slice(&pieces.marks[..self.marker.len]);
        let split_len = marks.len() + block.write(rest);
        (self.plain_len, self.records) = (block.records() * REFERENCE_LEN, block.records());
        let written = self.store(Form::Runs, split_len);
        self.begin_block();
        written
    }

    /// Begins a block at the time of the first run, and marks the changes of time.
    fn mark_runs(&mut self, block: &RunBlock) -> Result<()> {
        let (first, later) = match block.times() {
            [(0, first), later @ ..] => (Some(*first), later),
            later => (None, later),
        };
        first.map_or(Ok(()), |time| self.set_time(time))?;
        self.begin_block();
        for (record, time) in later {
            self.set_time(*time)?;
            // After the last record that happened, a time is that of the next block.
            if *record < block.records() {
                let marks = self.parts.of_memory(self.memory.as_mut()).marks;
                self.marker.mark(*record as u64, *time, marks);
            }
        }
        Ok(())
    }

    fn write_block(&mut self) -> Result<()> {
        let schema = &self.recorder.header.schema;
        let pieces = self.parts.of_memory(self.memory.as_mut());
        let marks_len = self.marker.len;
        let (marks, rest) = pieces.split.split_at_mut(marks_len);
        marks.copy_from_slice(&pieces.marks[..marks_len]);
        let lengths_len = if schema.is_variable() { 4 * self.records } else { 0 };
        let plain = Plain {
            bytes: &pieces.plain[..self.plain_len],
            lengths: &pieces.lengths[..lengths_len],
            records: self.records,
        };
        let split_len = marks_len + split::encode(schema, plain, pieces.table, pieces.scratch, rest);
        self.store(Form::Split, split_len)
    }

    /// Compresses and writes a block. The first `split_len` bytes of the split piece are its content.
    fn store(&mut self, form: Form, split_len: usize) -> Result<()> {
        let Recorder { codec, seed, .. } = &*self.recorder;
        let pieces = self.parts.of_memory(self.memory.as_mut());
        let split = &pieces.split[..split_len];
        let stored_len = self.coder.compress(split, pieces.stored).map_err(TraceError::Compress)?;
        // If compression saves nothing, an uncompressed block saves the reader work. If compression saves too
        // much, a reader would refuse the trace.
        let gains = stored_len < split_len && !self.recorder.output().is_dense(self.plain_len);
        let (codec, stored) =
            if gains { (*codec, &pieces.stored[..stored_len]) } else { (Codec::None, split) };
        let header = ChunkHeader {
            kind: Kind::Records,
            codec,
            form,
            records: self.records as u32,
            plain_len: self.plain_len as u32,
            split_len: split_len as u32,
            stored_len: stored.len() as u32,
            marks_len: self.marker.len as u32,
            thread: self.state.thread,
            number: self.state.number,
            first_ordinal: self.state.ordinal,
            first_time: self.first_time,
            last_time: self.marker.time(),
            checksum: 0,
        };
        let header = ChunkHeader { checksum: header.content_hash(stored, *seed), ..header };
        self.recorder.output().put_block(&header, stored, *seed)?;
        self.state.number += 1;
        self.state.ordinal += self.records as u64;
        Ok(())
    }

    #[cold]
    fn wrong_len(&self, found: usize) -> TraceError {
        TraceError::RecordLen {
            expected: self.fields_len,
            max: self.record_len.unwrap_or(self.block_len),
            found,
        }
    }
}

impl<R, B, S> Drop for Stream<R, B, S>
where
    R: Deref<Target = Recorder<S>>,
    S: Sink,
    B: AsMut<[u8]>,
{
    fn drop(&mut self) {
        // There is no caller to return an error to. If this fails, the recorder is closed, and
        // `Recorder::finish` returns an error.
        let _ = self.flush();
    }
}

fn take_thread<S: Sink>(recorder: &Recorder<S>, thread: u64) -> Result<()> {
    let mut output = recorder.output();
    if thread == NO_THREAD || !output.threads.insert(thread) {
        return Err(TraceError::ThreadTaken { thread });
    }
    Ok(())
}
