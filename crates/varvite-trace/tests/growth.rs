//! Tests of the limit of expansion: no recorder writes a trace that a reader would refuse, and the length of
//! a trace bounds the work of a reader.

use std::collections::BTreeMap;

use varvite_trace::{Codec, Field, MemorySource, Options, Reader, Recorder, Schema, TraceError};

const BLOCK: usize = 16 << 20;

fn options() -> Options {
    let schema = Schema::of_fields("zeros", &[Field::new("zero", 8)]);
    Options { block_len: BLOCK as u32, ..Options::new(schema, [7; 16]).with_codec(Codec::Zstd) }
}

/// A trace of `blocks` blocks of zeros.
fn zeros(blocks: usize) -> Vec<u8> {
    let recorder = Recorder::create(Vec::new(), &options()).unwrap();
    let mut stream = recorder.stream(0).unwrap();
    let block = vec![0; BLOCK];
    (0..blocks).for_each(|_| stream.push_all(&block).unwrap());
    stream.finish().unwrap();
    recorder.finish().unwrap()
}

fn read(trace: &[u8]) -> Result<usize, TraceError> {
    let mut reader = Reader::open(MemorySource(trace)).unwrap();
    let mut blocks = 0;
    while reader.next_block()?.is_some() {
        blocks += 1;
    }
    Ok(blocks)
}

#[test]
fn what_a_recorder_writes_of_equal_records_is_read() {
    for blocks in [1, 2, 8] {
        assert_eq!(read(&zeros(blocks)).unwrap(), blocks);
    }
    assert!(zeros(2).len() < 8192, "a few blocks of zeros are small");
}

#[test]
fn a_trace_whose_blocks_all_grow_beyond_measure_is_refused() {
    let trace = zeros(1);
    let begin = trace.windows(4).position(|bytes| bytes == b"\x8aVVC").unwrap();
    let len = u32::from_le_bytes(trace[begin + 24..begin + 28].try_into().unwrap()) as usize;
    let block = &trace[begin..begin + 88 + len];
    let mut bomb = trace[..begin].to_vec();
    for thread in 0..50u64 {
        let at = bomb.len();
        bomb.extend_from_slice(block);
        bomb[at + 32..at + 40].copy_from_slice(&thread.to_le_bytes());
    }
    varvite_testing::trace_repair::repair(&mut bomb);
    let error = read(&bomb).unwrap_err();
    assert!(error.to_string().contains("bytes of records in the trace so far"), "{error}");
    let mut reader = Reader::open(MemorySource(&bomb[..])).unwrap();
    reader.skip_damaged();
    let mut blocks = 0;
    while reader.next_block().unwrap().is_some() {
        blocks += 1;
    }
    assert!(blocks < 30, "{blocks}");
}

#[test]
fn whoever_seeks_back_again_and_again_is_not_refused() {
    let trace = zeros(2);
    let mut reader = Reader::open(MemorySource(&trace[..])).unwrap();
    for _ in 0..10 {
        for ordinal in [0, BLOCK as u64 / 8] {
            assert!(reader.seek_ordinal(ordinal).unwrap().is_some());
        }
    }
}

#[test]
fn a_copy_whose_threads_share_a_stream_has_all_records() {
    const THREADS: u64 = 40;
    let recorder = Recorder::create(Vec::new(), &options()).unwrap();
    let mut stream = recorder.stream(0).unwrap();
    let mut waiting: Vec<_> = (1..THREADS).map(|thread| recorder.thread(thread).unwrap()).collect();
    // Each thread records twice; in between, another thread uses its stream.
    for number in 0..2 * THREADS {
        stream.push(&number.to_le_bytes()).unwrap();
        let place = (number % (THREADS - 1)) as usize;
        stream.exchange(&mut waiting[place]).unwrap();
    }
    stream.finish().unwrap();
    let trace = recorder.finish().unwrap();
    let copied = Recorder::create(Vec::new(), &options()).unwrap();
    let mut reader = Reader::open(MemorySource(&trace[..])).unwrap();
    assert_eq!(varvite_trace::copy(&mut reader, &copied).unwrap(), 2 * THREADS);
    let copied = copied.finish().unwrap();
    assert_eq!(by_thread(&copied), by_thread(&trace));
}

/// The records of each thread.
fn by_thread(trace: &[u8]) -> BTreeMap<u64, Vec<Vec<u8>>> {
    let mut threads = BTreeMap::<u64, Vec<Vec<u8>>>::new();
    let mut reader = Reader::open(MemorySource(trace)).unwrap();
    while let Some(block) = reader.next_block().unwrap() {
        threads.entry(block.header().thread).or_default().extend(block.records().map(<[u8]>::to_vec));
    }
    threads
}
