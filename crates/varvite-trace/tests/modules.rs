//! Tests of modules that are read at once, from a pipe as they come, from a truncated trace, and from a copy;
//! and of traces of the format version without modules.

use varvite_codec::hash;
use varvite_trace::{
    Codec, MemorySource, Module, Options, Reader, Recorder, Schema, StreamSource, TraceError, copy,
};

use crate::model::open;

fn options() -> Options {
    let schema = Schema::of_references("test/references", 1 << 2);
    Options { block_len: 256, ..Options::new(schema, [4; 16]) }
}

fn module(number: u64) -> Module {
    Module {
        path: format!("/lib/{number}.so").into_bytes(),
        build_id: vec![number as u8; 20],
        address: number << 20,
        len: 4096,
        file_offset: 512,
        is_code: number.is_multiple_of(2),
    }
}

/// A trace with modules 0 and 1 before the records, and modules 2 to 999 in the middle of the records.
fn trace() -> Vec<u8> {
    let recorder = Recorder::create(Vec::new(), &options()).unwrap();
    recorder.add_modules(&[module(0), module(1)]).unwrap();
    let mut stream = recorder.stream(0).unwrap();
    for index in 0..1000u64 {
        if index == 500 {
            recorder.add_modules(&(2..1000).map(module).collect::<Vec<_>>()).unwrap();
        }
        stream.push(&[&[2, 0, 4, 0][..], &index.to_le_bytes()].concat()).unwrap();
    }
    stream.finish().unwrap();
    recorder.finish().unwrap()
}

fn all() -> Vec<Module> {
    (0..1000).map(module).collect()
}

#[test]
fn modules_are_known_before_a_record_is_read() {
    let trace = trace();
    let mut reader = open(&trace);
    assert_eq!(reader.modules().unwrap(), all());
    let mut records = 0;
    while let Some(block) = reader.next_block().unwrap() {
        records += block.len();
    }
    assert_eq!((records, reader.modules().unwrap().len()), (1000, 1000));
    assert_eq!(reader.record_count().unwrap(), 1000);
}

#[test]
fn a_pipe_knows_the_modules_that_came() {
    let trace = trace();
    let mut reader = Reader::open(StreamSource::new(&trace[..])).unwrap();
    reader.next_block().unwrap();
    assert_eq!(reader.modules().unwrap(), [module(0), module(1)]);
    while reader.next_block().unwrap().is_some() {}
    assert_eq!(reader.modules().unwrap(), all());
}

#[test]
fn a_cut_trace_has_the_modules_before_the_cut() {
    let trace = trace();
    for (len, expected) in [(trace.len() - 1, 1000), (trace.len() / 8, 2)] {
        assert_eq!(open(&trace[..len]).modules().unwrap().len(), expected);
    }
}

#[test]
fn a_copy_has_the_modules() {
    let trace = trace();
    let recorder = Recorder::create(Vec::new(), &options().with_codec(Codec::Zstd)).unwrap();
    copy(&mut Reader::open(StreamSource::new(&trace[..])).unwrap(), &recorder).unwrap();
    assert_eq!(open(&recorder.finish().unwrap()).modules().unwrap(), all());
}

#[test]
fn damage_in_modules_is_told_or_passed() {
    let mut trace = trace();
    let at = trace.windows(11).rposition(|bytes| bytes == b"/lib/500.so").unwrap();
    trace[at] ^= 1;
    let mut reader = open(&trace);
    assert!(matches!(reader.modules(), Err(TraceError::Checksum { part: "content", .. })));
    assert!(
        std::iter::from_fn(|| reader.next_block().map(|block| block.map(|_| ())).transpose())
            .any(|read| read.is_err())
    );
    let mut reader = open(&trace);
    reader.skip_damaged();
    let known = reader.modules().unwrap().len();
    assert!(known > 2 && known < 1000, "{known}");
    assert_eq!(reader.record_count().unwrap(), 1000);
}

#[test]
fn more_modules_than_a_trace_may_have_are_refused() {
    let recorder = Recorder::create(Vec::new(), &options()).unwrap();
    recorder.add_modules(&vec![Module::default(); 65_536]).unwrap();
    assert!(matches!(recorder.add_modules(&[module(0)]), Err(TraceError::Options { limit: 65_536, .. })));
}

/// Converts a trace to format version 1: the header has that version, and the end lacks its last field.
fn version_1(mut trace: Vec<u8>) -> Vec<u8> {
    let header = u32::from_le_bytes(trace[20..24].try_into().unwrap()) as usize;
    trace[16] = 1;
    let sum = hash(&trace[..header - 8], 0);
    trace[header - 8..header].copy_from_slice(&sum.to_le_bytes());
    trace.truncate(trace.len() - 8);
    let end = trace.len() - 88 - 32;
    let seed = hash(&[4; 16], 0);
    for at in [16, 20, 24] {
        trace[end + at..end + at + 4].copy_from_slice(&32u32.to_le_bytes());
    }
    let place: Vec<u8> = [3, u64::MAX, 0].iter().flat_map(|number| number.to_le_bytes()).collect();
    let sum = hash(&trace[end + 88..], hash(&place, seed));
    trace[end + 72..end + 80].copy_from_slice(&sum.to_le_bytes());
    let sum = hash(&trace[end..end + 80], seed);
    trace[end + 80..end + 88].copy_from_slice(&sum.to_le_bytes());
    trace
}

#[test]
fn traces_of_version_1_are_read_and_have_no_modules() {
    let recorder = Recorder::create(Vec::new(), &options()).unwrap();
    let mut stream = recorder.stream(0).unwrap();
    stream.push(&[7; 12]).unwrap();
    stream.finish().unwrap();
    let old = version_1(recorder.finish().unwrap());
    let mut reader = open(&old);
    assert_eq!((reader.header().version(), reader.modules().unwrap().len()), (1, 0));
    assert_eq!(reader.next_block().unwrap().unwrap().records().next(), Some(&[7; 12][..]));
    assert!(reader.next_block().unwrap().is_none() && reader.ending().is_some());
    let with_modules = version_1(trace());
    let mut reader = Reader::open(MemorySource(&with_modules)).unwrap();
    let error = reader.next_block().err().unwrap();
    assert!(
        matches!(error, TraceError::Damaged { what: "kind of chunk", expected: 3, found: 4, .. }),
        "{error}"
    );
}
