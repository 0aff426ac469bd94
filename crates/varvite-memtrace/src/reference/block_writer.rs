//! [`BlockWriter`]: writes the references of many threads through one stream of a recorder.

use varvite_trace::{Recorder, RunBlock, Sink, Stream, ThreadState, TraceError};

/// Writes blocks of references, in this thread.
pub(super) struct BlockWriter<'r, S: Sink> {
    recorder: &'r Recorder<S>,
    stream: Option<Stream<&'r Recorder<S>, Vec<u8>, S>>,
    /// The index of the thread whose state is in the stream now.
    owner: usize,
    /// The state of each thread; `None` while the state is in the stream.
    states: Vec<Option<ThreadState>>,
}

/// The references of a thread that fill a block.
#[derive(Debug, Default)]
pub(super) struct Filled {
    pub(super) records: Vec<u8>,
    /// The changes of time. The first number is the number of bytes in `records` before the change.
    pub(super) times: Vec<(usize, u64)>,
    /// Runs, in place of the other references.
    pub(super) runs: RunBlock,
}

impl Filled {
    pub(super) fn len(&self) -> usize {
        self.records.len() + self.times.len() * size_of::<(usize, u64)>()
    }

    /// Removes the references, and keeps the memory for others.
    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.times.clear();
        self.runs.clear();
    }
}

impl<'r, S: Sink> BlockWriter<'r, S> {
    pub(super) fn new(recorder: &'r Recorder<S>) -> Self {
        Self { recorder, stream: None, owner: 0, states: Vec::new() }
    }

    /// Adds the thread with the next index.
    pub(super) fn add_thread(&mut self, thread: u64) -> Result<(), TraceError> {
        let state = match self.stream {
            None => {
                self.stream = Some(self.recorder.stream(thread)?);
                None
            }
            Some(_) => Some(self.recorder.thread(thread)?),
        };
        self.states.push(state);
        Ok(())
    }

    /// Writes references of a thread as a block.
    pub(super) fn write(&mut self, index: usize, filled: &mut Filled) -> Result<(), TraceError> {
        let Some(stream) = &mut self.stream else { return Ok(()) };
        if let Some(mut state) = self.states[index].take() {
            stream.exchange(&mut state)?;
            self.states[self.owner] = Some(state);
            self.owner = index;
        }
        let mut from = 0;
        for (at, time) in &filled.times {
            stream.push_all(&filled.records[from..*at])?;
            stream.set_time(*time)?;
            from = *at;
        }
        stream.push_all(&filled.records[from..])?;
        // This flushes the references first.
        stream.write_runs(&mut filled.runs)
    }

    /// Finishes the stream.
    pub(super) fn finish(&mut self) -> Result<(), TraceError> {
        self.stream.take().map_or(Ok(()), Stream::finish)
    }
}
