//! Tests of reading the messages of the valgrind tool: messages made by hand, and damaged ones.

use proptest::prelude::*;
use varvite_memtrace::reference::{Reference, References, kind, marker, schema};
use varvite_memtrace::valgrind::{Import, MessageError, ProcessEvent, RunReport, Step, process_of};
use varvite_trace::{Clock, MemorySource, Options, Reader, Recorder};

const INSTRUCTION: u8 = 1;
const LOAD: u8 = 2;
const STORE: u8 = 3;
const MODIFY: u8 = 4;
const FIXED: u8 = 1;
const GUARDED: u8 = 2;
const BESIDE: u8 = 4;

/// A message of process 100 and thread 101: of items (1), of runs (2), or about the process (3 and 4).
fn message(kind: u32, flags: u32, content: &[u8]) -> Vec<u8> {
    let head = [kind, 100, 101, flags].map(u32::to_le_bytes).concat();
    [head, [0u64, 5].map(u64::to_le_bytes).concat(), content.to_vec()].concat()
}

fn item(kind: u32, content: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes(), &(content.len() as u32).to_le_bytes(), content].concat()
}

/// A message that begins a process.
fn begin(version: u32, parent: u32, fork: u32) -> Vec<u8> {
    message(3, 0, &[&[version, parent, fork].map(u32::to_le_bytes).concat()[..], b"/bin/x"].concat())
}

fn block(id: u32, entries: &[(u8, u8, u16, u64)]) -> Vec<u8> {
    let entries: Vec<_> =
        entries.iter().map(|(kind, flags, size, address)| (*kind, *flags, *size, 0, *address)).collect();
    block_beside(id, &entries)
}

/// A block whose entries also have the number of entries back to the one that they lie beside.
fn block_beside(id: u32, entries: &[(u8, u8, u16, u32, u64)]) -> Vec<u8> {
    let entries = entries.iter().map(|(kind, flags, size, back, address)| {
        [&[*kind, *flags][..], &size.to_le_bytes(), &back.to_le_bytes(), &address.to_le_bytes()].concat()
    });
    let entries: Vec<_> = entries.collect();
    let head = [id, entries.len() as u32].map(u32::to_le_bytes).concat();
    item(2, &[head, entries.concat()].concat())
}

fn run(id: u32, addresses: &[u64]) -> Vec<u8> {
    let addresses = addresses.iter().flat_map(|address| address.to_le_bytes());
    id.to_le_bytes().into_iter().chain(addresses).collect()
}

/// Reads the messages until the import has enough, and returns the recorded references.
fn read(messages: &[Vec<u8>], records_max: u64) -> Result<(RunReport, Vec<Reference>), MessageError> {
    read_by_blocks(messages, records_max, 256 << 10)
}

fn read_by_blocks(
    messages: &[Vec<u8>],
    records_max: u64,
    block_len: u32,
) -> Result<(RunReport, Vec<Reference>), MessageError> {
    let options = Options { block_len, ..Options::new(schema(Clock::UnixMicroseconds), [0; 16]) };
    let recorder = Recorder::create(Vec::new(), &options).unwrap();
    let mut build_id = |_: &[u8]| vec![7; 20];
    let mut import = Import::new(References::new(&recorder), records_max, &mut build_id);
    for message in messages {
        if import.message(message)? == Step::Full {
            break;
        }
    }
    let report = import.finish()?;
    let mut reader = Reader::open(MemorySource(recorder.finish().unwrap())).unwrap();
    let mut references = Vec::new();
    while let Some(block) = reader.next_block().unwrap() {
        assert_eq!(block.header().thread, 101);
        references.extend(block.records().map(|record| Reference::from_bytes(record.first_chunk().unwrap())));
    }
    Ok((report, references))
}

/// A block with every kind of entry, and two runs of it.
fn two_runs() -> Vec<Vec<u8>> {
    let entries = [
        (INSTRUCTION, 0, 3, 0x1000),
        (LOAD, 0, 8, 0),
        (INSTRUCTION, 0, 4, 0x1003),
        (STORE, FIXED, 4, 0x9000),
        (MODIFY, 0, 2, 0),
        (LOAD, GUARDED, 1, 0),
    ];
    let items = [block(0, &entries), item(5, &[7, 3u32].map(u32::to_le_bytes).concat())].concat();
    let runs = [run(0, &[0x8000, 0x8008, u64::MAX]), run(0, &[0x8010, 0x8018, 0x8020])].concat();
    vec![begin(4, 0, 0), message(1, 0, &items), message(2, 0, &runs)]
}

fn of(kind: u16, size: u16, value: u64) -> Reference {
    Reference { kind, size, value }
}

#[test]
fn a_run_becomes_the_records_of_its_block_with_its_addresses() {
    let (report, references) = read(&two_runs(), u64::MAX).unwrap();
    let records = |load, modify| {
        vec![
            of(kind::INSTRUCTION, 3, 0x1000),
            of(kind::READ, 8, load),
            of(kind::INSTRUCTION, 4, 0x1003),
            of(kind::WRITE, 4, 0x9000),
            of(kind::READ, 2, modify),
            of(kind::WRITE, 2, modify),
        ]
    };
    let guarded = vec![of(kind::READ, 1, 0x8020)];
    assert_eq!(references, [records(0x8000, 0x8008), records(0x8010, 0x8018), guarded].concat());
    let counts = report.counts;
    assert_eq!((counts.instructions, counts.reads, counts.writes, report.modifies), (4, 5, 4, 2));
    assert_eq!((report.is_whole, report.exit_code, report.modules_left_out), (true, Some(7), 3));
}

#[test]
fn an_import_ends_at_the_last_record_that_is_allowed() {
    let whole = read(&two_runs(), u64::MAX).unwrap().1;
    for records in 0..whole.len() {
        assert_eq!(read(&two_runs(), records as u64).unwrap().1, whole[..records], "{records}");
    }
}

#[test]
fn an_access_beside_another_has_its_address_and_a_distance() {
    let entries = [
        (INSTRUCTION, 0, 3, 0, 0x1000),
        (LOAD, 0, 8, 0, 0),
        (STORE, BESIDE, 4, 1, 16),
        (MODIFY, BESIDE, 2, 1, 8u64.wrapping_neg()),
    ];
    let messages = [message(1, 0, &block_beside(0, &entries)), message(2, 0, &run(0, &[0x8000]))];
    let expected = [
        of(kind::INSTRUCTION, 3, 0x1000),
        of(kind::READ, 8, 0x8000),
        of(kind::WRITE, 4, 0x8010),
        of(kind::READ, 2, 0x8008),
        of(kind::WRITE, 2, 0x8008),
    ];
    assert_eq!(read(&messages, u64::MAX).unwrap().1, expected);
    let entry = |flags, back| {
        [
            (INSTRUCTION, 0, 1, 0, 1),
            (LOAD, GUARDED, 1, 0, 0),
            (LOAD, FIXED, 1, 0, 9),
            (LOAD, flags, 1, back, 1),
        ]
    };
    for (flags, back) in
        [(BESIDE, 0), (BESIDE, 1), (BESIDE, 2), (BESIDE, 3), (BESIDE, 4), (3, 0), (5, 1), (8, 0)]
    {
        let message = message(1, 0, &block_beside(0, &entry(flags, back)));
        let read = read(&[message], 9);
        assert!(matches!(read, Err(MessageError::Malformed { .. })), "flags {flags}, {back} back");
    }
}

#[test]
fn a_block_of_any_length_and_blocks_of_any_size_keep_all_records() {
    let mut entries: Vec<_> = (0..700u32).map(|at| (INSTRUCTION, 0, 4, 0, u64::from(4 * at))).collect();
    for at in (1..700).step_by(3) {
        // Each fifth access may not happen; the others lie beside an access that is up to 600 entries before.
        entries[at] = match at {
            1 => (LOAD, 0, 8, 0, 0),
            at if at % 5 == 0 => (STORE, GUARDED, 4, 0, 0),
            at => (MODIFY, BESIDE, 2, at as u32 - 1, at as u64),
        };
    }
    let guarded = entries.iter().filter(|entry| entry.1 == GUARDED).count();
    let addresses = |turn: u64| -> Vec<u64> {
        let guarded = (0..guarded as u64).map(|at| if at % 3 == turn % 3 { u64::MAX } else { at * turn });
        [turn << 12].into_iter().chain(guarded).collect()
    };
    let runs: Vec<u8> = (0..9).flat_map(|turn| run(0, &addresses(turn))).collect();
    let messages = [message(1, 0, &block_beside(0, &entries)), message(2, 0, &runs)];
    let mut expected = Vec::new();
    for turn in 0..9u64 {
        let mut addresses = addresses(turn).into_iter();
        for (kind, flags, size, _, number) in &entries {
            let value = match *flags {
                _ if *kind == INSTRUCTION => *number,
                BESIDE => (turn << 12) + number,
                _ => addresses.next().unwrap(),
            };
            match *kind {
                INSTRUCTION => expected.push(of(kind::INSTRUCTION, *size, value)),
                LOAD => expected.push(of(kind::READ, *size, value)),
                STORE if value == u64::MAX => {}
                STORE => expected.push(of(kind::WRITE, *size, value)),
                _ => expected.extend([of(kind::READ, *size, value), of(kind::WRITE, *size, value)]),
            }
        }
    }
    for block_len in [256, 1024, 8192, 256 << 10] {
        assert_eq!(read_by_blocks(&messages, u64::MAX, block_len).unwrap().1, expected, "{block_len}");
        assert_eq!(read_by_blocks(&messages, 1234, block_len).unwrap().1, expected[..1234], "{block_len}");
    }
}

#[test]
fn records_of_two_threads_keep_their_times() {
    let of_thread = |thread: u32, time: u64, runs: &[u8]| {
        let head = [2, 100, thread, 0].map(u32::to_le_bytes).concat();
        [&head[..], &[0, time].map(u64::to_le_bytes).concat(), runs].concat()
    };
    let options = Options::new(schema(Clock::UnixMicroseconds), [0; 16]);
    let recorder = Recorder::create(Vec::new(), &options).unwrap();
    let mut build_id = |_: &[u8]| Vec::new();
    let mut import = Import::new(References::new(&recorder), u64::MAX, &mut build_id);
    import.message(&message(1, 0, &block(0, &[(LOAD, GUARDED, 8, 0)]))).unwrap();
    // The second message of thread 7 has no record that happened, and the last one an earlier time.
    for (thread, time, address) in [(7, 5, 1), (8, 6, 2), (7, 7, u64::MAX), (7, 8, 3), (8, 9, 4), (7, 2, 5)] {
        import.message(&of_thread(thread, time, &run(0, &[address]))).unwrap();
    }
    import.finish().unwrap();
    let mut reader = Reader::open(MemorySource(recorder.finish().unwrap())).unwrap();
    let mut found = Vec::new();
    while let Some(block) = reader.next_block().unwrap() {
        let thread = block.header().thread;
        found.extend(block.timed_records().map(|(time, record)| {
            (thread, time, Reference::from_bytes(record.first_chunk().unwrap()).value)
        }));
    }
    found.sort_unstable();
    assert_eq!(found, [(7, 5, 1), (7, 8, 3), (7, 8, 5), (8, 6, 2), (8, 9, 4)]);
}

#[test]
fn dropped_runs_leave_a_marker() {
    let mut messages = two_runs();
    messages.push(message(2, 1, &run(0, &[1, 2, 3])));
    let (report, references) = read(&messages, u64::MAX).unwrap();
    assert_eq!((references[13], report.gaps), (of(kind::MARKER, marker::WINDOW, 1), 1));
}

#[test]
fn impossible_messages_are_refused_with_their_place() {
    let of_first_version = message(1, 0, &item(1, &1u32.to_le_bytes()));
    assert!(matches!(read(&[of_first_version], 9), Err(MessageError::Version { found: 1, expected: 4 })));
    assert!(matches!(read(&[begin(9, 0, 0)], 9), Err(MessageError::Version { found: 9, expected: 4 })));
    let unknown_kind = block(0, &[(9, 0, 1, 1)]);
    let forgotten = [block(0, &[(LOAD, 0, 1, 0)]), item(3, &[0u32, 1].map(u32::to_le_bytes).concat())];
    for (messages, message_number, at) in [
        (vec![vec![1; 31]], 0, 0),
        (vec![message(5, 0, &[])], 0, 0),
        (vec![message(3, 0, &[])], 0, 32),
        (vec![message(1, 0, &[1; 9])], 0, 32),
        (vec![message(1, 0, &unknown_kind)], 0, 32),
        (vec![message(1, 0, &block(1, &[]))], 0, 32),
        (vec![message(2, 0, &run(0, &[]))], 0, 32),
        (vec![message(1, 0, &block(0, &[(LOAD, 0, 1, 0)])), message(2, 0, &run(0, &[])[..])], 1, 36),
        (vec![message(1, 0, &forgotten.concat()), message(2, 0, &run(0, &[1]))], 1, 32),
    ] {
        let Err(MessageError::Malformed { message, offset, .. }) = read(&messages, u64::MAX) else {
            panic!("{messages:?} is accepted")
        };
        assert_eq!((message, offset), (message_number, at), "{messages:?}");
    }
}

#[test]
fn a_message_tells_its_process_and_what_becomes_of_it() {
    let event = |message: &[u8]| process_of(message).map(|(process, event)| (process, format!("{event:?}")));
    let of = |event: Option<ProcessEvent<'_>>| Some((100, format!("{event:?}")));
    let program = b"/bin/x";
    assert_eq!(event(&begin(4, 0, 0)), of(Some(ProcessEvent::Begin { forked: None, program })));
    assert_eq!(event(&begin(4, 9, 1)), of(Some(ProcessEvent::Begin { forked: Some((9, 1)), program })));
    assert_eq!(event(&message(4, 0, &3u32.to_le_bytes())), of(Some(ProcessEvent::Fork(3))));
    assert_eq!(event(&message(2, 0, &[])), of(None));
    assert_eq!(event(&[0; 31]), None);
}

#[test]
fn a_forked_process_goes_on_with_the_blocks_of_its_parent() {
    let options = Options::new(schema(Clock::UnixMicroseconds), [0; 16]);
    let recorder = Recorder::create(Vec::new(), &options).unwrap();
    let (mut parent_id, mut child_id) = (|_: &[u8]| Vec::new(), |_: &[u8]| Vec::new());
    let mut parent = Import::new(References::new(&recorder), u64::MAX, &mut parent_id);
    let load = |address: u64| [(LOAD, FIXED, 8, address)];
    parent.message(&message(1, 0, &block(0, &load(0x10)))).unwrap();
    let blocks = parent.blocks();
    // After the fork, both describe a block with the same number, and the parent forgets the common one.
    let forget = item(3, &[0u32, 1].map(u32::to_le_bytes).concat());
    parent.message(&message(1, 0, &[block(1, &load(0x20)), forget].concat())).unwrap();
    parent.finish().unwrap();
    let mut child = Import::new(References::new(&recorder), u64::MAX, &mut child_id).with_blocks(blocks);
    child.message(&message(1, 0, &block(1, &load(0x30)))).unwrap();
    child.message(&message(2, 0, &[run(0, &[]), run(1, &[])].concat())).unwrap();
    child.finish().unwrap();
    let mut reader = Reader::open(MemorySource(recorder.finish().unwrap())).unwrap();
    let block = reader.next_block().unwrap().unwrap();
    let values = block.records().map(|record| Reference::from_bytes(record.first_chunk().unwrap()).value);
    assert_eq!(values.collect::<Vec<_>>(), [0x10, 0x30]);
}

#[test]
fn references_of_a_sample_begin_with_a_marker() {
    let options = Options::new(schema(Clock::UnixMicroseconds), [0; 16]);
    let recorder = Recorder::create(Vec::new(), &options).unwrap();
    let mut build_id = |_: &[u8]| Vec::new();
    let mut import = Import::new(References::new(&recorder), u64::MAX, &mut build_id).sampled(true);
    for message in two_runs() {
        import.message(&message).unwrap();
    }
    import.finish().unwrap();
    let mut reader = Reader::open(MemorySource(recorder.finish().unwrap())).unwrap();
    let block = reader.next_block().unwrap().unwrap();
    let first = Reference::from_bytes(block.records().next().unwrap().first_chunk().unwrap());
    assert_eq!(first, of(kind::MARKER, marker::SAMPLED, 0));
}

proptest! {
    #[test]
    fn any_messages_are_references_or_an_error(
        contents in proptest::collection::vec((0u32..4, proptest::collection::vec(0u8..6, 0..200)), 0..8),
    ) {
        let damaged = contents.iter().map(|(kind, content)| message(*kind, 1, content));
        let messages: Vec<_> = two_runs().into_iter().chain(damaged).collect();
        let _ = read(&messages, 1000);
    }
}
