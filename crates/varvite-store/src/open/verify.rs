//! Checks that every byte of a file is that of its writer.
//!
//! Blocks are checked on all processors. Bytes that belong to nothing must be zero, so that no damage hides
//! in them; but between segments of a file of several commits lie directories of older ones, which nothing
//! leads to any more. Whether columns agree with each other is for the graph to check, not for the store.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use varvite_codec::Codec;
use varvite_format::{Fault, FormatError, PAGE, Part, SegmentId, Superblock};

use crate::commits::commit::Recovery;
use crate::error::Result;
use crate::open::store::Store;
use crate::work::task::Task;
use crate::work::threads;

/// More bytes between segments than a writer leaves there.
const GAP_MAX: u64 = 1 << 20;

/// The result of a check of all bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifyReport {
    /// Blocks that were checked.
    pub blocks: u64,
    /// Stored bytes that were checked.
    pub bytes: u64,
    /// Everything that is wrong, in file order; no more than [`VerifyReport::PROBLEMS_MAX`].
    pub problems: Vec<String>,
    /// Bytes behind the end of the commit that was opened, and of its log: of a commit that was not finished,
    /// which the next one overwrites, or of a commit that was made since. Neither is damage.
    pub leftover_bytes: u64,
    /// Records of the log that were taken up.
    pub log_records: u64,
    /// Segments with damaged blocks, rising, so that a caller with the directory can name their contents.
    pub damaged_segments: Vec<SegmentId>,
}

impl VerifyReport {
    /// The most problems that are counted: more of them say nothing new.
    pub const PROBLEMS_MAX: usize = 100;
}

impl Store {
    /// Reads and checks every byte of the file. Progress counts bytes.
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

    /// Both superblocks, the length of the file, and the commit that was opened.
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

    /// Bytes between segments, and between the directory and the end. In front of segments of later commits
    /// and of their directory, older commits may have left any bytes; those behind the directory belong to
    /// this commit.
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
