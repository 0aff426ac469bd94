//! A replacement of a graph that stays in use meanwhile.

use std::path::Path;
use std::sync::Arc;

use varvite_store::{Replacement, Result, StoreError, Vfs};
use varvite_testing::vfs::MemoryVfs;

const TARGET: &str = "code.varvite";
const NAME: &str = ".code.varvite.compacted";

fn begin(disk: &MemoryVfs) -> Result<Replacement> {
    Replacement::begin(Arc::new(disk.clone()), Path::new(TARGET))
}

#[test]
fn a_replacement_keeps_nobody_from_the_file_and_another_out() {
    let disk = MemoryVfs::new();
    disk.put(TARGET, b"old");
    disk.put(NAME, b"left by a crash");
    let replacement = begin(&disk).unwrap();
    assert!(matches!(begin(&disk), Err(StoreError::Busy { .. })));
    assert_eq!(disk.contents(NAME).unwrap(), b"", "what a crash left is gone");
    let writer = disk.open_writable(Path::new(TARGET)).unwrap();
    writer.try_lock().unwrap();
    let mut staged = replacement.file();
    staged.write_all_at(0, b"new").unwrap();
    staged.commit().unwrap();
    assert_eq!(disk.contents(NAME).as_deref(), Some(&b"new"[..]));
    let attributes = disk.open(Path::new(NAME)).unwrap().attributes().unwrap();
    assert_eq!(attributes.mode(), 0o600);
    assert!(matches!(begin(&disk), Err(StoreError::Busy { .. })), "the lock stays until it is dropped");
    drop((replacement, writer));
    assert_eq!(disk.paths(), [Path::new(TARGET)]);
    assert_eq!(disk.contents(TARGET).as_deref(), Some(&b"old"[..]));
    begin(&disk).unwrap();
}
