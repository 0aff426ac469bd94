//! [`BytesVfs`]: one file whose bytes the caller has read or mapped into memory.
//!
//! If the bytes are a map and another program truncates the mapped file, a load from a missing page kills the
//! process. On Linux the bytes are therefore read through `/proc/self/mem`, where a read of a missing page
//! returns an error.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Attributes, Vfs, VfsFile};
use crate::error::{Operation, Result, StoreError};
use crate::memory::mapping::Mapping;

/// A read-only file system in which every path names the same bytes.
#[derive(Debug, Clone, Copy)]
pub struct BytesVfs {
    bytes: &'static [u8],
}

impl BytesVfs {
    /// Makes a file system of the bytes of one file.
    pub fn new(bytes: &'static [u8]) -> Self {
        Self { bytes }
    }
}

impl Vfs for BytesVfs {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        let memory = File::open("/proc/self/mem").ok();
        Ok(Arc::new(BytesFile { path: path.to_owned(), bytes: self.bytes, memory }))
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        read_only(Operation::Open, path)
    }

    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        read_only(Operation::Create, path)
    }

    fn create_private(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        read_only(Operation::Create, path)
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        Ok(path.to_owned())
    }

    fn link(&self, _from: &Path, to: &Path) -> Result<()> {
        read_only(Operation::Link, to)
    }

    fn rename(&self, _from: &Path, to: &Path) -> Result<()> {
        read_only(Operation::Rename, to)
    }

    fn remove(&self, path: &Path) -> Result<()> {
        read_only(Operation::Remove, path)
    }

    fn exists(&self, _path: &Path) -> Result<bool> {
        Ok(true)
    }

    fn sync_dir(&self, path: &Path) -> Result<()> {
        read_only(Operation::SyncFolder, path)
    }
}

fn read_only<T>(operation: Operation, path: &Path) -> Result<T> {
    Err(StoreError::io(operation, path, std::io::ErrorKind::ReadOnlyFilesystem.into()))
}

#[derive(Debug)]
struct BytesFile {
    path: PathBuf,
    bytes: &'static [u8],
    /// The memory of this process as a file; `None` if the system has no such file.
    memory: Option<File>,
}

impl BytesFile {
    fn truncated(&self, offset: u64, wanted: usize, length: u64) -> StoreError {
        StoreError::Truncated { path: self.path.clone(), offset, wanted: wanted as u64, length }
    }
}

impl VfsFile for BytesFile {
    fn len(&self) -> Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let source = start.checked_add(buffer.len()).and_then(|end| self.bytes.get(start..end));
        let source = source.ok_or_else(|| self.truncated(offset, buffer.len(), self.bytes.len() as u64))?;
        match &self.memory {
            Some(memory) => fill(memory, source, buffer)
                .map_err(|read| self.truncated(offset, buffer.len(), offset + read as u64)),
            None => {
                buffer.copy_from_slice(source);
                Ok(())
            }
        }
    }

    fn write_all_at(&self, _offset: u64, _bytes: &[u8]) -> Result<()> {
        read_only(Operation::Write, &self.path)
    }

    fn sync(&self) -> Result<()> {
        Ok(())
    }

    fn map(&self) -> Result<Option<Mapping>> {
        Ok(None)
    }

    fn attributes(&self) -> Result<Attributes> {
        read_only(Operation::ReadAttributes, &self.path)
    }

    fn set_attributes(&self, _attributes: &Attributes) -> Result<()> {
        read_only(Operation::SetAttributes, &self.path)
    }

    fn is_at(&self, _path: &Path) -> Result<bool> {
        Ok(true)
    }

    fn name_count(&self) -> Result<u64> {
        Ok(1)
    }

    fn try_lock(&self) -> Result<()> {
        read_only(Operation::Lock, &self.path)
    }

    fn unlock(&self) {}
}

/// Reads `source` through the file `memory`, without loads from its addresses. Fails with the number of bytes
/// that could be read.
#[cfg(unix)]
fn fill(memory: &File, source: &[u8], buffer: &mut [u8]) -> std::result::Result<(), usize> {
    use std::os::unix::fs::FileExt;

    let mut done = 0;
    while done < buffer.len() {
        match memory.read_at(&mut buffer[done..], (source.as_ptr().addr() + done) as u64) {
            Ok(read) if read > 0 => done += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            _ => return Err(done),
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn fill(_memory: &File, source: &[u8], buffer: &mut [u8]) -> std::result::Result<(), usize> {
    buffer.copy_from_slice(source);
    Ok(())
}

#[cfg(test)]
#[cfg(not(miri))] // Miri has no file maps.
mod tests {
    use std::io::Write;

    use super::*;

    fn map_of(file: &File) -> &'static [u8] {
        Box::leak(Box::new(Mapping::of_file(file).unwrap())).bytes()
    }

    #[test]
    fn bytes_of_a_map_read_like_a_file() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&(0..=255).collect::<Vec<u8>>()).unwrap();
        let opened = BytesVfs::new(map_of(&file)).open(Path::new("a")).unwrap();
        let mut buffer = [0; 4];
        opened.read_exact_at(100, &mut buffer).unwrap();
        assert_eq!((opened.len().unwrap(), buffer), (256, [100, 101, 102, 103]));
        for offset in [253, 256, u64::MAX] {
            let error = opened.read_exact_at(offset, &mut buffer).unwrap_err();
            assert!(matches!(error, StoreError::Truncated { length: 256, .. }), "{error}");
        }
        let written = opened.write_all_at(0, &buffer).unwrap_err();
        assert_eq!(written.io_kind(), Some(std::io::ErrorKind::ReadOnlyFilesystem));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_page_that_was_cut_off_is_an_error_and_no_signal() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&[7; 1 << 16]).unwrap();
        let opened = BytesVfs::new(map_of(&file)).open(Path::new("a")).unwrap();
        file.set_len(1 << 12).unwrap();
        let mut buffer = vec![0; 1 << 16];
        let error = opened.read_exact_at(0, &mut buffer).unwrap_err();
        assert!(matches!(error, StoreError::Truncated { wanted: 65536, length: 4096, .. }), "{error}");
        opened.read_exact_at(0, &mut buffer[..1 << 12]).unwrap();
        assert_eq!(buffer[..1 << 12], [7; 1 << 12]);
    }
}
