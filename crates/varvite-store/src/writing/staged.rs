//! [`StagedFile`]: a new file that appears whole under its name, or not at all.
//!
//! The file is written under the temporary name `.NAME.partial` in the same folder. Committing syncs the
//! file, gives it its final name and syncs the folder. So at every moment, even after a power failure, the
//! target is the complete old file or the complete new one.
//!
//! The new file is locked from its creation on, under its temporary name, and so is the file that it
//! replaces: two writers of one name conflict at one of these locks. If a writer finds an unlocked file with
//! the temporary name, that file is a leftover of a killed writer; the writer removes it and never reuses it.
//! If the final name was free, the new file gets it by a hard link, which fails if another program took the
//! name meanwhile. A new file has default permissions. A file that replaces another gets the
//! [`Attributes`](crate::vfs::Attributes) of the old one; until then only its owner can read it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::commits::opened_state::OpenedState;
use crate::error::{Result, StoreError};
use crate::vfs::Vfs;
use crate::writing::locked_file::{ATTEMPTS, Leftover, LockedFile, NewFile, PARTIAL, beside};

/// The treatment of an existing target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IfExists {
    /// Fail with [`StoreError::Exists`], before anything is written and again before the rename.
    Refuse,
    /// Replace the file on commit. Programs that have the old file open or mapped can still read it. If the
    /// target is a symbolic link, the file that the link points to is replaced.
    Replace,
}

/// An unfinished new file. If it is dropped without [`commit`](StagedFile::commit), it is removed, unless it
/// is [kept](StagedFile::kept).
///
/// # Example
/// No reader finds the new file until all of it is durable:
/// ```
/// use std::sync::Arc;
/// use varvite_store::{IfExists, StagedFile, vfs::RealVfs};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("code.varvite");
/// let mut staged = StagedFile::create(Arc::new(RealVfs), &path, IfExists::Refuse)?;
/// staged.write_all_at(0, b"varves")?;
/// assert!(!path.exists());
/// staged.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"varves");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StagedFile {
    vfs: Arc<dyn Vfs>,
    target: PathBuf,
    /// The new file, under the name that it has until it is committed.
    new: Arc<LockedFile>,
    old: Old,
    first_failure: Option<Arc<StoreError>>,
    /// Whether the temporary name exists, so that it has to be removed at the end.
    has_temporary_name: bool,
    /// Whether the temporary name stays at the end.
    is_kept: bool,
}

/// The file that has the new file's final name now.
#[derive(Debug)]
pub(crate) enum Old {
    /// No file has the name.
    Absent,
    /// A file of any kind. It is kept open, so that its inode number can't be reused for another file.
    File(Arc<LockedFile>),
    /// The graph from which the new file is made, and the state in which it was opened.
    Opened(Arc<LockedFile>, OpenedState),
    /// The new file itself: it already has its final name.
    Itself,
}

impl Old {
    fn file(&self) -> Option<&LockedFile> {
        match self {
            Self::File(old) | Self::Opened(old, _) => Some(old),
            Self::Absent | Self::Itself => None,
        }
    }
}

impl StagedFile {
    /// Begins a file that will get the name `target`. Unfinished files that other writers left are removed.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if the target exists and is not to be replaced; [`StoreError::Busy`] if another
    /// writer is writing it; [`StoreError::NoLocks`] if the file system has no locks; an error of the file
    /// system. The target is then untouched, and its folder contains no new file.
    pub fn create(vfs: Arc<dyn Vfs>, target: &Path, if_exists: IfExists) -> Result<StagedFile> {
        Self::create_beside(vfs, target, if_exists, Leftover::Remove)
    }

    /// Begins a file as [`StagedFile::create`] does, but lets the caller choose the treatment of a file that
    /// another writer left unfinished.
    ///
    /// # Errors
    /// As [`StagedFile::create`], and [`StoreError::Unfinished`].
    pub fn create_beside(
        vfs: Arc<dyn Vfs>,
        target: &Path,
        if_exists: IfExists,
        leftover: Leftover,
    ) -> Result<StagedFile> {
        refuse_taken(&*vfs, target, if_exists)?;
        let target = vfs.resolve(target)?;
        for _ in 0..ATTEMPTS {
            let old = match if_exists {
                IfExists::Refuse => None,
                IfExists::Replace => LockedFile::open_if_there(&*vfs, &target)?,
            };
            let old = old.map_or(Old::Absent, |old| Old::File(Arc::new(old)));
            let staged = Self::begin(Arc::clone(&vfs), &target, old, leftover)?;
            // Every writer locks the file with the temporary name before it gives a file the name of the
            // target, and we have that lock now.
            let is_free = staged.old.file().is_some() || !vfs.exists(&target)?;
            if is_free {
                return Ok(staged);
            }
            refuse_taken(&*vfs, &target, if_exists)?;
        }
        Err(StoreError::Busy { path: target, holder: None })
    }

    /// Begins the file that replaces `old`.
    pub(crate) fn of_successor(vfs: Arc<dyn Vfs>, old: Old) -> Result<StagedFile> {
        let target = old.file().map(|old| old.path().to_owned()).unwrap_or_default();
        Self::begin(vfs, &target, old, Leftover::Remove)
    }

    fn begin(vfs: Arc<dyn Vfs>, target: &Path, old: Old, leftover: Leftover) -> Result<StagedFile> {
        let replaced = old.file();
        let new = NewFile { target, replaced, is_private: replaced.is_some(), leftover };
        let new = Arc::new(LockedFile::create(&*vfs, &Self::temporary_of(target)?, &new)?);
        Ok(Self::of(vfs, target, new, old))
    }

    /// A file that already has its final name, to be written and made durable under that name.
    pub(crate) fn of_named(vfs: Arc<dyn Vfs>, new: Arc<LockedFile>) -> StagedFile {
        let target = new.path().to_owned();
        Self::of(vfs, &target, new, Old::Itself)
    }

    /// A complete file that replaces `old` on commit.
    pub(crate) fn of_whole(vfs: Arc<dyn Vfs>, new: Arc<LockedFile>, old: Old) -> StagedFile {
        let target = old.file().map(|old| old.path().to_owned()).unwrap_or_default();
        Self::of(vfs, &target, new, old)
    }

    fn of(vfs: Arc<dyn Vfs>, target: &Path, new: Arc<LockedFile>, old: Old) -> StagedFile {
        let has_temporary_name = !matches!(old, Old::Itself);
        let target = target.to_owned();
        StagedFile { vfs, target, new, old, first_failure: None, has_temporary_name, is_kept: false }
    }

    /// The name that a new file has until it is complete: `.NAME.partial`, in the folder of `target`.
    ///
    /// # Errors
    /// [`StoreError::NotAFile`] for a path that does not end in a name.
    pub fn temporary_of(target: &Path) -> Result<PathBuf> {
        beside(target, PARTIAL)
    }

    /// The same file, which stays under its temporary name if it is dropped or can't be committed: its
    /// content can't be made again. The next writer of the name then finds it as a [`Leftover`].
    #[must_use]
    pub fn kept(self) -> Self {
        self.with_kept(true)
    }

    /// Removes the file, even if it is [kept](StagedFile::kept).
    pub fn remove(self) {
        drop(self.with_kept(false));
    }

    fn with_kept(mut self, is_kept: bool) -> Self {
        self.is_kept = is_kept;
        self
    }

    /// The name that the file will get.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The name that the file has until it is committed.
    pub fn temporary(&self) -> &Path {
        self.new.path()
    }

    /// The same file as a new file of its temporary name, to be written as a whole. Committing that file
    /// makes it durable under the temporary name; [`StagedFile::change`] can then change it further, and
    /// [`StagedFile::commit`] of this value gives it its final name.
    #[must_use]
    pub fn draft(&self) -> StagedFile {
        let (vfs, new) = self.unfinished();
        Self::of_named(vfs, new)
    }

    /// The file system, and the file under its temporary name.
    pub(crate) fn unfinished(&self) -> (Arc<dyn Vfs>, Arc<LockedFile>) {
        (Arc::clone(&self.vfs), Arc::clone(&self.new))
    }

    /// The number of bytes written so far.
    pub fn length(&self) -> Result<u64> {
        self.new.file().len()
    }

    /// Fills `buffer` from the written bytes.
    pub fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.new.file().read_exact_at(offset, buffer)
    }

    /// Writes all of `bytes` at `offset`.
    ///
    /// # Errors
    /// An error of the file system; from then on [`StoreError::Poisoned`] for every call.
    pub fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.unless_poisoned(|staged| staged.new.file().write_all_at(offset, bytes))
    }

    /// Makes the written bytes durable, under the temporary name.
    ///
    /// # Errors
    /// An error of the file system; from then on [`StoreError::Poisoned`] for every call.
    pub fn sync(&mut self) -> Result<()> {
        self.unless_poisoned(|staged| staged.new.file().sync())
    }

    /// Gives the file its final name, durably: once this returns, the target survives a power failure.
    ///
    /// # Errors
    /// [`StoreError::NotDurable`] if the target is in place but the folder could not be synced.
    /// [`StoreError::Exists`] or [`StoreError::Replaced`] if a writer without a lock has changed the target
    /// since this file was begun. After all errors except [`StoreError::NotDurable`], the target is
    /// unchanged, and the temporary file is removed, unless it is [kept](StagedFile::kept).
    pub fn commit(mut self) -> Result<()> {
        self.unless_poisoned(Self::keep_attributes)?;
        if !planted!(RenameBeforeSync) {
            self.sync()?;
        }
        self.check()?;
        self.take_name()?;
        planted!(FolderNotSynced => return Ok(()));
        self.vfs
            .sync_dir(folder_of(&self.target))
            .map_err(|reason| StoreError::NotDurable { path: self.target.clone(), reason: Arc::new(reason) })
    }

    fn keep_attributes(&self) -> Result<()> {
        let Some(old) = self.old.file() else { return Ok(()) };
        self.new.file().set_attributes(&old.file().attributes()?)
    }

    /// Checks that both names refer to the right files, and that the old file is still in the state in which
    /// it was opened. The name of the old file is checked last, because programs without a lock may change
    /// it. Nothing is synced or read between this check and the change of the name.
    fn check(&self) -> Result<()> {
        let replaced = |path: &Path| StoreError::Replaced { path: path.to_owned() };
        if let Old::Opened(old, opened) = &self.old
            && !planted!(CompactWithoutCheck)
            && !opened.is_untouched(&**old.file())?
        {
            return Err(replaced(&self.target));
        }
        planted!(NamesNotChecked => return Ok(()));
        if !self.new.has_its_name()? {
            return Err(replaced(self.new.path()));
        }
        match self.old.file() {
            None if matches!(self.old, Old::Absent) => {
                refuse_taken(&*self.vfs, &self.target, IfExists::Refuse)
            }
            Some(old) if !old.has_its_name()? => Err(replaced(&self.target)),
            _ => Ok(()),
        }
    }

    fn take_name(&mut self) -> Result<()> {
        match self.old {
            Old::Itself => Ok(()),
            Old::Absent if !planted!(NamesNotChecked) => self.take_free_name(),
            _ => self.rename(),
        }
    }

    /// Gives the file a name that was free, by a hard link, because a rename would replace the file of a
    /// program that takes no lock. If the file system has no hard links, checks that the name is free and
    /// then immediately renames the file.
    fn take_free_name(&mut self) -> Result<()> {
        match self.vfs.link(self.new.path(), &self.target) {
            Ok(()) => {
                // The file has its final name: if the hidden name can't be removed, the commit still
                // succeeds.
                self.has_temporary_name = self.vfs.remove(self.new.path()).is_err();
                Ok(())
            }
            Err(error) if error.io_kind() == Some(io::ErrorKind::AlreadyExists) => {
                Err(StoreError::Exists { path: self.target.clone() })
            }
            Err(error) if has_no_links(&error) => self.rename(),
            Err(error) => Err(error),
        }
    }

    fn rename(&mut self) -> Result<()> {
        self.vfs.rename(self.new.path(), &self.target)?;
        self.has_temporary_name = false;
        Ok(())
    }

    fn unless_poisoned(&mut self, action: impl FnOnce(&Self) -> Result<()>) -> Result<()> {
        if let Some(first) = &self.first_failure {
            return Err(StoreError::Poisoned { first: Arc::clone(first) });
        }
        let result = action(self);
        self.first_failure = result.as_ref().err().cloned().map(Arc::new);
        result
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        // If the removal fails, the next writer of the same target removes the leftover.
        if self.has_temporary_name && !self.is_kept && !matches!(self.new.has_its_name(), Ok(false)) {
            let _ = self.vfs.remove(self.new.path());
        }
    }
}

/// An unfinished new file that is written as a stream, from the beginning to the end.
#[derive(Debug)]
pub struct StagedStream {
    staged: StagedFile,
    len: u64,
}

impl From<StagedFile> for StagedStream {
    /// A stream that writes from the beginning of the file.
    fn from(staged: StagedFile) -> Self {
        Self { staged, len: 0 }
    }
}

impl StagedStream {
    /// The number of written bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// True if nothing was written.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the file, so that the caller can commit it, or change it at other offsets than its end.
    pub fn into_file(self) -> StagedFile {
        self.staged
    }
}

/// Writes at the end. Each error wraps a [`StoreError`].
impl io::Write for StagedStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.staged.write_all_at(self.len, bytes).map_err(io::Error::other)?;
        self.len += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn refuse_taken(vfs: &dyn Vfs, target: &Path, if_exists: IfExists) -> Result<()> {
    if if_exists == IfExists::Refuse && vfs.exists(target)? {
        return Err(StoreError::Exists { path: target.to_owned() });
    }
    Ok(())
}

/// Whether an error means that the file system has no hard links (FAT, some network and user-space file
/// systems), or refuses one more.
fn has_no_links(error: &StoreError) -> bool {
    matches!(
        error.io_kind(),
        Some(io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported | io::ErrorKind::TooManyLinks)
    )
}

fn folder_of(target: &Path) -> &Path {
    target.parent().unwrap_or(Path::new(""))
}
