//! From one trace to another with other options.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::error::Result;
use crate::reader::Reader;
use crate::recorder::{Recorder, Stream};
use crate::sink::Sink;
use crate::source::Source;

/// Records everything that `reader` still has and every module, and returns how many records that were.
///
/// **Memory**: a stream for each thread of the source at once.
///
/// # Errors
/// Those of both sides. What was recorded before stays so.
pub fn copy<I: Source, O: Sink>(reader: &mut Reader<I>, recorder: &Recorder<O>) -> Result<u64> {
    let mut streams: HashMap<u64, Stream<&Recorder<O>, Vec<u8>, O>> = HashMap::new();
    let mut records = 0;
    while let Some(block) = reader.next_block()? {
        let thread = block.header().thread;
        let stream = match streams.entry(thread) {
            Entry::Occupied(stream) => stream.into_mut(),
            Entry::Vacant(place) => place.insert(recorder.stream(thread)?),
        };
        for (time, record) in block.timed_records() {
            stream.set_time(time)?;
            stream.push(record)?;
        }
        records += block.len() as u64;
    }
    let mut streams: Vec<_> = streams.into_iter().collect();
    streams.sort_unstable_by_key(|(thread, _)| *thread);
    streams.into_iter().try_for_each(|(_, stream)| stream.finish())?;
    recorder.add_modules(reader.modules()?)?;
    Ok(records)
}
