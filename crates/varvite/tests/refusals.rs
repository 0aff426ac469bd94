//! Tests the errors of writers of small commits that cannot write. Each cause has a different error, and
//! docs/errors.md lists these errors.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use varvite::change::{ChangeError, Durability, LogOptions};
use varvite::error::StoreError;
use varvite::write::GraphChange;
use varvite::{GraphError, Task};
use varvite_format::{ErrorCode, LogRecord};
use varvite_store::{Operation, Vfs};
use varvite_testing::vfs::{FaultPlan, FaultVfs, MemoryVfs};

use crate::log::{PATH, TASK, begin, diff, digest, digests, disk, disk_with_log, open};

/// Runs a session that commits once. Returns the error that it must give.
fn refusal(vfs: impl Vfs + 'static) -> ChangeError {
    let session = || {
        let log = GraphChange::begin(Arc::new(vfs), Path::new(PATH))?.log(LogOptions::default(), &TASK())?;
        log.commit(&diff(1), Durability::Sync, &TASK())
    };
    session().expect_err("it can't write")
}

/// The number of the first file system operation of this kind in a session.
fn first(kind: Operation) -> u64 {
    let found = Arc::new(Mutex::new(None));
    let seen = Arc::clone(&found);
    let watched = FaultVfs::watched(Arc::new(disk()), move |number, operation| {
        if operation == kind {
            seen.lock().unwrap().get_or_insert(number);
        }
    });
    let log = GraphChange::begin(Arc::new(watched), Path::new(PATH)).unwrap();
    log.log(LogOptions::default(), &TASK()).unwrap().commit(&diff(1), Durability::Sync, &TASK()).unwrap();
    found.lock().unwrap().expect("there is one")
}

#[test]
fn a_second_writer_is_told_who_writes() {
    let disk = disk();
    let log = begin(&disk, PATH);
    let error = refusal(disk.clone());
    assert!(
        matches!(error, ChangeError::Graph(GraphError::Store(StoreError::Busy { holder: Some(_), .. }))),
        "{error}"
    );
    drop(log);
    begin(&disk, PATH);
}

#[test]
fn read_only_media_are_named_and_can_be_read() {
    let disk = disk();
    let kind = io::ErrorKind::ReadOnlyFilesystem;
    let vfs = FaultVfs::new(Arc::new(disk.clone()), FaultPlan::fail_from(first(Operation::Lock), kind));
    let error = refusal(vfs);
    let ChangeError::Graph(GraphError::Store(error)) = error else { panic!("{error}") };
    assert_eq!((error.code(), error.io_kind()), (ErrorCode::Io, Some(kind)));
    assert!(error.to_string().ends_with("choose a folder on a writable file system"), "{error}");
    open(&disk).unwrap();
}

#[test]
fn a_full_disk_is_named_and_the_last_commit_stays() {
    let disk = disk_with_log();
    let before = digest(&open(&disk).unwrap());
    let error = refusal(FaultVfs::new(Arc::new(disk.clone()), FaultPlan::disk_full_after(100)));
    let ChangeError::Graph(GraphError::Store(error)) = error else { panic!("{error}") };
    assert_eq!((error.code(), error.io_kind()), (ErrorCode::Io, Some(io::ErrorKind::StorageFull)));
    assert!(error.to_string().contains("the disk is full; earlier commits are untouched"), "{error}");
    assert_eq!(digest(&open(&disk).unwrap()), before);
}

#[test]
fn a_file_that_was_replaced_is_left_alone() {
    let (disk, other) = (disk(), disk_with_log().contents(PATH).unwrap());
    let log = begin(&disk, PATH);
    disk.put(PATH, &other);
    let error = log.commit(&diff(1), Durability::Sync, &TASK()).unwrap_err();
    assert!(matches!(error, ChangeError::Graph(GraphError::Store(StoreError::Replaced { .. }))), "{error}");
    let error = log.close(&TASK()).unwrap_err();
    assert!(matches!(error, ChangeError::Graph(GraphError::Store(StoreError::Poisoned { .. }))), "{error}");
    assert!(disk.contents(PATH).unwrap() == other);
}

#[test]
fn a_file_that_was_cut_off_is_told_as_that() {
    let bytes = disk().contents(PATH).unwrap();
    let short = MemoryVfs::new();
    short.put(PATH, &bytes[..bytes.len() / 2]);
    let GraphError::Store(error) = open(&short).unwrap_err() else { panic!("of another kind") };
    assert_eq!(error.code(), ErrorCode::Truncated, "{error}");
}

#[test]
fn records_of_another_file_are_no_records() {
    let (logged, disk) = (disk_with_log(), disk());
    let (mut bytes, of_other) = (disk.contents(PATH).unwrap(), logged.contents(PATH).unwrap());
    bytes.resize(bytes.len().next_multiple_of(LogRecord::HEAD), 0);
    let file_id = open(&disk).unwrap().identity().file_id;
    let record = LogRecord {
        generation: 1,
        number: 1,
        durable: 0,
        previous: open(&disk).unwrap().identity().directory_hash,
        payload_len: 0,
        payload_hash: 0,
        checksum: 0,
    };
    bytes.extend(record.to_bytes(&[file_id[0] ^ 1; 16], &of_other[..100]).0);
    disk.put(PATH, &bytes);
    let graph = open(&disk).unwrap();
    assert_eq!((graph.store().log().records(), digest(&graph)), (0, digests(0).remove(0)));
    let report = graph.verify(&Task::new().threads(1)).unwrap();
    assert_eq!(report.problems, [""; 0]);
    assert!(report.leftover_bytes > 100);
    let log = begin(&disk, PATH);
    log.commit(&diff(1), Durability::Sync, &TASK()).unwrap();
    assert_eq!(digest(&open(&disk).unwrap()), digests(1).remove(1));
}
