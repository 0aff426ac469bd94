//! [`References`]: where importers put references, thread by thread.
//!
//! References of a thread wait in memory until they fill a block, or until all threads together have more
//! than [`WAITING_MAX`]; one stream of the recorder then writes them. So memory is bounded by the bytes read,
//! and not by the number of threads that a file names.

use std::collections::HashMap;

use thiserror::Error;
use varvite_trace::{Module, Recorder, Sink, Stream, ThreadState, TraceError};

use super::{Counts, Reference};

/// Most threads of one trace.
pub const THREADS_MAX: usize = 1 << 16;
/// Most bytes that wait, of all threads.
const WAITING_MAX: usize = 64 << 20;

/// The reason why references could not be recorded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// The recorder failed, or refused a record.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// A trace claims more threads than one import takes.
    #[error("more than {THREADS_MAX} threads in one trace; convert the files of threads one by one")]
    TooManyThreads,
}

type Result<T> = std::result::Result<T, ReferenceError>;

/// The target of importers' references: one stream of a recorder, which the threads share.
///
/// **Memory**: a stream of the recorder, some bytes that wait (`WAITING_MAX`), and 200 bytes for each thread.
pub struct References<'r, S: Sink> {
    recorder: &'r Recorder<S>,
    stream: Option<Stream<&'r Recorder<S>, Vec<u8>, S>>,
    /// The thread whose state the stream has.
    owner: usize,
    threads: Vec<Waiting>,
    numbers: HashMap<u64, usize>,
    current: usize,
    /// Bytes that make a block.
    block_len: usize,
    /// Bytes that wait, of all threads.
    waiting: usize,
    counts: Counts,
}

/// The references of a thread since its last block.
#[derive(Default)]
struct Waiting {
    thread: u64,
    /// None while the stream has it.
    state: Option<ThreadState>,
    records: Vec<u8>,
    /// Times, and how many bytes stand before each.
    times: Vec<(usize, u64)>,
    time: u64,
    marked: u64,
}

impl Waiting {
    fn len(&self) -> usize {
        self.records.len() + self.times.len() * size_of::<(usize, u64)>()
    }
}

impl<'r, S: Sink> References<'r, S> {
    /// Puts references into `recorder`.
    pub fn new(recorder: &'r Recorder<S>) -> Self {
        let block_len = recorder.block_len() as usize;
        Self {
            recorder,
            stream: None,
            owner: 0,
            threads: Vec::new(),
            numbers: HashMap::new(),
            current: 0,
            block_len: block_len - block_len % Reference::LEN,
            waiting: 0,
            counts: Counts::default(),
        }
    }

    /// The references that follow are of this thread.
    ///
    /// # Errors
    /// [`ReferenceError::TooManyThreads`], or the recorder's error for the thread.
    pub fn switch(&mut self, thread: u64) -> Result<()> {
        if let Some(index) = self.numbers.get(&thread) {
            self.current = *index;
            return Ok(());
        }
        if self.threads.len() == THREADS_MAX {
            return Err(ReferenceError::TooManyThreads);
        }
        let state = match self.stream {
            None => {
                self.stream = Some(self.recorder.stream(thread)?);
                None
            }
            Some(_) => Some(self.recorder.thread(thread)?),
        };
        self.current = self.threads.len();
        self.numbers.insert(thread, self.current);
        self.threads.push(Waiting { thread, state, ..Waiting::default() });
        Ok(())
    }

    /// Sets the time of the current thread.
    ///
    /// # Errors
    /// [`TraceError::TimeBackwards`].
    ///
    /// # Panics
    /// If no thread was switched to.
    pub fn set_time(&mut self, time: u64) -> Result<()> {
        let Waiting { thread, time: before, .. } = &mut self.threads[self.current];
        if time < *before {
            return Err(TraceError::TimeBackwards { thread: *thread, before: *before, found: time }.into());
        }
        *before = time;
        Ok(())
    }

    /// Says that it is this time in the current thread, or later if it was later before.
    ///
    /// # Panics
    /// If no thread was switched to.
    pub fn advance_time(&mut self, time: u64) {
        let before = &mut self.threads[self.current].time;
        *before = time.max(*before);
    }

    /// Records a reference of the current thread.
    ///
    /// # Errors
    /// Errors of the recorder's writes.
    ///
    /// # Panics
    /// If no thread was switched to.
    pub fn push(&mut self, reference: Reference) -> Result<()> {
        self.counts.count(reference.kind);
        let waiting = &mut self.threads[self.current];
        let before = waiting.len();
        if waiting.time != waiting.marked {
            waiting.times.push((waiting.records.len(), waiting.time));
            waiting.marked = waiting.time;
        }
        waiting.records.extend_from_slice(&reference.to_bytes());
        self.waiting += waiting.len() - before;
        if waiting.records.len() >= self.block_len {
            return self.write(self.current);
        }
        if self.waiting > WAITING_MAX { self.write_all() } else { Ok(()) }
    }

    /// Writes down which files are where in memory.
    ///
    /// # Errors
    /// Errors of the recorder's writes, and modules that no trace can have.
    pub fn add_modules(&self, modules: &[Module]) -> Result<()> {
        Ok(self.recorder.add_modules(modules)?)
    }

    /// The number of references so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Writes all held references, and closes the stream.
    ///
    /// # Errors
    /// Errors of the recorder's writes.
    pub fn finish(mut self) -> Result<Counts> {
        self.write_all()?;
        self.stream.take().map_or(Ok(()), Stream::finish)?;
        Ok(self.counts)
    }

    /// Writes the records of all threads, and gives their memory back.
    fn write_all(&mut self) -> Result<()> {
        for index in 0..self.threads.len() {
            self.write(index)?;
            let Waiting { records, times, .. } = &mut self.threads[index];
            (*records, *times) = (Vec::new(), Vec::new());
        }
        Ok(())
    }

    /// Writes the references of a thread as a block.
    fn write(&mut self, index: usize) -> Result<()> {
        let Some(stream) = self.stream.as_mut().filter(|_| !self.threads[index].records.is_empty()) else {
            return Ok(());
        };
        if let Some(mut state) = self.threads[index].state.take() {
            stream.exchange(&mut state)?;
            self.threads[self.owner].state = Some(state);
            self.owner = index;
        }
        let waiting = &mut self.threads[index];
        self.waiting -= waiting.len();
        let mut from = 0;
        for (at, time) in waiting.times.drain(..) {
            stream.push_all(&waiting.records[from..at])?;
            stream.set_time(time)?;
            from = at;
        }
        stream.push_all(&waiting.records[from..])?;
        waiting.records.clear();
        Ok(stream.flush()?)
    }
}

impl<S: Sink> Drop for References<'_, S> {
    /// References before an error stay recorded; if their write fails, the recorder is closed with that
    /// error.
    fn drop(&mut self) {
        let _ = self.write_all();
    }
}
