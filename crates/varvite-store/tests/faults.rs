//! Operations that fail: each operation of a workload in turn fails, once or from then on. Writes also fail
//! after a part of the bytes was written.

use std::io;
use std::path::Path;
use std::sync::Arc;

use varvite_store::{IfExists, Result, StagedFile, StoreError};
use varvite_testing::vfs::{FaultPlan, FaultVfs, MemoryVfs};

const TARGET: &str = "graphs/code.varvite";
const PARTIAL: &str = "graphs/.code.varvite.partial";
const LEFT_BEHIND: &[u8] = b"left behind";
const OLD: &[u8] = b"the old graph";
const NEW: &[u8] = b"the new graph, which is longer";
const KINDS: [io::ErrorKind; 3] =
    [io::ErrorKind::StorageFull, io::ErrorKind::PermissionDenied, io::ErrorKind::Other];

fn commit(memory: &MemoryVfs, plan: FaultPlan) -> (Result<()>, u64) {
    let faults = FaultVfs::new(Arc::new(memory.clone()), plan);
    (commit_over(&faults), faults.operation_count())
}

fn commit_over(faults: &FaultVfs) -> Result<()> {
    let mut staged = StagedFile::create(Arc::new(faults.clone()), Path::new(TARGET), IfExists::Replace)?;
    staged.write_all_at(4, &NEW[4..])?;
    staged.write_all_at(0, &NEW[..4])?;
    staged.commit()
}

/// A disk with the old graph and the leftovers of a crashed writer, so that the workload has all its steps.
fn disk() -> MemoryVfs {
    let memory = MemoryVfs::new();
    memory.put(TARGET, OLD);
    memory.put(PARTIAL, LEFT_BEHIND);
    memory
}

fn operation_count() -> u64 {
    let (result, count) = commit(&disk(), FaultPlan::none());
    result.unwrap();
    count
}

/// Checks the promise after any failure: the target is the old one, or the new one if only its durability is
/// in doubt.
fn check_target(memory: &MemoryVfs, error: &StoreError, kind: io::ErrorKind) {
    let (expected, io_error) = match error {
        StoreError::NotDurable { reason, .. } => (NEW, &**reason),
        other => (OLD, other),
    };
    assert_eq!(memory.contents(TARGET).unwrap(), expected, "after {error}");
    assert_eq!(io_error.io_kind(), Some(kind), "{error}");
}

#[test]
fn any_one_failure_leaves_the_target_whole_and_nothing_new() {
    for index in 0..operation_count() {
        for kind in KINDS {
            for plan in
                [FaultPlan::fail_once(index, kind), FaultPlan::fail_once(index, kind).tearing_writes()]
            {
                let memory = disk();
                let result = commit(&memory, plan).0;
                // A file that can't be opened for writing can still be replaced.
                let Err(error) = result else {
                    assert_eq!(kind, io::ErrorKind::PermissionDenied, "operation {index}");
                    assert_eq!(memory.contents(TARGET).unwrap(), NEW);
                    continue;
                };
                check_target(&memory, &error, kind);
                let is_first_attempt_at_leftover = memory.paths().len() == 2;
                let left = memory.contents("graphs/.code.varvite.partial");
                assert!(
                    !is_first_attempt_at_leftover || left.unwrap() == b"left behind",
                    "operation {index}"
                );
            }
        }
    }
}

#[test]
fn a_disk_that_fails_for_good_leaves_the_target_whole() {
    for index in 0..operation_count() {
        for kind in KINDS {
            let memory = disk();
            let error = commit(&memory, FaultPlan::fail_from(index, kind).tearing_writes()).0.unwrap_err();
            check_target(&memory, &error, kind);
            commit(&memory, FaultPlan::none()).0.unwrap();
            assert_eq!(memory.paths(), [Path::new(TARGET)]);
        }
    }
}

#[test]
fn without_leftovers_one_failure_leaves_no_partial_file() {
    for index in 0..operation_count() {
        let memory = MemoryVfs::new();
        let (result, _) = commit(&memory, FaultPlan::fail_once(index, io::ErrorKind::Other));
        match result {
            Ok(()) | Err(StoreError::NotDurable { .. }) => assert_eq!(memory.paths(), [Path::new(TARGET)]),
            Err(_) => assert_eq!(memory.paths(), [] as [&Path; 0], "operation {index}"),
        }
    }
}

#[test]
fn a_disk_full_after_any_byte_changes_nothing() {
    for bytes in 0..NEW.len() as u64 {
        let memory = disk();
        let error = commit(&memory, FaultPlan::disk_full_after(bytes)).0.unwrap_err();
        check_target(&memory, &error, io::ErrorKind::StorageFull);
        assert_eq!(memory.paths(), [Path::new(TARGET)]);
        assert!(error.to_string().contains("free space and run it again"), "{error}");
    }
    commit(&disk(), FaultPlan::disk_full_after(NEW.len() as u64)).0.unwrap();
}
