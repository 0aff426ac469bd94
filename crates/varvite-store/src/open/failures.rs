//! [`Failures`]: errors of an open file that no call could return.
//!
//! A hop can't afford a `Result`, and a block may fail long after its column was opened. In such cases the
//! reader returns nothing, and notes the failure here. Each open file has one [`Failures`], shared by the
//! store, its segments and every cursor, so that a single call of [`Failures::check`] at the end covers all
//! work. A noted failure is never cleared, because all reads are of the same file.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::OnceLock;

use varvite_format::FormatError;

use crate::error::{Result, StoreError};

/// The first failure of an open file that no call could return.
#[derive(Debug)]
pub struct Failures {
    path: PathBuf,
    first: OnceLock<StoreError>,
}

thread_local! {
    /// The number of failures that this thread has noted, in all files.
    static NOTED: Cell<u64> = const { Cell::new(0) };
}

impl Failures {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, first: OnceLock::new() }
    }

    /// Notes a failure for which the reader returned nothing. Only the first failure of a file is kept.
    pub(crate) fn note(&self, failure: StoreError) {
        let _ = self.first.set(failure);
        NOTED.set(NOTED.get() + 1);
    }

    /// Notes damage as `note` does; `describe` is called only if no failure was noted before.
    #[cold]
    #[inline(never)]
    pub fn note_damage(&self, describe: impl FnOnce() -> FormatError) {
        self.first.get_or_init(|| self.damaged(describe()));
        NOTED.set(NOTED.get() + 1);
    }

    /// Turns a fault into an error of this file.
    pub fn damaged(&self, error: FormatError) -> StoreError {
        StoreError::format(&self.path, error)
    }

    /// The first noted failure; `None` if there was no failure.
    pub fn first(&self) -> Option<&StoreError> {
        self.first.get()
    }

    /// The number of failures that this thread has noted, in all files. If the number rose during a read, the
    /// read is incomplete.
    pub fn noted_here() -> u64 {
        NOTED.get()
    }

    /// Fails if a failure was noted since the file was opened.
    ///
    /// # Errors
    /// The first failure.
    pub fn check(&self) -> Result<()> {
        self.first().map_or(Ok(()), |failure| Err(failure.clone()))
    }
}
