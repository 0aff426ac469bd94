//! Traces: blocks that expand enormously, an index with cycles, chunks with false claims.
//!
//! Offsets are taken from `docs/trace-format.md`; checksums are repaired last, also according to that
//! document.

use varvite_codec::{Codec, Workspace};
use varvite_memtrace::reference::schema;
use varvite_testing::trace_repair::repair;
use varvite_trace::{Clock, Module, Options, Recorder};

use crate::{HostileFile, Kind};

const SYNC: [u8; 8] = *b"\x8aVVCK\r\n\x1a";
const RECORD: u32 = 12;
/// The largest number of bytes of a block's records.
const BLOCK: u32 = 16 << 20;
/// The number of records in the largest block.
const RECORDS: u32 = BLOCK / RECORD;

pub(crate) fn all() -> Vec<HostileFile> {
    let mut files = HostileFile::made(
        Kind::Trace,
        &[
            ("a-sound-trace", sound),
            ("zstd-bomb-of-a-million-records", || bomb(Codec::Zstd, 1)),
            ("zstd-bomb-of-a-thousand-million-records", || bomb(Codec::Zstd, 1000)),
            ("lz4-bomb-of-ten-million-records", || bomb(Codec::Lz4, 7)),
            ("snappy-bomb-of-ten-million-records", || bomb(Codec::Snappy, 7)),
            ("zlib-bomb-of-fifty-million-records", || bomb(Codec::Zlib, 36)),
            ("gzip-bomb-of-fifty-million-records", || bomb(Codec::Gzip, 36)),
            ("30000-threads-of-one-block", threads),
            ("a-megabyte-of-sync-words", || [header(), SYNC.repeat(1 << 17)].concat()),
            ("5000-chunks-of-a-wrong-checksum", wrong_checksums),
            ("an-index-that-leads-to-itself", || index_of(|at| at)),
            ("an-index-that-leads-outside", || index_of(|_| u64::MAX - 7)),
            ("an-index-that-leads-into-the-header", || index_of(|_| 3)),
            ("modules-that-lead-to-themselves", || modules_of(|at| at)),
            ("modules-that-lead-outside", || modules_of(|_| 1 << 62)),
            ("70000-modules", many_modules),
            ("modules-that-all-are-everywhere", overlapping_modules),
            ("a-trace-cut-in-its-header", || header()[..50].to_vec()),
            ("a-trace-of-a-header-alone", header),
            ("a-trace-cut-in-its-first-block", || sound()[..header().len() + 60].to_vec()),
        ],
    );
    files.extend(HEADER_LIES.iter().map(|(name, at, bytes)| lying(name, *at, bytes)));
    let first = header().len();
    files.extend(CHUNK_LIES.iter().map(|(name, at, bytes)| lying(name, first + at, bytes)));
    files
}

const HEADER_LIES: [(&str, usize, &[u8]); 8] = [
    ("a-header-of-4-gigabytes", 20, &[0xff; 4]),
    ("a-header-of-no-bytes", 20, &[0; 4]),
    ("blocks-of-4-gigabytes", 40, &[0xff; 4]),
    ("blocks-of-no-bytes", 40, &[0; 4]),
    ("records-of-any-length", 44, &[1]),
    ("a-split-that-is-not-known", 45, &[9]),
    ("255-fields", 47, &[255]),
    ("no-fields", 47, &[0]),
];

const CHUNK_LIES: [(&str, usize, &[u8]); 11] = [
    ("a-chunk-of-an-unknown-kind", 8, &[9]),
    ("a-chunk-of-an-unknown-codec", 9, &[99]),
    ("a-block-of-2^32-records", 12, &[0xff; 4]),
    ("a-block-of-no-records", 12, &[0; 4]),
    ("a-block-of-2^32-bytes-of-records", 16, &[0xff; 4]),
    ("a-block-of-2^32-plain-bytes", 20, &[0xff; 4]),
    ("a-block-of-2^32-stored-bytes", 24, &[0xff; 4]),
    ("a-block-of-2^32-bytes-of-marks", 28, &[0xff; 4]),
    ("a-block-of-a-late-number", 40, &[0xff; 8]),
    ("a-block-of-a-late-ordinal", 48, &[0xff; 8]),
    ("a-block-that-ends-before-it-begins", 56, &[0xff; 8]),
];

/// The valid trace with some bytes replaced at one offset.
fn lying(name: &str, at: usize, bytes: &[u8]) -> HostileFile {
    let mut trace = sound();
    trace[at..at + bytes.len()].copy_from_slice(bytes);
    repair(&mut trace);
    HostileFile { name: name.into(), kind: Kind::Trace, bytes: trace }
}

fn recorder() -> Recorder<Vec<u8>> {
    let options = Options { block_len: BLOCK, ..Options::new(schema(Clock::Ticks), *b"a hostile trace.") };
    Recorder::create(Vec::new(), &options).expect("the options make a trace")
}

/// The bytes before the first chunk.
fn header() -> Vec<u8> {
    let empty = recorder().finish().expect("a Vec takes all");
    let len = u32::from_le_bytes([empty[20], empty[21], empty[22], empty[23]]) as usize;
    empty[..len].to_vec()
}

/// A valid trace: instructions all over a binary, with loads between them.
fn sound() -> Vec<u8> {
    let recorder = recorder();
    let mut stream = recorder.stream(1).expect("a first stream");
    for number in 0..20_000_u64 {
        let (kind, value) =
            if number % 3 == 0 { (0, 0x7fff_0000 + number) } else { (10, 0x40_1000 + number % 4096) };
        stream.push(&record(kind, value)).expect("a record of the trace's length");
    }
    stream.finish().expect("a Vec takes all");
    recorder.finish().expect("a Vec takes all")
}

fn record(kind: u16, value: u64) -> Vec<u8> {
    [&kind.to_le_bytes()[..], &4_u16.to_le_bytes(), &value.to_le_bytes()].concat()
}

/// The header of a chunk.
#[derive(Clone, Copy, Default)]
struct Chunk {
    kind: u8,
    codec: u8,
    records: u32,
    plain_len: u32,
    thread: u64,
    number: u64,
    ordinal: u64,
}

impl Chunk {
    fn with(self, stored: &[u8]) -> Vec<u8> {
        let counts = [self.records, self.records * RECORD, self.plain_len, stored.len() as u32, 0];
        let counts = counts.map(u32::to_le_bytes).concat();
        let numbers = [self.thread, self.number, self.ordinal, 0, 0, 0, 0].map(u64::to_le_bytes).concat();
        [&SYNC[..], &[self.kind, self.codec, 0, 0], &counts, &numbers, stored].concat()
    }
}

fn repaired(chunks: &[Vec<u8>]) -> Vec<u8> {
    let mut trace = [header(), chunks.concat()].concat();
    repair(&mut trace);
    trace
}

/// A trace of blocks with as many records as fit. All records are loads from address 0, each stored as a zero
/// byte.
fn bomb(codec: Codec, blocks: u64) -> Vec<u8> {
    let mut stored = Vec::new();
    let plain = vec![0; RECORDS as usize];
    Workspace::new().compress(codec, &plain, &mut stored).expect("zeros compress");
    let block = |number: u64| {
        let ordinal = number * u64::from(RECORDS);
        let (codec, thread) = (codec as u8, 1);
        Chunk { kind: 1, codec, records: RECORDS, plain_len: RECORDS, thread, number, ordinal }.with(&stored)
    };
    repaired(&(0..blocks).map(block).collect::<Vec<_>>())
}

fn threads() -> Vec<u8> {
    let block = |thread| Chunk { kind: 1, records: 1, plain_len: 1, thread, ..Chunk::default() }.with(&[0]);
    repaired(&(0..30_000).map(block).collect::<Vec<_>>())
}

fn wrong_checksums() -> Vec<u8> {
    let block =
        |number| Chunk { kind: 1, records: 9, plain_len: 9, number, ..Chunk::default() }.with(&[0; 9]);
    let mut trace = repaired(&(0..5000).map(block).collect::<Vec<_>>());
    let first = header().len();
    trace[first..].iter_mut().skip(85).step_by(97).for_each(|byte| *byte ^= 1);
    trace
}

/// A trace of a block, an index table, and the end. The table refers to a previous table, at the offset that
/// `before` computes from the table's own offset.
fn index_of(before: fn(u64) -> u64) -> Vec<u8> {
    with_end(2, before, 0)
}

fn modules_of(before: fn(u64) -> u64) -> Vec<u8> {
    with_end(4, before, 32)
}

/// A trace of a block, a chunk of this kind, and the end, whose field at `field` has the offset of the chunk.
fn with_end(kind: u8, before: fn(u64) -> u64, field: usize) -> Vec<u8> {
    let block = Chunk { kind: 1, records: 1, plain_len: 1, thread: 1, ..Chunk::default() }.with(&[0]);
    let at = (header().len() + block.len()) as u64;
    let content = [&before(at).to_le_bytes()[..], &[0; 48]].concat();
    let none = Chunk { thread: u64::MAX, ..Chunk::default() };
    let table = Chunk { kind, plain_len: content.len() as u32, ..none }.with(&content);
    let mut end = [0; 40];
    end[field..field + 8].copy_from_slice(&at.to_le_bytes());
    end[8..16].copy_from_slice(&(at + table.len() as u64).to_le_bytes());
    (end[16], end[24]) = (1, 1);
    repaired(&[block, table, Chunk { kind: 3, plain_len: 40, ..none }.with(&end)])
}

fn module(number: u64) -> Module {
    Module {
        path: format!("/nowhere/{number}\u{1b}[2J").into_bytes(),
        address: 0x40_0000 + number * 4096,
        len: 4096,
        is_code: true,
        ..Module::default()
    }
}

/// A trace with more modules than permitted, in many chunks.
fn many_modules() -> Vec<u8> {
    let recorder = recorder();
    for from in (0..70_000).step_by(100) {
        let modules: Vec<Module> = (from..from + 100).map(module).collect();
        let _ = recorder.add_modules(&modules);
    }
    recorder.finish().expect("a Vec takes all")
}

fn overlapping_modules() -> Vec<u8> {
    let recorder = recorder();
    let everywhere = |number| Module { address: number % 2, len: u64::MAX - 1, ..module(number) };
    let modules: Vec<Module> = (0..60_000).map(everywhere).collect();
    modules.chunks(100).for_each(|modules| recorder.add_modules(modules).expect("fewer than the limit"));
    let mut stream = recorder.stream(1).expect("a first stream");
    (0..3000).for_each(|number| stream.push(&record(10, number * 4096)).expect("a record of its length"));
    stream.finish().expect("a Vec takes all");
    recorder.finish().expect("a Vec takes all")
}
