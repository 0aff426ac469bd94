//! Tests of several threads that record at the same time.

use std::sync::Arc;
use std::thread;

use varvite_trace::{Allocator, Field, Options, Recorder, Schema, Stream};

use crate::model::{open, read_all};

const THREADS: u64 = 6;
const RECORDS: u64 = 30_000;

fn options() -> Options {
    Options {
        block_len: 8192,
        ..Options::new(
            Schema::of_fields("test/pair", &[Field::new("thread", 8), Field::new("count", 8)]),
            [1; 16],
        )
    }
}

fn pair(thread: u64, count: u64) -> [u8; 16] {
    (u128::from(count) << 64 | u128::from(thread)).to_le_bytes()
}

#[test]
fn each_thread_finds_its_own_records_in_its_own_order() {
    let recorder = Recorder::create(Vec::new(), &options()).unwrap();
    thread::scope(|scope| {
        for number in 0..THREADS {
            let mut stream = recorder.stream(number).unwrap();
            scope.spawn(move || {
                for count in 0..RECORDS {
                    stream.set_time(count / 100).unwrap();
                    stream.push(&pair(number, count)).unwrap();
                }
                stream.finish().unwrap();
            });
        }
    });
    let trace = recorder.finish().unwrap();
    let (by_thread, _) = read_all(&trace, THREADS as usize);
    for (number, records) in by_thread.iter().enumerate() {
        assert_eq!(records.len() as u64, RECORDS);
        let expected = (0..RECORDS).map(|count| (count / 100, pair(number as u64, count).to_vec()));
        assert!(expected.eq(records.iter().cloned()), "thread {number}");
    }
    let mut reader = open(&trace);
    assert_eq!(reader.threads().unwrap(), (0..THREADS).collect::<Vec<_>>());
    reader.follow(Some(3));
    let mut count = 0;
    while let Some(block) = reader.next_block().unwrap() {
        assert_eq!(block.header().thread, 3);
        count += block.len() as u64;
    }
    assert_eq!(count, RECORDS);
}

#[test]
fn a_stream_may_own_its_share_of_the_recorder() {
    let recorder = Arc::new(Recorder::create(Vec::new(), &options()).unwrap());
    let memory = vec![0; recorder.memory_needed()];
    let mut stream = Stream::new(Arc::clone(&recorder), 0, memory, &Allocator::global()).unwrap();
    thread::spawn(move || stream.push(&pair(0, 1)).and_then(|()| stream.finish())).join().unwrap().unwrap();
    let trace = Arc::into_inner(recorder).unwrap().finish().unwrap();
    assert_eq!(read_all(&trace, 1).1, [pair(0, 1).to_vec()]);
}
