//! [`Log`]: the records behind the commit of a file, found by the rules of docs/format.md.
//!
//! A record that is not whole ends the log: its writer never reported it as safe. If a later record proves
//! that it was safe, it is damaged. A writer may be appending meanwhile, so apparent damage is read again
//! before it is reported.

use std::path::Path;

use varvite_format::{Fault, FormatError, LogRecord, Part, Superblock};

use crate::commits::commit::{ATTEMPTS, Commit, PAUSE};
use crate::commits::opened_state::{Head, NO_HEAD, head_at};
use crate::error::{Result, StoreError};
use crate::vfs::VfsFile;

/// Bytes that are read at once, of the log and behind it.
const CHUNK: usize = 256 << 10;

/// The log of an open file.
#[derive(Clone, Debug)]
pub struct Log {
    /// The number of records read before, whose payloads are not here, and the checksum of the last of them.
    skipped: u64,
    skipped_checksum: u64,
    /// All other payloads, end to end.
    payloads: Vec<u8>,
    /// The end of each.
    ends: Vec<usize>,
    /// The checksum of each record, which covers those before it.
    checksums: Vec<u64>,
    records: u64,
    /// The start of the first record; the length of the file as the superblock has it, if there is none.
    start: u64,
    /// The start of the last record.
    last: u64,
    /// The end of the last record.
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
    /// Reads the log of a commit, up to the length of the file at that time. Costs a comparison, if nothing
    /// is behind the commit. If the log begins with the `known` records, only those behind are read.
    ///
    /// # Errors
    /// Damage of a record that was durable; an error of the file system.
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

    /// The same records without their payloads, behind which others follow in a file of this length.
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

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// Bytes of the file that they take.
    pub fn bytes(&self) -> u64 {
        self.end - self.start
    }

    /// Bytes behind the last record, or behind the commit: of a commit or record that was not finished when
    /// the file was opened.
    pub fn leftover_bytes(&self) -> u64 {
        self.file_len.saturating_sub(self.end)
    }

    /// The payloads, from that of the first record that was not [skipped](Self::skipped). A store that has
    /// taken them up has none any more.
    pub fn payloads(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.ends.len()).map(|number| {
            let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.payloads[start..self.ends[number]]
        })
    }

    /// The number of records that the store before had read, if this one was
    /// [reopened](crate::Store::reopen_behind) from it.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Whether the log begins with so many records, the last of them with this checksum.
    pub fn begins_with(&self, records: u64, checksum: u64) -> bool {
        let Some(behind) = records.checked_sub(self.skipped) else { return false };
        match behind.checked_sub(1) {
            None => records > 0 && self.skipped_checksum == checksum,
            Some(last) => self.checksums.get(last as usize) == Some(&checksum),
        }
    }

    /// Bytes of all payloads.
    pub fn payload_bytes(&self) -> u64 {
        self.payloads.len() as u64
    }

    /// Gives the payloads back when no reader needs them any more.
    pub(crate) fn without_payloads(mut self) -> Self {
        (self.payloads, self.ends, self.checksums) = (Vec::new(), Vec::new(), Vec::new());
        self
    }

    /// The end of the used part of the file: behind the last record, or the commit.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The checksum of the last record, which covers all before it and the commit that the log follows.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The start of the last record; none if there is none.
    pub(crate) fn last_record(&self) -> Option<u64> {
        (self.records > 0).then_some(self.last)
    }

    /// The start of the next record, and the bytes that were there; none if no record may begin.
    pub(crate) fn next_record(&self) -> Option<(u64, Head)> {
        LogRecord::log_start(self.end).map(|offset| (offset, self.next))
    }

    pub(crate) fn file_len(&self) -> u64 {
        self.file_len
    }

    /// Whether records of this generation lie behind the end, which were dropped: nothing may be appended to
    /// this log.
    pub(crate) fn has_stale_records(&self) -> bool {
        self.has_stale_records
    }
}

/// The bytes behind a record that is not whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// No record of this log.
    Nothing,
    /// Records that prove nothing about it.
    Stale,
    /// A record that proves that an earlier one was durable.
    Proof,
}

struct Reading<'a> {
    file: &'a dyn VfsFile,
    file_id: [u8; 16],
    generation: u64,
    /// The end of the file, or the largest end of the log.
    limit: u64,
    /// The start of the next record.
    at: u64,
    ahead: Ahead,
}

/// Bytes of the file that were read at once, because records are small.
struct Ahead {
    at: u64,
    bytes: Vec<u8>,
}

impl Ahead {
    /// The bytes from `at` to `end`, which is not behind `limit`.
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
    /// The record after one of this number and checksum, its payload and its end, if it is whole.
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
            self.ahead.bytes.clear();
            if self.next(number, checksum)?.is_some() {
                self.at = at;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Searches later records of this log, after record `missing` was not found at its place.
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
