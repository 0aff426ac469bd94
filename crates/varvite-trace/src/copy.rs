//! From one trace to another with other options.

use std::collections::HashMap;

use crate::error::Result;
use crate::reader::Reader;
use crate::recorder::{Recorder, Stream, ThreadState};
use crate::sink::Sink;
use crate::source::Source;

/// Bytes of the streams that are open at once.
const STREAMS_BYTES: usize = 64 << 20;

/// Records everything that `reader` still has and every module, and returns how many records that were.
///
/// **Memory**: a stream for each thread of the source at once, up to 64 MiB; where there are more threads,
/// they share streams and blocks become shorter.
///
/// # Errors
/// Errors of both sides. Records before the error stay recorded.
pub fn copy<I: Source, O: Sink>(reader: &mut Reader<I>, recorder: &Recorder<O>) -> Result<u64> {
    let mut streams = Streams::new(recorder);
    let mut records = 0;
    while let Some(block) = reader.next_block()? {
        let stream = streams.of(block.header().thread)?;
        for (time, record) in block.timed_records() {
            stream.set_time(time)?;
            stream.push(record)?;
        }
        records += block.len() as u64;
    }
    streams.finish()?;
    recorder.add_modules(reader.modules()?)?;
    Ok(records)
}

/// A stream with memory of its own.
type Writer<'r, O> = Stream<&'r Recorder<O>, Vec<u8>, O>;

/// Streams for any number of threads.
struct Streams<'r, O: Sink> {
    recorder: &'r Recorder<O>,
    limit: usize,
    /// Each with the thread that it is at.
    open: Vec<(u64, Writer<'r, O>)>,
    places: HashMap<u64, usize>,
    /// Threads that had to leave their stream to another.
    waiting: HashMap<u64, ThreadState>,
    next: usize,
}

impl<'r, O: Sink> Streams<'r, O> {
    fn new(recorder: &'r Recorder<O>) -> Self {
        let limit = (STREAMS_BYTES / recorder.memory_needed().max(1)).max(1);
        let (open, places, waiting) = (Vec::new(), HashMap::new(), HashMap::new());
        Self { recorder, limit, open, places, waiting, next: 0 }
    }

    /// The stream of a thread: its own, a new one, or in turn that of another thread.
    fn of(&mut self, thread: u64) -> Result<&mut Writer<'r, O>> {
        let place = match self.places.get(&thread) {
            Some(place) => *place,
            None if self.open.len() < self.limit => {
                self.open.push((thread, self.recorder.stream(thread)?));
                self.open.len() - 1
            }
            None => self.exchange(thread)?,
        };
        self.places.insert(thread, place);
        Ok(&mut self.open[place].1)
    }

    fn exchange(&mut self, thread: u64) -> Result<usize> {
        let waiting = self.waiting.remove(&thread);
        let mut state = waiting.map_or_else(|| self.recorder.thread(thread), Ok)?;
        let place = self.next % self.limit;
        self.next += 1;
        let (before, stream) = &mut self.open[place];
        stream.exchange(&mut state)?;
        self.places.remove(before);
        self.waiting.insert(*before, state);
        *before = thread;
        Ok(place)
    }

    /// Ends all of them, in the order of their threads.
    fn finish(mut self) -> Result<()> {
        self.open.sort_unstable_by_key(|(thread, _)| *thread);
        self.open.into_iter().try_for_each(|(_, stream)| stream.finish())
    }
}
