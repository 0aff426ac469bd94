//! [`MemoryVfs`]: files in memory, which keep visible data separate from data that survives a power failure.
//!
//! A write is visible at once and durable after a sync of its file; a creation, rename or removal is visible
//! at once and durable after a sync of its folder. Folders need not be created: the folder of every path
//! exists. Files can't be mapped, so tests that use `MemoryVfs` also cover file systems that are read through
//! private buffers.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use varvite_store::vfs::Attributes;
use varvite_store::{Holder, Mapping, Operation, Result, StoreError, Vfs, VfsFile};

/// A file system in memory. Clones share their files.
#[derive(Debug, Clone, Default)]
pub struct MemoryVfs {
    names: Arc<Mutex<Names>>,
}

/// The names that programs see, and the names that are durable.
#[derive(Debug, Default)]
struct Names {
    visible: BTreeMap<PathBuf, Arc<Inode>>,
    durable: BTreeMap<PathBuf, Arc<Inode>>,
}

#[derive(Debug, Default)]
struct Inode {
    content: Mutex<Content>,
    attributes: Mutex<Attributes>,
    /// Whether one of the file's handles has the lock.
    is_locked: AtomicBool,
}

/// The visible and the durable bytes of a file, which share memory until one of them changes.
#[derive(Debug, Default)]
struct Content {
    visible: Arc<Vec<u8>>,
    durable: Arc<Vec<u8>>,
}

impl MemoryVfs {
    /// A file system without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file with durable name and content, and replaces any file of that name.
    pub fn put(&self, path: impl AsRef<Path>, bytes: &[u8]) {
        self.put_shared(path, Arc::new(bytes.to_vec()));
    }

    /// Adds a file as [`MemoryVfs::put`] does, without copying its bytes.
    pub(super) fn put_shared(&self, path: impl AsRef<Path>, bytes: Arc<Vec<u8>>) {
        let content = Content { visible: Arc::clone(&bytes), durable: bytes };
        let attributes = Mutex::new(attributes_of_new(false));
        let inode = Arc::new(Inode { content: Mutex::new(content), attributes, ..Inode::default() });
        self.put_inode(path.as_ref(), inode);
    }

    /// Gives the file named `first` the durable second name `second`. Does nothing if there is no such file.
    pub fn put_link(&self, first: impl AsRef<Path>, second: impl AsRef<Path>) {
        let inode = hold(&self.names).visible.get(first.as_ref()).cloned();
        inode.into_iter().for_each(|inode| self.put_inode(second.as_ref(), inode));
    }

    /// Whether two names lead to one file.
    pub(super) fn is_one_file(&self, one: &Path, other: &Path) -> bool {
        let names = hold(&self.names);
        let inode = |path| names.visible.get(path).map(Arc::as_ptr);
        inode(one).is_some() && inode(one) == inode(other)
    }

    fn put_inode(&self, path: &Path, inode: Arc<Inode>) {
        let mut names = hold(&self.names);
        names.visible.insert(path.to_owned(), Arc::clone(&inode));
        names.durable.insert(path.to_owned(), inode);
    }

    /// A copy of a file's bytes as programs read them, or `None` if there is no such file.
    pub fn contents(&self, path: impl AsRef<Path>) -> Option<Vec<u8>> {
        Some(self.shared_contents(path)?.to_vec())
    }

    /// The bytes of a file as programs read them, without a copy; later writes do not change them.
    pub(super) fn shared_contents(&self, path: impl AsRef<Path>) -> Option<Arc<Vec<u8>>> {
        let names = hold(&self.names);
        let inode = names.visible.get(path.as_ref())?;
        Some(Arc::clone(&hold(&inode.content).visible))
    }

    /// All names that programs see, in order.
    pub fn paths(&self) -> Vec<PathBuf> {
        hold(&self.names).visible.keys().cloned().collect()
    }

    /// The file system that a power failure now would leave, if no unsynced data had reached the disk.
    pub fn durable_image(&self) -> MemoryVfs {
        image_of(&hold(&self.names).durable, |content| Arc::clone(&content.durable))
    }

    /// A file system with copies of the files that are visible now, all durable.
    pub fn visible_image(&self) -> MemoryVfs {
        image_of(&hold(&self.names).visible, |content| Arc::clone(&content.visible))
    }

    fn create_inode(&self, path: &Path, is_private: bool) -> Result<Arc<dyn VfsFile>> {
        let mut names = hold(&self.names);
        if names.visible.contains_key(path) {
            return Err(failure(Operation::Create, path, io::ErrorKind::AlreadyExists));
        }
        let attributes = Mutex::new(attributes_of_new(is_private));
        let inode = Arc::new(Inode { attributes, ..Inode::default() });
        names.visible.insert(path.to_owned(), Arc::clone(&inode));
        Ok(Arc::new(MemoryFile::new(self, inode, path)))
    }

    fn open_inode(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        let inode = hold(&self.names).visible.get(path).cloned();
        let inode = inode.ok_or_else(|| failure(Operation::Open, path, io::ErrorKind::NotFound))?;
        Ok(Arc::new(MemoryFile::new(self, inode, path)))
    }
}

/// A file system of the files with these names. Names that led to one file still lead to one file.
fn image_of(names: &BTreeMap<PathBuf, Arc<Inode>>, bytes: impl Fn(&Content) -> Arc<Vec<u8>>) -> MemoryVfs {
    let image = MemoryVfs::new();
    let mut first_names: BTreeMap<*const Inode, &Path> = BTreeMap::new();
    for (path, inode) in names {
        match first_names.get(&Arc::as_ptr(inode)) {
            Some(first) => image.put_link(first, path),
            None => {
                image.put_shared(path, bytes(&hold(&inode.content)));
                first_names.insert(Arc::as_ptr(inode), path);
            }
        }
    }
    image
}

impl Vfs for MemoryVfs {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.open_inode(path)
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.open_inode(path)
    }

    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.create_inode(path, false)
    }

    fn create_private(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.create_inode(path, true)
    }

    /// Returns `path`: this file system has no symbolic links.
    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        Ok(path.to_owned())
    }

    fn link(&self, from: &Path, to: &Path) -> Result<()> {
        let mut names = hold(&self.names);
        let inode = names.visible.get(from).cloned();
        let inode = inode.ok_or_else(|| failure(Operation::Link, to, io::ErrorKind::NotFound))?;
        if names.visible.contains_key(to) {
            return Err(failure(Operation::Link, to, io::ErrorKind::AlreadyExists));
        }
        names.visible.insert(to.to_owned(), inode);
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let mut names = hold(&self.names);
        let inode = names.visible.get(from).cloned();
        let inode = inode.ok_or_else(|| failure(Operation::Rename, from, io::ErrorKind::NotFound))?;
        // If both names lead to one file, both stay, as POSIX requires.
        if !names.visible.get(to).is_some_and(|there| Arc::ptr_eq(there, &inode)) {
            names.visible.remove(from);
            names.visible.insert(to.to_owned(), inode);
        }
        Ok(())
    }

    fn remove(&self, path: &Path) -> Result<()> {
        match hold(&self.names).visible.remove(path) {
            Some(_) => Ok(()),
            None => Err(failure(Operation::Remove, path, io::ErrorKind::NotFound)),
        }
    }

    fn exists(&self, path: &Path) -> Result<bool> {
        Ok(hold(&self.names).visible.contains_key(path))
    }

    fn sync_dir(&self, folder: &Path) -> Result<()> {
        let mut names = hold(&self.names);
        let Names { visible, durable, .. } = &mut *names;
        let is_inside = |path: &Path| path.parent().unwrap_or(Path::new("")) == folder;
        durable.retain(|path, _| !is_inside(path));
        let inside = visible.iter().filter(|(path, _)| is_inside(path));
        durable.extend(inside.map(|(path, inode)| (path.clone(), Arc::clone(inode))));
        Ok(())
    }
}

#[derive(Debug)]
struct MemoryFile {
    names: Arc<Mutex<Names>>,
    inode: Arc<Inode>,
    path: PathBuf,
    has_lock: AtomicBool,
}

impl MemoryFile {
    fn new(vfs: &MemoryVfs, inode: Arc<Inode>, path: &Path) -> Self {
        let names = Arc::clone(&vfs.names);
        MemoryFile { names, inode, path: path.to_owned(), has_lock: AtomicBool::new(false) }
    }
}

impl Drop for MemoryFile {
    fn drop(&mut self) {
        self.unlock();
    }
}

impl VfsFile for MemoryFile {
    fn len(&self) -> Result<u64> {
        Ok(hold(&self.inode.content).visible.len() as u64)
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        if buffer.is_empty() {
            return Ok(());
        }
        let content = hold(&self.inode.content);
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = content.visible.get(start..).and_then(|tail| tail.get(..buffer.len()));
        let bytes = bytes.ok_or_else(|| StoreError::Truncated {
            path: self.path.clone(),
            offset,
            wanted: buffer.len() as u64,
            length: content.visible.len() as u64,
        })?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }

    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let start = usize::try_from(offset).ok();
        let end = start.and_then(|start| start.checked_add(bytes.len()));
        let (Some(start), Some(end)) = (start, end) else {
            return Err(failure(Operation::Write, &self.path, io::ErrorKind::FileTooLarge));
        };
        let content = &mut hold(&self.inode.content);
        if !bytes.is_empty() {
            let visible = Arc::make_mut(&mut content.visible);
            visible.resize(visible.len().max(end), 0);
            visible[start..end].copy_from_slice(bytes);
        }
        Ok(())
    }

    fn sync(&self) -> Result<()> {
        let content = &mut *hold(&self.inode.content);
        content.durable = Arc::clone(&content.visible);
        Ok(())
    }

    fn map(&self) -> Result<Option<Mapping>> {
        Ok(None)
    }

    fn attributes(&self) -> Result<Attributes> {
        Ok(hold(&self.inode.attributes).clone())
    }

    fn set_attributes(&self, attributes: &Attributes) -> Result<()> {
        hold(&self.inode.attributes).clone_from(attributes);
        Ok(())
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        Ok(hold(&self.names).visible.get(path).is_some_and(|inode| Arc::ptr_eq(inode, &self.inode)))
    }

    fn name_count(&self) -> Result<u64> {
        let names = hold(&self.names);
        Ok(names.visible.values().filter(|inode| Arc::ptr_eq(inode, &self.inode)).count() as u64)
    }

    fn try_lock(&self) -> Result<()> {
        let has_lock = self.has_lock.load(Ordering::Acquire);
        if !has_lock && self.inode.is_locked.swap(true, Ordering::AcqRel) {
            return Err(StoreError::Busy { path: self.path.clone(), holder: Some(Holder::ourselves()) });
        }
        self.has_lock.store(true, Ordering::Release);
        Ok(())
    }

    fn unlock(&self) {
        if self.has_lock.swap(false, Ordering::AcqRel) {
            self.inode.is_locked.store(false, Ordering::Release);
        }
    }
}

/// Locks a mutex. The content is consistent even after a panic of another thread, because no change of it can
/// be interrupted by a panic.
fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn attributes_of_new(is_private: bool) -> Attributes {
    Attributes::default().with_mode(if is_private { 0o600 } else { 0o644 })
}

fn failure(operation: Operation, path: &Path, kind: io::ErrorKind) -> StoreError {
    StoreError::io(operation, path, kind.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> &Path {
        Path::new(name)
    }

    #[test]
    fn unsynced_bytes_are_visible_but_not_durable() {
        let vfs = MemoryVfs::new();
        vfs.put("a", b"old");
        let file = vfs.open_writable(path("a")).unwrap();
        file.write_all_at(5, b"new").unwrap();
        assert_eq!(vfs.contents("a").unwrap(), b"old\0\0new");
        assert_eq!(vfs.durable_image().contents("a").unwrap(), b"old");
        file.sync().unwrap();
        assert_eq!(vfs.durable_image().contents("a").unwrap(), b"old\0\0new");
    }

    #[test]
    fn names_are_durable_once_their_own_folder_is_synced() {
        let vfs = MemoryVfs::new();
        vfs.create_new(path("here/a")).unwrap();
        vfs.create_new(path("there/b")).unwrap();
        assert_eq!(vfs.durable_image().paths(), [] as [&Path; 0]);
        vfs.sync_dir(path("here")).unwrap();
        assert_eq!(vfs.durable_image().paths(), [path("here/a")]);
        vfs.rename(path("here/a"), path("here/c")).unwrap();
        assert_eq!(vfs.durable_image().paths(), [path("here/a")]);
        vfs.sync_dir(path("here")).unwrap();
        assert_eq!(vfs.durable_image().paths(), [path("here/c")]);
    }

    #[test]
    fn an_image_is_a_disk_of_its_own() {
        let vfs = MemoryVfs::new();
        vfs.put("a", b"1");
        let image = vfs.durable_image();
        image.open_writable(path("a")).unwrap().write_all_at(0, b"2").unwrap();
        assert_eq!(vfs.contents("a").unwrap(), b"1");
    }

    #[test]
    fn a_read_past_the_end_tells_where_the_end_is() {
        let vfs = MemoryVfs::new();
        vfs.put("a", b"abc");
        let file = vfs.open(path("a")).unwrap();
        let error = file.read_exact_at(2, &mut [0; 2]).unwrap_err();
        assert!(matches!(error, StoreError::Truncated { offset: 2, wanted: 2, length: 3, .. }));
        let error = file.read_exact_at(u64::MAX, &mut [0]).unwrap_err();
        assert!(matches!(error, StoreError::Truncated { .. }));
        file.read_exact_at(u64::MAX, &mut []).unwrap();
    }

    #[test]
    fn a_write_beyond_memory_is_an_error() {
        let file = MemoryVfs::new().create_new(path("a")).unwrap();
        let error = file.write_all_at(u64::MAX, b"x").unwrap_err();
        assert_eq!(error.io_kind(), Some(io::ErrorKind::FileTooLarge));
    }

    #[test]
    fn a_lock_is_of_the_file_under_all_its_names_and_ends_with_its_handle() {
        let vfs = MemoryVfs::new();
        let first = vfs.create_new(path("a")).unwrap();
        vfs.link(path("a"), path("b")).unwrap();
        let second = vfs.open(path("b")).unwrap();
        first.try_lock().unwrap();
        first.try_lock().unwrap();
        assert!(matches!(second.try_lock(), Err(StoreError::Busy { .. })));
        assert_eq!((first.name_count().unwrap(), second.is_at(path("a")).unwrap()), (2, true));
        first.unlock();
        second.try_lock().unwrap();
        assert!(first.try_lock().is_err());
        drop(second);
        first.try_lock().unwrap();
        vfs.sync_dir(path("")).unwrap();
        let image = vfs.durable_image();
        let file = image.open(path("a")).unwrap();
        assert_eq!(file.name_count().unwrap(), 2, "two names of one file stay that");
        file.try_lock().expect("a failure of power ends all locks");
    }

    #[test]
    fn a_link_takes_no_name_that_is_taken() {
        let vfs = MemoryVfs::new();
        vfs.put("a", b"1");
        vfs.put("b", b"2");
        let error = vfs.link(path("a"), path("b")).unwrap_err();
        assert_eq!(error.io_kind(), Some(io::ErrorKind::AlreadyExists));
        assert_eq!(vfs.link(path("c"), path("d")).unwrap_err().io_kind(), Some(io::ErrorKind::NotFound));
    }

    #[test]
    fn a_handle_follows_its_file_not_its_name() {
        let vfs = MemoryVfs::new();
        let file = vfs.create_new(path("a")).unwrap();
        vfs.rename(path("a"), path("b")).unwrap();
        vfs.create_new(path("a")).unwrap();
        assert!(!file.is_at(path("a")).unwrap());
        assert!(file.is_at(path("b")).unwrap());
        vfs.remove(path("b")).unwrap();
        assert!(!file.is_at(path("b")).unwrap());
    }
}
