//! Files that are made to mislead readers. Each of them is refused by a check. The checksums of the files are
//! repaired, so that the tests cover files made by an attacker, not accidental damage.

use varvite_codec::Codec;
use varvite_format::{ColumnId, Directory, ErrorCode, Ints, NodeSet, Profile, SegmentId, Strings};
use varvite_store::{Result, Store, Task};
use varvite_testing::repair::repair;

use crate::sample::{self, NODES};

/// A change of a file's bytes; the checksums are repaired afterwards.
type Make = fn(&mut Vec<u8>);

/// The step that refuses the file, and a part of the error message.
enum Refused {
    Open(&'static str),
    Load(&'static str),
    Verify(&'static str),
}
use Refused::{Load, Open, Verify};

#[track_caller]
fn check(name: &str, make: impl FnOnce(&mut Vec<u8>), expected: Refused) {
    let mut bytes = sample::bytes();
    make(&mut bytes);
    repair(&mut bytes);
    let opened = sample::open(&bytes);
    let (found, expected) = match expected {
        Open(expected) => (opened.err().map(|error| error.to_string()), expected),
        Load(expected) => (load_all(&opened.unwrap()).err().map(|error| error.to_string()), expected),
        Verify(expected) => {
            (Some(opened.unwrap().verify(&Task::new().threads(1)).unwrap().problems.join("\n")), expected)
        }
    };
    let found = found.unwrap_or_else(|| panic!("{name}: accepted"));
    assert!(found.contains(expected), "{name}: {found:?} does not say {expected:?}");
}

fn load_all(store: &Store) -> Result<()> {
    (0..store.directory().segments.len() as u32)
        .try_for_each(|number| store.load(SegmentId(number)).map(drop))
}

const PAGE: usize = 4096;
const FIRST_SLOT: usize = PAGE;
const SECOND_SLOT: usize = 2 * PAGE;

fn put<const N: usize>(bytes: &mut [u8], at: usize, number: [u8; N]) {
    bytes[at..at + N].copy_from_slice(&number);
}

/// A change that writes a value at the offset that `place` finds in the file.
fn set<const N: usize>(place: fn(&[u8]) -> usize, value: [u8; N]) -> impl FnOnce(&mut Vec<u8>) {
    move |bytes| {
        let at = place(bytes);
        put(bytes, at, value);
    }
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(*bytes[at..].first_chunk().unwrap())
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(*bytes[at..].first_chunk().unwrap()) as usize
}

fn directory(bytes: &[u8]) -> usize {
    u64_at(bytes, FIRST_SLOT + 16) as usize
}

/// The offset of table `number` of the directory.
fn table(bytes: &[u8], number: usize) -> usize {
    let sizes = [8, 56, 20, 44, 40, 28, 8, 48, 40];
    let counts = (0..number).map(|table| u32_at(bytes, directory(bytes) + 24 + 4 * table));
    directory(bytes) + 72 + counts.zip(sizes).map(|(count, size)| count * size).sum::<usize>()
}

fn names(bytes: &[u8]) -> usize {
    table(bytes, 0)
}

fn columns(bytes: &[u8]) -> usize {
    table(bytes, 7)
}

fn segments(bytes: &[u8]) -> usize {
    table(bytes, 8)
}

/// The offset of the row of the first segment with a codec.
fn coded_segment(bytes: &[u8]) -> usize {
    (0..).map(|number| segments(bytes) + 40 * number).find(|row| bytes[row + 36] != 0).unwrap()
}

/// Adds bytes after the directory, and includes them in the file length of the superblock.
fn extend_file(bytes: &mut Vec<u8>, more: &[u8]) {
    bytes.extend_from_slice(more);
    let len = bytes.len() as u64;
    put(bytes, FIRST_SLOT + 40, len.to_le_bytes());
}

#[test]
fn files_that_are_something_else() {
    check("zero length", Vec::clear, Open("it is empty"));
    check("one byte", |bytes| bytes.truncate(1), Open("not those of a .varvite file"));
    check("a flatgraph file", |bytes| put(bytes, 0, *b"FLT GRPH"), Open("run `varvite import`"));
    check("a zip archive", |bytes| put(bytes, 0, *b"PK\x03\x04"), Open("a zip archive"));
    let text_mode: Make = |bytes| bytes.retain(|byte| *byte != b'\r');
    check("a copy in text mode", text_mode, Open("in binary mode"));
}

#[test]
fn headers_that_cannot_be_read() {
    check("half a header", |bytes| bytes.truncate(2000), Open("damaged header: expected 4096 bytes"));
    check("header only", |bytes| bytes.truncate(PAGE), Open("it was cut short"));
    check(
        "a newer version",
        |bytes| put(bytes, 16, [2, 0, 0, 0]),
        Open("format version 2, this program reads up to 1"),
    );
    check("version zero", |bytes| put(bytes, 16, [0; 4]), Open("a known format version, found 0"));
    check("an unknown feature", |bytes| put(bytes, 41, [1]), Open("features 0x100"));
    check("other pages", |bytes| put(bytes, 20, [0, 32, 0, 0]), Open("a page size of 4096"));
    check("an unknown profile", |bytes| put(bytes, 56, [3]), Open("a known profile"));
    check("something after the header", |bytes| put(bytes, 100, [3]), Open("expected zeros"));
}

#[test]
fn superblocks_that_lead_nowhere() {
    let no_commit: Make = |bytes| bytes[FIRST_SLOT..3 * PAGE].fill(0);
    check("no commit", no_commit, Open("the file was never finished"));
    let both_bad: Make = |bytes| {
        put(bytes, FIRST_SLOT, *b"NOTMAGIC");
        put(bytes, SECOND_SLOT, *b"NOTMAGIC");
    };
    check("both bad", both_bad, Open("damaged superblock 0"));
    let swapped: Make = |bytes| {
        let (first, second) = bytes[FIRST_SLOT..3 * PAGE].split_at_mut(PAGE);
        first.swap_with_slice(second);
    };
    check("swapped", swapped, Open("superblock 1 at byte 8: expected an even generation, found 1"));
    let twice: Make = |bytes| bytes.copy_within(FIRST_SLOT..SECOND_SLOT, SECOND_SLOT);
    check("the first again as the second", twice, Verify("expected an even generation"));
    check("generation zero", |bytes| put(bytes, FIRST_SLOT + 8, [0; 8]), Open("an odd generation"));
    check(
        "something in the unused slot",
        |bytes| put(bytes, SECOND_SLOT + 500, [1]),
        Verify("damaged superblock 1"),
    );
}

#[test]
fn directories_that_are_elsewhere() {
    let expected = "bytes of directory";
    check("length 2^40", |bytes| put(bytes, FIRST_SLOT + 24, (1u64 << 40).to_le_bytes()), Open(expected));
    check("length 2^64 - 1", |bytes| put(bytes, FIRST_SLOT + 24, [0xff; 8]), Open(expected));
    let expected = "a range within";
    check("offset 2^64 - 1", |bytes| put(bytes, FIRST_SLOT + 16, [0xff; 8]), Open(expected));
    check("over the header", |bytes| put(bytes, FIRST_SLOT + 16, [0; 8]), Open(expected));
    check(
        "a file length past the end",
        |bytes| put(bytes, FIRST_SLOT + 40, [0, 0, 1, 0, 0, 0, 0, 0]),
        Open("it was cut short"),
    );
    let large: Make = |bytes| {
        put(bytes, FIRST_SLOT + 16, (3 * PAGE as u64).to_le_bytes());
        put(bytes, FIRST_SLOT + 24, (17u64 << 20).to_le_bytes());
        extend_file(bytes, &vec![0; 17 << 20]);
    };
    check("larger than any directory", large, Open("bytes of directory"));
}

#[test]
fn directories_whose_tables_do_not_fit() {
    for number in 0..10 {
        let mut bytes = sample::bytes();
        let count = directory(&bytes) + 24 + 4 * number;
        put(&mut bytes, count, [0xff; 4]);
        repair(&mut bytes);
        let error = sample::open(&bytes).unwrap_err().to_string();
        assert!(error.contains("damaged directory: expected"), "table {number}: {error}");
    }
    check("another magic", set(directory, *b"VVDIRECU"), Open("its magic"));
}

#[test]
fn names_that_are_not_names() {
    check("not UTF-8", set(|bytes| bytes.len() - 1, [0xff]), Open("valid UTF-8"));
    check("overlong UTF-8", set(|bytes| bytes.len() - 2, [0xc0, 0x80]), Open("valid UTF-8"));
    check("a surrogate", set(|bytes| bytes.len() - 3, [0xed, 0xa0, 0x80]), Open("valid UTF-8"));
    check(
        "a name over another",
        set(|bytes| names(bytes) + 8, [0; 4]),
        Open("ranges of the name pool end to end"),
    );
    check(
        "a name past the pool",
        set(|bytes| names(bytes) + 4 * 8 + 4, [5, 0, 0, 0]),
        Open("ranges of the name pool end to end"),
    );
}

#[test]
fn columns_that_cannot_be() {
    check("an unknown encoding", set(columns, 999u16.to_le_bytes()), Open("a known encoding, found 999"));
    check("unknown flags", set(|bytes| columns(bytes) + 3, [0x80]), Open("a known set of flags"));
    check("its own child", set(|bytes| columns(bytes) + 28, [0; 4]), Open("children before their parent"));
    check(
        "a child that has it as a child",
        set(|bytes| columns(bytes) + 32, [1, 0, 0, 0]),
        Open("children before their parent"),
    );
    check(
        "a segment that does not exist",
        set(|bytes| columns(bytes) + 40, [99, 0, 0, 0]),
        Open("a segment that exists"),
    );
    check(
        "a label of a column that does not exist",
        set(|bytes| table(bytes, 2) + 8, [99, 0, 0, 0]),
        Open("a column that exists"),
    );
}

#[test]
fn segments_that_cannot_be() {
    let range = "a range within";
    let overlap: Make = |bytes| {
        let rows = segments(bytes);
        bytes.copy_within(rows..rows + 8, rows + 40);
    };
    check("over each other", overlap, Open(range));
    check("over a superblock", set(segments, (PAGE as u64).to_le_bytes()), Open(range));
    check("an offset that wraps", set(segments, (u64::MAX - 63).to_le_bytes()), Open(range));
    check("not aligned", set(segments, (3 * PAGE as u64 + 1).to_le_bytes()), Open("a multiple of 64"));
    check("blocks of no bytes", set(|bytes| segments(bytes) + 32, [0; 4]), Open("a block length from 1 to"));
    check("an unknown codec", set(|bytes| segments(bytes) + 36, [9]), Open("a known codec, found 9"));
    check("an unknown filter", set(|bytes| segments(bytes) + 37, [3]), Open("a known filter"));
}

#[test]
fn blocks_that_lie_about_their_length() {
    check(
        "more plain bytes than a codec can make",
        set(|bytes| coded_segment(bytes) + 16, (1u64 << 50).to_le_bytes()),
        Open("at most 1015808 plain bytes"),
    );
    let longer: Make = |bytes| {
        let at = coded_segment(bytes) + 16;
        let plain = u64_at(bytes, at) + 1;
        put(bytes, at, plain.to_le_bytes());
    };
    check("a byte more than there is", longer, Load("bytes, expected"));
    check("a byte more than there is, verified", longer, Verify("bytes, expected"));
    let shorter: Make = |bytes| {
        let at = coded_segment(bytes) + 16;
        let plain = u64_at(bytes, at) - 1;
        put(bytes, at, plain.to_le_bytes());
    };
    check("a byte less than there is", shorter, Load("decodes to more than"));
    let stored: Make = |bytes| {
        let row = coded_segment(bytes);
        let entry = (u64_at(bytes, row) + u64_at(bytes, row + 8)) as usize + 8;
        put(bytes, entry, [0xff; 4]);
    };
    check("blocks longer than their segment", stored, Load("block table"));
    let noise: Make = |bytes| {
        let row = coded_segment(bytes);
        let at = u64_at(bytes, row) as usize;
        put(bytes, at, [0x55; 6]);
    };
    check("blocks of noise", noise, Load("does not decode"));
}

#[test]
fn bytes_that_belong_to_nothing() {
    let mut bytes = sample::bytes();
    bytes.extend(b"garbage");
    let store = sample::open(&bytes).unwrap();
    let report = store.verify(&Task::new().threads(1)).unwrap();
    assert_eq!(
        (report.problems, report.leftover_bytes),
        (vec![], 7),
        "as a commit that was not finished leaves it"
    );
    check("behind the directory", |bytes| extend_file(bytes, &[0, 0, 7]), Verify("damaged padding"));
    let between: Make = |bytes| {
        let rows = segments(bytes);
        let end = u64_at(bytes, rows) + u64_at(bytes, rows + 8) + 12;
        assert!(end < u64_at(bytes, rows + 40));
        put(bytes, end as usize, [7]);
    };
    check("between segments", between, Verify("damaged padding"));
}

/// A large count takes no bytes in a file, so a file may not claim counts out of proportion to its length.
#[test]
fn claims_out_of_proportion() {
    let values = "values in a file of";
    check("2^32 - 1 nodes", set(|bytes| directory(bytes) + 8, [0xff; 4]), Open(values));
    check("2^60 values", set(|bytes| columns(bytes) + 4, (1u64 << 60).to_le_bytes()), Open(values));
    check("2^32 - 1 places", set(|bytes| table(bytes, 2) + 12, [0xff; 4]), Open(values));
}

#[test]
fn a_writer_never_claims_what_readers_refuse() {
    let mut writer = sample::writer();
    let columns = sample::add_columns(&mut writer, Codec::None, Profile::Direct).unwrap();
    let error = writer.finish(Directory { nodes: u32::MAX, ..sample::directory(columns) }).unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooLarge);
    assert!(error.to_string().contains("values in a file of"), "{error}");
}

/// The counts that a file claims must agree with its columns before any column is used.
#[test]
fn counts_that_nothing_stands_behind() {
    let mut bytes = sample::bytes();
    let (rows, count) = (columns(&bytes), u32_at(&bytes, directory(&bytes) + 24 + 4 * 7));
    for number in 0..count {
        put(&mut bytes, rows + 48 * number + 4, (1u64 << 20).to_le_bytes());
    }
    repair(&mut bytes);
    let store = sample::open(&bytes).unwrap();
    for column in (0..count as u32).map(ColumnId) {
        assert!(Ints::open(&store, column).is_err());
        assert!(NodeSet::open(&store, column, NODES).is_err());
        assert!(Strings::open(&store, column).is_err());
    }
}

#[test]
fn repairing_a_whole_file_changes_nothing() {
    let whole = sample::bytes();
    let mut repaired = whole.clone();
    repair(&mut repaired);
    assert_eq!(repaired, whole);
}
