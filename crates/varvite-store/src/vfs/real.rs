//! [`RealVfs`]: the operating system's files.
//!
//! Only regular files are opened, so that a pipe or device in the place of a graph is an error and not a hang.
//! This is the only module that calls `std::fs` on behalf of the engine.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Attributes, Vfs, VfsFile, VfsLock};
use crate::error::{Operation, Result, StoreError};
use crate::holder::{Holder, LINE_MAX};
use crate::mapping::Mapping;

/// As many symbolic links in a row as Linux follows.
const LINKS_MAX: usize = 40;
/// How often the lock file may be removed under our hands.
const LOCK_ATTEMPTS: usize = 8;

/// The operating system's file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealVfs;

impl RealVfs {
    /// Creates a folder, and those above it that are missing, for its owner alone; nothing if it is there.
    ///
    /// # Errors
    /// What the file system says.
    pub fn create_private_folder(&self, path: &Path) -> Result<()> {
        let mut folder = fs::DirBuilder::new();
        folder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.create(path).map_err(at(Operation::Create, path))
    }
}

impl Vfs for RealVfs {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        open_regular(path, OpenOptions::new().read(true))
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        open_regular(path, OpenOptions::new().read(true).write(true))
    }

    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        create(path, new_file())
    }

    fn create_private(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        create(path, private(new_file()))
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        let mut path = path.to_owned();
        for _ in 0..LINKS_MAX {
            match fs::read_link(&path) {
                // What a link says counts from the folder that the link is in.
                Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
                Err(_) => return Ok(path),
            }
        }
        // Too many for the system as well, which says so.
        fs::metadata(&path).map(|_| path.clone()).map_err(at(Operation::Inspect, &path))
    }

    fn lock(&self, path: &Path) -> Result<Box<dyn VfsLock>> {
        for _ in 0..LOCK_ATTEMPTS {
            if let Some(lock) = RealLock::try_at(path)? {
                return Ok(Box::new(lock));
            }
        }
        Err(StoreError::Busy { path: path.to_owned(), holder: None })
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
        planted!(ShortWrite => return position::write_at(&self.file, offset, bytes).map_err(at(Operation::Write, &self.path)));
        position::write_all_at(&self.file, offset, bytes).map_err(at(Operation::Write, &self.path))
    }

    fn sync(&self) -> Result<()> {
        // With its rights, which `sync_data` leaves out.
        self.file.sync_all().map_err(at(Operation::Sync, &self.path))
    }

    fn map(&self) -> Result<Option<Mapping>> {
        Mapping::of_file(&self.file).map(Some).map_err(at(Operation::Map, &self.path))
    }

    fn attributes(&self) -> Result<Attributes> {
        Attributes::of(&self.file).map_err(at(Operation::ReadAttributes, &self.path))
    }

    fn set_attributes(&self, attributes: &Attributes) -> Result<()> {
        attributes.give_to(&self.file).map_err(at(Operation::SetAttributes, &self.path))
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        is_at(&self.file, path).map_err(at(Operation::Inspect, path))
    }
}

fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(there) => Ok(position::is_same_file(&file.metadata()?, &there)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// A lock file that is locked. It is never removed: two writers might then lock two files of one name.
#[derive(Debug)]
struct RealLock {
    file: File,
}

impl VfsLock for RealLock {}

impl RealLock {
    /// Nothing if the name passed to another file on the way, as someone removed it by hand.
    fn try_at(path: &Path) -> Result<Option<Self>> {
        let lock_error = at(Operation::Lock, path);
        let Some(file) = open_lock_file(path)? else { return Ok(None) };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Busy { path: path.to_owned(), holder: read_holder(&file) });
            }
            Err(TryLockError::Error(reason)) => {
                return Err(StoreError::NoLocks { path: path.to_owned(), reason: Arc::new(reason) });
            }
        }
        if !is_at(&file, path).map_err(&lock_error)? {
            return Ok(None);
        }
        // A note for people: a lock file of another user may not take it, and the lock is as good.
        let _ = position::write_all_at(&file, 0, Holder::ourselves().to_line().as_bytes());
        Ok(Some(Self { file }))
    }
}

impl Drop for RealLock {
    fn drop(&mut self) {
        let _ = position::write_all_at(&self.file, 0, b"\n");
        // Ends it even if a child that was just forked still has the file open.
        let _ = self.file.unlock();
    }
}

/// The lock file, new or as it is; nothing if it vanished between the two questions. Never through a symbolic link, which in a
/// folder of many users might lead to anyone's file.
fn open_lock_file(path: &Path) -> Result<Option<File>> {
    match new_file().open(path) {
        Ok(file) => return Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(StoreError::io(Operation::Create, path, error)),
    }
    let open = |options: &OpenOptions| match fs::symlink_metadata(path) {
        Ok(data) if data.is_file() => options.open(path),
        Ok(_) => Err(io::ErrorKind::InvalidInput.into()),
        Err(error) => Err(error),
    };
    let file = open(OpenOptions::new().read(true).write(true)).or_else(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => open(OpenOptions::new().read(true)),
        _ => Err(error),
    });
    match file {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            Err(StoreError::NotAFile { path: path.to_owned() })
        }
        Err(error) => Err(StoreError::io(Operation::Open, path, error)),
    }
}

/// Who has the lock, where the system lets us read a locked file.
fn read_holder(file: &File) -> Option<Holder> {
    let mut line = [0; LINE_MAX];
    let length = usize::try_from(file.metadata().ok()?.len()).unwrap_or(LINE_MAX).min(LINE_MAX);
    position::read_exact_at(file, 0, &mut line[..length]).ok()?;
    Holder::of_line(&line[..length])
}

fn new_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    options
}

/// The same for its owner alone.
#[cfg(unix)]
fn private(mut options: OpenOptions) -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600);
    options
}

/// A new file takes the access list of its folder here.
#[cfg(not(unix))]
fn private(options: OpenOptions) -> OpenOptions {
    options
}

fn create(path: &Path, options: OpenOptions) -> Result<Arc<dyn VfsFile>> {
    let file = options.open(path).map_err(at(Operation::Create, path))?;
    Ok(Arc::new(RealFile { file, path: path.to_owned() }))
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

    #[cfg(feature = "planted")]
    pub(super) fn write_at(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        file.write_at(bytes, offset).map(|_| ())
    }

    pub(super) fn is_same_file(here: &Metadata, there: &Metadata) -> bool {
        (here.dev(), here.ino()) == (there.dev(), there.ino())
    }
}

#[cfg(windows)]
mod position {
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::windows::fs::{FileExt, MetadataExt};

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

    /// The number of a file is not in stable `std` here, so its times and length stand for it.
    pub(super) fn is_same_file(here: &Metadata, there: &Metadata) -> bool {
        let marks = |data: &Metadata| (data.creation_time(), data.last_write_time(), data.file_size());
        marks(here) == marks(there)
    }
}
