//! Tests of the records that a recorder accepts, and of those that it refuses.

use std::io;

use varvite_trace::{
    CallSink, CallSource, Ending, Field, Options, Reader, Recorder, Schema, StreamSource, TraceError,
};

use crate::model::open;

fn counters() -> Options {
    Options::new(Schema::of_fields("test/counter", &[Field::new("count", 8).with_delta()]), [9; 16])
}

fn counted(records: u64) -> Vec<u8> {
    let recorder = Recorder::create(Vec::new(), &Options { block_len: 4096, ..counters() }).unwrap();
    let mut stream = recorder.stream(5).unwrap();
    (0..records).for_each(|count| stream.push(&count.to_le_bytes()).unwrap());
    stream.finish().unwrap();
    recorder.finish().unwrap()
}

#[test]
fn an_empty_trace_is_whole() {
    let trace = counted(0);
    let mut reader = open(&trace);
    assert!(reader.next_block().unwrap().is_none());
    assert!(matches!(reader.ending(), Some(Ending::Complete(end)) if end.records == 0));
    assert!(reader.seek_ordinal(0).unwrap().is_none());
}

#[test]
fn a_trace_longer_than_one_table_of_the_index_is_found_whole() {
    let trace = counted(512 * 700);
    let mut reader = open(&trace);
    assert_eq!(reader.blocks().unwrap().len(), 700);
    for count in [0, 511, 512, 512 * 255, 512 * 256, 512 * 700 - 1] {
        let block = reader.seek_ordinal(count).unwrap().unwrap();
        assert_eq!(block.records().next().unwrap(), count.to_le_bytes());
    }
    assert!(reader.seek_ordinal(512 * 700).unwrap().is_none());
}

#[test]
fn records_that_do_not_fit_are_refused_and_the_stream_goes_on() {
    let recorder = Recorder::create(Vec::new(), &counters()).unwrap();
    let mut stream = recorder.stream(0).unwrap();
    assert!(matches!(stream.push(&[0; 7]), Err(TraceError::RecordLen { expected: 8, found: 7, .. })));
    assert!(matches!(stream.push_all(&[0; 17]), Err(TraceError::RecordLen { .. })));
    stream.push_all(&[1; 16]).unwrap();
    assert_eq!(stream.records(), 2);
    let long = Options { block_len: 256, ..Options::new(Schema::of_bytes("test/bytes"), [0; 16]) };
    let recorder = Recorder::create(Vec::new(), &long).unwrap();
    let mut stream = recorder.stream(0).unwrap();
    assert!(matches!(stream.push(&[0; 257]), Err(TraceError::RecordLen { max: 256, found: 257, .. })));
    stream.push(&[0; 256]).unwrap();
}

#[test]
fn a_thread_has_one_stream_and_time_does_not_go_back() {
    let recorder = Recorder::create(Vec::new(), &counters()).unwrap();
    let mut stream = recorder.stream(4).unwrap();
    assert!(matches!(recorder.stream(4), Err(TraceError::ThreadTaken { thread: 4 })));
    stream.set_time(10).unwrap();
    assert!(matches!(stream.set_time(9), Err(TraceError::TimeBackwards { before: 10, found: 9, .. })));
}

#[test]
fn memory_that_is_too_small_is_refused() {
    let recorder = Recorder::create(Vec::new(), &counters()).unwrap();
    let needed = recorder.memory_needed();
    let allocator = varvite_trace::Allocator::global();
    let stream = varvite_trace::Stream::new(&recorder, 0, vec![0; needed - 1], &allocator);
    assert!(matches!(stream.err(), Some(TraceError::Memory { .. })));
    let mut memory = vec![0xaa; needed];
    let mut stream = varvite_trace::Stream::new(&recorder, 0, &mut memory[..], &allocator).unwrap();
    stream.push(&[1; 8]).unwrap();
}

#[test]
fn a_failed_write_closes_the_trace_and_what_came_before_can_be_read() {
    let mut taken = Vec::new();
    let mut left = 3;
    let sink = CallSink(|bytes: &[u8]| {
        if left == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        left -= 1;
        taken.extend_from_slice(bytes);
        Ok(())
    });
    let recorder = Recorder::create(sink, &counters()).unwrap();
    let mut stream = recorder.stream(0).unwrap();
    stream.push(&[1; 8]).unwrap();
    stream.flush().unwrap();
    stream.push(&[2; 8]).unwrap();
    assert!(matches!(stream.flush(), Err(TraceError::Io { what: "write", .. })));
    stream.push(&[3; 8]).unwrap();
    assert!(matches!(stream.finish(), Err(TraceError::Closed)));
    assert!(matches!(recorder.finish().err(), Some(TraceError::Closed)));
    let mut reader = open(&taken);
    assert_eq!(reader.next_block().unwrap().unwrap().bytes(), [1; 8]);
    assert!(reader.next_block().unwrap().is_none());
}

#[test]
fn a_pipe_is_read_while_it_is_written() {
    let (source, sink) = io::pipe().unwrap();
    let writer = std::thread::spawn(move || {
        let recorder = Recorder::create(sink, &Options { block_len: 4096, ..counters() }).unwrap();
        let mut stream = recorder.stream(0).unwrap();
        // This is many times the capacity of a pipe, so the writer has to wait for the reader.
        (0..1_000_000u64).for_each(|count| stream.push(&(count * count).to_le_bytes()).unwrap());
        stream.finish().unwrap();
        recorder.finish().unwrap();
    });
    let mut reader = Reader::open(StreamSource::new(source)).unwrap();
    assert!(matches!(reader.seek_ordinal(0), Err(TraceError::NotSeekable)));
    let mut count = 0u64;
    while let Some(block) = reader.next_block().unwrap() {
        for record in block.records() {
            assert_eq!(record, (count * count).to_le_bytes());
            count += 1;
        }
    }
    writer.join().unwrap();
    assert_eq!(count, 1_000_000);
    assert!(matches!(reader.ending(), Some(Ending::Complete(_))));
}

#[test]
fn a_function_is_a_source() {
    let trace = counted(1000);
    let read_at = |offset: u64, buffer: &mut [u8]| {
        let rest = &trace[trace.len().min(offset as usize)..];
        let len = rest.len().min(buffer.len()).min(7);
        buffer[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    };
    let mut reader = Reader::open(CallSource { len: Some(trace.len() as u64), read_at }).unwrap();
    let block = reader.seek_ordinal(777).unwrap().unwrap();
    assert_eq!(block.records().next().unwrap(), 777u64.to_le_bytes());
}

#[test]
fn options_that_make_no_trace_are_refused() {
    for block_len in [0, 255, (16 << 20) + 1] {
        let refused = Recorder::create(Vec::new(), &Options { block_len, ..counters() });
        assert!(matches!(refused.err(), Some(TraceError::Options { .. })), "{block_len}");
    }
}

#[test]
fn many_records_at_once_are_the_same_as_one_by_one() {
    let schema = Schema::of_references("test/references", 1 << 2);
    for block_len in [256, 300, 1200] {
        let options = Options { block_len, ..Options::new(schema.clone(), [1; 16]) };
        let records: Vec<u8> = (0..12 * 500u32).map(|byte| (byte * byte / 7) as u8).collect();
        let trace = |at_once: bool| {
            let recorder = Recorder::create(Vec::new(), &options).unwrap();
            let mut stream = recorder.stream(0).unwrap();
            for (time, run) in (0u64..).zip(records.chunks(12 * 37)) {
                stream.set_time(time / 2).unwrap();
                match at_once {
                    true => stream.push_all(run).unwrap(),
                    false => run.chunks(12).for_each(|record| stream.push(record).unwrap()),
                }
            }
            stream.push_all(&[]).unwrap();
            assert!(stream.push_all(&records[..13]).is_err());
            assert_eq!(stream.records(), 500);
            stream.finish().unwrap();
            recorder.finish().unwrap()
        };
        assert!(trace(true) == trace(false), "{block_len}");
    }
}
