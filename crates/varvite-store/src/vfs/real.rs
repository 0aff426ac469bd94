//! [`RealVfs`]: the operating system's files.
//!
//! Only regular files are opened, so that a path to a pipe or device is an error and does not block. This is
//! the only module that calls `std::fs` for the engine.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Attributes, Vfs, VfsFile};
use crate::error::{Operation, Result, StoreError};
use crate::holder::Holder;
use crate::memory::mapping::Mapping;

/// The number of consecutive symbolic links that Linux follows.
const LINKS_MAX: usize = 40;

/// The operating system's file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealVfs;

impl RealVfs {
    /// Creates a folder and its missing parent folders, which only their owner may use. Does nothing if the
    /// folder exists.
    ///
    /// # Errors
    /// An error of the file system.
    pub fn create_private_folder(&self, path: &Path) -> Result<()> {
        let mut folder = fs::DirBuilder::new();
        folder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.create(path).map_err(at(Operation::Create, path))
    }

    /// Creates a folder; fails with `AlreadyExists` if the name is taken.
    pub(crate) fn create_folder(&self, path: &Path) -> Result<()> {
        fs::create_dir(path).map_err(at(Operation::Create, path))
    }

    /// Removes an empty folder.
    pub(crate) fn remove_folder(&self, path: &Path) -> Result<()> {
        fs::remove_dir(path).map_err(at(Operation::Remove, path))
    }

    /// The names in a folder, sorted, each with whether it is a folder itself; a symbolic link is none.
    pub(crate) fn folder_names(&self, path: &Path) -> Result<Vec<(OsString, bool)>> {
        let inspect = || -> io::Result<Vec<(OsString, bool)>> {
            let named = |entry: io::Result<fs::DirEntry>| {
                let entry = entry?;
                Ok((entry.file_name(), entry.file_type()?.is_dir()))
            };
            let mut names = fs::read_dir(path)?.map(named).collect::<io::Result<Vec<_>>>()?;
            names.sort();
            Ok(names)
        };
        inspect().map_err(at(Operation::Inspect, path))
    }
}

impl Vfs for RealVfs {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        open_regular(path, OpenOptions::new().read(true), Access::Read)
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        open_regular(path, &system::of_writer(OpenOptions::new()), Access::Write)
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
                // The target of a link is relative to the folder of the link.
                Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
                Err(_) => return Ok(path),
            }
        }
        // The system refuses so many links too; its error is returned.
        fs::metadata(&path).map(|_| path.clone()).map_err(at(Operation::Inspect, &path))
    }

    fn link(&self, from: &Path, to: &Path) -> Result<()> {
        fs::hard_link(from, to).map_err(at(Operation::Link, to))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let rename_error =
            |error| system::in_use(to, &error).unwrap_or_else(|| at(Operation::Rename, to)(error));
        fs::rename(from, to).map_err(rename_error)
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
    access: Access,
}

/// The access for which a file was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

impl VfsFile for RealFile {
    fn len(&self) -> Result<u64> {
        Ok(self.file.metadata().map_err(at(Operation::Inspect, &self.path))?.len())
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        match system::read_exact_at(&self.file, offset, buffer) {
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
        planted!(ShortWrite => return system::write_at(&self.file, offset, bytes).map_err(at(Operation::Write, &self.path)));
        system::write_all_at(&self.file, offset, bytes).map_err(at(Operation::Write, &self.path))
    }

    fn sync(&self) -> Result<()> {
        // `sync_all`, because `sync_data` does not include permissions.
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
        match system::is_at(&self.file, path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            is_at => is_at.map_err(at(Operation::Inspect, path)),
        }
    }

    fn name_count(&self) -> Result<u64> {
        system::name_count(&self.file).map_err(at(Operation::Inspect, &self.path))
    }

    fn try_lock(&self) -> Result<()> {
        match system::try_lock(&self.file, self.access) {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                Err(StoreError::Busy { path: self.path.clone(), holder: Holder::of(&self.file) })
            }
            Err(TryLockError::Error(reason)) => {
                Err(StoreError::NoLocks { path: self.path.clone(), reason: Arc::new(reason) })
            }
        }
    }

    /// Releases the lock explicitly, because closing the file would not release it while a forked child
    /// process still has the file open.
    fn unlock(&self) {
        system::unlock(&self.file);
    }
}

fn new_file() -> OpenOptions {
    let mut options = system::of_writer(OpenOptions::new());
    options.create_new(true);
    options
}

/// The options for creating a file that only its owner may read or write.
#[cfg(unix)]
fn private(mut options: OpenOptions) -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600);
    options
}

/// The unchanged options: on this system a new file inherits the access list of its folder.
#[cfg(not(unix))]
fn private(options: OpenOptions) -> OpenOptions {
    options
}

fn create(path: &Path, options: OpenOptions) -> Result<Arc<dyn VfsFile>> {
    let file = options.open(path).map_err(at(Operation::Create, path))?;
    Ok(Arc::new(RealFile { file, path: path.to_owned(), access: Access::Write }))
}

/// Opens a regular file. Checks the kind of the file before opening it, since opening a pipe waits for its
/// other end; and again after opening it, since the name may then refer to another file.
fn open_regular(path: &Path, options: &OpenOptions, access: Access) -> Result<Arc<dyn VfsFile>> {
    let open_error = |error| system::busy(path, &error).unwrap_or_else(|| at(Operation::Open, path)(error));
    if !fs::metadata(path).map_err(&open_error)?.is_file() {
        return Err(StoreError::NotAFile { path: path.to_owned() });
    }
    let file = options.open(path).map_err(&open_error)?;
    if !file.metadata().map_err(&open_error)?.is_file() {
        return Err(StoreError::NotAFile { path: path.to_owned() });
    }
    Ok(Arc::new(RealFile { file, path: path.to_owned(), access }))
}

fn at(operation: Operation, path: &Path) -> impl Fn(io::Error) -> StoreError {
    move |error| StoreError::io(operation, path, error)
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some network and user-space file systems have no sync for folders: the durability of their names
        // can't be improved.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        other => other,
    }
}

/// Does nothing: Windows has no sync for folders, and its journal orders a rename after the creation of the
/// file.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
mod system {
    use std::fs::{self, File, OpenOptions, TryLockError};
    use std::io;
    use std::os::unix::fs::{FileExt, MetadataExt};
    use std::path::Path;

    use super::Access;
    use crate::error::StoreError;

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

    pub(super) fn of_writer(mut options: OpenOptions) -> OpenOptions {
        options.read(true).write(true);
        options
    }

    /// Compares `path` itself without following a symbolic link: a writer has resolved links before.
    pub(super) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
        let (here, there) = (file.metadata()?, fs::symlink_metadata(path)?);
        Ok((here.dev(), here.ino()) == (there.dev(), there.ino()))
    }

    pub(super) fn name_count(file: &File) -> io::Result<u64> {
        Ok(file.metadata()?.nlink())
    }

    /// Locks with `flock`. The lock is advisory and belongs to the open file description, whether the file is
    /// open for reading or for writing. On NFS the file must be open for writing, and on CIFS the lock keeps
    /// readers out too.
    pub(super) fn try_lock(file: &File, _access: Access) -> Result<(), TryLockError> {
        file.try_lock()
    }

    pub(super) fn unlock(file: &File) {
        // A lock that can't be released ends when the handle is closed.
        let _ = file.unlock();
    }

    /// Always `None`: on Unix, opening a file never conflicts with other handles.
    pub(super) fn busy(_path: &Path, _error: &io::Error) -> Option<StoreError> {
        None
    }

    /// Never: on this system a name can be given to another file while the old one is open.
    pub(super) fn in_use(_path: &Path, _error: &io::Error) -> Option<StoreError> {
        None
    }
}

#[cfg(windows)]
mod system {
    //! On Windows a lock of the whole file would keep readers out. So a writer opens its file with a share
    //! mode that permits readers and renames, and the system refuses to open the file for a second writer.

    use std::fs::{File, OpenOptions, TryLockError};
    use std::io;
    use std::os::windows::fs::{FileExt, OpenOptionsExt};
    use std::path::Path;

    use same_file::Handle;

    use super::Access;
    use crate::error::StoreError;

    const FILE_SHARE_READ: u32 = 1;
    const FILE_SHARE_DELETE: u32 = 4;
    const ERROR_ACCESS_DENIED: i32 = 5;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    const ERROR_USER_MAPPED_FILE: i32 = 1224;

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

    pub(super) fn of_writer(mut options: OpenOptions) -> OpenOptions {
        options.read(true).write(true).share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE);
        options
    }

    /// Compares volume and file index.
    pub(super) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
        Ok(Handle::from_file(file.try_clone()?)? == Handle::from_path(path)?)
    }

    /// Always 1: `std` does not provide the number of names.
    pub(super) fn name_count(_file: &File) -> io::Result<u64> {
        Ok(1)
    }

    pub(super) fn try_lock(_file: &File, access: Access) -> Result<(), TryLockError> {
        match access {
            // Opening the file for writing took the lock.
            Access::Write => Ok(()),
            Access::Read => Err(TryLockError::Error(io::ErrorKind::Unsupported.into())),
        }
    }

    /// Does nothing: the lock ends when the handle is closed.
    pub(super) fn unlock(_file: &File) {}

    pub(super) fn busy(path: &Path, error: &io::Error) -> Option<StoreError> {
        let is_busy = error.raw_os_error() == Some(ERROR_SHARING_VIOLATION);
        is_busy.then(|| StoreError::Busy { path: path.to_owned(), holder: None })
    }

    /// The error for a name that cannot be given to another file, because a program has mapped or opened the
    /// file that has it. The system reports some mapped files as if permission was missing.
    pub(super) fn in_use(path: &Path, error: &io::Error) -> Option<StoreError> {
        let codes = [ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_USER_MAPPED_FILE];
        let is_in_use = error.raw_os_error().is_some_and(|code| codes.contains(&code)) && path.exists();
        is_in_use.then(|| StoreError::InUse { path: path.to_owned() })
    }
}
