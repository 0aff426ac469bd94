//! Messages about a graph whose newest commit may not be the one that was opened.

use std::path::Path;

use varvite::OpenMode;
use varvite::inspect::Recovery;
use varvite_store::Store;
use varvite_store::vfs::RealVfs;

use crate::failure::Failure;
use crate::output::note;

/// Passes if the answer is that of the newest commit. A damaged older superblock changes no answer and gives
/// only a note.
pub(crate) fn check(store: &Store) -> Result<(), Failure> {
    let file = || store.path().to_owned();
    let opened = store.superblock().generation;
    match store.recovery() {
        None => Ok(()),
        Some(Recovery::Commit { generation }) => {
            Err(Failure::Lost { file: file(), lost: generation, opened })
        }
        // A commit writes behind the named bytes, so there is none without bytes there.
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

/// The same of a file; reads only the bytes that this needs.
pub(crate) fn check_file(path: &Path) -> Result<(), Failure> {
    check(&Store::open(&RealVfs, path, OpenMode::Buffered)?)
}

/// Warns, before a file is changed, that a commit may be lost. Writers go on from the commit before; they
/// refuse a file that has lost a finished commit.
pub(crate) fn warn_writer(path: &Path) {
    if let Err(failure @ Failure::MayBeLost { .. }) = check_file(path) {
        note(&failure.to_string());
    }
}
