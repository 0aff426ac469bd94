//! [`Commit`]: the valid state of a file, found by the rules of docs/format.md.
//!
//! Another process may be committing to the file during the read. A commit appends, so the bytes that an
//! older superblock refers to do not change. But a superblock's page may be half written when it is read, and
//! the file may have grown since its length was read. Neither is damage. So pages that fail their checksum
//! are read again, and the length of the file is read after the superblocks.

use std::path::Path;
use std::time::Duration;

use varvite_codec::hash;
use varvite_format::{Continuable, Continued, Directory, Fault, FormatError, Header, PAGE, Part, Superblock};

use crate::commits::identity::Identity;
use crate::commits::opened_state::Superblocks;
use crate::error::{Result, StoreError};
use crate::vfs::VfsFile;

/// The size of the header and both superblocks in bytes.
pub(crate) const PAGES: usize = 3 * PAGE;

/// The number of reads after which an unusable superblock counts as damage. Writing a superblock takes
/// microseconds.
pub(crate) const ATTEMPTS: usize = 4;
pub(crate) const PAUSE: Duration = Duration::from_micros(20);

/// The commit of a file that a store reads.
#[derive(Debug)]
pub(crate) struct Commit {
    pub(crate) header: Header,
    pub(crate) superblock: Superblock,
    /// The bytes of both superblock pages as they were read. A writer compares them with the file before it
    /// commits.
    pub(crate) superblocks: Superblocks,
    pub(crate) directory: Directory,
    /// The complete directory that the directory of the next commit may continue, instead of repeating its
    /// rows.
    pub(crate) whole: Continuable,
    /// The superblock or commit that was skipped; `None` if the newest commit was read.
    pub(crate) recovery: Option<Recovery>,
    /// The offset at which the next commit may begin: after all bytes that a superblock refers to. If a
    /// superblock is damaged, its commit is unknown, and readers that opened the commit earlier may still
    /// read it; so the next commit begins at the end of the file.
    pub(crate) append_at: u64,
    /// The length of the file, read after its superblocks.
    pub(crate) file_len: u64,
}

impl Commit {
    /// Reads three pages and the newest directory; also an older directory, if the newest one continues it.
    ///
    /// # Errors
    /// An error of the file system when a superblock or a directory is read; the fault that was found in the
    /// newest commit, if no commit can be used.
    pub(crate) fn read(file: &dyn VfsFile, path: &Path) -> Result<Self> {
        let pages = read_pages(file);
        let header = read_header(file, path, pages.as_deref())?;
        let mut found = Found::default();
        let is_read = pages.is_some();
        let mut pages = pages.unwrap_or_else(|| vec![0; PAGES]);
        for (number, page) in (0u32..).zip(pages[PAGE..].chunks_exact_mut(PAGE)) {
            let slot = read_slot(file, path, &header, number, page, is_read);
            found.superblocks.set(number as usize, page);
            match slot {
                Ok(slot) => found.slots.extend(slot),
                Err(error) => found.pass_over(error)?,
            }
        }
        found.choose(file, path, header)
    }

    pub(crate) fn identity(&self) -> Identity {
        Identity::new(&self.header, &self.superblock)
    }
}

/// The reason why opening a file skipped a superblock or a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// A superblock is damaged. Either a commit was interrupted while it wrote the superblock, or the newest
    /// commit is lost: the file does not say which.
    Slot,
    /// The newest superblock is whole, but its directory is damaged: a finished commit is lost.
    Commit {
        /// The generation of the lost commit.
        generation: u64,
    },
}

/// The content of both superblock slots.
#[derive(Default)]
struct Found {
    superblocks: Superblocks,
    slots: Vec<Superblock>,
    first_error: Option<StoreError>,
}

impl Found {
    /// Notes the damage of a superblock slot or a commit. A failed read is returned as an error instead,
    /// because the unread superblock may be whole, and newer than the other one.
    fn pass_over(&mut self, error: StoreError) -> Result<()> {
        match error {
            StoreError::Io { .. } => Err(error),
            damage => {
                self.first_error.get_or_insert(damage);
                Ok(())
            }
        }
    }

    /// Chooses the newest superblock whose directory is whole, and reads its commit.
    fn choose(mut self, file: &dyn VfsFile, path: &Path, header: Header) -> Result<Commit> {
        let is_damaged = self.first_error.is_some();
        let mut slots = std::mem::take(&mut self.slots);
        slots.sort_by_key(|slot| std::cmp::Reverse(slot.generation));
        let file_len = file.len()?;
        let ends = slots.iter().map(|slot| slot.file_len).filter(|end| *end <= file_len);
        let named = ends.max().unwrap_or(file_len);
        let newest = slots.first().map(|slot| slot.generation);
        let append_at = if is_damaged && !planted!(CommitOverDamagedSlot) { file_len } else { named };
        for (newer, superblock) in slots.into_iter().enumerate() {
            superblock.check_features().map_err(|error| StoreError::format(path, error))?;
            match read_directory(file, path, &superblock, file_len) {
                Ok((directory, whole)) => {
                    let lost = newest.filter(|_| newer > 0).map(|generation| Recovery::Commit { generation });
                    let recovery = lost.or(is_damaged.then_some(Recovery::Slot));
                    let recovery = recovery.filter(|_| !planted!(RecoverySilent));
                    return Ok(Commit {
                        header,
                        superblock,
                        superblocks: self.superblocks,
                        directory,
                        whole,
                        recovery,
                        append_at,
                        file_len,
                    });
                }
                Err(error) => self.pass_over(error)?,
            }
        }
        Err(self.first_error.unwrap_or_else(|| {
            StoreError::format(path, FormatError::damaged(Part::Superblocks, Fault::NeverCommitted))
        }))
    }
}

/// Reads the header and both superblocks at once. `None` if a page is missing or can't be read: the caller
/// then reads each page separately, since one superblock may be enough.
fn read_pages(file: &dyn VfsFile) -> Option<Vec<u8>> {
    let mut pages = vec![0; PAGES];
    file.read_exact_at(0, &mut pages).ok()?;
    Some(pages)
}

pub(crate) fn read_header(file: &dyn VfsFile, path: &Path, pages: Option<&[u8]>) -> Result<Header> {
    if let Some(pages) = pages {
        return Header::from_page(&pages[..PAGE]).map_err(|error| StoreError::format(path, error));
    }
    let mut page = [0u8; PAGE];
    let head = &mut page[..file.len()?.min(PAGE as u64) as usize];
    file.read_exact_at(0, head)?;
    Header::from_page(head).map_err(|error| StoreError::format(path, error))
}

/// Parses the superblock in slot `number` from `page`. Unless `is_read` is true, reads the page from the file
/// first.
fn read_slot(
    file: &dyn VfsFile,
    path: &Path,
    header: &Header,
    number: u32,
    page: &mut [u8],
    mut is_read: bool,
) -> Result<Option<Superblock>> {
    let at = (1 + u64::from(number)) * PAGE as u64;
    let mut attempt = || {
        if !std::mem::take(&mut is_read) {
            file.read_exact_at(at, page)?;
        }
        Superblock::from_page(page, &header.file_id, number).map_err(|error| StoreError::format(path, error))
    };
    let mut result = attempt();
    for _ in 1..ATTEMPTS {
        if planted!(TornReadNotRepeated) || !matches!(result, Err(StoreError::Format { .. })) {
            break;
        }
        std::thread::sleep(PAUSE);
        result = attempt();
    }
    result
}

/// Reads the directory that a superblock names. Also returns the complete directory that the next commit may
/// continue: the one that was read or, if that one continues an older directory, the older one.
fn read_directory(
    file: &dyn VfsFile,
    path: &Path,
    slot: &Superblock,
    len: u64,
) -> Result<(Directory, Continuable)> {
    let format = |error| StoreError::format(path, error);
    if slot.file_len > len {
        return Err(StoreError::Truncated {
            path: path.to_owned(),
            offset: 0,
            wanted: slot.file_len,
            length: len,
        });
    }
    let (start, end) = (PAGES as u64, slot.directory_offset);
    let Superblock { directory_len: len, directory_hash: hash, generation, .. } = *slot;
    let own = Continued { offset: end, len, hash, generation };
    let mut bytes = read_checked(file, path, &own)?;
    let mut continued = None;
    if let Some(older) = Continued::of(&bytes, start..end).map_err(format)? {
        let (whole, rows) = older.complete(&read_checked(file, path, &older)?, &bytes).map_err(format)?;
        bytes = whole;
        continued = Some(rows);
    }
    let directory = Directory::from_bytes(&bytes, start, end).map_err(format)?;
    directory.check_claims(slot.file_len).map_err(|excess| format(excess.damage()))?;
    let (columns, segments) = (directory.columns.len() as u32, directory.segments.len() as u32);
    let whole = continued.unwrap_or(Continuable { place: own, columns, segments });
    Ok((directory, whole))
}

/// Reads the bytes of a directory, and checks their checksum. The directory may be complete, or continue an
/// older one.
fn read_checked(file: &dyn VfsFile, path: &Path, place: &Continued) -> Result<Vec<u8>> {
    let mut bytes = vec![0; place.len as usize];
    file.read_exact_at(place.offset, &mut bytes)?;
    let found = hash(&bytes, place.generation);
    if found != place.hash && !planted!(DirectoryChecksumIgnored) {
        let fault = Fault::Checksum { expected: place.hash, found };
        let error = FormatError::damaged_at(Part::Directory, place.offset, fault);
        return Err(StoreError::format(path, error));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use varvite_format::Profile;

    use super::*;
    use crate::vfs::{RealVfs, Vfs};
    use crate::{FileChange, IfExists, OpenMode, StoreWriter, forward_to};

    /// A file whose second superblock appears half written during the first `torn_reads` reads.
    #[derive(Debug)]
    struct Changing {
        inner: Arc<dyn VfsFile>,
        torn_reads: AtomicUsize,
    }

    impl VfsFile for Changing {
        forward_to! { inner: len write_all_at sync map attributes set_attributes is_at name_count try_lock unlock }

        fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
            self.inner.read_exact_at(offset, buffer)?;
            let (start, end) = (offset as usize, offset as usize + buffer.len());
            let has_slot = start <= 2 * PAGE && 3 * PAGE <= end;
            let take_one = |left: usize| left.checked_sub(1);
            let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
            if has_slot && self.torn_reads.fetch_update(set, get, take_one).is_ok() {
                buffer[2 * PAGE - start..][..512].fill(0xA5);
            }
            Ok(())
        }
    }

    fn read(torn_reads: usize) -> (u64, Option<Recovery>) {
        let folder = tempfile::tempdir().unwrap();
        let path = &folder.path().join("code.varvite");
        let profile = Profile::Direct;
        let writer =
            StoreWriter::create(Arc::new(RealVfs), path, IfExists::Refuse, [7; 16], profile).unwrap();
        writer.finish(Directory::default()).unwrap();
        let change = FileChange::begin(Arc::new(RealVfs), path).unwrap();
        let base = change.open_store(OpenMode::Buffered).unwrap();
        change.append(&base).unwrap().finish(Directory::default()).unwrap();
        let file = Changing { inner: RealVfs.open(path).unwrap(), torn_reads: AtomicUsize::new(torn_reads) };
        let commit = Commit::read(&file, path).unwrap();
        (commit.superblock.generation, commit.recovery)
    }

    #[test]
    fn a_superblock_that_is_being_written_is_read_again() {
        for torn_reads in 0..ATTEMPTS {
            assert_eq!(read(torn_reads), (2, None), "{torn_reads} torn reads");
        }
        assert_eq!(read(ATTEMPTS), (1, Some(Recovery::Slot)), "that is damage");
    }
}
