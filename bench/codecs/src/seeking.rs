//! Measures seeks in a large trace of a hundred million records, made by repeating the same smaller trace.

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use varvite_bench::Failure;
use varvite_bench::record::results::Results;
use varvite_bench::report::codecs::SEEKING;
use varvite_codec::Codec;
use varvite_trace::{FileSource, Options, Reader, Recorder, Schema};

use crate::SizedRow;
use crate::streams::{INSTRUCTION, Stream};

/// The number of records of the trace.
const RECORDS: u64 = 100_000_000;
/// The uncompressed size of a record in bytes.
const RECORD_LEN: usize = 12;
/// The number of seeks, each to a different record.
const SEEKS: u64 = 1000;

const WAYS: [(&str, Codec, i32); 2] = [("lz4", Codec::Lz4, 0), ("zstd 3", Codec::Zstd, 3)];

/// For each codec, records a trace and seeks in it. The codec's row has one time for opening the trace,
/// reading its index and the first seek together, and a time for each later seek.
pub(crate) fn measure(stream: &Stream, scratch: &Path, results: &mut Results) -> Result<(), Failure> {
    let path = scratch.join("seeking");
    for (title, codec, level) in WAYS {
        record(stream, &path, codec, level)?;
        seek(&path, SizedRow::of(results, SEEKING, title))?;
    }
    Ok(std::fs::remove_file(&path)?)
}

fn record(stream: &Stream, path: &Path, codec: Codec, level: i32) -> Result<(), Failure> {
    let schema = Schema::of_references("drmemtrace", 1 << INSTRUCTION);
    let options = Options { codec, level, ..Options::new(schema, [7; 16]) };
    let recorder = Recorder::create(File::create(path)?, &options)?;
    let mut target = recorder.stream(1)?;
    while target.records() < RECORDS {
        target.push_all(&stream.bytes)?;
    }
    target.finish()?;
    recorder.finish()?.sync_data()?;
    Ok(())
}

fn seek(path: &Path, mut row: SizedRow) -> Result<(), Failure> {
    let start = Instant::now();
    let mut reader = Reader::open(FileSource::new(File::open(path)?)?)?;
    let records = reader.record_count()?;
    go(&mut reader, records / 2)?;
    row.add("first", start.elapsed().as_nanos() as f64);
    // Multiples of the golden ratio, modulo 1, spread evenly over the trace and never repeat.
    for number in 1..=SEEKS {
        let ordinal = (number as f64 * 0.618_033_988_749).fract() * records as f64;
        let start = Instant::now();
        go(&mut reader, ordinal as u64)?;
        row.add("seek", start.elapsed().as_nanos() as f64);
    }
    row.set_size(records as usize * RECORD_LEN, std::fs::metadata(path)?.len() as usize);
    Ok(())
}

fn go(reader: &mut Reader<FileSource>, ordinal: u64) -> Result<(), Failure> {
    let found = reader.seek_ordinal(ordinal)?.is_some_and(|block| block.records().next().is_some());
    if found { Ok(()) } else { Err(Failure(format!("there is no record {ordinal}"))) }
}
