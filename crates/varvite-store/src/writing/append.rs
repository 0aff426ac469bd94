//! [`AppendedFile`]: the next commit of a file, written after the end of all previous commits.
//!
//! The commit overwrites nothing that a superblock refers to, so open readers keep their snapshot. Only later
//! bytes, which an unfinished commit left, are overwritten. Bytes and length are durable before the
//! superblock is written, and the superblock is written into the older of the two slots. So after any failure
//! and any loss of power, the file is at the previous commit or at this one.

use std::path::Path;
use std::sync::Arc;

use varvite_format::{FormatError, PAGE, Quantity, Superblock};

use crate::commits::identity::Identity;
use crate::commits::opened_state::OpenedState;
use crate::error::{Result, StoreError};
use crate::open::store::Store;
use crate::vfs::VfsFile;
use crate::writing::locked_file::LockedFile;

/// The error for a commit after the last possible generation.
const TOO_MANY: FormatError =
    FormatError::TooLarge { what: Quantity::Commits, found: u64::MAX, limit: u64::MAX - 1 };

/// An unfinished commit. If it is dropped without [`AppendedFile::commit`], its bytes stay in the file, after
/// the end of the last commit, and are unused.
#[derive(Debug)]
pub(crate) struct AppendedFile {
    locked: Arc<LockedFile>,
    file: Arc<dyn VfsFile>,
    /// The commit that this one follows.
    base: Identity,
    /// The state in which the file was opened.
    opened: OpenedState,
    /// The end of the written bytes. The writer fills gaps after the end with zeros, because the file may
    /// have any bytes there.
    end: u64,
    first_failure: Option<Arc<StoreError>>,
}

impl AppendedFile {
    /// Begins the commit that follows `base`, which the same handle opened in the state `opened`. If `base`
    /// holds columns in memory that were made from its log, these columns are written first. No byte before
    /// `least` is written.
    ///
    /// # Errors
    /// [`StoreError::Replaced`] if the name now refers to another file, if the file has changed, or if `base`
    /// shares memory with another store; an error of the file system.
    pub(crate) fn begin(
        locked: Arc<LockedFile>,
        base: &Store,
        opened: OpenedState,
        least: u64,
    ) -> Result<Self> {
        let base_identity = base.commit_identity();
        if base_identity.generation == u64::MAX {
            // There is no later generation, so the superblock of another commit would not count as newer.
            return Err(StoreError::format(locked.path(), TOO_MANY));
        }
        let file = Arc::clone(locked.writable()?);
        let end = base.append_at().max(least);
        let is_base = opened.is_untouched(&*file)?;
        let mut appended = Self { locked, file, base: base_identity, opened, end, first_failure: None };
        if !is_base {
            return Err(appended.replaced());
        }
        appended.check_base()?;
        if let Some(tail) = base.tail() {
            if tail.is_shared() {
                return Err(appended.replaced());
            }
            tail.pieces().iter().try_for_each(|(at, bytes)| appended.write_all_at(*at, bytes))?;
            // Segments without bytes may lie after all others, so write zeros up to the end of the tail.
            appended.write_all_at(tail.end(), &[])?;
        }
        Ok(appended)
    }

    /// The end of the written bytes.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    pub(crate) fn target(&self) -> &Path {
        self.locked.path()
    }

    /// The generation of this commit.
    pub(crate) fn generation(&self) -> u64 {
        self.base.generation + 1
    }

    /// Writes bytes at `offset`, which must not be before the end of the written bytes.
    ///
    /// # Errors
    /// An error of the file system; from then on [`StoreError::Poisoned`] for every call.
    pub(crate) fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let end = self.end;
        self.unless_poisoned(|file| {
            debug_assert!((end..end + PAGE as u64).contains(&offset), "segments lie end to end");
            if offset > end {
                file.write_all_at(end, &vec![0; (offset - end) as usize])?;
            }
            planted!(AppendWriteErrorSwallowed => return file.write_all_at(offset, bytes).or(Ok(())));
            file.write_all_at(offset, bytes)
        })?;
        self.end = offset + bytes.len() as u64;
        Ok(())
    }

    /// Makes everything that was written durable, then writes the superblock and makes it durable.
    ///
    /// # Errors
    /// [`StoreError::NotDurable`] if the superblock was written but not synced, or may have been written
    /// although the write failed. [`StoreError::Replaced`] if the file has changed since this commit was
    /// begun. After all errors except [`StoreError::NotDurable`], the file is at the previous commit.
    pub(crate) fn commit(mut self, superblock: &Superblock) -> Result<()> {
        debug_assert_eq!((superblock.generation, superblock.file_len), (self.generation(), self.end));
        self.unless_poisoned(sync_content)?;
        planted!(SuperblockBeforeDirectory => return self.file.sync());
        if !planted!(BaseNotCheckedLast) {
            self.check_base()?;
        }
        let page = if superblock.generation % 2 == 1 { PAGE } else { 2 * PAGE };
        let page = if planted!(NewerSuperblockOverwritten) { 3 * PAGE - page } else { page };
        let bytes = superblock.to_page(&self.base.file_id);
        let written = self.unless_poisoned(|file| file.write_pointer_at(page as u64, &bytes));
        let path = self.target();
        let in_doubt = |reason| StoreError::NotDurable { path: path.to_owned(), reason: Arc::new(reason) };
        match written {
            Ok(()) => sync_superblock(&*self.file).map_err(in_doubt),
            // Only the first bytes of the page have content: if they were written, readers see this commit.
            Err(reason) if self.may_have(page as u64, &bytes) && !planted!(WrittenSuperblockDenied) => {
                Err(in_doubt(reason))
            }
            Err(reason) => Err(reason),
        }
    }

    /// Whether the file has these bytes at an offset; true if it can't be read.
    fn may_have(&self, offset: u64, bytes: &[u8; PAGE]) -> bool {
        let mut found = [0; PAGE];
        self.file.read_exact_at(offset, &mut found).is_err() || found == *bytes
    }

    /// Checks that the name refers to the file that is being written, and that the file is in the state that
    /// this commit follows.
    fn check_base(&self) -> Result<()> {
        let is_at = planted!(AppendToReplacedFile) || self.locked.has_its_name()?;
        if is_at && self.opened.is_still(&*self.file)? {
            return Ok(());
        }
        Err(self.replaced())
    }

    fn replaced(&self) -> StoreError {
        StoreError::Replaced { path: self.target().to_owned() }
    }

    fn unless_poisoned(&mut self, action: impl FnOnce(&dyn VfsFile) -> Result<()>) -> Result<()> {
        if let Some(first) = &self.first_failure {
            return Err(StoreError::Poisoned { first: Arc::clone(first) });
        }
        let result = action(&*self.file);
        self.first_failure = result.as_ref().err().cloned().map(Arc::new);
        result
    }
}

/// Syncs the bytes, the directory and the length of the file.
fn sync_content(file: &dyn VfsFile) -> Result<()> {
    planted!(AppendSkipsFirstSync => return Ok(()));
    planted!(AppendSyncRetried => return file.sync().or_else(|_| file.sync()));
    file.sync()
}

fn sync_superblock(file: &dyn VfsFile) -> Result<()> {
    planted!(AppendSkipsSecondSync => return Ok(()));
    planted!(UnsyncedSuperblockReported => return file.sync().or(Ok(())));
    file.sync()
}

#[cfg(feature = "planted")]
impl AppendedFile {
    /// Writes bytes over existing bytes of the file.
    pub(crate) fn overwrite_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_all_at(offset, bytes)
    }
}
