//! The store as a whole: every mode reads the values that were written, and every changed bit is found.

use std::path::Path;
use std::sync::Arc;

use varvite_codec::{Codec, hash};
use varvite_format::{
    ColumnId, Directory, Ints, Keys, LayerRow, NamesBuilder, NodeSet, PAGE, Profile, Purpose, SegmentId,
    Source, Strings, Superblock, encode_ints,
};
use varvite_store::vfs::RealVfs;
use varvite_store::{IfExists, MemoryState, OpenMode, Store, StoreError, StoreWriter, Task, prepare};
use varvite_testing::vfs::MemoryVfs;

use crate::sample::{self, Columns, FILE_ID, NODES, PATH, TEXTS};

/// Reads every value of the sample.
fn check(store: &Store, columns: Columns) {
    let codes = Ints::open(store, columns.codes).unwrap();
    let set = NodeSet::open(store, columns.set, NODES).unwrap();
    for node in 0..NODES {
        assert_eq!(codes.get(node as usize, 0), Some(sample::code_of(node)));
        assert_eq!(set.contains(node), sample::is_member(node));
    }
    let texts = Strings::open(store, columns.texts).unwrap();
    let mut reader = texts.reader();
    let read: Vec<_> = (0..texts.len()).map(|code| reader.str(code).unwrap().to_owned()).collect();
    assert_eq!(read, TEXTS);
}

const CODECS: [Codec; 3] = [Codec::None, Codec::Lz4, Codec::Zstd];

#[test]
fn what_was_written_is_read_back() {
    for profile in Profile::ALL {
        for codec in CODECS {
            let vfs = MemoryVfs::new();
            let columns = sample::write(Arc::new(vfs.clone()), Path::new(PATH), codec, profile).unwrap();
            let store = Store::open(&vfs, Path::new(PATH), OpenMode::Mapped).unwrap();
            assert!(!store.is_mapped(), "the memory file system cannot map");
            assert!(!store.is_recovered());
            assert_eq!(store.header().profile, profile);
            check(&store, columns);
            let report = store.verify(&Task::new().threads(2)).unwrap();
            assert_eq!(report.problems, [] as [String; 0]);
            assert_eq!(report.blocks, store.directory().segments.iter().map(|row| row.blocks()).sum::<u64>());
        }
    }
}

#[cfg(not(miri))] // Miri has no file maps.
#[test]
fn a_real_file_is_read_in_place() {
    use varvite_store::vfs::RealVfs;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(PATH);
    for codec in CODECS {
        let columns = sample::write(Arc::new(RealVfs), &path, codec, Profile::Direct).unwrap();
        for mode in [OpenMode::Mapped, OpenMode::Buffered] {
            let store = Store::open(&RealVfs, &path, mode).unwrap();
            assert_eq!(store.is_mapped(), mode == OpenMode::Mapped);
            check(&store, columns);
            for (number, row) in store.directory().segments.iter().enumerate() {
                let in_place = store.load(SegmentId(number as u32)).unwrap().is_mapped();
                assert_eq!(in_place, store.is_mapped() && row.codec == Codec::None);
            }
            assert_eq!(store.verify(&Task::new().threads(1)).unwrap().problems, [] as [String; 0]);
        }
    }
}

#[test]
fn the_same_columns_give_the_same_bytes() {
    assert_eq!(sample::bytes(), sample::bytes());
}

#[test]
fn equal_columns_are_stored_once() {
    let vfs = Arc::new(MemoryVfs::new());
    let mut writer =
        StoreWriter::create(vfs, Path::new(PATH), IfExists::Refuse, FILE_ID, Profile::Direct).unwrap();
    let mut add = |values: &[i64]| {
        let column = encode_ints(values, Keys::None, Purpose::Numbers, Profile::Direct).unwrap();
        writer.add(prepare(column, Codec::None).unwrap()).unwrap()
    };
    assert_eq!([add(&[1, 5, 2]), add(&[1, 5, 3]), add(&[1, 5, 2])], [ColumnId(0), ColumnId(1), ColumnId(0)]);
}

#[test]
fn memory_is_accounted_until_the_last_pin_is_gone() {
    let store = sample::open(&sample::bytes()).unwrap();
    let decoded = || store.ledger().total(MemoryState::Decoded);
    let pinned = store.load(SegmentId(0)).unwrap();
    assert_eq!(decoded(), pinned.len() as u64);
    let (len, pinned_bytes) = (pinned.len() as u64, || store.ledger().total(MemoryState::Pinned));
    assert_eq!(pinned_bytes(), len);
    store.release();
    assert_eq!((decoded(), pinned_bytes()), (len, len), "what is pinned stays");
    drop(pinned);
    assert_eq!((decoded(), pinned_bytes()), (len, 0), "what is not is kept for the next reader");
    store.release();
    assert_eq!(decoded(), 0);
    store.load(SegmentId(0)).unwrap();
    assert_eq!((decoded(), pinned_bytes()), (len, 0));
}

/// The mode `Mapped` reads the bytes without a check, and the mode `Checked` checks them once.
#[test]
fn a_checked_map_finds_a_flipped_byte_at_first_touch() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("code.varvite");
    sample::write(Arc::new(RealVfs), &path, Codec::None, Profile::Direct).unwrap();
    let load = |mode| {
        let store = Store::open(&RealVfs, &path, mode).unwrap();
        let segments = 0..store.directory().segments.len() as u32;
        let failures = segments.filter_map(|number| store.load(SegmentId(number)).err());
        failures.map(|error| error.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(load(OpenMode::Checked), [""; 0]);
    let store = Store::open(&RealVfs, &path, OpenMode::Mapped).unwrap();
    assert!(store.is_mapped(), "a real file can be mapped here");
    let at = store.directory().segments[1].offset as usize;
    drop(store);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(load(OpenMode::Mapped), [""; 0]);
    let failures = load(OpenMode::Checked);
    assert!(failures.len() == 1 && failures[0].contains("segment 1, block 0"), "{failures:?}");
}

#[test]
fn numbers_of_nothing_are_errors() {
    let store = sample::open(&sample::bytes()).unwrap();
    assert!(matches!(store.row(ColumnId(99)), Err(StoreError::Format { .. })));
    assert!(matches!(store.load(SegmentId(99)), Err(StoreError::Format { .. })));
}

/// Whether opening and verifying the file reports that it is damaged.
fn is_noticed(bytes: &[u8]) -> bool {
    match sample::open(bytes) {
        Ok(store) => store.verify(&Task::new().threads(1)).map_or(true, |report| !report.problems.is_empty()),
        Err(_) => true,
    }
}

#[cfg(not(miri))] // A hundred thousand files: minutes under Miri.
#[test]
fn every_flipped_bit_is_noticed() {
    let mut bytes = sample::bytes();
    assert!(bytes.len() < 16 << 10, "{} bytes take too long", bytes.len());
    assert!(!is_noticed(&bytes));
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(is_noticed(&bytes), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn every_missing_and_every_additional_end_is_noticed() {
    let bytes = sample::bytes();
    for len in 0..bytes.len() {
        assert!(sample::open(&bytes[..len]).is_err(), "{len}");
    }
    let longer = sample::open(&[&bytes[..], &[0]].concat()).unwrap();
    assert_eq!(longer.verify(&Task::new().threads(1)).unwrap().leftover_bytes, 1);
}

/// A file of one column with several blocks.
fn blocks(codec: Codec) -> Vec<u8> {
    let vfs = MemoryVfs::new();
    let target = Path::new(PATH);
    let mut writer =
        StoreWriter::create(Arc::new(vfs.clone()), target, IfExists::Refuse, FILE_ID, Profile::Direct)
            .unwrap();
    let values: Vec<i64> = (0..200_000i64).map(|index| index * index % 1_000_003).collect();
    let column = encode_ints(&values, Keys::None, Purpose::Ids, Profile::Direct).unwrap();
    writer.add(prepare(column, codec).unwrap()).unwrap();
    writer.finish(Directory::default()).unwrap();
    vfs.contents(PATH).unwrap()
}

#[test]
fn a_damaged_block_is_named_with_its_place() {
    for (codec, block_len) in [(Codec::None, 65_536), (Codec::Zstd, 262_144)] {
        let mut bytes = blocks(codec);
        let store = sample::open(&bytes).unwrap();
        assert_eq!(store.load(SegmentId(0)).unwrap().len(), 800_000);
        let row = store.directory().segments[0];
        assert_eq!((row.codec, row.block_len), (codec, block_len));
        let at = row.offset as usize + row.stored_len as usize - 1;
        bytes[at] ^= 1;
        let expected = format!("segment 0, block {}", row.blocks() - 1);
        let store = sample::open(&bytes).unwrap();
        let error = store.load(SegmentId(0)).unwrap_err().to_string();
        assert!(error.contains(&expected), "{error}");
        let report = store.verify(&Task::new().threads(2)).unwrap();
        assert_eq!(report.problems.len(), 1);
        assert!(report.problems[0].contains(&expected), "{report:?}");
    }
}

#[test]
fn blocks_that_changed_places_are_noticed() {
    let mut bytes = blocks(Codec::None);
    let offset = sample::open(&bytes).unwrap().directory().segments[0].offset as usize;
    let (first, second) = bytes[offset..offset + 2 * 65_536].split_at_mut(65_536);
    first.swap_with_slice(second);
    let problems = sample::open(&bytes).unwrap().verify(&Task::new().threads(2)).unwrap().problems;
    assert!(problems[0].contains("block 0") && problems[1].contains("block 1"), "{problems:?}");
}

/// The sample with a second commit, which has its own directory.
fn with_second_commit() -> Vec<u8> {
    let mut bytes = sample::bytes();
    let directory = sample::open(&bytes).unwrap().directory().to_bytes();
    bytes.resize(bytes.len().next_multiple_of(64), 0);
    let slot = Superblock {
        generation: 2,
        directory_offset: bytes.len() as u64,
        directory_len: directory.len() as u64,
        directory_hash: hash(&directory, 2),
        file_len: (bytes.len() + directory.len()) as u64,
        required_features: 0,
    };
    bytes.extend(directory);
    bytes[2 * PAGE..3 * PAGE].copy_from_slice(&slot.to_page(&FILE_ID));
    bytes
}

#[test]
fn the_newest_commit_is_opened() {
    let store = sample::open(&with_second_commit()).unwrap();
    assert_eq!((store.superblock().generation, store.is_recovered()), (2, false));
}

#[test]
fn a_damaged_commit_gives_way_to_the_one_before() {
    let whole = with_second_commit();
    let last = whole.len() - 1;
    for at in [2 * PAGE, 2 * PAGE + 50, 3 * PAGE - 1, last] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        let store = sample::open(&bytes).unwrap();
        assert_eq!((store.superblock().generation, store.is_recovered()), (1, true), "byte {at}");
        let problems = store.verify(&Task::new().threads(1)).unwrap().problems.join("\n");
        assert!(problems.contains("commit 1 was opened"), "{problems}");
    }
    let store = sample::open(&whole[..last]).unwrap();
    assert_eq!((store.superblock().generation, store.is_recovered()), (1, true), "cut short");
}

#[test]
fn a_directory_that_readers_would_refuse_is_not_written() {
    let mut names = NamesBuilder::default();
    let name = names.intern(&"x".repeat(65_537));
    let layers = vec![LayerRow { name, tool: name, version: name, nodes: None, time: 0, source: [0; 32] }];
    let directory = Directory { names: names.build(), layers, ..Directory::default() };
    let vfs = MemoryVfs::new();
    let target = Path::new(PATH);
    let writer =
        StoreWriter::create(Arc::new(vfs.clone()), target, IfExists::Refuse, FILE_ID, Profile::Direct)
            .unwrap();
    let error = writer.finish(directory).unwrap_err().to_string();
    assert!(error.ends_with("bytes of a name: 65537 exceeds the limit of the format (65536)"), "{error}");
    assert_eq!(vfs.paths(), [] as [&Path; 0]);
}
