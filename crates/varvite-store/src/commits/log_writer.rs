//! [`LogWriter`]: appends records to the log of a file, and makes them durable.
//!
//! Threads append one after another, and each record is one write. Syncing is a separate step
//! ([`GroupSync`]), so that one sync acknowledges many records. After a failed write or sync nothing is
//! written any more, because the content of the disk is unknown.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use varvite_format::{Header, LogRecord, Superblock};

use crate::commits::group_sync::GroupSync;
use crate::commits::opened_state::RecordPlace;
use crate::error::{Result, StoreError};
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering};
use crate::vfs::VfsFile;

/// Appends records to the log of a file that no other writer changes.
#[derive(Debug)]
pub struct LogWriter {
    file: Arc<dyn VfsFile>,
    path: PathBuf,
    file_id: [u8; 16],
    generation: u64,
    /// The start of the log.
    start: u64,
    shared: Arc<LogEnd>,
    last: Mutex<Last>,
    syncs: GroupSync,
}

/// The state that all logs written under one lock share.
#[derive(Debug, Default)]
pub(crate) struct LogEnd {
    /// The end of the newest log, after which a large commit begins; 0 if there was no log.
    end: AtomicU64,
    /// The last record that was written.
    last: Mutex<Option<RecordPlace>>,
    /// The first failure, after which nothing is written.
    failure: Mutex<Option<Arc<StoreError>>>,
}

impl LogEnd {
    pub(crate) fn get(&self) -> u64 {
        self.end.load(Ordering::Acquire)
    }

    /// The last written record; `None` if it does not belong to the log of this generation.
    pub(crate) fn last_record(&self, generation: u64) -> Option<RecordPlace> {
        lock(&self.last).clone().filter(|last| last.generation == generation)
    }
}

/// The number and checksum of the last record.
#[derive(Clone, Copy, Debug)]
struct Last {
    number: u64,
    checksum: u64,
}

impl LogWriter {
    /// Begins the log of the commit of `superblock`, without writing anything.
    pub(crate) fn begin(
        file: Arc<dyn VfsFile>,
        path: &Path,
        (header, superblock): (&Header, &Superblock),
        shared: Arc<LogEnd>,
    ) -> Self {
        // If there is no valid start, the file is too long for a log; nothing is ever appended at this
        // offset.
        let start = LogRecord::log_start(superblock.file_len).unwrap_or(u64::MAX);
        shared.end.store(start, Ordering::Release);
        Self {
            file,
            path: path.to_owned(),
            file_id: header.file_id,
            generation: superblock.generation,
            start,
            shared,
            last: Mutex::new(Last { number: 0, checksum: superblock.directory_hash }),
            syncs: GroupSync::default(),
        }
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        lock(&self.last).number
    }

    /// The size of the log in bytes.
    pub fn bytes(&self) -> u64 {
        self.end() - self.start
    }

    /// The end of the last record.
    pub fn end(&self) -> u64 {
        self.shared.get()
    }

    /// Whether the log, with one more record of this payload length, stays within `bytes_max` and within the
    /// limits of readers.
    pub fn has_room(&self, payload_len: u64, bytes_max: u64) -> bool {
        let bytes = LogRecord::stored_len(payload_len).and_then(|len| len.checked_add(self.bytes()));
        bytes.is_some_and(|bytes| bytes <= bytes_max.min(LogRecord::LOG_MAX))
    }

    /// Appends a record, and returns its number. Readers see the record at once; until it is
    /// [synced](Self::sync), a power failure may lose it.
    ///
    /// # Errors
    /// [`StoreError::Replaced`] if the name now refers to another file; an error of the file system. From
    /// then on, [`StoreError::Poisoned`] for every call.
    pub fn append(&self, payload: &[u8]) -> Result<u64> {
        let mut last = lock(&self.last);
        self.check()?;
        let record = LogRecord {
            generation: self.generation,
            number: last.number + 1,
            durable: if planted!(LogDurableClaimed) { last.number } else { self.syncs.durable() },
            previous: last.checksum,
            payload_len: 0,
            payload_hash: 0,
            checksum: 0,
        };
        let (bytes, checksum) = record.to_bytes(&self.file_id, payload);
        let end = self.end();
        let written = self.write(end, &bytes);
        if !planted!(LogWriteErrorSwallowed) {
            self.or_fail(written)?;
        }
        *last = Last { number: record.number, checksum };
        let (file_id, generation) = (self.file_id, self.generation);
        *lock(&self.shared.last) = Some(RecordPlace { file_id, generation, offset: end, checksum });
        self.shared.end.store(end + bytes.len() as u64, Ordering::Release);
        Ok(record.number)
    }

    fn write(&self, at: u64, bytes: &[u8]) -> Result<()> {
        planted!(LogReplacedNotNoticed => return self.file.write_all_at(at, bytes));
        match self.file.is_at(&self.path)? {
            true => self.file.write_all_at(at, bytes),
            false => Err(StoreError::Replaced { path: self.path.clone() }),
        }
    }

    /// Makes record `number` and all records before it durable.
    ///
    /// # Errors
    /// An error of the file system; from then on [`StoreError::Poisoned`] for every call.
    pub fn sync(&self, number: u64) -> Result<()> {
        planted!(LogSyncSkipped => return Ok(()));
        self.syncs.reach(number, || {
            self.check()?;
            // Read the number before the sync, because records that are appended meanwhile may not be synced.
            let last = self.records();
            self.or_fail(self.file.sync())?;
            Ok(last)
        })
    }

    /// Fails if a write or sync has failed before.
    ///
    /// # Errors
    /// [`StoreError::Poisoned`].
    pub fn check(&self) -> Result<()> {
        planted!(LogFailureForgotten => return Ok(()));
        match &*lock(&self.shared.failure) {
            None => Ok(()),
            Some(first) => Err(StoreError::Poisoned { first: Arc::clone(first) }),
        }
    }

    /// Notes a failure, after which nothing is written.
    pub fn fail(&self, error: &StoreError) {
        lock(&self.shared.failure).get_or_insert_with(|| Arc::new(error.clone()));
    }

    fn or_fail<T>(&self, result: Result<T>) -> Result<T> {
        if let Err(error) = &result {
            self.fail(error);
        }
        result
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
