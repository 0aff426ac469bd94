//! [`Scratch`]: a temporary file for data beyond memory.
//!
//! The temporary file is in the folder of the graph file and is created on first use. Its name is removed at
//! once, so that the file vanishes with the process, even after a crash. A crash between the two steps leaves
//! an empty file `.NAME.scratch`, which is removed by the next process that needs a temporary file for the
//! graph or writes the graph. Two processes that create a temporary file at the same time may remove each
//! other's names; this does no harm.
//!
//! Bytes that are read back are checked against a hash in memory. Freed space in the file is reused.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use varvite_codec::hash;

use crate::error::{Operation, Result, StoreError};
use crate::vfs::{Vfs, VfsFile};
use crate::writing::locked_file::{SCRATCH, beside};

/// The number of attempts to create the file while other processes take its name.
const TRIES: usize = 16;

/// A temporary file, and the memory limit of the work that uses it. The file is created when the first bytes
/// are put there.
#[derive(Debug)]
pub struct Scratch {
    vfs: Arc<dyn Vfs>,
    path: PathBuf,
    memory: usize,
    state: Mutex<State>,
    written: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    file: Option<Arc<dyn VfsFile>>,
    end: u64,
    /// The offset and size of each freed extent.
    free: Vec<(u64, usize)>,
}

/// Bytes in the temporary file. Their space is freed when this value is dropped.
#[derive(Debug)]
pub(crate) struct Extent {
    scratch: Arc<Scratch>,
    file: Arc<dyn VfsFile>,
    offset: u64,
    /// The size of the reserved space in bytes; `len` of them are used.
    room: usize,
    len: usize,
    hash: u64,
}

impl Scratch {
    /// A temporary file in the folder of the file at `target`, for work that may use `memory` bytes of
    /// memory.
    ///
    /// # Errors
    /// [`StoreError::NotAFile`] for a path that does not end in a name.
    pub fn beside(vfs: Arc<dyn Vfs>, target: &Path, memory: usize) -> Result<Self> {
        let path = beside(target, SCRATCH)?;
        Ok(Self { vfs, path, memory, state: Mutex::default(), written: AtomicU64::new(0) })
    }

    /// The memory limit of the work, in bytes.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// The number of bytes written to the file so far; bytes in reused space count again.
    pub fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Writes bytes to the temporary file.
    ///
    /// # Errors
    /// An error of the file system.
    pub(crate) fn put(self: &Arc<Self>, bytes: &[u8]) -> Result<Extent> {
        let (file, offset, room) = {
            let mut state = self.lock();
            let file = match &state.file {
                Some(file) => Arc::clone(file),
                None => Arc::clone(state.file.insert(self.create()?)),
            };
            let (offset, room) = state.room_for(bytes.len());
            (file, offset, room)
        };
        let extent = Extent {
            scratch: Arc::clone(self),
            file,
            offset,
            room,
            len: bytes.len(),
            hash: hash(bytes, offset),
        };
        extent.file.write_all_at(offset, bytes)?;
        self.written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(extent)
    }

    fn create(&self) -> Result<Arc<dyn VfsFile>> {
        for _ in 0..TRIES {
            match self.vfs.create_private(&self.path) {
                Ok(file) => return self.remove_name().map(|()| file),
                Err(error) if error.io_kind() == Some(io::ErrorKind::AlreadyExists) => self.remove_name()?,
                Err(error) => return Err(error),
            }
        }
        Err(StoreError::io(Operation::Create, &self.path, io::ErrorKind::AlreadyExists.into()))
    }

    fn remove_name(&self) -> Result<()> {
        match self.vfs.remove(&self.path) {
            Err(error) if error.io_kind() == Some(io::ErrorKind::NotFound) => Ok(()),
            removed => removed,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Finds or appends space for `len` bytes. Returns its offset and its size.
    fn room_for(&mut self, len: usize) -> (u64, usize) {
        if let Some(place) = self.free.iter().position(|(_, room)| *room >= len) {
            return self.free.swap_remove(place);
        }
        let offset = self.end;
        self.end += len as u64;
        (offset, len)
    }
}

impl Extent {
    /// Replaces the content of `buffer` by the bytes.
    ///
    /// # Errors
    /// An error of the file system; an error if the bytes differ from those that were written.
    pub(crate) fn read(&self, buffer: &mut Vec<u8>) -> Result<()> {
        buffer.resize(self.len, 0);
        self.file.read_exact_at(self.offset, buffer)?;
        if hash(buffer, self.offset) == self.hash {
            return Ok(());
        }
        let changed =
            io::Error::new(io::ErrorKind::InvalidData, "the disk returned other bytes than were written");
        Err(StoreError::io(Operation::Read, &self.scratch.path, changed))
    }
}

impl Drop for Extent {
    fn drop(&mut self) {
        self.scratch.lock().free.push((self.offset, self.room));
    }
}

#[cfg(test)]
mod tests {
    use tempfile::{TempDir, tempdir};

    use super::*;
    use crate::vfs::RealVfs;

    fn scratch(folder: &TempDir) -> Arc<Scratch> {
        let target = folder.path().join("code.varvite");
        Arc::new(Scratch::beside(Arc::new(RealVfs), &target, 0).unwrap())
    }

    fn bytes_of(extent: &Extent) -> Vec<u8> {
        let mut bytes = Vec::new();
        extent.read(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn nothing_has_a_name_while_it_is_used() {
        let folder = tempdir().unwrap();
        let name = folder.path().join(".code.varvite.scratch");
        std::fs::write(&name, b"left by a crash").unwrap();
        let [one, other] = [scratch(&folder), scratch(&folder)];
        assert!(name.exists(), "nothing was put there yet");
        let [first, second] = [one.put(b"one").unwrap(), other.put(b"other").unwrap()];
        assert!(!name.exists());
        assert_eq!([bytes_of(&first), bytes_of(&second)], [b"one".to_vec(), b"other".to_vec()]);
    }

    #[test]
    fn room_that_is_given_back_is_used_again() {
        let folder = tempdir().unwrap();
        let scratch = scratch(&folder);
        let first = scratch.put(b"123456").unwrap();
        let second = scratch.put(b"7").unwrap();
        drop(first);
        let third = scratch.put(b"abc").unwrap();
        assert_eq!((third.offset, scratch.lock().end), (0, 7));
        assert_eq!([bytes_of(&second), bytes_of(&third)], [b"7".to_vec(), b"abc".to_vec()]);
        drop(third);
        assert_eq!(scratch.put(b"123456").unwrap().offset, 0);
        assert_eq!(scratch.written(), 6 + 1 + 3 + 6);
    }

    #[test]
    fn other_bytes_than_were_put_there_are_an_error() {
        let folder = tempdir().unwrap();
        let scratch = scratch(&folder);
        let extent = scratch.put(b"123456").unwrap();
        extent.file.write_all_at(2, b"x").unwrap();
        let error = extent.read(&mut Vec::new()).unwrap_err();
        assert_eq!(error.io_kind(), Some(io::ErrorKind::InvalidData), "{error}");
    }
}
