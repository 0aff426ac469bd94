//! [`TraceFile`]: the new file of a recording, which a failure leaves unfinished instead of removing it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::IfExists;
use varvite_store::{Leftover, StagedFile, StagedStream, Vfs};
use varvite_trace::{FileSource, Options, Reader, Recorder};

use crate::failure::Failure;
use crate::output::{remark, shown};

/// A trace that is being recorded into `.NAME.partial`. If the command fails or is killed, that file stays,
/// because a recording may have taken hours.
pub(super) struct TraceFile {
    disk: Arc<dyn Vfs>,
    file: PathBuf,
    unfinished: PathBuf,
    recorder: Recorder<StagedStream>,
}

impl TraceFile {
    /// The name that a trace has until it is complete. If `file` is a symbolic link, that is in the folder of
    /// the file that the link leads to.
    pub(super) fn unfinished_of(disk: &dyn Vfs, file: &Path) -> Result<PathBuf, Failure> {
        Ok(StagedFile::temporary_of(&disk.resolve(file)?)?)
    }

    /// Begins a trace. Unless `replaces`, refuses to replace an existing file, and even an unfinished one of
    /// an earlier recording.
    pub(super) fn begin(
        disk: &Arc<dyn Vfs>,
        file: &Path,
        replaces: bool,
        options: &Options,
    ) -> Result<Self, Failure> {
        let (if_exists, leftover) = match replaces {
            true => (IfExists::Replace, Leftover::Remove),
            false => (IfExists::Refuse, Leftover::Refuse),
        };
        let staged = StagedFile::create_beside(Arc::clone(disk), file, if_exists, leftover)?.kept();
        let unfinished = staged.temporary().to_owned();
        let recorder = Recorder::create(StagedStream::from(staged), options)
            .inspect_err(|_| drop(disk.remove(&unfinished)))
            .map_err(Failure::trace(file))?;
        Ok(Self { disk: Arc::clone(disk), file: file.to_owned(), unfinished, recorder })
    }

    pub(super) fn recorder(&self) -> &Recorder<StagedStream> {
        &self.recorder
    }

    /// Completes the trace, and gives it its name. If that fails, a line names the unfinished file.
    pub(super) fn commit(self) -> Result<(), Failure> {
        let finished = self.recorder.finish().map_err(Failure::trace(&self.file));
        let committed = finished.and_then(|staged| Ok(staged.into_file().commit()?));
        if committed.is_err() {
            tell_kept(&self.unfinished, "the recording is in");
        }
        committed
    }

    /// Ends a recording that has failed. If it has records, they stay in the unfinished file, and a line
    /// names that file.
    pub(super) fn fail(self) {
        if !has_records(&self.unfinished) {
            return self.remove();
        }
        drop(self.recorder);
        tell_kept(&self.unfinished, "the records up to then are in");
    }

    /// Removes the file of a recording without records.
    pub(super) fn remove(self) {
        drop(self.recorder);
        // If this fails, the next recording of this name reports the file.
        let _ = self.disk.remove(&self.unfinished);
    }
}

/// Whether a file has a block of records.
fn has_records(file: &Path) -> bool {
    let Ok(source) = File::open(file).and_then(FileSource::new) else { return false };
    Reader::open(source).is_ok_and(|mut reader| matches!(reader.next_block(), Ok(Some(_))))
}

/// Names an unfinished file. There is none if the trace has its final name, and only that failed which comes
/// after.
fn tell_kept(unfinished: &Path, words: &str) {
    if unfinished.exists() {
        remark(&format!("{words} {}", shown(unfinished)));
    }
}
