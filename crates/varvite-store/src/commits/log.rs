//! [`Log`]: the records after the commit of a file, found by the rules of docs/format.md.
//!
//! A record that is not whole normally ends the log, because its writer never reported it as durable. But if
//! a later record proves that the record was durable, the file is damaged. A writer may be appending during
//! the read, so a record that seems damaged is read again before the damage is reported.

use std::path::Path;

use varvite_format::{Fault, FormatError, LogRecord, Part, Superblock};

use crate::commits::commit::{ATTEMPTS, Commit, PAUSE};
use crate::commits::opened_state::{Head, NO_HEAD, head_at};
use crate::error::{Result, StoreError};
use crate::vfs::VfsFile;

/// The number of bytes that one read takes from the log, or from the part of the file after the log.
const CHUNK: usize = 256 << 10;

/// The log of an open file.
#[derive(Clone, Debug)]
pub struct Log {
    /// The number of records that an earlier [`Log`] has read. This log does not have their payloads.
    skipped: u64,
    skipped_checksum: u64,
    /// The payloads of the records that were not skipped, concatenated.
    payloads: Vec<u8>,
    /// The end of each payload in `payloads`.
    ends: Vec<usize>,
    /// The checksum of each record, which also covers all records before it.
    checksums: Vec<u64>,
    records: u64,
    /// The start of the first record; if there is no record, the length of the file in the superblock.
    start: u64,
    /// The start of the last record.
    last: u64,
    /// The end of the last record.
    end: u64,
    /// The bytes of the file at the offset of the next record.
    next: Head,
    /// The checksum of the last record; of the directory if there is no record.
    checksum: u64,
    /// The length of the file when it was read.
    file_len: u64,
    /// Whether the file has records that follow the same commit, but lie after the end of the log.
    has_stale_records: bool,
}

impl Log {
    /// Reads the log of a commit, up to the present length of the file. Costs one comparison if nothing
    /// follows the commit in the file. If the log begins with the records of `known`, only the records after
    /// these are read.
    ///
    /// # Errors
    /// Damage of a durable record; an error of the file system.
    pub(crate) fn read(
        file: &dyn VfsFile,
        path: &Path,
        commit: &Commit,
        known: Option<&Self>,
    ) -> Result<Self> {
        let Commit { header, superblock, file_len, .. } = commit;
        let file_len = *file_len;
        let mut log = match known {
            Some(known) => known.to_be_continued(file_len),
            None => Self::of_no_records(superblock, file_len),
        };
        let start = LogRecord::log_start(superblock.file_len).filter(|start| *start < file_len);
        let Some(start) = start else { return Ok(log) };
        let limit = file_len.min(start.saturating_add(LogRecord::LOG_MAX));
        let (file_id, generation) = (header.file_id, superblock.generation);
        let at = if log.is_empty() { start } else { log.end };
        let ahead = Ahead { at, bytes: Vec::new() };
        let mut reading = Reading { file, file_id, generation, limit, at, ahead };
        loop {
            while let Some((record, payload, end)) = reading.next(log.records(), log.checksum)? {
                log.push(&record, payload, start, end)?;
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

    fn of_no_records(superblock: &Superblock, file_len: u64) -> Self {
        let end = superblock.file_len;
        Self {
            skipped: 0,
            skipped_checksum: superblock.directory_hash,
            payloads: Vec::new(),
            ends: Vec::new(),
            checksums: Vec::new(),
            records: 0,
            start: end,
            last: end,
            end,
            next: NO_HEAD,
            checksum: superblock.directory_hash,
            file_len,
            has_stale_records: false,
        }
    }

    /// A copy of this log without payloads, for a file of length `file_len`. The reader then adds the records
    /// that follow in the file.
    fn to_be_continued(&self, file_len: u64) -> Self {
        Self {
            skipped: self.records,
            skipped_checksum: self.checksum,
            payloads: Vec::new(),
            ends: Vec::new(),
            checksums: Vec::new(),
            next: NO_HEAD,
            file_len,
            has_stale_records: false,
            ..*self
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

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Whether the log has no records.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// The size of all records in the file, in bytes.
    pub fn bytes(&self) -> u64 {
        self.end - self.start
    }

    /// The number of bytes after the last record, or after the commit if there is no record: these bytes
    /// belong to a commit or record that was not finished when the file was opened.
    pub fn leftover_bytes(&self) -> u64 {
        self.file_len.saturating_sub(self.end)
    }

    /// The payloads of the records that were not [skipped](Self::skipped). Empty in a store that has applied
    /// the payloads and freed them.
    pub fn payloads(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.ends.len()).map(|number| {
            let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.payloads[start..self.ends[number]]
        })
    }

    /// The number of records that an earlier store had read, if this store was
    /// [reopened](crate::Store::reopen_behind) from it; otherwise 0.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Whether the log has at least `records` records, and record number `records` has this checksum.
    pub fn begins_with(&self, records: u64, checksum: u64) -> bool {
        let Some(behind) = records.checked_sub(self.skipped) else { return false };
        match behind.checked_sub(1) {
            None => records > 0 && self.skipped_checksum == checksum,
            Some(last) => self.checksums.get(last as usize) == Some(&checksum),
        }
    }

    /// The size of all payloads in bytes.
    pub fn payload_bytes(&self) -> u64 {
        self.payloads.len() as u64
    }

    /// Returns the log without its payloads, for use when no reader needs them any more.
    pub(crate) fn without_payloads(mut self) -> Self {
        (self.payloads, self.ends, self.checksums) = (Vec::new(), Vec::new(), Vec::new());
        self
    }

    /// The end of the used part of the file: of the last record, or of the commit if there is no record.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The checksum of the last record, which covers all records before it and the commit that the log
    /// follows.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The start of the last record; `None` if the log has no record.
    pub(crate) fn last_record(&self) -> Option<u64> {
        (self.records > 0).then_some(self.last)
    }

    /// The start of the next record, and the bytes of the file there; `None` if no record may begin.
    pub(crate) fn next_record(&self) -> Option<(u64, Head)> {
        LogRecord::log_start(self.end).map(|offset| (offset, self.next))
    }

    pub(crate) fn file_len(&self) -> u64 {
        self.file_len
    }

    /// Whether the file has records that follow the same commit, but lie after the end of the log. The reader
    /// dropped these records, so nothing may be appended to this log.
    pub(crate) fn has_stale_records(&self) -> bool {
        self.has_stale_records
    }
}

/// The content of the file after a record that is not whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// No record of this log.
    Nothing,
    /// Records that do not prove that the missing record was durable.
    Stale,
    /// A record that proves that the missing record was durable.
    Proof,
}

struct Reading<'a> {
    file: &'a dyn VfsFile,
    file_id: [u8; 16],
    generation: u64,
    /// The end of the file or the largest permitted end of a log, whichever is less.
    limit: u64,
    /// The start of the next record.
    at: u64,
    ahead: Ahead,
}

/// A part of the file, read in one step because records are small.
struct Ahead {
    at: u64,
    bytes: Vec<u8>,
}

impl Ahead {
    /// The bytes from `at` to `end`, which is at most `limit`.
    fn get(&mut self, file: &dyn VfsFile, at: u64, end: u64, limit: u64) -> Result<&[u8]> {
        let len = (end - at) as usize;
        let is_here = at >= self.at && end <= self.at + self.bytes.len() as u64;
        if !is_here {
            let wanted = len.max((limit - at).min(CHUNK as u64) as usize);
            self.bytes.clear();
            self.bytes
                .try_reserve_exact(wanted)
                .map_err(|_| StoreError::OutOfMemory { bytes: wanted as u64 })?;
            self.bytes.resize(wanted, 0);
            self.at = at;
            let read = file.read_exact_at(at, &mut self.bytes);
            if read.is_err() {
                self.bytes.clear();
            }
            read?;
        }
        let start = (at - self.at) as usize;
        Ok(&self.bytes[start..start + len])
    }
}

impl Reading<'_> {
    /// Reads the record that follows the record with this number and checksum. Returns the record, its
    /// payload and its end; `None` if the record is not whole.
    fn next(&mut self, number: u64, checksum: u64) -> Result<Option<(LogRecord, &[u8], u64)>> {
        let Self { file, limit, at, .. } = *self;
        let head_end = at.saturating_add(LogRecord::HEAD as u64);
        if head_end > limit {
            return Ok(None);
        }
        let record = LogRecord::from_head(self.ahead.get(file, at, head_end, limit)?, &self.file_id)
            .filter(|record| self.is_next(record, number, checksum));
        let Some(record) = record else { return Ok(None) };
        let end = LogRecord::stored_len(record.payload_len).and_then(|len| at.checked_add(len));
        let Some(end) = end.filter(|end| *end <= limit) else { return Ok(None) };
        let bytes = &self.ahead.get(file, at, end, limit)?[LogRecord::HEAD..];
        let payload = record.payload(bytes);
        let torn = bytes.get(..record.payload_len as usize);
        let payload = if planted!(LogTornRecordTaken) { torn } else { payload };
        let Some(payload) = payload else { return Ok(None) };
        self.at = end;
        Ok(Some((record, payload, end)))
    }

    /// Whether `record` follows the record with this number and checksum.
    fn is_next(&self, record: &LogRecord, number: u64, checksum: u64) -> bool {
        planted!(LogChainNotChecked => return record.follows(self.generation, number, record.previous));
        planted!(LogOlderGenerationTaken => return record.follows(record.generation, number, checksum));
        record.follows(self.generation, number, checksum)
    }

    /// Reads an incomplete record a few more times, and returns whether it becomes whole.
    fn comes_back(&mut self, number: u64, checksum: u64) -> Result<bool> {
        let at = self.at;
        for _ in 1..ATTEMPTS {
            std::thread::sleep(PAUSE);
            self.ahead.bytes.clear();
            if self.next(number, checksum)?.is_some() {
                self.at = at;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Searches the file for later records of this log, after record `missing` was not found at its offset.
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
