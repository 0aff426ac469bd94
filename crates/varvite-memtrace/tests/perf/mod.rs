//! Tests of reading samples of memory accesses from perf script: texts in the forms that perf prints, and
//! damaged and hostile ones.

use std::io::Cursor;

use proptest::prelude::*;
use varvite_memtrace::perf::{PerfError, PerfReport, import, is_perf_script};
use varvite_memtrace::reference::{Reference, References, kind, marker, schema};
use varvite_memtrace::usage::{Accesses, CodeCounts};
use varvite_testing::targets::perf_mem::read_perf_mem;
use varvite_trace::{Clock, MemorySource, Module, Options, Reader, Recorder};

/// Two threads of a program, with the fields of `perf script --show-mmap-events -F
/// pid,tid,time,period,event,addr,ip,data_src`.
const TWO_THREADS: &str = "\
0/0  0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x12090c8) @ 0xffffffff81000000]: x [kernel.kallsyms]_text
76/76  11.000000: PERF_RECORD_MMAP2 76/76: [0x400000(0x1000) @ 0 fe:00 7 0]: r-xp /usr/bin/perf
77/77  12.000000: PERF_RECORD_MMAP2 77/77: [0x400000(0x1000) @ 0 <12ab>]: r-xp /tmp/program
77/77  12.000001:  25 cpu/mem-loads,ldlat=30/P:  7f01  5080022 |OP LOAD|LVL L3 hit|SNP None|BLK  N/A  401000
77/78  12.000002:  25 cpu/mem-stores/P:  7f09  5080144 |OP STORE|LVL L1 hit|SNP N/A|BLK  N/A  401004
77/78  12.000003: PERF_RECORD_MMAP2 77/78: [0x7f0000(0x1000) @ 0x2000 fe:00 9 0]: r-xp /usr/lib/libc.so.6
77/77  12.000004:  25 cpu/mem-loads,ldlat=30/P:  0  5080022 |OP LOAD|LVL N/A|BLK  N/A  401008
77/77  12.000005:  25 cpu/mem-loads,ldlat=30/P:  7f11  5080022 |OP LOAD|LVL N/A|BLK  N/A  40100c
";

fn converted(text: &[u8]) -> Result<(PerfReport, Vec<u8>), PerfError> {
    let recorder = Recorder::create(Vec::new(), &Options::new(schema(Clock::Ticks), [0; 16])).unwrap();
    let report = import(Cursor::new(text), References::new(&recorder))?;
    Ok((report, recorder.finish().unwrap()))
}

fn open(trace: &[u8]) -> Reader<MemorySource<Vec<u8>>> {
    Reader::open(MemorySource(trace.to_vec())).unwrap()
}

/// The references with the number and the time of their thread.
fn references(trace: &[u8]) -> Vec<(u64, u64, Reference)> {
    let (mut reader, mut found) = (open(trace), Vec::new());
    while let Some(block) = reader.next_block().unwrap() {
        let thread = block.header().thread;
        found.extend(
            block
                .timed_records()
                .map(|(time, record)| (thread, time, Reference::from_bytes(record.first_chunk().unwrap()))),
        );
    }
    found
}

fn of(kind: u16, size: u16, value: u64) -> Reference {
    Reference { kind, size, value }
}

#[test]
fn samples_become_places_and_accesses_of_their_threads() {
    let (report, trace) = converted(TWO_THREADS.as_bytes()).unwrap();
    let sampled = of(kind::MARKER, marker::SAMPLED, 25);
    let expected = [
        (77, 12_000_001, sampled),
        (77, 12_000_001, of(kind::BLOCK, 0, 0x40_1000)),
        (77, 12_000_001, of(kind::READ, 0, 0x7f01)),
        (77, 12_000_005, of(kind::BLOCK, 0, 0x40_100c)),
        (77, 12_000_005, of(kind::READ, 0, 0x7f11)),
        (78, 12_000_002, sampled),
        (78, 12_000_002, of(kind::BLOCK, 0, 0x40_1004)),
        (78, 12_000_002, of(kind::WRITE, 0, 0x7f09)),
    ];
    assert_eq!(references(&trace), expected);
    assert_eq!((report.samples, report.without_address, report.modules), (4, 1, 2));
    assert_eq!((report.counts.reads, report.counts.writes, report.counts.instructions), (2, 1, 0));
    let mut reader = open(&trace);
    let module = |path: &str, build_id: &[u8], address, file_offset| Module {
        path: path.into(),
        build_id: build_id.to_vec(),
        address,
        len: 0x1000,
        file_offset,
        is_code: true,
    };
    let own = [
        module("/tmp/program", &[0x12, 0xab], 0x40_0000, 0),
        module("/usr/lib/libc.so.6", &[], 0x7f_0000, 0x2000),
    ];
    assert_eq!(reader.modules().unwrap(), own, "not those of other processes");
}

/// A line about a mapped page of a file.
fn mapped(process: u32, page: u64) -> String {
    format!(
        "{process}/{process}  1.000000: PERF_RECORD_MMAP2 {process}/{process}: [{:#x}(0x1000) @ 0 fe:00 7 0]: r-xp /tmp/{page}\n",
        page << 12
    )
}

const SAMPLE: &str = "7/7  12.000001:  25 cpu/mem-loads,ldlat=30/P:  7f01  5080022 |OP LOAD|  401000\n";

#[test]
fn files_of_many_other_processes_do_not_hide_those_of_the_program() {
    let others: String = (0..20_000).map(|page| mapped(1, page)).collect();
    let (report, trace) = converted(format!("{others}{}{SAMPLE}", mapped(7, 5)).as_bytes()).unwrap();
    assert_eq!((report.modules, report.modules_left_out, report.modules_of_others), (1, 0, 20_000));
    assert_eq!(open(&trace).modules().unwrap()[0].path, b"/tmp/5");
}

#[test]
fn files_beyond_the_limit_are_counted() {
    let own: String = (0..(1 << 14) + 3).map(|page| mapped(7, page)).collect();
    let (report, _) = converted(format!("{own}{}{SAMPLE}", mapped(7, 0)).as_bytes()).unwrap();
    assert_eq!((report.modules, report.modules_left_out), (1 << 14, 3));
}

#[test]
fn counts_of_samples_are_marked_as_sampled() {
    let (_, trace) = converted(TWO_THREADS.as_bytes()).unwrap();
    let task = varvite::Task::new();
    let counts = CodeCounts::of(&mut open(&trace), 1 << 20, &task).unwrap();
    assert!(counts.is_sampled());
    assert_eq!((counts.total().loads, counts.total().stores, counts.total().instructions), (2, 1, 0));
    assert!(Accesses::of(&mut open(&trace), 1, 1 << 20, &task).unwrap().is_sampled);
}

#[test]
fn the_instruction_may_stand_at_the_front_of_a_stack() {
    let text = "a 7/7 1.000001: 1 mem-loads: 7f01\n\t  401000 f+0x1 (/a)\n\t  402000 main (/a)\n\n\
                a 7/7 1.000002: 1 mem-loads: 7f02\n\na 7/7 1.000003: 1 mem-loads: 7f03 401004\n";
    let found = references(&converted(text.as_bytes()).unwrap().1);
    let kinds: Vec<(u16, u64)> = found.iter().map(|(_, _, found)| (found.kind, found.value)).collect();
    let expected = [
        (kind::MARKER, 1),
        (kind::BLOCK, 0x40_1000),
        (kind::READ, 0x7f01),
        (kind::GENERATED_BLOCK, 0),
        (kind::READ, 0x7f02),
        (kind::BLOCK, 0x40_1004),
        (kind::READ, 0x7f03),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn a_cut_text_keeps_its_whole_lines() {
    let whole = TWO_THREADS.len();
    let (report, _) = converted(&TWO_THREADS.as_bytes()[..whole - 9]).unwrap();
    assert_eq!(report.samples, 3);
}

#[test]
fn texts_that_are_no_samples_of_accesses_are_refused() {
    let refused = |text: &str| converted(text.as_bytes()).unwrap_err();
    assert!(matches!(refused("7/7 1.0: x\n"), PerfError::Line { line: 1, .. }));
    assert!(refused("hello\n").to_string().contains("perf script --show-mmap-events"));
    assert!(matches!(refused(""), PerfError::NoAddresses { samples: 0 }));
    assert!(matches!(refused("a 7/7 1.000001: 1 cycles: 0 401000\n"), PerfError::NoAddresses { samples: 1 }));
    let two = refused("a 7/7 1.000001: x: 7f01 401000\nb 8/8 1.000002: x: 7f01 401000\n");
    assert!(matches!(two, PerfError::Processes { line: 2, process: 7, other: 8 }));
    let long = format!("a 7/7 1.000001: x: 7f01 401000\n{}", "f".repeat(1 << 20));
    assert!(matches!(refused(&long), PerfError::Line { line: 2, .. }));
}

#[test]
fn a_text_is_told_from_other_traces() {
    assert!(is_perf_script(TWO_THREADS.as_bytes()));
    assert!(!is_perf_script(include_bytes!("../data/lackey/tiny.lackey")));
}

proptest! {
    #[test]
    fn any_bytes_are_references_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        read_perf_mem(&bytes);
    }

    #[test]
    fn edited_texts_are_references_or_an_error(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let mut bytes = TWO_THREADS.as_bytes().to_vec();
        for (place, value) in edits {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        read_perf_mem(&bytes);
    }
}
