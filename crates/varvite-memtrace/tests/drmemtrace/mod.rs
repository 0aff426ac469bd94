//! Tests of reading files of DynamoRIO's drmemtrace.
//!
//! No package archive has DynamoRIO, so an encoder makes the files. It follows the published layout, and
//! shares no code with the importer. The framings come from `varvite-codec`, whose own tests compare its
//! framings with those of the reference tools.

mod cores;
mod encoder;
mod finals;
mod genuine;
mod hostile;
mod raw;

use std::io::Cursor;

use varvite_memtrace::drmemtrace::{DrmemtraceError, DrmemtraceOptions, DrmemtraceReport, Modules, import};
use varvite_memtrace::reference::{Reference, References, schema};
use varvite_trace::{Clock, MemorySource, Options, Reader, Recorder, Source};

/// The threads, in the order of their numbers, each with its references and their times.
type Threads = Vec<(u64, Vec<(u64, Reference)>)>;

fn convert(file: &[u8], modules: Option<&Modules>) -> Result<(DrmemtraceReport, Threads), DrmemtraceError> {
    convert_with(file, &DrmemtraceOptions { shard: 7, modules, ..DrmemtraceOptions::default() })
}

fn convert_with(
    file: &[u8],
    how: &DrmemtraceOptions<'_>,
) -> Result<(DrmemtraceReport, Threads), DrmemtraceError> {
    let options = Options { block_len: 8192, ..Options::new(schema(Clock::UnixMicroseconds), [0; 16]) };
    let recorder = Recorder::create(Vec::new(), &options).unwrap();
    let mut references = References::new(&recorder);
    let report = import(Cursor::new(file), how, &mut references)?;
    references.finish()?;
    let mut reader = Reader::open(MemorySource(recorder.finish().unwrap())).unwrap();
    let threads = threads_of(&mut reader);
    Ok((report, threads))
}

fn of_shard(shard: u64) -> DrmemtraceOptions<'static> {
    DrmemtraceOptions { shard, ..DrmemtraceOptions::default() }
}

fn threads_of<S: Source>(reader: &mut Reader<S>) -> Threads {
    let mut threads: Threads =
        reader.threads().unwrap().into_iter().map(|thread| (thread, Vec::new())).collect();
    while let Some(block) = reader.next_block().unwrap() {
        let thread = block.header().thread;
        let (_, records) = threads.iter_mut().find(|(number, _)| *number == thread).unwrap();
        records.extend(
            block
                .timed_records()
                .map(|(time, bytes)| (time, Reference::from_bytes(bytes.first_chunk().unwrap()))),
        );
    }
    threads
}
