//! Tests of traces by core: threads take turns on a core, each thread has its own header and footer, and the
//! core may be idle between turns.

use varvite_memtrace::reference::{Reference, kind};
use varvite_trace::{MemorySource, Options, Reader, Recorder};

use super::encoder::{Entry, TO_1970, beginning, chunks, wide, zipped};
use super::*;

/// The file type of a core's file: the bit for cores, and the bit for x86-64.
const BY_CORES: u64 = 0x1_0000 | 0x40;
/// The entry that marks a core as idle.
const IDLE: Entry = (28, 33, 0);

/// The first turn of a thread.
fn first_turn(thread: u64, time: u64, instructions: u64) -> Vec<Entry> {
    let mut entries = beginning(7, BY_CORES, thread);
    entries.retain(|entry| (entry.0, entry.1) != (28, 2));
    entries.push((28, 2, TO_1970 + time));
    entries.extend(instructions_of(thread, instructions));
    entries
}

/// A later turn of a thread. It names the thread, but has no header.
fn turn(thread: u64, instructions: u64) -> Vec<Entry> {
    let mut entries = vec![(22, 0, thread), (24, 0, 4000)];
    entries.extend(instructions_of(thread, instructions));
    entries
}

fn instructions_of(thread: u64, count: u64) -> impl Iterator<Item = Entry> {
    (0..count).map(move |number| (10, 4, thread << 16 | number))
}

fn end(thread: u64) -> Vec<Entry> {
    vec![(23, 0, thread), (26, 0, 0)]
}

/// The file of a core on which two threads take turns; one of them ends before the other.
fn core(one: u64, other: u64) -> Vec<Entry> {
    let parts = [
        first_turn(one, 100, 10),
        first_turn(other, 90, 7),
        vec![IDLE; 5],
        turn(one, 4),
        end(one),
        vec![IDLE; 3],
        turn(other, 2),
        end(other),
        vec![IDLE; 400],
        vec![(26, 0, 0)],
    ];
    parts.concat()
}

/// The number of instructions of each thread. Checks that the addresses of instructions belong to their
/// thread, and that times ascend.
fn instructions(threads: &Threads) -> Vec<(u64, usize)> {
    let count = |(thread, records): &(u64, Vec<(u64, Reference)>)| {
        let fetched = records.iter().filter(|(_, reference)| kind::is_instruction(reference.kind));
        assert!(fetched.clone().all(|(_, reference)| reference.value >> 16 == *thread));
        assert!(records.is_sorted_by_key(|(time, _)| *time), "thread {thread}");
        (*thread, fetched.count())
    };
    threads.iter().map(count).collect()
}

#[test]
fn threads_of_a_core_are_told_apart_however_often_they_take_turns() {
    let entries = core(50, 51);
    for file in [wide(&entries), zipped(&chunks(&entries, 13, 4))] {
        let (report, threads) = convert(&file, None).unwrap();
        assert_eq!(instructions(&threads), [(50, 14), (51, 9)]);
        assert_eq!((report.counts.records, report.cut), (entries.len() as u64, None));
        assert_eq!(report.file_type, BY_CORES);
    }
}

#[test]
fn each_thread_of_a_core_begins_with_its_header_and_ends_with_its_footer() {
    let (_, threads) = convert(&wide(&core(50, 51)), None).unwrap();
    for (thread, records) in threads {
        let of = |wanted: u16| records.iter().filter(move |(_, reference)| reference.kind == wanted);
        assert_eq!(records[0].1.kind, kind::HEADER);
        assert!(of(kind::THREAD).all(|(_, reference)| reference.value == thread));
        assert_eq!((of(kind::HEADER).count(), of(kind::THREAD_EXIT).count()), (1, 1));
    }
}

#[test]
fn turns_of_a_thread_on_several_cores_are_one_thread() {
    let cores = [core(50, 51), [first_turn(52, 20, 3), turn(51, 6), end(52), vec![(26, 0, 0)]].concat()];
    let recorder = Recorder::create(Vec::new(), &Options::new(schema(Clock::UnixMicroseconds), [0; 16]));
    let recorder = recorder.unwrap();
    let mut references = References::new(&recorder);
    for (shard, core) in (0..).zip(&cores) {
        let report = import(Cursor::new(wide(core)), &of_shard(shard), &mut references).unwrap();
        assert_eq!(report.counts.records, core.len() as u64);
    }
    references.finish().unwrap();
    let mut reader = Reader::open(MemorySource(recorder.finish().unwrap())).unwrap();
    assert_eq!(instructions(&threads_of(&mut reader)), [(50, 14), (51, 15), (52, 3)]);
}

#[test]
fn a_core_may_wait_before_its_first_thread() {
    let mut entries = vec![(25, 0, 7), (28, 12, 7), (28, 9, BY_CORES)];
    entries.extend([IDLE; 1000]);
    entries.extend([turn(50, 8), end(50)].concat());
    let (report, threads) = convert(&wide(&entries), None).unwrap();
    assert_eq!((instructions(&threads), report.cut), (vec![(7, 0), (50, 8)], None));
}

#[test]
fn a_core_whose_file_ends_without_a_footer_was_cut() {
    let mut entries = core(50, 51);
    entries.pop();
    let (report, _) = convert(&wide(&entries), None).unwrap();
    assert_eq!(report.cut.as_deref(), Some("there is no footer at its end"));
}

#[test]
fn a_second_header_in_a_trace_by_threads_is_an_error() {
    let entries = [beginning(7, 0x40, 50), beginning(7, BY_CORES, 51)].concat();
    let error = convert(&wide(&entries), None).unwrap_err();
    assert!(error.to_string().contains("headers of one trace"), "{error}");
}

#[test]
fn many_threads_that_did_little_cost_little() {
    let threads = 20_000;
    let mut entries = vec![(25, 0, 7), (28, 9, BY_CORES)];
    (0..threads).for_each(|thread| entries.extend(turn(100 + thread, 1)));
    let options = Options { block_len: 16 << 20, ..Options::new(schema(Clock::UnixMicroseconds), [0; 16]) };
    let recorder = Recorder::create(std::io::sink(), &options).unwrap();
    let mut references = References::new(&recorder);
    import(Cursor::new(wide(&entries)), &of_shard(0), &mut references).unwrap();
    // If each thread had a stream, this would need 100 GB.
    assert_eq!(references.finish().unwrap().instructions, threads);
}
