//! [`RecordVfs`]: a file system in memory that records its operations.
//!
//! The [`OperationLog`] has only successful operations that change the disk, in order, and no reads. Wrap
//! this file system in a [`FaultVfs`](super::FaultVfs) to record a workload under errors. The log is the
//! input of [`crash_states`](super::crash_states).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use varvite_store::{Result, Vfs, VfsFile, forward_to};

use super::MemoryVfs;

/// The number of a file, whatever its names, in order of appearance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileNumber(pub u32);

/// A recorded operation on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // Fields are those of the operations of `Vfs` and `VfsFile`.
pub enum Recorded {
    Create {
        path: PathBuf,
        file: FileNumber,
    },
    Write {
        file: FileNumber,
        offset: u64,
        bytes: Vec<u8>,
    },
    Sync {
        file: FileNumber,
    },
    Link {
        to: PathBuf,
        file: FileNumber,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
        file: FileNumber,
    },
    Remove {
        path: PathBuf,
    },
    SyncFolder {
        path: PathBuf,
    },
    /// A point that the workload named, such as "committed".
    Mark {
        name: String,
    },
}

/// The initial content of the disk, and all operations since.
#[derive(Debug, Clone, Default)]
pub struct OperationLog {
    /// The initial files, which are durable, by name.
    pub base: BTreeMap<PathBuf, (FileNumber, Vec<u8>)>,
    /// The operations, in order.
    pub operations: Vec<Recorded>,
}

/// Records the operations on a [`MemoryVfs`]. Clones write to the same log.
#[derive(Debug, Clone)]
pub struct RecordVfs {
    inner: MemoryVfs,
    recording: Arc<Mutex<Recording>>,
}

#[derive(Debug)]
struct Recording {
    log: OperationLog,
    names: BTreeMap<PathBuf, FileNumber>,
    file_count: u32,
}

impl RecordVfs {
    /// Records operations on `inner`, whose files now count as durable. From now on `inner` must be changed
    /// only through this value.
    pub fn over(inner: MemoryVfs) -> RecordVfs {
        let mut recording = Recording { log: OperationLog::default(), names: BTreeMap::new(), file_count: 0 };
        for path in inner.paths() {
            let first = recording.names.keys().find(|first| inner.is_one_file(first, &path)).cloned();
            if let Some(file) = first.map(|first| recording.number_of(&first)) {
                recording.names.insert(path.clone(), file);
            }
            let file = recording.number_of(&path);
            let bytes = inner.contents(&path).unwrap_or_default();
            recording.log.base.insert(path, (file, bytes));
        }
        RecordVfs { inner, recording: Arc::new(Mutex::new(recording)) }
    }

    /// Marks this point of the workload with a name. Each [`CrashState`](super::CrashState) has the names of
    /// the marks before it.
    pub fn mark(&self, name: &str) {
        self.hold().log.operations.push(Recorded::Mark { name: name.to_owned() });
    }

    /// A copy of the log so far.
    pub fn log(&self) -> OperationLog {
        self.hold().log.clone()
    }

    /// Locks the recording. The lock is held during each operation, so that the log has operations in the
    /// order in which they happened.
    fn hold(&self) -> MutexGuard<'_, Recording> {
        self.recording.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn create(
        &self,
        path: &Path,
        create: impl FnOnce(&MemoryVfs) -> Result<Arc<dyn VfsFile>>,
    ) -> Result<Arc<dyn VfsFile>> {
        let mut recording = self.hold();
        let inner = create(&self.inner)?;
        let file = recording.number_of(path);
        recording.push(Recorded::Create { path: path.to_owned(), file });
        Ok(self.recorded(file, inner))
    }

    fn recorded(&self, file: FileNumber, inner: Arc<dyn VfsFile>) -> Arc<dyn VfsFile> {
        Arc::new(RecordFile { inner, file, vfs: self.clone() })
    }
}

impl Recording {
    /// The number of the file with the name `path`; a file without a number gets a new one.
    fn number_of(&mut self, path: &Path) -> FileNumber {
        if let Some(&file) = self.names.get(path) {
            return file;
        }
        let file = FileNumber(self.file_count);
        self.file_count += 1;
        self.names.insert(path.to_owned(), file);
        file
    }

    fn push(&mut self, operation: Recorded) {
        self.log.operations.push(operation);
    }
}

impl Vfs for RecordVfs {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        let mut recording = self.hold();
        let inner = self.inner.open(path)?;
        Ok(self.recorded(recording.number_of(path), inner))
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        let mut recording = self.hold();
        let inner = self.inner.open_writable(path)?;
        Ok(self.recorded(recording.number_of(path), inner))
    }

    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.create(path, |inner| inner.create_new(path))
    }

    fn create_private(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.create(path, |inner| inner.create_private(path))
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        self.inner.resolve(path)
    }

    fn link(&self, from: &Path, to: &Path) -> Result<()> {
        let mut recording = self.hold();
        self.inner.link(from, to)?;
        let file = recording.number_of(from);
        recording.names.insert(to.to_owned(), file);
        recording.push(Recorded::Link { to: to.to_owned(), file });
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let mut recording = self.hold();
        self.inner.rename(from, to)?;
        let file = recording.number_of(from);
        if recording.names.get(to) == Some(&file) {
            return Ok(());
        }
        recording.names.remove(from);
        recording.names.insert(to.to_owned(), file);
        recording.push(Recorded::Rename { from: from.to_owned(), to: to.to_owned(), file });
        Ok(())
    }

    fn remove(&self, path: &Path) -> Result<()> {
        let mut recording = self.hold();
        self.inner.remove(path)?;
        recording.names.remove(path);
        recording.push(Recorded::Remove { path: path.to_owned() });
        Ok(())
    }

    fn exists(&self, path: &Path) -> Result<bool> {
        self.inner.exists(path)
    }

    fn sync_dir(&self, path: &Path) -> Result<()> {
        let mut recording = self.hold();
        self.inner.sync_dir(path)?;
        recording.push(Recorded::SyncFolder { path: path.to_owned() });
        Ok(())
    }
}

#[derive(Debug)]
struct RecordFile {
    inner: Arc<dyn VfsFile>,
    file: FileNumber,
    vfs: RecordVfs,
}

impl VfsFile for RecordFile {
    forward_to! { inner: len read_exact_at map attributes set_attributes is_at name_count try_lock unlock }

    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let mut recording = self.vfs.hold();
        self.inner.write_all_at(offset, bytes)?;
        recording.push(Recorded::Write { file: self.file, offset, bytes: bytes.to_vec() });
        Ok(())
    }

    fn sync(&self) -> Result<()> {
        let mut recording = self.vfs.hold();
        self.inner.sync()?;
        recording.push(Recorded::Sync { file: self.file });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_its_number_through_a_rename() {
        let record = RecordVfs::over(MemoryVfs::new());
        let file = record.create_new(Path::new("a")).unwrap();
        record.rename(Path::new("a"), Path::new("b")).unwrap();
        file.write_all_at(0, b"x").unwrap();
        record.create_new(Path::new("a")).unwrap();
        let (first, second) = (FileNumber(0), FileNumber(1));
        let expected = [
            Recorded::Create { path: "a".into(), file: first },
            Recorded::Rename { from: "a".into(), to: "b".into(), file: first },
            Recorded::Write { file: first, offset: 0, bytes: b"x".to_vec() },
            Recorded::Create { path: "a".into(), file: second },
        ];
        assert_eq!(record.log().operations, expected);
    }

    #[test]
    fn what_failed_is_not_in_the_log() {
        let record = RecordVfs::over(MemoryVfs::new());
        record.remove(Path::new("a")).unwrap_err();
        assert_eq!(record.log().operations, []);
    }
}
