//! Checks whether the newest commit of a graph was opened.

use std::path::Path;

use varvite::OpenMode;
use varvite::inspect::Recovery;
use varvite_store::Store;
use varvite_store::vfs::RealVfs;

use crate::failure::Failure;
use crate::output::note;

/// Fails if the opened commit may not be the newest one. If only the superblock of an older commit is
/// damaged, writes a note.
pub(crate) fn check(store: &Store) -> Result<(), Failure> {
    let file = || store.path().to_owned();
    let opened = store.superblock().generation;
    match store.recovery() {
        None => Ok(()),
        Some(Recovery::Commit { generation }) => {
            Err(Failure::Lost { file: file(), lost: generation, opened })
        }
        // Each commit appends its bytes after those of the previous one. If no bytes follow the opened
        // commit, there was no later commit.
        Some(Recovery::Slot) if store.log().leftover_bytes() == 0 => {
            note(&format!(
                "{}: the superblock of an older commit is damaged; the next commit writes it anew",
                store.path().display()
            ));
            Ok(())
        }
        Some(Recovery::Slot) => Err(Failure::MayBeLost { file: file(), opened }),
    }
}

/// Checks a file as [`check`] does. Reads only the bytes that are needed for this.
pub(crate) fn check_file(path: &Path) -> Result<(), Failure> {
    check(&Store::open(&RealVfs, path, OpenMode::Buffered)?)
}

/// Writes a note, before a file is changed, if a commit may be lost. The writer continues from the previous
/// commit, unless it is certain that a finished commit was lost; then the writer refuses the file.
pub(crate) fn warn_writer(path: &Path) {
    if let Err(failure @ Failure::MayBeLost { .. }) = check_file(path) {
        note(&failure.to_string());
    }
}
