//! [`Log`]: the records behind the commit that a file is at, found as docs/format.md says.
//!
//! A record that is not whole ends the log: whoever wrote it never said that it was safe. Unless a later one says that it was,
//! which is damage. Somebody may be appending meanwhile, so what looks like damage is read again before it is called that.

use std::path::Path;

use varvite_format::{Fault, FormatError, LogRecord, Part};

use crate::commits::commit::{ATTEMPTS, Commit, PAUSE};
use crate::commits::opened_state::{Head, NO_HEAD, head_at};
use crate::error::{Result, StoreError};
use crate::vfs::VfsFile;

/// What is looked through at once for records behind the end of the log.
const CHUNK: usize = 256 << 10;

/// The log of an open file.
#[derive(Clone, Debug)]
pub struct Log {
    /// All payloads, end to end.
    payloads: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
    /// The checksum of each record, which covers those before it.
    checksums: Vec<u64>,
    records: u64,
    /// Where the first record begins; the length of the file as the superblock has it, if there is none.
    start: u64,
    /// Where the last record begins.
    last: u64,
    /// Where the last record ends.
    end: u64,
    /// The bytes where the next record would begin.
    next: Head,
    /// The checksum of the last record, or of the directory.
    checksum: u64,
    /// The length of the file when it was read.
    file_len: u64,
    /// Whether records of this generation lie behind the end.
    has_stale_records: bool,
}

impl Log {
    /// Reads the log of a commit, as far as the file went when that was read. Costs a comparison, if nothing is behind the commit.
    ///
    /// # Errors
    /// Damage of a record that was durable; what the file system says.
    pub(crate) fn read(file: &dyn VfsFile, path: &Path, commit: &Commit) -> Result<Self> {
        let Commit { header, superblock, file_len, .. } = commit;
        let file_len = *file_len;
        let mut log = Self {
            payloads: Vec::new(),
            ends: Vec::new(),
            checksums: Vec::new(),
            records: 0,
            start: superblock.file_len,
            last: superblock.file_len,
            end: superblock.file_len,
            next: NO_HEAD,
            checksum: superblock.directory_hash,
            file_len,
            has_stale_records: false,
        };
        let start = LogRecord::log_start(superblock.file_len).filter(|start| *start < file_len);
        let Some(start) = start else { return Ok(log) };
        let limit = file_len.min(start.saturating_add(LogRecord::LOG_MAX));
        let mut reading =
            Reading { file, file_id: header.file_id, generation: superblock.generation, limit, at: start };
        loop {
            while let Some((record, payload)) = reading.next(log.records(), log.checksum)? {
                log.push(&record, &payload, start, reading.at)?;
            }
            log.next = head_at(file, reading.at)?;
            let missing = log.records() + 1;
            let behind = reading.behind(missing)?;
            log.has_stale_records = behind != Behind::Nothing;
            let is_fatal = behind == Behind::Proof || planted!(LogTailFatal) && behind == Behind::Stale;
            if !is_fatal || planted!(LogDamageDropped) {
                return Ok(log);
            }
            if !reading.comes_back(log.records(), log.checksum)? {
                let fault = Fault::Missing { what: "record that was durable", number: None };
                let error = FormatError::damaged_at(Part::LogRecord(missing), reading.at, fault);
                return Err(StoreError::format(path, error));
            }
        }
    }

    fn push(&mut self, record: &LogRecord, payload: &[u8], start: u64, end: u64) -> Result<()> {
        let bytes = payload.len() as u64;
        self.payloads.try_reserve(payload.len()).map_err(|_| StoreError::OutOfMemory { bytes })?;
        self.payloads.extend_from_slice(payload);
        self.ends.push(self.payloads.len());
        self.checksums.push(record.checksum);
        self.records += 1;
        self.last = if self.records == 1 { start } else { self.end };
        (self.start, self.end, self.checksum) = (start, end, record.checksum);
        Ok(())
    }

    /// How many records there are.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// Bytes of the file that they take.
    pub fn bytes(&self) -> u64 {
        self.end - self.start
    }

    /// Bytes behind the last record, or behind the commit: of a commit or record that was not finished when the file was opened.
    pub fn leftover_bytes(&self) -> u64 {
        self.file_len.saturating_sub(self.end)
    }

    /// The payloads, from that of record 1. A store that has taken them up has none any more.
    pub fn payloads(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.ends.len()).map(|number| {
            let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.payloads[start..self.ends[number]]
        })
    }

    /// Whether the log begins with so many records, of which the last has this checksum.
    pub fn begins_with(&self, records: u64, checksum: u64) -> bool {
        let last = records.checked_sub(1).and_then(|last| self.checksums.get(last as usize));
        last == Some(&checksum)
    }

    /// Bytes of all payloads.
    pub fn payload_bytes(&self) -> u64 {
        self.payloads.len() as u64
    }

    /// Gives the payloads back, once nobody asks for them any more.
    pub(crate) fn without_payloads(mut self) -> Self {
        (self.payloads, self.ends, self.checksums) = (Vec::new(), Vec::new(), Vec::new());
        self
    }

    /// Where the file ends as far as it counts: behind the last record, or the commit.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The checksum of the last record, which covers all before it and the commit that the log follows.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Where the last record begins; none if there is none.
    pub(crate) fn last_record(&self) -> Option<u64> {
        (self.records > 0).then_some(self.last)
    }

    /// Where the next record would begin, and the bytes that were there; none where no record may begin.
    pub(crate) fn next_record(&self) -> Option<(u64, Head)> {
        LogRecord::log_start(self.end).map(|offset| (offset, self.next))
    }

    pub(crate) fn file_len(&self) -> u64 {
        self.file_len
    }

    /// Whether records of this generation lie behind the end, which were dropped: nothing may be appended to this log.
    pub(crate) fn has_stale_records(&self) -> bool {
        self.has_stale_records
    }
}

/// What lies behind a record that is not whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// No record of this log.
    Nothing,
    /// Records that say nothing of it.
    Stale,
    /// One that says that it was durable.
    Proof,
}

struct Reading<'a> {
    file: &'a dyn VfsFile,
    file_id: [u8; 16],
    generation: u64,
    /// Where the file ends, or the log has to.
    limit: u64,
    /// Where the next record begins.
    at: u64,
}

impl Reading<'_> {
    /// The record after one of this number and checksum, if it is whole.
    fn next(&mut self, number: u64, checksum: u64) -> Result<Option<(LogRecord, Vec<u8>)>> {
        let head_end = self.at.saturating_add(LogRecord::HEAD as u64);
        if head_end > self.limit {
            return Ok(None);
        }
        let mut head = [0; LogRecord::HEAD];
        self.file.read_exact_at(self.at, &mut head)?;
        let record = LogRecord::from_head(&head, &self.file_id)
            .filter(|record| self.is_next(record, number, checksum));
        let Some(record) = record else { return Ok(None) };
        let end = LogRecord::stored_len(record.payload_len).and_then(|len| self.at.checked_add(len));
        let Some(end) = end.filter(|end| *end <= self.limit) else { return Ok(None) };
        let mut bytes = Vec::new();
        let len = (end - head_end) as usize;
        bytes.try_reserve_exact(len).map_err(|_| StoreError::OutOfMemory { bytes: len as u64 })?;
        bytes.resize(len, 0);
        self.file.read_exact_at(head_end, &mut bytes)?;
        let payload = record.payload(&bytes).map(<[u8]>::len);
        let payload = if planted!(LogTornRecordTaken) { Some(record.payload_len as usize) } else { payload };
        let Some(payload) = payload else { return Ok(None) };
        bytes.truncate(payload);
        self.at = end;
        Ok(Some((record, bytes)))
    }

    /// Whether a record is the one after one of this number and checksum.
    fn is_next(&self, record: &LogRecord, number: u64, checksum: u64) -> bool {
        planted!(LogChainNotChecked => return record.follows(self.generation, number, record.previous));
        planted!(LogOlderGenerationTaken => return record.follows(record.generation, number, checksum));
        record.follows(self.generation, number, checksum)
    }

    /// Whether a record that was not whole is, when it is read a few times more.
    fn comes_back(&mut self, number: u64, checksum: u64) -> Result<bool> {
        let at = self.at;
        for _ in 1..ATTEMPTS {
            std::thread::sleep(PAUSE);
            if self.next(number, checksum)?.is_some() {
                self.at = at;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks for records of this log, of which record `missing` is not where it should be.
    fn behind(&self, missing: u64) -> Result<Behind> {
        let (mut at, mut found) = (self.at, Behind::Nothing);
        let mut chunk = vec![0; CHUNK.min(self.limit.saturating_sub(at) as usize)];
        while at < self.limit {
            let len = CHUNK.min((self.limit - at) as usize);
            let chunk = &mut chunk[..len];
            self.file.read_exact_at(at, chunk)?;
            for head in chunk.chunks_exact(LogRecord::HEAD) {
                let record = LogRecord::from_head(head, &self.file_id);
                let Some(record) = record.filter(|record| record.generation == self.generation) else {
                    continue;
                };
                if record.number > missing && record.durable >= missing {
                    return Ok(Behind::Proof);
                }
                found = Behind::Stale;
            }
            at += len as u64;
        }
        Ok(found)
    }
}
