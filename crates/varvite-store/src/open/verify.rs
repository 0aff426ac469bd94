//! Checks that every byte of a file is as its writer wrote it.
//!
//! Blocks are checked on all processors. Bytes outside of segments and tables must be zero, so that damage to
//! them is found. The gap before a segment or directory may have other bytes if an older commit left its
//! directory there. The graph, not the store, checks whether columns agree with each other.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use varvite_codec::Codec;
use varvite_format::{Fault, FormatError, PAGE, Part, SegmentId, Superblock};

use crate::commits::commit::Recovery;
use crate::error::Result;
use crate::open::store::Store;
use crate::work::task::Task;
use crate::work::threads;

/// The largest valid gap between segments, in bytes. Writers leave smaller gaps; a larger gap is reported as
/// a problem.
const GAP_MAX: u64 = 1 << 20;

/// The result of a check of all bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifyReport {
    /// The number of blocks that were checked.
    pub blocks: u64,
    /// The number of stored bytes that were checked.
    pub bytes: u64,
    /// The problems in file order, at most [`VerifyReport::PROBLEMS_MAX`].
    pub problems: Vec<String>,
    /// The number of bytes after the end of the opened commit and its log. They belong to an unfinished
    /// commit, which the next commit overwrites, or to a commit that was made after the opening. Neither is
    /// damage.
    pub leftover_bytes: u64,
    /// The number of valid records in the log.
    pub log_records: u64,
    /// Segments with damaged blocks, ascending. A caller that has the directory can name the columns in these
    /// segments.
    pub damaged_segments: Vec<SegmentId>,
}

impl VerifyReport {
    /// The largest number of problems in a report.
    pub const PROBLEMS_MAX: usize = 100;
}

impl Store {
    /// Reads and checks every byte of the file. Progress is counted in bytes.
    ///
    /// # Errors
    /// An error of the file system, or [`StoreError::Cancelled`](crate::StoreError::Cancelled). Damage is not
    /// an error here but a problem in the report.
    pub fn verify(&self, task: &Task<'_>) -> Result<VerifyReport> {
        let mut report = VerifyReport::default();
        self.verify_fixed(&mut report)?;
        self.verify_gaps(&mut report)?;
        let segments = &self.directory().segments;
        let total: u64 = segments.iter().map(|row| row.stored_len).sum();
        let (next, done, blocks) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let problems = Mutex::new(Vec::new());
        let work = || {
            while task.check().is_ok() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(row) = segments.get(number) else { break };
                let found = self.verify_segment(SegmentId(number as u32), task, &blocks);
                let mut problems = problems.lock().unwrap_or_else(|poison| poison.into_inner());
                problems.extend(found.into_iter().map(|problem| (number, problem)));
                let done = done.fetch_add(row.stored_len, Ordering::Relaxed) + row.stored_len;
                task.bytes("blocks", done, total);
            }
        };
        threads::run(task.thread_count().min(segments.len()), work);
        task.check()?;
        let mut problems = problems.into_inner().unwrap_or_else(|poison| poison.into_inner());
        problems.sort();
        report.damaged_segments = problems.iter().map(|(number, _)| SegmentId(*number as u32)).collect();
        report.damaged_segments.dedup();
        report.problems.extend(problems.into_iter().map(|(_, problem)| problem));
        report.problems.truncate(VerifyReport::PROBLEMS_MAX);
        report.blocks = blocks.into_inner();
        report.bytes = total;
        Ok(report)
    }

    /// Checks both superblocks, the length of the file, and the opened commit.
    fn verify_fixed(&self, report: &mut VerifyReport) -> Result<()> {
        for number in [0u32, 1] {
            let mut page = [0u8; PAGE];
            self.file().read_exact_at((1 + u64::from(number)) * PAGE as u64, &mut page)?;
            let slot = Superblock::from_page(&page, &self.header().file_id, number);
            report.problems.extend(slot.err().map(|error| error.to_string()));
        }
        let opened = self.superblock().generation;
        report.problems.extend(self.recovery().map(|recovery| match recovery {
            Recovery::Commit { generation } => {
                format!("the newest commit, {generation}, is damaged; commit {opened} was opened")
            }
            Recovery::Slot => format!("a superblock is damaged; commit {opened} was opened"),
        }));
        let (expected, found) = (self.superblock().file_len, self.file().len()?);
        if found < expected {
            let error = FormatError::damaged(Part::File, Fault::Count { what: "bytes", expected, found });
            report.problems.push(error.to_string());
        }
        report.log_records = self.log().records();
        report.leftover_bytes = found.saturating_sub(self.log().end());
        Ok(())
    }

    /// Checks the bytes between segments, and between the directory and the end of the commit. Gaps before
    /// segments or directories of later commits may have any bytes, left by older commits; the bytes after
    /// the directory belong to this commit.
    fn verify_gaps(&self, report: &mut VerifyReport) -> Result<()> {
        let mut end = 3 * PAGE as u64;
        let rows = self.directory().segments.iter().filter(|row| self.is_in_file(row));
        let starts = rows.map(|row| (row.offset, row.end()));
        let slot = self.superblock();
        let directory = (slot.directory_offset, slot.directory_offset + slot.directory_len);
        for (start, after) in starts.chain([directory, (slot.file_len, slot.file_len)]) {
            if slot.generation > 1 && start != slot.file_len {
                end = after;
                continue;
            }
            let found = start.saturating_sub(end);
            let mut gap = vec![0; found.min(GAP_MAX) as usize];
            if found > GAP_MAX {
                let fault = Fault::TooMany { what: "bytes", most: GAP_MAX, found };
                let error = FormatError::damaged_at(Part::Padding, end, fault);
                report.problems.push(error.to_string());
            }
            self.file().read_exact_at(end, &mut gap)?;
            if let Some(at) = gap.iter().position(|byte| *byte != 0) {
                let error = FormatError::damaged_at(Part::Padding, end + at as u64, Fault::NotZero);
                report.problems.push(error.to_string());
            }
            end = after;
        }
        Ok(())
    }

    fn verify_segment(&self, segment: SegmentId, task: &Task<'_>, blocks: &AtomicU64) -> Vec<String> {
        let reader = match self.reader(segment) {
            Ok(reader) => reader,
            Err(error) => return vec![error.to_string()],
        };
        let (mut bytes, mut problems) = (Vec::new(), Vec::new());
        for number in (0..reader.blocks()).take_while(|_| task.check().is_ok()) {
            let checked = if reader.row().codec == Codec::None {
                reader.read_stored(number, &mut bytes)
            } else {
                bytes.resize(reader.row().plain_block_len(number as u64), 0);
                reader.read_block(number, &mut bytes)
            };
            problems.extend(checked.err().map(|error| error.to_string()));
            blocks.fetch_add(1, Ordering::Relaxed);
        }
        problems
    }
}
