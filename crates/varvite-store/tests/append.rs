//! Commits in place: the columns that they add, the bytes that they do not change, and the effects on readers
//! and other writers.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use varvite_codec::Codec;
use varvite_format::{
    Directory, ErrorCode, Ints, Keys, LogRecord, NamesBuilder, NodeSet, Owner, PAGE, Profile, PropertyRow,
    Purpose, Superblock, encode_ints, encode_set,
};
use varvite_store::vfs::{RealVfs, Vfs};
use varvite_store::{FileChange, OpenMode, Result, Store, StoreError, StoreWriter, Task, prepare};
use varvite_testing::vfs::{FaultPlan, FaultVfs, MemoryVfs};

use crate::sample::{self, FILE_ID, NODES, PATH};

/// The value of property `P{number}` for each node.
pub(crate) fn values_of(number: u32) -> Vec<i64> {
    (0..NODES).map(|node| i64::from((node * 7919 + number * 104_729) % 65_521)).collect()
}

/// Makes the next commit of the graph at [`PATH`], which adds property `P{number}`.
pub(crate) fn add_property(vfs: Arc<dyn Vfs>, number: u32) -> Result<u64> {
    let change = FileChange::begin(vfs, Path::new(PATH))?;
    let base = change.open_store(OpenMode::Buffered)?;
    let mut writer = change.append(&base)?;
    let directory = with_property(&mut writer, &base, number)?;
    writer.finish(directory)
}

fn with_property(writer: &mut StoreWriter, base: &Store, number: u32) -> Result<Directory> {
    let mut directory = base.directory().clone();
    let mut names = NamesBuilder::from(&directory.names);
    let column = encode_ints(&values_of(number), Keys::None, Purpose::Numbers, Profile::Direct).unwrap();
    let mut words = vec![0u64; NODES.div_ceil(64) as usize];
    (0..NODES)
        .filter(|node| node % 3 != number % 3)
        .for_each(|node| words[node as usize / 64] |= 1 << (node % 64));
    let members = encode_set(&words, NODES, Profile::Direct).unwrap();
    let row = PropertyRow {
        name: names.intern(&format!("P{number}")),
        layer: 0,
        owner: Owner::Node,
        value_type: 0,
        cardinality: 0,
        default_kind: 0,
        default: 0,
        present: writer.add(prepare(members, Codec::None)?)?,
        offsets: None,
        values: writer.add(prepare(column, Codec::None)?)?,
        strings: None,
    };
    directory.properties.push(row);
    directory.names = names.build();
    Ok(directory)
}

/// Makes the next commit, which removes the properties `gone`.
fn drop_properties(vfs: Arc<dyn Vfs>, gone: &[&str]) -> Result<u64> {
    let change = FileChange::begin(vfs, Path::new(PATH))?;
    let base = change.open_store(OpenMode::Buffered)?;
    let mut directory = base.directory().clone();
    let names = directory.names.clone();
    directory.properties.retain(|row| !gone.contains(&names.get(row.name)));
    change.append(&base)?.finish(directory)
}

/// The names of the properties. Also checks every value of the properties that [`add_property`] added.
pub(crate) fn properties(store: &Store) -> Vec<String> {
    let directory = store.directory();
    let check = |row: &PropertyRow| {
        let name = directory.names.get(row.name);
        if let Some(number) = name.strip_prefix('P') {
            let found = Ints::open(store, row.values).unwrap();
            let found: Vec<i64> = (0..NODES as usize).map(|node| found.get(node, 0).unwrap()).collect();
            let number: u32 = number.parse().unwrap();
            assert_eq!(found, values_of(number), "{name}");
            let set = NodeSet::open(store, row.present, NODES).unwrap();
            assert!((0..NODES).all(|node| set.contains(node) == (node % 3 != number % 3)), "{name}");
        }
        name.to_owned()
    };
    directory.properties.iter().map(check).collect()
}

pub(crate) fn disk() -> MemoryVfs {
    let disk = MemoryVfs::new();
    disk.put(PATH, &sample::bytes());
    disk
}

fn open(vfs: &MemoryVfs) -> Store {
    Store::open(vfs, Path::new(PATH), OpenMode::Buffered).unwrap()
}

fn problems(store: &Store) -> Vec<String> {
    store.verify(&Task::new().threads(1)).unwrap().problems
}

#[test]
fn a_commit_adds_to_the_file_and_overwrites_nothing_of_it() {
    let disk = disk();
    let vfs = Arc::new(disk.clone());
    for number in 1..=4u32 {
        let (before, old) = (disk.contents(PATH).unwrap(), open(&disk));
        let length = add_property(Arc::clone(&vfs) as Arc<dyn Vfs>, number).unwrap();
        let (after, new) = (disk.contents(PATH).unwrap(), open(&disk));
        assert_eq!(after.len() as u64, length);
        let expected: Vec<_> = (1..=number).map(|number| format!("P{number}")).collect();
        assert_eq!(properties(&new)[1..], expected);
        assert_eq!((new.superblock().generation, new.is_recovered()), (u64::from(number) + 1, false));
        assert_eq!(problems(&new), [""; 0]);
        let slot = if number % 2 == 1 { 2 * PAGE..3 * PAGE } else { PAGE..2 * PAGE };
        assert_eq!(after[..slot.start], before[..slot.start]);
        assert_eq!(after[slot.end..before.len()], before[slot.end..]);
        assert_eq!((new.identity().file_id, disk.paths().len()), (FILE_ID, 1));
        assert_ne!(new.identity(), old.identity());
        assert_eq!(properties(&old).len(), number as usize, "whoever has the file open keeps the old commit");
        assert_eq!(old.directory().segments[..], new.directory().segments[..old.directory().segments.len()]);
    }
}

#[test]
fn the_same_commits_give_the_same_bytes() {
    let bytes = || {
        let disk = disk();
        (1..=3).for_each(|number| _ = add_property(Arc::new(disk.clone()), number).unwrap());
        disk.contents(PATH).unwrap()
    };
    assert_eq!(bytes(), bytes());
}

#[test]
fn dropping_is_a_new_directory_that_continues_the_one_before() {
    let disk = disk();
    let vfs: Arc<dyn Vfs> = Arc::new(disk.clone());
    let bare = open(&disk);
    add_property(Arc::clone(&vfs), 1).unwrap();
    let (full, length) = (open(&disk), disk.contents(PATH).unwrap().len());
    drop_properties(vfs, &["P1"]).unwrap();
    let dropped = open(&disk);
    assert_eq!(properties(&dropped), properties(&bare));
    assert_eq!(dropped.directory().columns, full.directory().columns);
    assert_eq!(dropped.directory().segments, full.directory().segments);
    let (written, of_full) = (disk.contents(PATH).unwrap().len() - length, full.superblock().directory_len);
    assert!(written < dropped.superblock().directory_len as usize + 64, "{written} bytes");
    assert!(dropped.superblock().directory_len + 200 < of_full, "it has no rows of columns and segments");
    assert_eq!(problems(&dropped), [""; 0]);
}

#[test]
fn columns_that_nothing_names_are_gone_from_the_next_whole_directory() {
    let disk = disk();
    let vfs: Arc<dyn Vfs> = Arc::new(disk.clone());
    let bare = open(&disk).directory().columns.len();
    drop_properties(Arc::clone(&vfs), &["NAME"]).unwrap();
    let mut is_whole = Vec::new();
    let mut look = || {
        let offset = open(&disk).superblock().directory_offset as usize;
        is_whole.push(disk.contents(PATH).unwrap()[offset..].starts_with(b"VVDIRECT"));
    };
    for number in 1..=20u32 {
        add_property(Arc::clone(&vfs), number).unwrap();
        look();
        let name = format!("P{number}");
        assert_eq!(properties(&open(&disk)), [name.as_str()]);
        let length = disk.contents(PATH).unwrap().len();
        drop_properties(Arc::clone(&vfs), &[&name]).unwrap();
        let dropped = open(&disk);
        assert_eq!((properties(&dropped).len(), problems(&dropped).len()), (0, 0));
        assert!(dropped.directory().columns.len() <= bare + 4, "those of two properties");
        let set = dropped.directory().labels[0].nodes;
        assert!(NodeSet::open(&dropped, set, NODES).is_ok(), "its number may be another now");
        let written = disk.contents(PATH).unwrap().len() - length;
        assert!(written < dropped.superblock().directory_len as usize + 64, "{written} bytes");
        look();
    }
    assert!(is_whole.contains(&true) && is_whole.contains(&false), "{is_whole:?}");
    let named = open(&disk).directory().columns.len();
    assert!(named < bare + 4, "NAME is gone");
}

#[test]
fn what_an_unfinished_commit_left_is_told_and_overwritten() {
    let disk = disk();
    let length = disk.contents(PATH).unwrap().len() as u64;
    let change = FileChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    let base = change.open_store(OpenMode::Buffered).unwrap();
    let mut writer = change.append(&base).unwrap();
    with_property(&mut writer, &base, 9).unwrap();
    drop((writer, change));
    let report = open(&disk).verify(&Task::new().threads(1)).unwrap();
    assert_eq!(report.problems, [""; 0]);
    assert_eq!(report.leftover_bytes, disk.contents(PATH).unwrap().len() as u64 - length);
    assert!(report.leftover_bytes > 0);
    let fresh = self::disk();
    for disk in [&disk, &fresh] {
        add_property(Arc::new(disk.clone()), 1).unwrap();
        assert_eq!(problems(&open(disk)), [""; 0]);
    }
    let end = open(&fresh).superblock().file_len as usize;
    assert_eq!(disk.contents(PATH).unwrap()[..end], fresh.contents(PATH).unwrap());
}

#[test]
fn a_writer_that_failed_says_so_until_it_is_dropped() {
    let disk = disk();
    let before = disk.contents(PATH).unwrap();
    let full = FaultVfs::new(Arc::new(disk.clone()), FaultPlan::disk_full_after(100));
    let change = FileChange::begin(Arc::new(full), Path::new(PATH)).unwrap();
    let base = change.open_store(OpenMode::Buffered).unwrap();
    let mut writer = change.append(&base).unwrap();
    let error = with_property(&mut writer, &base, 1).unwrap_err();
    assert_eq!(error.io_kind(), Some(std::io::ErrorKind::StorageFull));
    let error = with_property(&mut writer, &base, 2).unwrap_err();
    assert!(matches!(error, StoreError::Poisoned { .. }), "{error}");
    let error = writer.finish(base.directory().clone()).unwrap_err();
    assert!(matches!(error, StoreError::Poisoned { .. }), "{error}");
    drop(change);
    assert_eq!(disk.contents(PATH).unwrap()[..before.len()], before);
    assert!(!open(&disk).is_recovered());
}

#[test]
fn a_file_that_another_program_changed_gets_no_commit() {
    let disk = disk();
    let change = FileChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    let base = change.open_store(OpenMode::Buffered).unwrap();
    let mut writer = change.append(&base).unwrap();
    let directory = with_property(&mut writer, &base, 1).unwrap();
    let other = sample::bytes_of(*b"another file id.");
    disk.put(PATH, &other);
    assert!(matches!(writer.finish(directory), Err(StoreError::Replaced { .. })));
    assert!(matches!(change.append(&base), Err(StoreError::Replaced { .. })));
    assert_eq!(disk.contents(PATH).unwrap(), other);
}

#[test]
fn a_record_that_came_after_the_file_was_opened_is_noticed() {
    let disk = disk();
    let change = FileChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    let base = change.open_store(OpenMode::Buffered).unwrap();
    let (superblock, staged) = (*base.superblock(), change.successor(&base).unwrap());
    let record = LogRecord {
        generation: superblock.generation,
        number: 1,
        durable: 0,
        previous: superblock.directory_hash,
        payload_len: 0,
        payload_hash: 0,
        checksum: 0,
    };
    let (bytes, _) = record.to_bytes(&FILE_ID, b"of a writer without locks");
    let at = LogRecord::log_start(superblock.file_len).unwrap();
    disk.open_writable(Path::new(PATH)).unwrap().write_all_at(at, &bytes).unwrap();
    assert!(matches!(change.append(&base), Err(StoreError::Replaced { .. })));
    assert!(matches!(change.begin_log(&base), Err(StoreError::Replaced { .. })));
    assert!(matches!(staged.commit(), Err(StoreError::Replaced { .. })));
    assert_eq!(open(&disk).log().records(), 1);
}

#[test]
fn a_commit_that_was_passed_over_is_never_overwritten() {
    let disk = disk();
    add_property(Arc::new(disk.clone()), 1).unwrap();
    let mut bytes = disk.contents(PATH).unwrap();
    bytes[2 * PAGE + 50] ^= 1;
    disk.put(PATH, &bytes);
    assert!(open(&disk).is_recovered());
    add_property(Arc::new(disk.clone()), 2).unwrap();
    let store = open(&disk);
    assert_eq!((properties(&store).len(), store.is_recovered()), (2, false));
    assert_eq!(problems(&store), [""; 0]);
    assert_eq!(disk.contents(PATH).unwrap()[3 * PAGE..bytes.len()], bytes[3 * PAGE..]);
}

/// The older commit is whole, but is not the present state of the graph.
#[test]
fn a_commit_that_needs_an_unknown_feature_is_refused_and_not_passed_over() {
    let disk = disk();
    add_property(Arc::new(disk.clone()), 1).unwrap();
    let known = *open(&disk).superblock();
    let mut bytes = disk.contents(PATH).unwrap();
    let slot = Superblock { required_features: known.required_features | 1 << 40, ..known };
    bytes[2 * PAGE..3 * PAGE].copy_from_slice(&slot.to_page(&FILE_ID));
    disk.put(PATH, &bytes);
    for mode in [OpenMode::Buffered, OpenMode::Mapped] {
        let error = Store::open(&disk, Path::new(PATH), mode).unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnknownFeature, "{error}");
    }
    let error = add_property(Arc::new(disk.clone()), 2).unwrap_err();
    assert_eq!(error.code(), ErrorCode::UnknownFeature, "{error}");
    assert_eq!(disk.contents(PATH).unwrap(), bytes);
}

#[test]
fn there_is_no_commit_after_the_last_generation() {
    let mut bytes = sample::bytes();
    let store = sample::open(&bytes).unwrap();
    let directory = store.directory().to_bytes();
    let slot = Superblock {
        generation: u64::MAX,
        directory_hash: varvite_codec::hash(&directory, u64::MAX),
        ..*store.superblock()
    };
    bytes[PAGE..2 * PAGE].copy_from_slice(&slot.to_page(&FILE_ID));
    let disk = MemoryVfs::new();
    disk.put(PATH, &bytes);
    let error = add_property(Arc::new(disk.clone()), 1).unwrap_err();
    assert!(error.to_string().contains("commits of one file"), "{error}");
    assert_eq!(disk.contents(PATH).unwrap(), bytes);
}

#[test]
fn a_reader_keeps_its_commit_while_others_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(PATH);
    std::fs::write(&path, sample::bytes()).unwrap();
    let commit = |number| {
        let change = FileChange::begin(Arc::new(RealVfs), &path).unwrap();
        let base = change.open_store(OpenMode::Mapped).unwrap();
        let mut writer = change.append(&base).unwrap();
        let directory = with_property(&mut writer, &base, number).unwrap();
        writer.finish(directory).unwrap();
    };
    commit(1);
    for mode in [OpenMode::Mapped, OpenMode::Checked, OpenMode::Buffered] {
        let reader = Store::open(&RealVfs, &path, mode).unwrap();
        let known = properties(&reader);
        let next = known.len() as u32;
        reader.release();
        (next..next + 3).for_each(commit);
        assert_eq!(properties(&reader), known, "{mode:?}");
        assert_eq!(problems(&reader), [""; 0]);
        assert_eq!(properties(&Store::open(&RealVfs, &path, mode).unwrap()).len(), known.len() + 3);
    }
}

#[test]
fn whoever_opens_a_file_while_commits_are_made_sees_one_of_them_and_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(PATH);
    std::fs::write(&path, sample::bytes()).unwrap();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers: Vec<_> = [OpenMode::Mapped, OpenMode::Buffered].map(|mode| (mode, &path)).into();
        let readers: Vec<_> = readers
            .into_iter()
            .map(|(mode, path)| {
                let is_done = &is_done;
                scope.spawn(move || {
                    let (mut opened, mut last) = (0, 0);
                    while !is_done.load(Ordering::Relaxed) {
                        let store = Store::open(&RealVfs, path, mode).unwrap();
                        assert!(!store.is_recovered(), "generation {}", store.superblock().generation);
                        let count = properties(&store).len();
                        assert_eq!(count as u64, store.superblock().generation);
                        assert!(count >= last);
                        (opened, last) = (opened + 1, count);
                    }
                    opened
                })
            })
            .collect();
        for number in 1..=60 {
            let change = FileChange::begin(Arc::new(RealVfs), &path).unwrap();
            let base = change.open_store(OpenMode::Buffered).unwrap();
            let mut writer = change.append(&base).unwrap();
            let directory = with_property(&mut writer, &base, number).unwrap();
            writer.finish(directory).unwrap();
        }
        is_done.store(true, Ordering::Relaxed);
        assert!(readers.into_iter().all(|reader| reader.join().unwrap() > 0));
    });
}

#[test]
fn a_superblock_that_is_torn_at_any_byte_leaves_one_commit_or_the_other() {
    let disk = disk();
    (1..=2).for_each(|number| _ = add_property(Arc::new(disk.clone()), number).unwrap());
    let before = disk.contents(PATH).unwrap();
    add_property(Arc::new(disk.clone()), 3).unwrap();
    let after = disk.contents(PATH).unwrap();
    let (old, new) = (&before[2 * PAGE..3 * PAGE], &after[2 * PAGE..3 * PAGE]);
    let mut recovered = 0;
    for cut in 0..=64 {
        for page in [[&new[..cut], &old[cut..]], [&old[..cut], &new[cut..]]] {
            let mut torn = after.clone();
            torn[2 * PAGE..3 * PAGE].copy_from_slice(&page.concat());
            let vfs = MemoryVfs::new();
            vfs.put(PATH, &torn);
            let store = open(&vfs);
            let is_new = page.concat() == new;
            assert_eq!(properties(&store).len(), if is_new { 4 } else { 3 }, "torn at {cut}");
            assert_eq!(store.is_recovered(), !is_new && page.concat() != old);
            recovered += u32::from(store.is_recovered());
            let next = properties(&store).len() as u32;
            add_property(Arc::new(vfs.clone()), next).unwrap();
            assert_eq!(
                (properties(&open(&vfs)).len(), open(&vfs).is_recovered()),
                (next as usize + 1, false)
            );
        }
    }
    assert!(recovered > 50, "{recovered}");
}
