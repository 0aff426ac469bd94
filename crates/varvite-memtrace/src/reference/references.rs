//! [`References`]: collects the references from an importer by thread, and writes them to a trace.
//!
//! The references of a thread are held in memory until they fill a block, or until those of all threads
//! together exceed [`WAITING_MAX`] bytes. One stream of the recorder then writes them, in this thread or
//! another. The memory therefore depends on the number of bytes read, not on the number of threads that a
//! file names.

use std::collections::HashMap;
use std::thread::Scope;

use thiserror::Error;
use varvite_trace::{Module, Recorder, RunEncoder, RunShape, Sink, TraceError};

use super::block_writer::{BlockWriter, Filled};
use super::piped::Piped;
use super::{Counts, Reference};

/// Maximum number of threads in a trace.
pub const THREADS_MAX: usize = 1 << 16;
/// Maximum number of bytes that are held for all threads together.
const WAITING_MAX: usize = 32 << 20;

/// The reason why references could not be recorded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// The recorder failed, or refused a record.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The source has more threads than an import allows.
    #[error("more than {THREADS_MAX} threads in one trace; convert the files of threads one by one")]
    TooManyThreads,
}

type Result<T> = std::result::Result<T, ReferenceError>;

/// Writes the references from an importer to one stream of a recorder, which all threads share.
///
/// **Memory**: a stream of the recorder, at most `WAITING_MAX` bytes of held references, and 200 bytes for
/// each thread.
pub struct References<'r, S: Sink> {
    recorder: &'r Recorder<S>,
    writer: Writer<'r, S>,
    threads: Vec<Waiting>,
    numbers: HashMap<u64, usize>,
    current: usize,
    /// Number of bytes that fill a block.
    block_len: usize,
    /// Number of bytes that are held for all threads together.
    waiting: usize,
    counts: Counts,
    /// Whether references are recorded as runs.
    is_runs: bool,
    /// The memory of runs that were written.
    spare: Filled,
}

/// Writes blocks, in this thread or in another.
enum Writer<'r, S: Sink> {
    Here(Box<BlockWriter<'r, S>>),
    Piped(Piped<'r>),
}

impl<S: Sink> Writer<'_, S> {
    fn add_thread(&mut self, thread: u64) -> Result<()> {
        Ok(match self {
            Self::Here(writer) => writer.add_thread(thread),
            Self::Piped(writer) => writer.add_thread(thread),
        }?)
    }

    /// Writes references of a thread as a block, and removes them from `filled`.
    fn write(&mut self, index: usize, filled: &mut Filled) -> Result<()> {
        let written = match self {
            Self::Here(writer) => writer.write(index, filled),
            Self::Piped(writer) => writer.write(index, filled),
        };
        // After an error too, so that nothing writes them again.
        filled.clear();
        Ok(written?)
    }

    fn finish(&mut self) -> Result<()> {
        Ok(match self {
            Self::Here(writer) => writer.finish(),
            Self::Piped(writer) => writer.finish(),
        }?)
    }
}

/// The references of a thread since its last block.
#[derive(Default)]
struct Waiting {
    thread: u64,
    filled: Filled,
    /// The references, if they are recorded as runs.
    runs: Option<Box<RunEncoder>>,
    /// The bytes of `runs` in the sum for all threads.
    runs_len: usize,
    time: u64,
    marked: u64,
}

impl Waiting {
    /// Notes the time of the next record. Returns the number of bytes that the note takes.
    fn mark_time(&mut self) -> usize {
        self.filled.times.push((self.filled.records.len(), self.time));
        self.marked = self.time;
        size_of::<(usize, u64)>()
    }
}

impl<'r, S: Sink> References<'r, S> {
    /// Makes a target that writes to `recorder`.
    pub fn new(recorder: &'r Recorder<S>) -> Self {
        Self::with_writer(recorder, Writer::Here(Box::new(BlockWriter::new(recorder))))
    }

    /// Makes a target that compresses and writes blocks in another thread, which ends with the target. An
    /// error of that thread is returned by a later call, at the latest by [`Self::finish`].
    pub fn piped(recorder: &'r Recorder<S>, scope: &'r Scope<'r, '_>) -> Self
    where
        S: Send,
    {
        Self::with_writer(recorder, Writer::Piped(Piped::start(recorder, scope)))
    }

    fn with_writer(recorder: &'r Recorder<S>, writer: Writer<'r, S>) -> Self {
        let block_len = recorder.block_len() as usize;
        Self {
            recorder,
            writer,
            threads: Vec::new(),
            numbers: HashMap::new(),
            current: 0,
            block_len: block_len - block_len % Reference::LEN,
            waiting: 0,
            counts: Counts::default(),
            is_runs: false,
            spare: Filled::default(),
        }
    }

    /// The same target, which records references as runs.
    #[must_use]
    pub(crate) fn with_runs(mut self) -> Self {
        self.is_runs = true;
        self
    }

    /// Switches to a thread: the following references belong to it. Returns whether the thread is new.
    ///
    /// # Errors
    /// [`ReferenceError::TooManyThreads`], or the recorder's error for the thread.
    pub fn switch(&mut self, thread: u64) -> Result<bool> {
        self.count_runs()?;
        if let Some(index) = self.numbers.get(&thread) {
            self.current = *index;
            return Ok(false);
        }
        if self.threads.len() == THREADS_MAX {
            return Err(ReferenceError::TooManyThreads);
        }
        self.writer.add_thread(thread)?;
        self.current = self.threads.len();
        self.numbers.insert(thread, self.current);
        let runs = self.is_runs.then(|| self.recorder.run_encoder().map(Box::new)).flatten();
        self.threads.push(Waiting { thread, runs, ..Waiting::default() });
        Ok(true)
    }

    /// Sets the time of the current thread.
    ///
    /// # Errors
    /// [`TraceError::TimeBackwards`].
    ///
    /// # Panics
    /// If [`Self::switch`] was never called.
    pub fn set_time(&mut self, time: u64) -> Result<()> {
        let Waiting { thread, time: before, .. } = &mut self.threads[self.current];
        if time < *before {
            return Err(TraceError::TimeBackwards { thread: *thread, before: *before, found: time }.into());
        }
        *before = time;
        Ok(())
    }

    /// Sets the time of the current thread, unless the thread's time is already later.
    ///
    /// # Panics
    /// If [`Self::switch`] was never called.
    pub fn advance_time(&mut self, time: u64) {
        let Waiting { time: before, runs, .. } = &mut self.threads[self.current];
        *before = time.max(*before);
        runs.iter_mut().for_each(|runs| runs.advance_time(time));
    }

    /// Records a reference of the current thread.
    ///
    /// # Errors
    /// The errors of the recorder when it writes.
    ///
    /// # Panics
    /// If [`Self::switch`] was never called.
    pub fn push(&mut self, reference: Reference) -> Result<()> {
        self.counts.count(reference.kind);
        let waiting = &mut self.threads[self.current];
        if waiting.runs.is_some() {
            return self.push_as_run(&reference.to_bytes());
        }
        if waiting.time != waiting.marked {
            self.waiting += waiting.mark_time();
        }
        waiting.filled.records.extend_from_slice(&reference.to_bytes());
        self.waiting += Reference::LEN;
        if waiting.filled.records.len() >= self.block_len {
            return self.write(self.current);
        }
        if self.waiting > WAITING_MAX { self.write_all() } else { Ok(()) }
    }

    /// Records a run of the current thread, of a target [`Self::with_runs`]. `counts` are the numbers of its
    /// references; a value is `None` if its reference did not happen.
    ///
    /// # Errors
    /// The errors of the recorder when it writes.
    ///
    /// # Panics
    /// If [`Self::switch`] was never called.
    #[inline]
    pub(crate) fn push_run(
        &mut self,
        shape: &RunShape,
        counts: Counts,
        values: impl Iterator<Item = Option<u64>> + Clone,
    ) -> Result<()> {
        if let Some(runs) = &mut self.threads[self.current].runs
            && runs.push(shape, values.clone()).is_some()
        {
            self.counts.add(counts);
            return Ok(());
        }
        self.push_run_anew(shape, counts, values)
    }

    /// Records a run of a shape that the current thread has recorded before, with all its values. False if
    /// [`Self::push_run`] must record it.
    ///
    /// # Panics
    /// If [`Self::switch`] was never called.
    #[inline(always)]
    pub(crate) fn push_again(&mut self, key: u32, counts: Counts, values: &[[u8; 8]]) -> bool {
        let runs = self.threads[self.current].runs.as_mut();
        let is_pushed = runs.is_some_and(|runs| runs.push_again(key, values));
        if is_pushed {
            self.counts.add(counts);
        }
        is_pushed
    }

    /// Records a run for which the block has no room.
    #[cold]
    fn push_run_anew(
        &mut self,
        shape: &RunShape,
        counts: Counts,
        values: impl Iterator<Item = Option<u64>> + Clone,
    ) -> Result<()> {
        self.write(self.current)?;
        self.counts.add(counts);
        if let Some(runs) = &mut self.threads[self.current].runs
            && runs.push(shape, values.clone()).is_some()
        {
            return Ok(());
        }
        // The run is longer than a block.
        shape.expand(values).iter().try_for_each(|record| self.push_as_run(record))
    }

    /// Records a reference, which is counted already, as a run of its own.
    #[cold]
    fn push_as_run(&mut self, record: &[u8; Reference::LEN]) -> Result<()> {
        let current = self.current;
        for _ in 0..2 {
            if self.threads[current].runs.as_mut().is_none_or(|runs| runs.push_record(record)) {
                return Ok(());
            }
            self.write(current)?;
        }
        Ok(())
    }

    /// Updates the sum of held bytes by the runs of the current thread, and writes all if there are too many.
    fn count_runs(&mut self) -> Result<()> {
        let Some(waiting) = self.threads.get_mut(self.current) else { return Ok(()) };
        let held = waiting.runs.as_ref().map_or(0, |runs| runs.memory());
        self.waiting = self.waiting + held - std::mem::replace(&mut waiting.runs_len, held);
        if self.waiting > WAITING_MAX { self.write_all() } else { Ok(()) }
    }

    /// Records files and the addresses at which they are mapped.
    ///
    /// # Errors
    /// The errors of the recorder when it writes, and an error if a module is not valid in a trace.
    pub fn add_modules(&self, modules: &[Module]) -> Result<()> {
        Ok(self.recorder.add_modules(modules)?)
    }

    /// The number of references so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Writes all held references, and finishes the stream.
    ///
    /// # Errors
    /// The errors of the recorder when it writes.
    pub fn finish(mut self) -> Result<Counts> {
        self.write_all()?;
        self.writer.finish()?;
        Ok(self.counts)
    }

    /// Writes the held references of all threads, and frees their memory.
    fn write_all(&mut self) -> Result<()> {
        for index in 0..self.threads.len() {
            self.write(index)?;
            let waiting = &mut self.threads[index];
            waiting.filled = Filled::default();
            if let Some(runs) = &mut waiting.runs {
                runs.free();
                self.waiting -= std::mem::take(&mut waiting.runs_len);
            }
        }
        Ok(())
    }

    /// Writes the held references of a thread as a block.
    fn write(&mut self, index: usize) -> Result<()> {
        if let Some(runs) = &mut self.threads[index].runs {
            runs.end_block(&mut self.spare.runs);
            return self.writer.write(index, &mut self.spare);
        }
        let filled = &mut self.threads[index].filled;
        if filled.records.is_empty() {
            return Ok(());
        }
        self.waiting -= filled.len();
        self.writer.write(index, filled)
    }
}

impl<S: Sink> Drop for References<'_, S> {
    /// After an error, the references before it are still written. If writing them fails, the recorder is
    /// closed.
    fn drop(&mut self) {
        let _ = self.write_all().and_then(|()| self.writer.finish());
    }
}
