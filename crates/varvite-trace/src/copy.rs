//! Copies a trace to a new one with other options.

use std::collections::HashMap;

use crate::error::Result;
use crate::reader::Reader;
use crate::recorder::{Recorder, Stream, ThreadState};
use crate::sink::Sink;
use crate::source::Source;

/// The maximum memory in bytes of all streams that are open at once.
const STREAMS_BYTES: usize = 64 << 20;

/// Records all remaining records of `reader` and all its modules in `recorder`. Returns the number of
/// records.
///
/// **Memory**: one stream for each thread of the source, up to 64 MiB in total. If this is not enough for all
/// threads, they share streams, and blocks become shorter.
///
/// # Errors
/// Errors of the reader and of the recorder. The records before the error are in the new trace.
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

/// A stream that owns its memory.
type Writer<'r, O> = Stream<&'r Recorder<O>, Vec<u8>, O>;

/// Streams for any number of threads.
struct Streams<'r, O: Sink> {
    recorder: &'r Recorder<O>,
    limit: usize,
    /// The open streams, each with the thread that uses it now.
    open: Vec<(u64, Writer<'r, O>)>,
    places: HashMap<u64, usize>,
    /// The states of threads from which another thread took over the stream.
    waiting: HashMap<u64, ThreadState>,
    next: usize,
}

impl<'r, O: Sink> Streams<'r, O> {
    fn new(recorder: &'r Recorder<O>) -> Self {
        let limit = (STREAMS_BYTES / recorder.memory_needed().max(1)).max(1);
        let (open, places, waiting) = (Vec::new(), HashMap::new(), HashMap::new());
        Self { recorder, limit, open, places, waiting, next: 0 }
    }

    /// The stream of a thread: its current stream, a new one, or one that it takes over from another thread.
    /// If all streams are in use, they are taken over in rotation.
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

    /// Finishes all streams, in the order of their threads' numbers.
    fn finish(mut self) -> Result<()> {
        self.open.sort_unstable_by_key(|(thread, _)| *thread);
        self.open.into_iter().try_for_each(|(_, stream)| stream.finish())
    }
}
