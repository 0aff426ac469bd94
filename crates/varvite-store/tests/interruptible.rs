//! A program that has to stop leaves no unfinished file and commits nothing afterwards.

use std::io;
use std::path::Path;
use std::sync::Arc;

use varvite_store::vfs::InterruptibleVfs;
use varvite_store::{IfExists, Result, StagedFile, StoreError, Vfs};
use varvite_testing::vfs::{FaultPlan, FaultVfs, LocklessVfs, MemoryVfs};

const TARGET: &str = "code.varvite";

fn stage(vfs: &InterruptibleVfs, target: &str) -> Result<StagedFile> {
    StagedFile::create(Arc::new(vfs.clone()), Path::new(target), IfExists::Replace)
}

#[test]
fn who_is_told_to_stop_leaves_nothing_half_made() {
    let memory = MemoryVfs::new();
    memory.put(TARGET, b"old");
    let vfs = InterruptibleVfs::over(Arc::new(memory.clone()));
    stage(&vfs, "done").unwrap().commit().unwrap();
    let mut staged = stage(&vfs, TARGET).unwrap();
    staged.write_all_at(0, b"half").unwrap();
    assert_eq!(memory.paths().len(), 3);
    assert_eq!(vfs.abandon(), [Path::new("done")]);
    assert_eq!(memory.paths(), [Path::new(TARGET), Path::new("done")]);
    assert_eq!(staged.commit().unwrap_err().io_kind(), None, "its own temporary file is gone");
    assert_eq!(stage(&vfs, "new").unwrap_err().io_kind(), Some(io::ErrorKind::Interrupted));
    assert_eq!(memory.contents(TARGET).unwrap(), b"old");
}

#[test]
fn who_is_told_to_stop_commits_nothing_more() {
    let memory = MemoryVfs::new();
    memory.put(TARGET, b"old.");
    let vfs = InterruptibleVfs::over(Arc::new(memory.clone()));
    let file = vfs.open_writable(Path::new(TARGET)).unwrap();
    file.write_all_at(4, b"new").unwrap();
    file.write_pointer_at(0, b"OLD").unwrap();
    assert_eq!(vfs.abandon(), [Path::new(TARGET)], "that is committed");
    let error = file.write_pointer_at(0, b"XXX").unwrap_err();
    assert_eq!(error.io_kind(), Some(io::ErrorKind::Interrupted));
    assert_eq!(memory.contents(TARGET).unwrap(), b"OLD.new");
}

fn without_locks(memory: &MemoryVfs) -> InterruptibleVfs {
    InterruptibleVfs::over(Arc::new(LocklessVfs::over(Arc::new(memory.clone()))))
}

#[test]
fn without_locks_nothing_is_written_unless_the_user_insists() {
    let memory = MemoryVfs::new();
    let vfs = without_locks(&memory);
    let error = stage(&vfs, TARGET).unwrap_err();
    assert!(matches!(error, StoreError::NoLocks { .. }));
    assert!(error.to_string().contains("--no-lock"), "{error}");
    assert_eq!(memory.paths(), [] as [&Path; 0]);
    stage(&vfs.going_without_locks(), TARGET).unwrap().commit().unwrap();
    assert_eq!(memory.paths(), [Path::new(TARGET)]);
}

#[test]
fn without_locks_the_unfinished_file_of_another_is_never_removed() {
    let memory = MemoryVfs::new();
    let vfs = without_locks(&memory).going_without_locks();
    let mut first = stage(&vfs, TARGET).unwrap();
    first.write_all_at(0, b"first").unwrap();
    assert!(matches!(stage(&vfs, TARGET), Err(StoreError::Unfinished { .. })));
    first.commit().unwrap();
    assert_eq!(memory.contents(TARGET).unwrap(), b"first");
}

#[test]
fn who_goes_without_locks_is_still_kept_out_by_one() {
    let memory = MemoryVfs::new();
    let vfs = InterruptibleVfs::over(Arc::new(memory.clone())).going_without_locks();
    memory.put(TARGET, b"old");
    let held = memory.open(Path::new(TARGET)).unwrap();
    held.try_lock().unwrap();
    assert!(matches!(stage(&vfs, TARGET), Err(StoreError::Busy { .. })));
}

#[test]
fn failures_below_pass_through() {
    let memory = MemoryVfs::new();
    let faults = FaultVfs::new(Arc::new(memory), FaultPlan::fail_once(0, io::ErrorKind::Other));
    let vfs = InterruptibleVfs::over(Arc::new(faults));
    assert_eq!(stage(&vfs, TARGET).unwrap_err().io_kind(), Some(io::ErrorKind::Other));
}

#[test]
fn a_file_that_lost_its_name_to_another_is_not_removed_in_its_place() {
    let memory = MemoryVfs::new();
    let vfs = InterruptibleVfs::over(Arc::new(memory.clone()));
    let _staged = stage(&vfs, TARGET).unwrap();
    memory.put(".code.varvite.partial", b"of another writer");
    vfs.abandon();
    assert_eq!(memory.paths(), [Path::new(".code.varvite.partial")]);
}
