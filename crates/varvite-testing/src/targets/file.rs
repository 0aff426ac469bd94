//! Whole files: any fault of a file is an error, never a panic.

use std::path::Path;

use varvite_format::SegmentId;
use varvite_store::{OpenMode, Store, Task};

use crate::readers::ask_all;
use crate::vfs::MemoryVfs;

const PATH: &str = "fuzz.varvite";

/// Opens the file, verifies it, loads every segment and reads every column.
pub fn open_file(bytes: &[u8]) {
    let vfs = MemoryVfs::new();
    vfs.put(PATH, bytes);
    let Ok(store) = Store::open(&vfs, Path::new(PATH), OpenMode::Buffered) else { return };
    let _ = store.verify(&Task::new().threads(1));
    let directory = store.directory();
    for segment in (0..directory.segments.len() as u32).map(SegmentId) {
        let _ = store.load(segment);
    }
    store.release();
    ask_all(&store, directory.columns.len() as u32, directory.nodes);
}
