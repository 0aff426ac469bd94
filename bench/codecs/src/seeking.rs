//! Measures seeks in a large trace, which has the same records again and again, a hundred million in all.

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use varvite_bench::Failure;
use varvite_codec::Codec;
use varvite_trace::{FileSource, Options, Reader, Recorder, Schema};

use crate::median::Samples;
use crate::streams::{INSTRUCTION, Stream};

/// The number of records of the trace.
const RECORDS: u64 = 100_000_000;
/// The number of seeks, each to another record.
const SEEKS: u64 = 1000;

/// The times of seeks in a trace.
pub(crate) struct Row {
    pub(crate) title: &'static str,
    pub(crate) file_len: u64,
    pub(crate) records: u64,
    /// The times of opening the trace, reading its index, and the first seek together.
    pub(crate) first: Samples,
    /// The time of every later seek.
    pub(crate) seek: Samples,
}

const WAYS: [(&str, Codec, i32); 2] = [("lz4", Codec::Lz4, 0), ("zstd 3", Codec::Zstd, 3)];

/// Records a trace and seeks in it, for each codec.
pub(crate) fn measure(stream: &Stream, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let path = scratch.join("seeking");
    let rows = WAYS.into_iter().map(|(title, codec, level)| {
        record(stream, &path, codec, level)?;
        seek(title, &path)
    });
    let rows = rows.collect();
    std::fs::remove_file(&path)?;
    rows
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

fn seek(title: &'static str, path: &Path) -> Result<Row, Failure> {
    let (mut first, mut seek) = (Samples::default(), Samples::default());
    let start = Instant::now();
    let mut reader = Reader::open(FileSource::new(File::open(path)?)?)?;
    let records = reader.record_count()?;
    go(&mut reader, records / 2)?;
    first.add(start.elapsed());
    // Multiples of the golden ratio, modulo 1, spread evenly over the trace and never repeat.
    for number in 1..=SEEKS {
        let ordinal = (number as f64 * 0.618_033_988_749).fract() * records as f64;
        let start = Instant::now();
        go(&mut reader, ordinal as u64)?;
        seek.add(start.elapsed());
    }
    Ok(Row { title, file_len: std::fs::metadata(path)?.len(), records, first, seek })
}

fn go(reader: &mut Reader<FileSource>, ordinal: u64) -> Result<(), Failure> {
    let found = reader.seek_ordinal(ordinal)?.is_some_and(|block| block.records().next().is_some());
    if found { Ok(()) } else { Err(Failure(format!("there is no record {ordinal}"))) }
}

impl Row {
    pub(crate) fn json(&self) -> Value {
        json!({
            "title": self.title, "records": self.records, "file_bytes": self.file_len,
            "first_s": self.first.json(), "seek_s": self.seek.json(),
        })
    }
}
