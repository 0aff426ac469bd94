//! An unfinished new file: it appears whole or not at all, and no file of another writer is touched.

use std::io;
use std::path::Path;
use std::sync::Arc;

use varvite_store::{IfExists, Leftover, Result, StagedFile, StoreError, Vfs};
use varvite_testing::vfs::{FaultPlan, FaultVfs, MemoryVfs};

const TARGET: &str = "folder/code.varvite";
const TEMPORARY: &str = "folder/.code.varvite.partial";

fn stage(vfs: impl Vfs + 'static, if_exists: IfExists) -> Result<StagedFile> {
    StagedFile::create(Arc::new(vfs), Path::new(TARGET), if_exists)
}

#[test]
fn the_target_appears_with_the_commit() {
    let vfs = MemoryVfs::new();
    let mut staged = stage(vfs.clone(), IfExists::Refuse).unwrap();
    staged.write_all_at(0, b"varves").unwrap();
    assert_eq!(vfs.paths(), [Path::new(TEMPORARY)]);
    staged.commit().unwrap();
    assert_eq!(vfs.paths(), [Path::new(TARGET)]);
    assert_eq!(vfs.durable_image().contents(TARGET).unwrap(), b"varves");
}

#[test]
fn what_was_written_can_be_read_back() {
    let mut staged = stage(MemoryVfs::new(), IfExists::Refuse).unwrap();
    staged.write_all_at(2, b"abc").unwrap();
    let mut buffer = [0; 2];
    staged.read_exact_at(3, &mut buffer).unwrap();
    assert_eq!((staged.length().unwrap(), &buffer), (5, b"bc"));
}

#[test]
fn dropping_it_removes_it() {
    let vfs = MemoryVfs::new();
    vfs.put(TARGET, b"old");
    drop(stage(vfs.clone(), IfExists::Replace).unwrap());
    assert_eq!(vfs.paths(), [Path::new(TARGET)]);
}

#[test]
fn a_kept_file_stays_when_it_is_dropped_or_cannot_be_committed() {
    let vfs = MemoryVfs::new();
    let mut staged = stage(vfs.clone(), IfExists::Refuse).unwrap().kept();
    staged.write_all_at(0, b"an hour's work").unwrap();
    drop(staged);
    assert_eq!(vfs.contents(TEMPORARY).unwrap(), b"an hour's work");
    let mut staged = stage(vfs.clone(), IfExists::Refuse).unwrap().kept();
    staged.write_all_at(0, b"another hour's").unwrap();
    vfs.put(TARGET, b"theirs");
    assert!(matches!(staged.commit(), Err(StoreError::Exists { .. })));
    assert_eq!(vfs.contents(TEMPORARY).unwrap(), b"another hour's");
    assert_eq!(vfs.contents(TARGET).unwrap(), b"theirs");
}

#[test]
fn a_kept_file_is_removed_on_request_and_gone_after_a_commit() {
    let vfs = MemoryVfs::new();
    stage(vfs.clone(), IfExists::Refuse).unwrap().kept().remove();
    assert!(vfs.paths().is_empty());
    stage(vfs.clone(), IfExists::Refuse).unwrap().kept().commit().unwrap();
    assert_eq!(vfs.paths(), [Path::new(TARGET)]);
}

#[test]
fn an_existing_target_is_refused_unless_it_is_to_be_replaced() {
    let vfs = MemoryVfs::new();
    vfs.put(TARGET, b"old");
    let error = stage(vfs.clone(), IfExists::Refuse).unwrap_err();
    assert!(matches!(error, StoreError::Exists { path } if path == Path::new(TARGET)));
    stage(vfs.clone(), IfExists::Replace).unwrap().commit().unwrap();
    assert_eq!(vfs.contents(TARGET).unwrap(), b"");
}

#[test]
fn a_target_that_appears_meanwhile_is_refused_too() {
    let vfs = MemoryVfs::new();
    let staged = stage(vfs.clone(), IfExists::Refuse).unwrap();
    vfs.put(TARGET, b"theirs");
    assert!(matches!(staged.commit(), Err(StoreError::Exists { .. })));
    assert_eq!(vfs.contents(TARGET).unwrap(), b"theirs");
    assert_eq!(vfs.paths(), [Path::new(TARGET)]);
}

#[test]
fn a_second_writer_finds_the_target_busy() {
    let vfs = MemoryVfs::new();
    let first = stage(vfs.clone(), IfExists::Refuse).unwrap();
    let error = stage(vfs.clone(), IfExists::Refuse).unwrap_err();
    assert!(matches!(error, StoreError::Busy { path, .. } if path == Path::new(TARGET)));
    drop(first);
    stage(vfs, IfExists::Refuse).unwrap();
}

#[test]
fn what_a_crash_left_behind_is_replaced() {
    let vfs = MemoryVfs::new();
    vfs.put(TEMPORARY, b"left behind, and longer than the new file");
    let mut staged = stage(vfs.clone(), IfExists::Refuse).unwrap();
    staged.write_all_at(0, b"new").unwrap();
    staged.commit().unwrap();
    assert_eq!(vfs.contents(TARGET).unwrap(), b"new");
    assert_eq!(vfs.paths(), [Path::new(TARGET)]);
}

#[test]
fn a_failed_write_stops_everything_after_it() {
    let memory = MemoryVfs::new();
    memory.put(TARGET, b"old");
    let full = FaultVfs::new(Arc::new(memory.clone()), FaultPlan::disk_full_after(4));
    let mut staged = stage(full, IfExists::Replace).unwrap();
    let first = staged.write_all_at(0, b"12345").unwrap_err();
    assert_eq!(first.io_kind(), Some(io::ErrorKind::StorageFull));
    let poisoned = |result: Result<()>| match result {
        Err(StoreError::Poisoned { first }) => {
            assert_eq!(first.io_kind(), Some(io::ErrorKind::StorageFull))
        }
        other => panic!("not poisoned: {other:?}"),
    };
    poisoned(staged.write_all_at(0, b""));
    poisoned(staged.sync());
    poisoned(staged.commit());
    assert_eq!(memory.contents(TARGET).unwrap(), b"old");
    assert_eq!(memory.paths(), [Path::new(TARGET)]);
}

#[test]
fn a_target_that_was_replaced_meanwhile_is_left_alone() {
    let vfs = MemoryVfs::new();
    vfs.put(TARGET, b"old");
    let staged = stage(vfs.clone(), IfExists::Replace).unwrap();
    vfs.put(TARGET, b"theirs");
    let error = staged.commit().unwrap_err();
    assert!(matches!(error, StoreError::Replaced { path } if path == Path::new(TARGET)));
    assert_eq!(vfs.contents(TARGET).unwrap(), b"theirs");
    assert_eq!(vfs.paths(), [Path::new(TARGET)]);
}

#[test]
fn a_temporary_file_of_another_is_neither_published_nor_removed() {
    let vfs = MemoryVfs::new();
    let staged = stage(vfs.clone(), IfExists::Refuse).unwrap();
    vfs.put(TEMPORARY, b"theirs");
    let error = staged.commit().unwrap_err();
    assert!(matches!(error, StoreError::Replaced { path } if path == Path::new(TEMPORARY)));
    assert_eq!(vfs.paths(), [Path::new(TEMPORARY)]);
}

#[test]
fn the_new_file_has_the_rights_of_the_old_one_and_is_private_before() {
    let vfs = MemoryVfs::new();
    vfs.put(TARGET, b"old");
    let mode = |path: &str| vfs.open(Path::new(path)).unwrap().attributes().unwrap().mode();
    let shared = vfs.open(Path::new(TARGET)).unwrap().attributes().unwrap().with_mode(0o660);
    vfs.open(Path::new(TARGET)).unwrap().set_attributes(&shared).unwrap();
    let staged = stage(vfs.clone(), IfExists::Replace).unwrap();
    assert_eq!(mode(TEMPORARY), 0o600);
    staged.commit().unwrap();
    assert_eq!(mode(TARGET), 0o660);
}

#[test]
fn an_unfinished_file_can_be_kept() {
    let vfs = MemoryVfs::new();
    vfs.put(TEMPORARY, b"a recording");
    let begin = |leftover| {
        let vfs = Arc::new(vfs.clone());
        StagedFile::create_beside(vfs, Path::new(TARGET), IfExists::Refuse, leftover)
    };
    let error = begin(Leftover::Refuse).unwrap_err();
    assert!(matches!(error, StoreError::Unfinished { partial, .. } if partial == Path::new(TEMPORARY)));
    assert_eq!(vfs.contents(TEMPORARY).unwrap(), b"a recording");
    begin(Leftover::Remove).unwrap();
}

#[test]
fn a_path_without_a_name_is_refused() {
    let error =
        StagedFile::create(Arc::new(MemoryVfs::new()), Path::new("/"), IfExists::Replace).unwrap_err();
    assert!(matches!(error, StoreError::NotAFile { .. }));
}
