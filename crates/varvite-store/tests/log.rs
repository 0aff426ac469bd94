//! The log of a file: records that a reader accepts, records that it drops with a note, and records that it
//! reports as damage.

use std::path::Path;
use std::sync::Arc;

use varvite_format::{LogRecord, PAGE};
use varvite_store::vfs::Vfs;
use varvite_store::{FileChange, LogWriter, OpenMode, Result, Store, StoreError, Task};
use varvite_testing::vfs::MemoryVfs;

use crate::append::{add_property, disk, properties};
use crate::sample::{FILE_ID, PATH};

/// The content of record `number`; records differ in length.
fn payload(number: u64) -> Vec<u8> {
    vec![number as u8; 40 * number as usize]
}

fn begin(disk: &MemoryVfs) -> (FileChange, LogWriter) {
    let change = FileChange::begin(Arc::new(disk.clone()) as Arc<dyn Vfs>, Path::new(PATH)).unwrap();
    let base = change.open_store(OpenMode::Buffered).unwrap();
    let log = change.begin_log(&base).unwrap();
    (change, log)
}

/// A file with `count` records. If `are_synced`, each record is synced before the next one is appended;
/// otherwise none is synced.
fn with_records(count: u64, are_synced: bool) -> Vec<u8> {
    let disk = disk();
    let (_change, log) = begin(&disk);
    for number in 1..=count {
        assert_eq!(log.append(&payload(number)).unwrap(), number);
        if are_synced {
            log.sync(number).unwrap();
        }
    }
    disk.contents(PATH).unwrap()
}

fn open(bytes: &[u8]) -> Result<Store> {
    let disk = MemoryVfs::new();
    disk.put(PATH, bytes);
    Store::open(&disk, Path::new(PATH), OpenMode::Buffered)
}

/// The number of records that the reader accepts. Also checks that each record equals the record that was
/// appended.
fn records(store: &Store) -> u64 {
    let log = store.log();
    for (number, found) in (1..).zip(log.payloads()) {
        assert!(found == payload(number), "record {number}");
    }
    assert_eq!(log.payloads().len() as u64, log.records());
    log.records()
}

/// The start of the log, and the end of each record.
fn ends(count: u64) -> Vec<usize> {
    let start = disk().contents(PATH).unwrap().len().next_multiple_of(LogRecord::HEAD);
    let mut ends = vec![start];
    for number in 1..=count {
        ends.push(ends[ends.len() - 1] + LogRecord::stored_len(40 * number).unwrap() as usize);
    }
    ends
}

#[test]
fn records_are_found_in_their_order() {
    let bytes = with_records(5, true);
    let store = open(&bytes).unwrap();
    assert_eq!((records(&store), store.log().leftover_bytes()), (5, 0));
    assert_eq!((store.log().end() as usize, bytes.len()), (ends(5)[5], ends(5)[5]));
    assert!(!store.can_begin_log() && open(&with_records(0, true)).unwrap().can_begin_log());
    let report = store.verify(&Task::new().threads(1)).unwrap();
    assert_eq!((report.problems, report.log_records, report.leftover_bytes), (vec![], 5, 0));
}

#[test]
fn records_that_were_taken_up_are_not_read_again() {
    let disk = disk();
    let (_change, log) = begin(&disk);
    let append = |number: u64| {
        log.append(&payload(number)).unwrap();
        log.sync(number).unwrap();
    };
    let reopened = |store: &Store| store.reopen_behind().map(|it| it.expect("records came"));
    let open = || Store::open(&disk, Path::new(PATH), OpenMode::Buffered).unwrap();
    let none = open();
    (1..=3).for_each(append);
    let three = open();
    (4..=5).for_each(append);
    let (five, all) = (reopened(&three).unwrap(), reopened(&none).unwrap());
    assert_eq!((five.log().skipped(), five.log().records(), five.identity()), (3, 5, open().identity()));
    assert!(five.log().payloads().eq([&payload(4)[..], &payload(5)]));
    assert_eq!((all.log().skipped(), records(&all)), (0, 5));
    for (store, known) in [(&five, 3), (&all, 3), (&all, 5), (&five, 5)] {
        let checksum = if known == 3 { three.log().checksum() } else { five.log().checksum() };
        assert!(store.log().begins_with(known, checksum) && !store.log().begins_with(known, checksum ^ 1));
    }
    assert!(!five.log().begins_with(2, three.log().checksum()));
    // If the last record is missing, the reader reads all other records, and finds the damage.
    let at = ends(2)[2] + 20;
    let changed = disk.contents(PATH).unwrap()[at] ^ 1;
    disk.open_writable(Path::new(PATH)).unwrap().write_all_at(at as u64, &[changed]).unwrap();
    let error = three.reopen_behind().unwrap_err().to_string();
    assert!(error.contains("record 3 of the log"), "{error}");
}

#[test]
fn each_record_is_a_state_of_its_own() {
    let identities: Vec<_> =
        (0..=4).map(|count| open(&with_records(count, true)).unwrap().identity()).collect();
    for (number, identity) in identities.iter().enumerate() {
        assert!(!identities[..number].contains(identity));
        assert_eq!(identity.generation, 1);
    }
}

#[test]
fn a_log_that_is_cut_off_anywhere_loses_its_last_records_and_says_so() {
    let (bytes, ends) = (with_records(3, true), ends(3));
    for len in ends[0] - 10..bytes.len() {
        let store = open(&bytes[..len]).unwrap();
        let whole = ends[1..].iter().filter(|end| **end <= len).count();
        assert_eq!(records(&store), whole as u64, "{len} bytes");
        assert_eq!(store.log().leftover_bytes(), len as u64 - store.log().end());
        assert!(store.log().end() as usize <= len);
    }
}

#[test]
fn a_flipped_bit_is_damage_if_a_later_record_says_that_it_was_durable_and_else_the_end() {
    let (synced, buffered, ends) = (with_records(3, true), with_records(3, false), ends(3));
    for at in ends[0]..synced.len() {
        let record = ends[1..].iter().position(|end| at < *end).unwrap() as u64 + 1;
        for bit in [0, 5] {
            let (mut one, mut other) = (synced.clone(), buffered.clone());
            one[at] ^= 1 << bit;
            other[at] ^= 1 << bit;
            let story = format!("byte {at}, bit {bit}, of record {record}");
            match open(&one) {
                Ok(store) => assert_eq!((record, records(&store)), (3, 2), "{story}"),
                Err(error) => {
                    let told = format!("{PATH}: damaged record {record} of the log at byte");
                    assert!(record < 3 && error.to_string().starts_with(&told), "{story}: {error}");
                }
            }
            let store = open(&other).unwrap();
            assert_eq!(records(&store), record - 1, "{story}");
            assert!(!store.can_begin_log(), "{story}");
        }
    }
}

/// A file with `count` records and one more. `change` changes the head of the last record; its checksums are
/// valid.
fn with_head(count: u64, change: impl Fn(&mut LogRecord), file_id: [u8; 16]) -> Vec<u8> {
    let mut bytes = with_records(count, true);
    let identity = open(&bytes).unwrap().identity();
    let mut record = LogRecord {
        generation: 1,
        number: count + 1,
        durable: count,
        previous: identity.directory_hash,
        payload_len: 0,
        payload_hash: 0,
        checksum: 0,
    };
    change(&mut record);
    bytes.resize(bytes.len().next_multiple_of(LogRecord::HEAD), 0);
    bytes.extend(record.to_bytes(&file_id, &payload(count + 1)).0);
    bytes
}

#[test]
fn a_record_that_does_not_follow_is_not_taken_up() {
    let found = |bytes: &[u8]| records(&open(bytes).unwrap());
    for count in [0, 2] {
        assert_eq!(found(&with_head(count, |_| (), FILE_ID)), count + 1);
        assert_eq!(found(&with_head(count, |_| (), [9; 16])), count, "of another file");
        assert_eq!(found(&with_head(count, |record| record.generation = 2, FILE_ID)), count);
        assert_eq!(found(&with_head(count, |record| record.generation = 0, FILE_ID)), count);
        assert_eq!(found(&with_head(count, |record| record.number = count, FILE_ID)), count);
        assert_eq!(found(&with_head(count, |record| record.previous ^= 1, FILE_ID)), count);
        assert_eq!(found(&with_head(count, |record| record.durable = count + 1, FILE_ID)), count);
        let skipped = |record: &mut LogRecord| (record.number, record.durable) = (count + 2, count);
        assert_eq!(found(&with_head(count, skipped, FILE_ID)), count, "the one between was never durable");
        let lost = |record: &mut LogRecord| (record.number, record.durable) = (count + 2, count + 1);
        assert!(open(&with_head(count, lost, FILE_ID)).is_err(), "the one between was durable");
    }
}

#[test]
fn a_reader_looks_no_further_than_the_log_limit() {
    let mut bytes = with_records(1, true);
    let record = bytes.split_off(ends(1)[0]);
    bytes.resize(ends(1)[0] + LogRecord::LOG_MAX as usize, 0);
    bytes.extend(record);
    let store = open(&bytes).unwrap();
    assert_eq!((records(&store), store.can_begin_log()), (0, true));
}

#[test]
fn records_that_were_dropped_once_never_follow_what_came_later() {
    let ends = ends(3);
    let mut torn = with_records(3, false);
    torn[ends[0] + LogRecord::HEAD] ^= 1;
    let store = open(&torn).unwrap();
    assert_eq!((records(&store), store.can_begin_log()), (0, false), "a commit has to come first");
    let disk = MemoryVfs::new();
    disk.put(PATH, &torn);
    let change = FileChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    let error = change.begin_log(&change.open_store(OpenMode::Buffered).unwrap()).unwrap_err();
    assert!(error.to_string().contains("a commit that a log can follow"), "{error}");
    drop(change);
    add_property(Arc::new(disk.clone()), 1).unwrap();
    let (_change, log) = begin(&disk);
    log.append(&payload(1)).unwrap();
    let store = open(&disk.contents(PATH).unwrap()).unwrap();
    assert_eq!((records(&store), store.superblock().generation), (1, 2));
}

#[test]
fn a_large_commit_begins_behind_the_log_and_the_state_before_keeps_it() {
    let disk = disk();
    let (change, log) = begin(&disk);
    (1..=3).for_each(|number| _ = log.append(&payload(number)).unwrap());
    let base = change.open_store(OpenMode::Buffered).unwrap();
    let before = disk.contents(PATH).unwrap();
    change.append(&base).unwrap().finish(base.directory().clone()).unwrap();
    let after = disk.contents(PATH).unwrap();
    assert!(after[3 * PAGE..before.len()] == before[3 * PAGE..] && after.len() > before.len());
    let store = open(&after).unwrap();
    assert_eq!((records(&store), store.superblock().generation), (0, 2));
    let mut without = after;
    without[2 * PAGE] ^= 1;
    let store = open(&without).unwrap();
    assert_eq!((records(&store), store.superblock().generation, store.is_recovered()), (3, 1, true));
    assert_eq!(properties(&store).len(), 1);
}

#[test]
fn a_log_is_not_written_to_a_file_that_was_replaced() {
    let disk = disk();
    let (_change, log) = begin(&disk);
    log.append(&payload(1)).unwrap();
    disk.remove(Path::new(PATH)).unwrap();
    disk.put(PATH, b"another");
    let error = log.append(&payload(2)).unwrap_err();
    assert!(matches!(error, StoreError::Replaced { .. }), "{error}");
    assert!(matches!(log.append(&payload(2)), Err(StoreError::Poisoned { .. })));
    assert!(matches!(log.sync(1), Err(StoreError::Poisoned { .. })));
    assert_eq!(disk.contents(PATH).unwrap(), b"another");
}

#[test]
fn a_log_is_not_begun_in_a_file_that_took_the_place_of_another() {
    let (disk, other) = (disk(), disk());
    add_property(Arc::new(other.clone()), 1).unwrap();
    let other = other.contents(PATH).unwrap();
    let change = FileChange::begin(Arc::new(disk.clone()) as Arc<dyn Vfs>, Path::new(PATH)).unwrap();
    let base = change.open_store(OpenMode::Buffered).unwrap();
    disk.remove(Path::new(PATH)).unwrap();
    disk.put(PATH, &other);
    let error = change.begin_log(&base).unwrap_err();
    assert!(matches!(error, StoreError::Replaced { .. }), "{error}");
    assert!(disk.contents(PATH).unwrap() == other);
}
