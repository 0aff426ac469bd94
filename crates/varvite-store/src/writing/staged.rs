//! [`StagedFile`]: a new file that appears whole under its name, or not at all.
//!
//! It is written under the temporary name `.NAME.partial` in the same folder; committing syncs it, gives it
//! its name and syncs the folder. At every moment the target is therefore entirely the old file or entirely
//! the new one, power failure included.
//!
//! The new file is locked from its creation on, under its temporary name, and so is the file that it
//! replaces: two writers of one name conflict at the one or at the other. A writer that finds the temporary
//! name taken and the file not locked removes this leftover of a killed writer, and never reuses it. A name
//! that was free is taken by a hard link, which fails if another program took it meanwhile. A new file has
//! default rights; one that replaces another keeps its [`Attributes`](crate::vfs::Attributes), and only its
//! owner can read it before.

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
    /// Replace it on commit. Programs that have the old file open or mapped keep it. For a symbolic link, its
    /// target file is replaced.
    Replace,
}

/// A file in the making. Dropping it without [`commit`](StagedFile::commit) removes it.
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
    /// Whether there is a name to be removed in the end.
    has_temporary_name: bool,
}

/// The present owner of the new file's name.
#[derive(Debug)]
pub(crate) enum Old {
    /// Nothing.
    Absent,
    /// A file of any kind. It is open, so that its number can't become another file's.
    File(Arc<LockedFile>),
    /// A graph that the new file was made of, and the state in which it was opened.
    Opened(Arc<LockedFile>, OpenedState),
    /// The new file itself: it has its name already.
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
    /// Begins a file that will be named `target`. Unfinished files of another writer are removed.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if the target exists and is not to be replaced; [`StoreError::Busy`] if another
    /// writer is at it; [`StoreError::NoLocks`] where the file system has no locks; an error of the file
    /// system. The target is untouched, and nothing new is in its folder.
    pub fn create(vfs: Arc<dyn Vfs>, target: &Path, if_exists: IfExists) -> Result<StagedFile> {
        Self::create_beside(vfs, target, if_exists, Leftover::Remove)
    }

    /// The same, with a choice about a file that another writer left unfinished.
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
            // A writer locks the temporary name before it makes a file of this name, and we hold that lock
            // now.
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

    /// A file that has its name, and is to be written and made durable under it.
    pub(crate) fn of_named(vfs: Arc<dyn Vfs>, new: Arc<LockedFile>) -> StagedFile {
        let target = new.path().to_owned();
        Self::of(vfs, &target, new, Old::Itself)
    }

    /// A file that is whole, as the one that replaces `old`.
    pub(crate) fn of_whole(vfs: Arc<dyn Vfs>, new: Arc<LockedFile>, old: Old) -> StagedFile {
        let target = old.file().map(|old| old.path().to_owned()).unwrap_or_default();
        Self::of(vfs, &target, new, old)
    }

    fn of(vfs: Arc<dyn Vfs>, target: &Path, new: Arc<LockedFile>, old: Old) -> StagedFile {
        let has_temporary_name = !matches!(old, Old::Itself);
        StagedFile { vfs, target: target.to_owned(), new, old, first_failure: None, has_temporary_name }
    }

    /// The name that a new file has until it is whole: `.NAME.partial`, in the folder of the file that
    /// `target` leads to.
    ///
    /// # Errors
    /// [`StoreError::NotAFile`] for a path that does not end in a name.
    pub fn temporary_of(target: &Path) -> Result<PathBuf> {
        beside(target, PARTIAL)
    }

    /// The name that the file will have.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The name that it has until then.
    pub fn temporary(&self) -> &Path {
        self.new.path()
    }

    /// The number of its bytes so far.
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

    /// Makes the written bytes durable, still under the temporary name.
    ///
    /// # Errors
    /// An error of the file system; from then on [`StoreError::Poisoned`] for every call.
    pub fn sync(&mut self) -> Result<()> {
        self.unless_poisoned(|staged| staged.new.file().sync())
    }

    /// Gives the file its name, durably: once this returns, the target survives power failure.
    ///
    /// # Errors
    /// [`StoreError::NotDurable`] if the target is in place but the folder could not be synced.
    /// [`StoreError::Exists`] or [`StoreError::Replaced`] if a writer without a lock has changed the target
    /// since the beginning. After any other error than the first the target is as it was before, and the
    /// temporary file is removed.
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

    /// Both names lead to the files that they should, and the old one is as it was opened: nothing is synced
    /// or read between this and the change of the name.
    fn check(&self) -> Result<()> {
        let replaced = |path: &Path| StoreError::Replaced { path: path.to_owned() };
        if let Old::Opened(old, opened) = &self.old
            && !planted!(CompactWithoutCheck)
            && !opened.is_untouched(&**old.file())?
        {
            return Err(replaced(&self.target));
        }
        planted!(NamesNotChecked => return Ok(()));
        match self.old.file() {
            None if matches!(self.old, Old::Absent) => {
                refuse_taken(&*self.vfs, &self.target, IfExists::Refuse)?;
            }
            Some(old) if !old.has_its_name()? => return Err(replaced(&self.target)),
            _ => {}
        }
        match self.new.has_its_name()? {
            true => Ok(()),
            false => Err(replaced(self.new.path())),
        }
    }

    fn take_name(&mut self) -> Result<()> {
        match self.old {
            Old::Itself => Ok(()),
            Old::Absent if !planted!(NamesNotChecked) => self.take_free_name(),
            _ => self.rename(),
        }
    }

    /// By a link, since a rename would replace the file of a program that takes no lock; where there are no
    /// hard links, by a rename, right after the look whether the name is free.
    fn take_free_name(&mut self) -> Result<()> {
        match self.vfs.link(self.new.path(), &self.target) {
            Ok(()) => {
                // The file is in place: a hidden name that stays is no failure of the commit.
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
        // If even this fails, the next writer of the same target removes the leftover.
        if self.has_temporary_name && !matches!(self.new.has_its_name(), Ok(false)) {
            let _ = self.vfs.remove(self.new.path());
        }
    }
}

/// A file in the making that grows at its end, for writers of streams.
#[derive(Debug)]
pub struct StagedStream {
    staged: StagedFile,
    len: u64,
}

impl From<StagedFile> for StagedStream {
    /// Writes from the beginning.
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

    /// The file, to be changed elsewhere than at its end, or committed.
    pub fn into_file(self) -> StagedFile {
        self.staged
    }
}

/// Errors are [`StoreError`]s in disguise.
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

/// Errors of file systems without hard links (FAT, some network and user-space ones), and of those that
/// forbid one more.
fn has_no_links(error: &StoreError) -> bool {
    matches!(
        error.io_kind(),
        Some(io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported | io::ErrorKind::TooManyLinks)
    )
}

fn folder_of(target: &Path) -> &Path {
    target.parent().unwrap_or(Path::new(""))
}
