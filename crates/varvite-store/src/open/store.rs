//! [`Store`]: an open file. Opening reads header, superblocks and directory; segments are read on first use.
//!
//! A mapped store returns slices of one map of the file. It decodes only segments with a codec. The decoded
//! buffers are counted in the ledger, and cached within limits. A buffered store reads every segment into a
//! buffer and checks every block that it reads. It is meant for files from untrusted sources and on network
//! file systems. In both modes, the bytes are interpreted, and their values checked, only by the readers of
//! columns.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use varvite_codec::Codec;
use varvite_format::{
    ColumnId, ColumnRow, Continuable, Directory, Fault, FormatError, Header, PLAIN_BLOCK, Part, SegmentId,
    SegmentRow, SharedBlocks, Source, Superblock,
};

use crate::commits::commit::{Commit, Recovery};
use crate::commits::identity::Identity;
use crate::commits::log::Log;
use crate::commits::opened_state::{OpenedState, RecordPlace, Superblocks};
use crate::error::{Result, StoreError};
use crate::memory::buffers::Buffers;
use crate::memory::cache::Cache;
use crate::memory::ledger::{Account, AccountId, BookkeepingBytes, Charge, Ledger, MemoryState};
use crate::memory::mapping::Mapping;
use crate::memory::memory_watch::{MemoryWatch, Scope, Watched, WatchedFile};
use crate::memory::pinned::Pinned;
use crate::memory::shared_budget::{KEPT_SHARE, SharedBudget};
use crate::memory::slot::{Loaded, MappedPart, Slot};
use crate::open::failures::Failures;
use crate::open::kept_columns::KeptColumns;
use crate::open::open_file::OpenFile;
use crate::open::segment_blocks::SegmentBlocks;
use crate::open::segment_reader::SegmentReader;
use crate::open::tail::{Tail, WithTail};
use crate::vfs::{Vfs, VfsFile};

/// The way in which a store brings the bytes of a file into memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenMode {
    /// A map of the file: fast, without copies. No program may truncate the file while it is open.
    #[default]
    Mapped,
    /// A map, with a check of each segment on first use, so that damage is found before it is read. No
    /// program may truncate the file while it is open, and changes after the check are not found.
    Checked,
    /// Reads into private buffers, with a check of each block. Safe for files that other programs may change.
    Buffered,
}

/// Limits on the memory that the store keeps for later readers. Memory that readers hold now counts towards
/// the limits, and may exceed them; only [`Store::limit_memory`] sets a limit at which a pin fails. The
/// ledger names the holders of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimits {
    /// The largest number of bytes in private buffers. Decoded columns get seven eighths of the limit and
    /// single blocks of texts one eighth; blocks get up to seven eighths if columns leave that much unused.
    pub decoded_bytes_max: u64,
    /// The largest number of mapped bytes of the file. The system may take mapped pages back at any time; if
    /// there is a limit, the store itself gives pages back.
    pub mapped_bytes_max: u64,
}

impl MemoryLimits {
    /// Limits for one command that may use `bytes` bytes: at most half of them are kept for later readers.
    pub fn within(bytes: u64) -> Self {
        let default = Self::default();
        let decoded_bytes_max = default.decoded_bytes_max.min(bytes / KEPT_SHARE);
        Self { decoded_bytes_max, ..default }
    }
}

impl Default for MemoryLimits {
    /// 256 MiB of buffers, and no limit for the map.
    fn default() -> Self {
        Self { decoded_bytes_max: 256 << 20, mapped_bytes_max: u64::MAX }
    }
}

/// Options for opening a file.
#[derive(Clone, Debug, Default)]
pub struct StoreOptions {
    /// The way in which the store brings bytes into memory.
    pub mode: OpenMode,
    /// Limits on the memory that is kept for later readers.
    pub limits: MemoryLimits,
    /// The budget that the file shares with other files. The file uses the buffers of the budget, so
    /// [`MemoryLimits::decoded_bytes_max`] has no effect.
    pub budget: Option<SharedBudget>,
    /// The limit of the process's memory in bytes ([`Store::watch_memory`]). Without a budget, at most half
    /// of the limit is kept for later readers of all files that have a process limit, and
    /// [`MemoryLimits::decoded_bytes_max`] has no effect.
    pub process_max: Option<u64>,
}

impl From<OpenMode> for StoreOptions {
    fn from(mode: OpenMode) -> Self {
        Self { mode, ..Self::default() }
    }
}

/// The largest number of bytes of bookkeeping for one segment.
const BOOKS_OF_SEGMENT: u64 =
    (size_of::<Slot>() + Slot::FULL_BYTES + size_of::<OnceLock<Arc<SegmentBlocks>>>()) as u64;

/// The file or map from which segments are read.
struct Segments {
    file: Arc<dyn VfsFile>,
    mapping: Option<Arc<Mapping>>,
    is_checked: bool,
    tail: Option<Arc<Tail>>,
}

/// Limits on a store's memory.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub(super) limits: MemoryLimits,
    pub(super) budget: Option<SharedBudget>,
    pub(super) process_max: Option<u64>,
}

impl Memory {
    fn buffers(&self) -> Arc<Buffers> {
        match (&self.budget, self.process_max) {
            (Some(budget), _) => Arc::clone(budget.buffers()),
            (None, Some(bytes)) => Buffers::of_process(bytes / KEPT_SHARE),
            (None, None) => Arc::new(Buffers::new(self.limits.decoded_bytes_max)),
        }
    }
}

/// An open file. All methods may be called from any thread.
#[derive(Debug)]
pub struct Store {
    open: Arc<OpenFile>,
    /// The open file.
    pub(super) file: Arc<dyn VfsFile>,
    header: Header,
    superblock: Superblock,
    superblocks: Superblocks,
    whole: Continuable,
    recovery: Option<Recovery>,
    append_at: u64,
    directory: Directory,
    pub(super) log: Log,
    /// The columns and segments made from the log.
    tail: Option<Arc<Tail>>,
    pub(super) mapping: Option<Arc<Mapping>>,
    pub(super) is_checked: bool,
    slots: Arc<[Slot]>,
    /// Segments that are decoded block by block; each entry is set at the first read of its segment.
    segment_blocks: Box<[OnceLock<Arc<SegmentBlocks>>]>,
    pub(super) memory: Memory,
    /// The limit of heap bytes. Nothing is decoded that would exceed the limit.
    memory_max: AtomicU64,
    ledger: Ledger,
    _tables: Charge,
    _tail_charge: Option<Charge>,
    kept: KeptColumns,
    /// The cache of mapped segments; `None` if the map has no limit.
    mapped: Option<Cache>,
    /// Keeps the process within its limit; `None` without a limit.
    watch: Mutex<Option<MemoryWatch>>,
    /// Keeps the files of the shared budget within the budget.
    budget_watch: Option<MemoryWatch>,
    _books: Option<BookkeepingBytes>,
}

impl Store {
    /// Opens the file at `path`. Reads three pages and the directory, for a file of any size.
    ///
    /// # Errors
    /// An error of the file system, or a fault in the file. [`StoreError::OverBudget`] if the tables of the
    /// directory do not fit in the budget.
    pub fn open(vfs: &dyn Vfs, path: &Path, options: impl Into<StoreOptions>) -> Result<Self> {
        Self::of_file(vfs.open(path)?, path, options)
    }

    /// Opens a store of a file that is open already; `path` is the file's name in errors.
    pub(crate) fn of_file(
        file: Arc<dyn VfsFile>,
        path: &Path,
        options: impl Into<StoreOptions>,
    ) -> Result<Self> {
        let commit = Commit::read(&*file, path)?;
        let log = Log::read(&*file, path, &commit, None)?;
        Self::at_commit(file, commit, log, path, options.into())
    }

    /// Opens a store of an open file at a commit and a log that were read already.
    pub(super) fn at_commit(
        file: Arc<dyn VfsFile>,
        commit: Commit,
        log: Log,
        path: &Path,
        options: StoreOptions,
    ) -> Result<Self> {
        let StoreOptions { mode, limits, budget, process_max } = options;
        let mapping = match mode {
            OpenMode::Mapped | OpenMode::Checked => file.map()?.map(Arc::new),
            OpenMode::Buffered => None,
        };
        let segments = Segments { file, mapping, is_checked: mode == OpenMode::Checked, tail: None };
        let store = Self::of_commit(commit, log, segments, path, Memory { limits, budget, process_max });
        process_max.iter().for_each(|bytes| store.watch_memory(*bytes));
        store.check_memory()?;
        Ok(store)
    }

    /// The store of a commit, which reads its segments from `segments`.
    fn of_commit(commit: Commit, log: Log, segments: Segments, path: &Path, memory: Memory) -> Self {
        let Commit { header, superblock, superblocks, directory, whole, recovery, append_at, file_len: _ } =
            commit;
        let Segments { file, mapping, is_checked, tail } = segments;
        let ledger = memory.budget.as_ref().map_or_else(Ledger::new, SharedBudget::ledger);
        let buffers = memory.buffers();
        let _tables = ledger.charge(AccountId::DIRECTORY, MemoryState::Tables, directory.heap_bytes() as u64);
        let read_from: Arc<dyn VfsFile> = match &tail {
            None => Arc::clone(&file),
            Some(tail) => Arc::new(WithTail { file: Arc::clone(&file), tail: Arc::clone(tail) }),
        };
        let open = OpenFile::new(
            path.to_owned(),
            read_from,
            header.file_id,
            Arc::clone(&buffers),
            memory.budget.clone(),
        );
        let open = Arc::new(open);
        let watched = || WatchedFile { mapping: mapping.clone(), buffers: Arc::clone(&buffers) };
        let segments = directory.segments.len() as u64;
        let _books = memory.budget.as_ref().map(|budget| budget.keep_books(segments * BOOKS_OF_SEGMENT));
        let budget_watch = memory.budget.as_ref().and_then(|budget| budget.watch(watched()));
        Self {
            kept: KeptColumns { buffers, file: open.number },
            open,
            file,
            header,
            superblock,
            superblocks,
            whole,
            recovery,
            append_at,
            log,
            tail,
            budget_watch,
            _books,
            mapping,
            is_checked,
            slots: directory.segments.iter().map(|_| Slot::default()).collect(),
            segment_blocks: directory.segments.iter().map(|_| OnceLock::new()).collect(),
            directory,
            mapped: Some(memory.limits.mapped_bytes_max).filter(|max| *max < u64::MAX).map(Cache::new),
            memory,
            memory_max: AtomicU64::new(u64::MAX),
            ledger,
            _tables,
            _tail_charge: None,
            watch: Mutex::default(),
        }
    }

    /// Returns this store with its log applied. `directory` becomes its directory; columns and segments that
    /// are not in the file are in `tail`.
    ///
    /// # Errors
    /// [`StoreError::OverBudget`].
    pub(crate) fn with_tail(self, directory: Directory, tail: Tail) -> Result<Self> {
        let watched = self.watched();
        let Self { open, file, header, superblock, superblocks, whole, recovery, memory, .. } = self;
        let (append_at, log, mapping) = (self.append_at, self.log, self.mapping);
        let file_len = log.file_len();
        let commit =
            Commit { header, superblock, superblocks, directory, whole, recovery, append_at, file_len };
        let (is_checked, memory_max) = (self.is_checked, self.memory_max);
        let bytes = tail.heap_bytes();
        let segments = Segments { file, mapping, is_checked, tail: Some(Arc::new(tail)) };
        let mut store = Self::of_commit(commit, log.without_payloads(), segments, &open.path, memory);
        store.memory_max = memory_max;
        let account = store.ledger.account(AccountId::ENGINE);
        store._tail_charge = Some(store.charge(&account, MemoryState::Tables, bytes)?);
        watched.iter().for_each(|watched| store.watch_memory(watched.limit));
        Ok(store)
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.open.path
    }

    /// The header of the file, in its first page.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The superblock of the opened commit.
    pub fn superblock(&self) -> &Superblock {
        &self.superblock
    }

    /// The identity of the file and its commit.
    pub fn identity(&self) -> Identity {
        Identity { directory_hash: self.log.checksum(), ..self.commit_identity() }
    }

    /// The identity of the commit without its log.
    pub(crate) fn commit_identity(&self) -> Identity {
        Identity::new(&self.header, &self.superblock)
    }

    /// The log of the file at the time of opening.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The columns and segments made from the log, which are not in the file.
    pub(crate) fn tail(&self) -> Option<&Tail> {
        self.tail.as_deref()
    }

    /// Whether a log may be begun: the file has no log yet, no leftovers of a log, and no damage.
    pub fn can_begin_log(&self) -> bool {
        let is_newest = !self.is_recovered() && self.append_at == self.superblock.file_len;
        planted!(LogBegunOverLog => return is_newest);
        is_newest && self.log.is_empty() && !self.log.has_stale_records()
    }

    /// The file length against which the claims of the directory are checked: the length of the file, or the
    /// length that it would have if its log were written as columns.
    pub fn file_len(&self) -> u64 {
        self.tail.as_ref().map_or(self.superblock.file_len, |tail| tail.end())
    }

    /// The state in which the file was opened. A writer publishes a change only if the file is still in this
    /// state.
    pub(crate) fn opened_state(&self) -> OpenedState {
        OpenedState::of(&self.superblocks, self.last_record(), self.log.next_record())
    }

    /// The last record of the log; `None` if the log is empty.
    pub(super) fn last_record(&self) -> Option<RecordPlace> {
        self.log.last_record().map(|offset| RecordPlace {
            file_id: self.header.file_id,
            generation: self.superblock.generation,
            offset,
            checksum: self.log.checksum(),
        })
    }

    /// Whether a superblock or the newest commit was damaged, so that the commit of the other superblock was
    /// opened.
    pub fn is_recovered(&self) -> bool {
        self.recovery.is_some()
    }

    /// The reason why opening the file skipped a superblock or commit; `None` if nothing was skipped.
    pub fn recovery(&self) -> Option<Recovery> {
        self.recovery
    }

    /// The offset at which the next commit may begin: after all bytes of usable commits and their log.
    pub(crate) fn append_at(&self) -> u64 {
        planted!(CommitOverDirectory => return self.superblock.directory_offset);
        self.append_at.max(self.log.end())
    }

    /// The complete directory that the next commit may continue: its rows of columns and segments come first
    /// in [`Store::directory`].
    pub(crate) fn whole_directory(&self) -> Continuable {
        self.whole
    }

    /// The directory of the file.
    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    /// The ledger of this file's memory, with one account for each segment number.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Whether the file is mapped, so that segments without a codec are read in place.
    pub fn is_mapped(&self) -> bool {
        self.mapping.is_some()
    }

    /// The open file, for checks of its bytes.
    pub(crate) fn file(&self) -> &dyn VfsFile {
        &*self.open.file
    }

    /// The plain bytes of a segment. The first call maps or decodes the segment; later calls cost a lock and
    /// an atomic increment.
    ///
    /// # Errors
    /// Damage, with its segment and offset; an error of the file system.
    pub fn load(&self, segment: SegmentId) -> Result<Pinned> {
        let row = self.segment_row(segment)?;
        let in_place = self.is_in_place(row);
        let (bytes, is_new) =
            self.slots[segment.index()].lend(|| match (&self.mapping, self.in_tail(row)) {
                (_, Some(bytes)) => {
                    Ok(Loaded { bytes, mapped: None, account: self.ledger.account(AccountId(segment.0)) })
                }
                (Some(mapping), None) if in_place => self.map(mapping, segment, row),
                _ => self.decode(segment, row),
            })?;
        if let Some(mapping) = self.mapping.as_ref().filter(|_| in_place)
            && (mapping.mark_used() || is_new)
        {
            self.note_opened(bytes.len() as u64);
        }
        // Columns of a log stay in memory while the file is open, so no cache manages them.
        if is_new && self.is_in_file(row) {
            let cache = if in_place { self.mapped.as_ref() } else { Some(&self.kept.buffers.columns) };
            if let Some(cache) = cache {
                cache.admit(self.open.number, &self.slots, segment.index(), bytes.len() as u64);
            }
            if !in_place {
                self.kept.buffers.share_with_blocks();
            }
        }
        Ok(bytes)
    }

    /// Compares columns and their child columns with their checksums, if they are not checked when they are
    /// read (in [`OpenMode::Mapped`]). This is for callers that write the content of columns anew, because
    /// damage would get a valid checksum in the copy. Reads the columns completely.
    ///
    /// # Errors
    /// Damage, with its segment and offset; an error of the file system.
    pub fn check_columns(&self, columns: impl Iterator<Item = ColumnId>) -> Result<()> {
        if !self.is_mapped() || self.is_checked {
            return Ok(());
        }
        // Columns have higher numbers than their children, so a child that several columns share is checked
        // once.
        let mut left: BTreeSet<ColumnId> = columns.collect();
        while let Some(column) = left.pop_last() {
            let row = self.row(column)?;
            left.extend(row.children.into_iter().flatten());
            for segment in row.segments.into_iter().flatten() {
                if self.is_in_place(self.segment_row(segment)?) {
                    self.reader(segment)?.check_stored(&self.load(segment)?)?;
                }
            }
        }
        Ok(())
    }

    /// From now on, limits the heap bytes that the graph may hold. A call that would decode or charge more
    /// fails; a call that pins bytes may fail too. By default there is no limit.
    pub fn limit_memory(&self, bytes: u64) {
        self.memory_max.store(bytes, Ordering::Relaxed);
    }

    /// The limit of heap bytes that the graph may hold.
    pub fn memory_max(&self) -> u64 {
        self.memory_max.load(Ordering::Relaxed)
    }

    /// Keeps the process within `bytes` bytes while the file is open. The private memory of the process is
    /// counted, and so are the mapped pages of all files with such a limit. Of several limits, the least
    /// applies. One thread for the process checks every ten milliseconds, or sooner if the limit could be
    /// reached earlier. When the memory comes near the limit, the thread gives back mapped pages and unused
    /// buffers. [`Store::limit_memory`] makes allocations fail instead. A limit below
    /// [`PROCESS_MIN`](crate::PROCESS_MIN) can't be met.
    ///
    /// Does nothing where the system does not report the memory of the process.
    pub fn watch_memory(&self, bytes: u64) {
        let file = WatchedFile { mapping: self.mapping.clone(), buffers: Arc::clone(&self.kept.buffers) };
        let begun = MemoryWatch::start(file, &Scope::Process, bytes);
        self.open.limit_buffers();
        let before = std::mem::replace(&mut *self.watch(), begun);
        drop(before);
    }

    /// The budget that the file shares with other files; `None` if it was opened without a budget.
    pub fn budget(&self) -> Option<&SharedBudget> {
        self.memory.budget.as_ref()
    }

    /// The counts so far of the watch that [`Store::watch_memory`] began; `None` if there is no watch.
    pub fn watched(&self) -> Option<Watched> {
        self.watch().as_ref().map(MemoryWatch::watched)
    }

    /// Reports a column that a reader opened in the map to the watches.
    fn note_opened(&self, bytes: u64) {
        self.budget_watch.iter().for_each(|watch| watch.note_opened(bytes));
        self.watch().iter().for_each(|watch| watch.note_opened(bytes));
    }

    fn watch(&self) -> MutexGuard<'_, Option<MemoryWatch>> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Charges bytes to the ledger before the caller allocates them. If the bytes would exceed the limit,
    /// unused buffers are freed first.
    ///
    /// # Errors
    /// [`StoreError::OverBudget`]; the bytes are not in the ledger.
    pub fn charge(&self, account: &Account, state: MemoryState, bytes: u64) -> Result<Charge> {
        let charge = account.charge(state, bytes);
        self.check_memory()?;
        Ok(charge)
    }

    /// Checks that the heap bytes in the ledger are within the limit of the store, and the bytes of all files
    /// of the shared budget within the budget. If they are not, unused buffers are freed first.
    ///
    /// # Errors
    /// [`StoreError::OverBudget`].
    pub fn check_memory(&self) -> Result<()> {
        if let Some(budget) = &self.memory.budget {
            budget.check()?;
        }
        let limit = self.memory_max();
        if self.ledger.anonymous() > limit {
            self.release();
        }
        match self.ledger.anonymous() {
            needed if needed > limit => Err(StoreError::OverBudget { limit, needed }),
            _ => Ok(()),
        }
    }

    /// The number of plain bytes of all blocks decoded since the file was opened; a block that was decoded
    /// twice counts twice.
    pub fn decoded_bytes(&self) -> u64 {
        self.open.decoded_bytes()
    }

    /// Frees all cached memory that no reader holds. Later reads load the bytes again.
    pub fn release(&self) {
        match &self.mapped {
            Some(mapped) => mapped.shrink(0),
            None => self.release_mapped(),
        }
        self.kept.buffers.release(self.open.number);
    }

    fn release_mapped(&self) {
        for (slot, row) in self.slots.iter().zip(&self.directory.segments) {
            if self.is_in_place(row) {
                slot.give_back();
            }
        }
    }

    /// The number of bytes of the map that are resident in this process. `None` if the file is not mapped, or
    /// if the system does not report residency. Costs one small read for each two megabytes of the file.
    pub fn resident_bytes(&self) -> Option<u64> {
        let mapping = self.mapping.as_ref()?;
        mapping.resident_bytes(0..mapping.bytes().len())
    }

    /// The number of resident bytes of one segment and its block table, counted as in
    /// [`Store::resident_bytes`]; 0 for a segment that is not in the file.
    pub fn resident_bytes_of(&self, segment: SegmentId) -> Option<u64> {
        let (mapping, row) = (self.mapping.as_ref()?, self.directory.segments.get(segment.index())?);
        if !self.is_in_file(row) {
            return Some(0);
        }
        let end = row.table_offset().checked_add(row.table_len())?;
        mapping.resident_bytes(usize::try_from(row.offset).ok()?..usize::try_from(end).ok()?)
    }

    /// Errors of this file that no call could return: blocks that failed after their column was opened, and
    /// damage that cursors found.
    pub fn failures(&self) -> &Arc<Failures> {
        &self.open.failures
    }

    /// Whether a segment is read in place, from the map.
    fn is_in_place(&self, row: &SegmentRow) -> bool {
        self.is_mapped() && row.codec == Codec::None && self.is_in_file(row)
    }

    /// Whether a segment is in the file. Segments made from a log are not.
    pub(crate) fn is_in_file(&self, row: &SegmentRow) -> bool {
        self.tail.as_ref().is_none_or(|tail| row.offset < tail.start())
    }

    /// The bytes of a segment made from a log; `None` for other segments.
    pub(crate) fn in_tail(&self, row: &SegmentRow) -> Option<Pinned> {
        let tail = self.tail.as_ref().filter(|_| row.codec == Codec::None)?;
        tail.get(row.offset, usize::try_from(row.stored_len).ok()?)
    }

    fn map(&self, mapping: &Arc<Mapping>, segment: SegmentId, row: &SegmentRow) -> Result<Loaded> {
        let range = row.offset as usize..row.table_offset() as usize;
        let bytes = Pinned::from(Arc::clone(mapping)).slice(range.clone()).ok_or_else(|| self.short())?;
        if self.is_checked {
            self.reader(segment)?.check_stored(&bytes)?;
        }
        let account = self.ledger.account(AccountId(segment.0));
        let _charge = account.charge(MemoryState::Mapped, row.stored_len);
        let mapped = Some(MappedPart { mapping: Arc::clone(mapping), range, _charge });
        Ok(Loaded { bytes, mapped, account })
    }

    fn decode(&self, segment: SegmentId, row: &SegmentRow) -> Result<Loaded> {
        let reader = self.reader(segment)?;
        let length =
            usize::try_from(row.plain_len).map_err(|_| StoreError::OutOfMemory { bytes: row.plain_len })?;
        let account = self.ledger.account(AccountId(segment.0));
        let charge = self.charge(&account, MemoryState::Decoded, row.plain_len)?;
        let mut bytes = self.open.buffer(length)?.with_charge(charge);
        reader.read_all(bytes.as_mut_bytes())?;
        Ok(Loaded { bytes: Pinned::from(bytes), mapped: None, account })
    }

    /// A reader of the blocks of a segment. It does not use cached bytes.
    pub(crate) fn reader(&self, segment: SegmentId) -> Result<SegmentReader> {
        SegmentReader::new(&self.open, segment, self.segment_row(segment)?)
    }

    pub(crate) fn segment_row(&self, segment: SegmentId) -> Result<&SegmentRow> {
        self.directory
            .segments
            .get(segment.index())
            .ok_or_else(|| self.no_such("segment", segment.0, self.directory.segments.len()))
    }

    /// Turns a fault into an error of this file.
    pub fn damaged(&self, error: FormatError) -> StoreError {
        self.open.damaged(error)
    }

    fn short(&self) -> StoreError {
        let (least, found) = (self.superblock.file_len, self.open.file.len().unwrap_or(0));
        self.damaged(FormatError::damaged(Part::File, Fault::TooFew { what: "bytes", least, found }))
    }

    /// The error for a segment that is neither in the file nor in memory.
    pub(crate) fn missing_in_tail(&self, segment: SegmentId) -> StoreError {
        let fault = Fault::Missing { what: "bytes in memory", number: None };
        self.damaged(FormatError::damaged(Part::Segment(segment), fault))
    }

    fn no_such(&self, what: &'static str, number: u32, count: usize) -> StoreError {
        let fault = Fault::NoSuch { what, number: number.into(), count: count as u64 };
        self.damaged(FormatError::damaged(Part::Directory, fault))
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
            .ok_or_else(|| self.no_such("column", column.0, self.directory.columns.len()))
    }

    fn segment(&self, segment: SegmentId) -> Result<Pinned> {
        self.load(segment)
    }

    fn blocks(&self, segment: SegmentId) -> Result<Option<SharedBlocks<Pinned>>> {
        let row = self.segment_row(segment)?;
        if self.is_in_place(row) || !self.is_in_file(row) || row.plain_len <= u64::from(PLAIN_BLOCK) {
            return Ok(None);
        }
        let known = &self.segment_blocks[segment.index()];
        if let Some(blocks) = known.get() {
            return Ok(Some(blocks.clone()));
        }
        let reader = self.reader(segment)?;
        let account = self.ledger.account(AccountId(segment.0));
        let blocks = || Arc::new(SegmentBlocks::new(reader, account));
        // All readers of a segment share the blocks that one of them has decoded.
        Ok(Some(known.get_or_init(blocks).clone()))
    }

    fn located(&self, error: StoreError) -> StoreError {
        match error {
            StoreError::Format { path, source } if path.as_os_str().is_empty() => {
                StoreError::Format { path: self.open.path.clone(), source }
            }
            error => error,
        }
    }
}

impl From<FormatError> for StoreError {
    /// Makes an error without a path: [`Store`] adds the path when it opens a column.
    fn from(source: FormatError) -> Self {
        StoreError::Format { path: PathBuf::new(), source: Arc::new(source) }
    }
}
