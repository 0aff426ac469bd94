//! The effect on readers when another program writes to an open file or truncates it. SECURITY.md describes
//! this effect.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use varvite_codec::Codec;
use varvite_format::{Profile, SegmentId};
use varvite_store::vfs::RealVfs;
use varvite_store::{OpenMode, Store, StoreError};

use crate::sample;

/// Creates a file whose segments are read in place.
fn file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("code.varvite");
    sample::write(Arc::new(RealVfs), &path, Codec::None, Profile::Direct).unwrap();
    (folder, path)
}

fn open(path: &Path, mode: OpenMode) -> Store {
    Store::open(&RealVfs, path, mode).unwrap()
}

const FIRST: SegmentId = SegmentId(0);

/// Overwrites the first segment of the file with other bytes.
fn scribble(path: &Path, store: &Store) {
    let row = store.directory().segments[0];
    let mut bytes = fs::read(path).unwrap();
    bytes[row.offset as usize..][..row.stored_len as usize].fill(0xEE);
    fs::write(path, &bytes).unwrap();
}

#[test]
fn a_map_of_a_file_that_is_written_to_shows_what_is_there_and_buffers_do_not() {
    let (_folder, path) = file();
    let (mapped, buffered) = (open(&path, OpenMode::Mapped), open(&path, OpenMode::Buffered));
    let (in_place, copied) = (mapped.load(FIRST).unwrap(), buffered.load(FIRST).unwrap());
    let before = copied.to_vec();
    scribble(&path, &mapped);
    assert!(in_place.iter().all(|byte| *byte == 0xEE), "as documented: no error, other bytes");
    assert_eq!(&*copied, before, "what was read stays");
    let late = open(&path, OpenMode::Buffered).load(FIRST).unwrap_err();
    assert!(matches!(late, StoreError::Format { .. }), "{late}");
    assert!(late.to_string().contains("checksum"), "{late}");
}

#[test]
fn a_file_that_is_truncated_is_an_error_for_buffers() {
    let (_folder, path) = file();
    let store = open(&path, OpenMode::Buffered);
    File::options().write(true).open(&path).unwrap().set_len(4096).unwrap();
    let error = store.load(FIRST).unwrap_err();
    assert!(matches!(error, StoreError::Truncated { length: 4096, .. }), "{error}");
}

/// The environment variable that names the file to the process that will be killed.
#[cfg(unix)]
const VICTIM: &str = "VARVITE_TRUNCATED_UNDER_A_MAP";

#[cfg(unix)]
#[test]
fn a_file_that_is_truncated_under_a_map_ends_the_process() {
    use std::os::unix::process::ExitStatusExt;
    let (_folder, path) = file();
    let itself = std::env::current_exe().unwrap();
    let status = std::process::Command::new(itself)
        .args(["live_map::truncate_and_read", "--exact", "--nocapture"])
        .env(VICTIM, &path)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    let bus_error = if cfg!(target_os = "linux") { 7 } else { 10 };
    assert_eq!(status.signal(), Some(bus_error), "{status}");
}

/// The work of the process that the previous test starts. Does nothing in any other process.
#[cfg(unix)]
#[test]
fn truncate_and_read() {
    let Some(path) = std::env::var_os(VICTIM) else { return };
    let store = open(Path::new(&path), OpenMode::Mapped);
    let bytes = store.load(FIRST).unwrap();
    File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
    // The file was truncated, and the page is missing.
    std::hint::black_box(bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>());
}
