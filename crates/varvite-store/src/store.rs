//! [`Store`]: an open file. Opening reads header, superblocks and directory; segments come when they are asked for.
//!
//! A mapped store hands out slices of one map of the file; only coded segments are decoded, into buffers that the
//! ledger accounts. A buffered store reads every segment into a buffer and checks every block on the way: for files
//! from strangers and for network file systems. In both, what a segment's bytes mean is checked where it is used.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use varvite_codec::{Codec, Workspace, hash};
use varvite_format::{
    BlockTable, ColumnId, ColumnRow, Directory, FormatError, Header, PAGE, SegmentId, SegmentRow, Source,
    Superblock,
};

use crate::aligned_bytes::AlignedBytes;
use crate::error::{Result, StoreError};
use crate::ledger::{AccountId, Charge, Ledger, MemoryState};
use crate::mapping::{Advice, Mapping};
use crate::pinned::Pinned;
use crate::vfs::{Vfs, VfsFile};

/// Segments of at least this many plain bytes are decoded on all processors.
const PARALLEL_DECODE: usize = 4 << 20;

/// How the bytes of a file come into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMode {
    /// By a map of the file: fast, nothing copied. Nobody may truncate the file while it is open.
    Mapped,
    /// By reading into private buffers, each block checked. Safe for files that others may change.
    Buffered,
}

/// An open file. All methods may be called from any thread.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: Arc<dyn VfsFile>,
    header: Header,
    superblock: Superblock,
    recovered: bool,
    directory: Directory,
    mapping: Option<Arc<Mapping>>,
    slots: Vec<Mutex<Option<Slot>>>,
    ledger: Ledger,
}

/// A segment that was touched.
#[derive(Debug)]
struct Slot {
    bytes: Pinned,
    /// Keeps the addresses of a mapped segment in the ledger; a decoded buffer carries its own charge.
    _mapped: Option<Charge>,
}

impl Store {
    /// Opens the file at `path`. Reads three pages and the directory, whatever the size of the file.
    ///
    /// # Errors
    /// What the file system says, or what is wrong with the file.
    pub fn open(vfs: &dyn Vfs, path: &Path, mode: OpenMode) -> Result<Self> {
        let file = vfs.open(path)?;
        let format = |error| StoreError::format(path, error);
        let len = file.len()?;
        let mut page = [0u8; PAGE];
        let head = &mut page[..len.min(PAGE as u64) as usize];
        file.read_exact_at(0, head)?;
        let header = Header::from_page(head).map_err(format)?;
        let (superblock, directory, recovered) = read_newest(&*file, path, &header, len)?;
        let mapping = match mode {
            OpenMode::Mapped => file.map()?.map(Arc::new),
            OpenMode::Buffered => None,
        };
        let slots = directory.segments.iter().map(|_| Mutex::new(None)).collect();
        let ledger = Ledger::new();
        let path = path.to_owned();
        Ok(Self { path, file, header, superblock, recovered, directory, mapping, slots, ledger })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The first page.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The slot that was opened.
    pub fn superblock(&self) -> &Superblock {
        &self.superblock
    }

    /// True if the newest commit was damaged and the one before it was opened.
    pub fn is_recovered(&self) -> bool {
        self.recovered
    }

    /// What the file holds.
    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    /// Who holds how many bytes; accounts are segment numbers.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Whether segments are read in place.
    pub fn is_mapped(&self) -> bool {
        self.mapping.is_some()
    }

    /// The open file, for those who check it.
    pub(crate) fn file(&self) -> &dyn VfsFile {
        &*self.file
    }

    /// The plain bytes of a segment. The first call maps or decodes it, later ones are a lock and a count.
    ///
    /// # Errors
    /// Damage with segment and offset, or what the file system says.
    pub fn load(&self, segment: SegmentId) -> Result<Pinned> {
        let slot = self.slots.get(segment.index()).zip(self.directory.segments.get(segment.index()));
        let (slot, row) = slot.ok_or_else(|| {
            self.damaged(FormatError::damaged("directory", "a segment that exists", segment.0))
        })?;
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = &*slot {
            return Ok(slot.bytes.clone());
        }
        let loaded = self.load_new(segment, row)?;
        let bytes = loaded.bytes.clone();
        *slot = Some(loaded);
        Ok(bytes)
    }

    /// Gives back what the store holds of a segment, as far as nobody has it pinned. Later reads load it again.
    pub fn evict(&self, segment: SegmentId) {
        let Some(slot) = self.slots.get(segment.index()) else { return };
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let row = &self.directory.segments[segment.index()];
        if let Some(mapping) = &self.mapping {
            let range = row.offset as usize..row.table_offset() as usize;
            // Dropping pages of a map is advice: if the system declines, memory stays used, and nothing is wrong.
            let _ = mapping.advise(range, Advice::DontNeed);
        }
    }

    fn load_new(&self, segment: SegmentId, row: &SegmentRow) -> Result<Slot> {
        let account = AccountId(segment.0);
        if let Some(mapping) = self.mapping.as_ref().filter(|_| row.codec == Codec::None) {
            let range = row.offset as usize..(row.offset + row.stored_len) as usize;
            let bytes = Pinned::from(Arc::clone(mapping)).slice(range);
            let bytes = bytes.ok_or_else(|| self.short())?;
            let charge = self.ledger.charge(account, MemoryState::Mapped, row.stored_len);
            return Ok(Slot { bytes, _mapped: Some(charge) });
        }
        let table = self.block_table(segment, row)?;
        let length =
            usize::try_from(row.plain_len).map_err(|_| StoreError::OutOfMemory { bytes: row.plain_len })?;
        let charge = self.ledger.charge(account, MemoryState::Decoded, row.plain_len);
        let mut bytes = AlignedBytes::zeroed(length)?.with_charge(charge);
        self.decode(&table, segment, row, bytes.as_mut_bytes())?;
        Ok(Slot { bytes: Pinned::from(bytes), _mapped: None })
    }

    /// The checked block table of a segment.
    pub(crate) fn block_table(&self, segment: SegmentId, row: &SegmentRow) -> Result<BlockTable> {
        let mut bytes = vec![0; row.table_len() as usize];
        self.file.read_exact_at(row.table_offset(), &mut bytes)?;
        BlockTable::read(&bytes, self.header.file_id, segment.0, *row).map_err(|error| self.damaged(error))
    }

    /// Reads, checks and decodes all blocks of a segment, a large one on all processors.
    fn decode(
        &self,
        table: &BlockTable,
        segment: SegmentId,
        row: &SegmentRow,
        plain: &mut [u8],
    ) -> Result<()> {
        let block_len = row.block_len as usize;
        let threads = match plain.len() >= PARALLEL_DECODE {
            true => std::thread::available_parallelism().map_or(1, usize::from),
            false => 1,
        };
        let blocks_each = plain.len().div_ceil(block_len).div_ceil(threads).max(1);
        let share = blocks_each * block_len;
        std::thread::scope(|scope| {
            let shares = plain.chunks_mut(share).enumerate().map(|(number, part)| {
                move || self.decode_blocks(table, segment, row, number * blocks_each, part)
            });
            if threads == 1 {
                return shares.into_iter().try_for_each(|mut work| work());
            }
            let running: Vec<_> = shares.map(|work| scope.spawn(work)).collect();
            running.into_iter().try_for_each(|thread| thread.join().expect("decoding does not panic"))
        })
    }

    /// Reads, checks and decodes the blocks from number `first`.
    fn decode_blocks(
        &self,
        table: &BlockTable,
        segment: SegmentId,
        row: &SegmentRow,
        first: usize,
        plain: &mut [u8],
    ) -> Result<()> {
        let (mut workspace, mut stored, mut scratch) = (Workspace::new(), Vec::new(), Vec::new());
        for (number, block) in (first..).zip(plain.chunks_mut(row.block_len as usize)) {
            let (offset, len) = table.block(number).ok_or_else(|| self.short())?;
            stored.resize(len, 0);
            self.file.read_exact_at(offset, &mut stored)?;
            table.check(number, &stored).map_err(|error| self.damaged(error))?;
            workspace.decompress(row.codec, &stored, block).map_err(|source| {
                let part = format!("segment {}", segment.0);
                self.damaged(FormatError::Block { part, block: number as u64, source })
            })?;
            row.filter.undo(block, &mut scratch);
        }
        Ok(())
    }

    /// What is wrong with this file.
    pub fn damaged(&self, error: FormatError) -> StoreError {
        StoreError::format(&self.path, error)
    }

    fn short(&self) -> StoreError {
        let file_len = self.superblock.file_len;
        self.damaged(FormatError::damaged("file", format!("{file_len} bytes"), "fewer"))
    }
}

impl Source for Store {
    type Bytes = Pinned;
    type Error = StoreError;

    fn row(&self, column: ColumnId) -> Result<ColumnRow> {
        self.directory
            .columns
            .get(column.index())
            .copied()
            .ok_or_else(|| self.damaged(FormatError::damaged("directory", "a column that exists", column.0)))
    }

    fn segment(&self, segment: SegmentId) -> Result<Pinned> {
        self.load(segment)
    }

    fn located(&self, error: StoreError) -> StoreError {
        match error {
            StoreError::Format { path, source } if path.as_os_str().is_empty() => {
                StoreError::Format { path: self.path.clone(), source }
            }
            error => error,
        }
    }
}

impl From<FormatError> for StoreError {
    /// An error of bytes, without the file: [`Store`] adds it when it opens a column.
    fn from(source: FormatError) -> Self {
        StoreError::Format { path: PathBuf::new(), source: Arc::new(source) }
    }
}

/// The newest superblock whose directory is whole, that directory, and whether a newer one had to be passed over.
fn read_newest(
    file: &dyn VfsFile,
    path: &Path,
    header: &Header,
    len: u64,
) -> Result<(Superblock, Directory, bool)> {
    let mut first_error = None;
    let mut slots = Vec::new();
    for number in [0u32, 1] {
        let mut page = [0u8; PAGE];
        let slot = file.read_exact_at((1 + u64::from(number)) * PAGE as u64, &mut page).and_then(|()| {
            Superblock::from_page(&page, &header.file_id, number)
                .map_err(|error| StoreError::format(path, error))
        });
        match slot {
            Ok(slot) => slots.extend(slot),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    slots.sort_by_key(|slot| std::cmp::Reverse(slot.generation));
    let newest = slots.first().map(|slot| slot.generation);
    for slot in slots {
        match read_directory(file, path, &slot, len) {
            Ok(directory) => {
                let recovered = first_error.is_some() || newest != Some(slot.generation);
                return Ok((slot, directory, recovered));
            }
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_else(|| {
        StoreError::format(path, FormatError::damaged("superblocks", "a commit", "none: writing never ended"))
    }))
}

fn read_directory(file: &dyn VfsFile, path: &Path, slot: &Superblock, len: u64) -> Result<Directory> {
    let format = |error| StoreError::format(path, error);
    if slot.file_len > len {
        return Err(StoreError::Truncated {
            path: path.to_owned(),
            offset: 0,
            wanted: slot.file_len,
            length: len,
        });
    }
    let mut bytes = vec![0; slot.directory_len as usize];
    file.read_exact_at(slot.directory_offset, &mut bytes)?;
    let found = hash(&bytes, slot.generation);
    if found != slot.directory_hash {
        let expected = format!("checksum {:016x}", slot.directory_hash);
        let found = format!("{found:016x}");
        return Err(format(FormatError::damaged_at("directory", slot.directory_offset, expected, found)));
    }
    Directory::from_bytes(&bytes, 3 * PAGE as u64, slot.directory_offset).map_err(format)
}
