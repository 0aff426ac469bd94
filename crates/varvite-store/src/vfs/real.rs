//! [`RealVfs`]: the operating system's files.
//!
//! Only regular files are opened, so that a pipe or device in the place of a graph is an error and not a hang.
//! This is the only module that calls `std::fs` on behalf of the engine.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Vfs, VfsFile};
use crate::error::{Operation, Result, StoreError};
use crate::mapping::Mapping;

/// The operating system's file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealVfs;

impl Vfs for RealVfs {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        open_regular(path, OpenOptions::new().read(true))
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        open_regular(path, OpenOptions::new().read(true).write(true))
    }

    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
        Ok(Arc::new(RealFile { file: file.map_err(at(Operation::Create, path))?, path: path.to_owned() }))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        fs::rename(from, to).map_err(at(Operation::Rename, to))
    }

    fn remove(&self, path: &Path) -> Result<()> {
        fs::remove_file(path).map_err(at(Operation::Remove, path))
    }

    fn exists(&self, path: &Path) -> Result<bool> {
        match fs::symlink_metadata(path) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(StoreError::io(Operation::Inspect, path, error)),
        }
    }

    fn sync_dir(&self, path: &Path) -> Result<()> {
        let folder = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        sync_folder(folder).map_err(at(Operation::SyncFolder, folder))
    }
}

#[derive(Debug)]
struct RealFile {
    file: File,
    path: PathBuf,
}

impl VfsFile for RealFile {
    fn len(&self) -> Result<u64> {
        Ok(self.file.metadata().map_err(at(Operation::Inspect, &self.path))?.len())
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        match position::read_exact_at(&self.file, offset, buffer) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(StoreError::Truncated {
                path: self.path.clone(),
                offset,
                wanted: buffer.len() as u64,
                length: self.len()?,
            }),
            other => other.map_err(at(Operation::Read, &self.path)),
        }
    }

    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        position::write_all_at(&self.file, offset, bytes).map_err(at(Operation::Write, &self.path))
    }

    fn sync(&self) -> Result<()> {
        // The length is part of what `sync_data` makes durable; times are not, and nobody needs them.
        self.file.sync_data().map_err(at(Operation::Sync, &self.path))
    }

    fn map(&self) -> Result<Option<Mapping>> {
        Mapping::of_file(&self.file).map(Some).map_err(at(Operation::Map, &self.path))
    }

    fn try_lock(&self) -> Result<bool> {
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
            Err(TryLockError::Error(error)) => Err(StoreError::io(Operation::Lock, &self.path, error)),
        }
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        let here = self.file.metadata().map_err(at(Operation::Inspect, &self.path))?;
        match fs::symlink_metadata(path) {
            Ok(there) => Ok(position::is_same_file(&here, &there)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(StoreError::io(Operation::Inspect, path, error)),
        }
    }
}

/// Looks before it opens, since opening a pipe waits for its other end; and after, since the name may change hands.
fn open_regular(path: &Path, options: &OpenOptions) -> Result<Arc<dyn VfsFile>> {
    let open_error = at(Operation::Open, path);
    if !fs::metadata(path).map_err(&open_error)?.is_file() {
        return Err(StoreError::NotAFile { path: path.to_owned() });
    }
    let file = options.open(path).map_err(&open_error)?;
    if !file.metadata().map_err(&open_error)?.is_file() {
        return Err(StoreError::NotAFile { path: path.to_owned() });
    }
    Ok(Arc::new(RealFile { file, path: path.to_owned() }))
}

fn at(operation: Operation, path: &Path) -> impl Fn(io::Error) -> StoreError {
    move |error| StoreError::io(operation, path, error)
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some network and user-space file systems have no sync for folders: their names are as durable as can be.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        other => other,
    }
}

/// Windows has no sync for folders; its journal orders a rename after the creation it needs.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
mod position {
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::unix::fs::{FileExt, MetadataExt};

    pub(super) fn read_exact_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        file.read_exact_at(buffer, offset)
    }

    pub(super) fn write_all_at(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        file.write_all_at(bytes, offset)
    }

    pub(super) fn is_same_file(here: &Metadata, there: &Metadata) -> bool {
        (here.dev(), here.ino()) == (there.dev(), there.ino())
    }
}

#[cfg(windows)]
mod position {
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::windows::fs::FileExt;

    pub(super) fn read_exact_at(file: &File, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            let count = file.seek_read(buffer, offset)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            buffer = &mut buffer[count..];
            offset += count as u64;
        }
        Ok(())
    }

    pub(super) fn write_all_at(file: &File, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let count = file.seek_write(bytes, offset)?;
            if count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            bytes = &bytes[count..];
            offset += count as u64;
        }
        Ok(())
    }

    /// The identity of a file is not in stable `std` here; an open file can't be replaced on Windows anyway.
    pub(super) fn is_same_file(_here: &Metadata, _there: &Metadata) -> bool {
        true
    }
}
