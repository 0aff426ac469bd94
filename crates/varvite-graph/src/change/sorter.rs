//! [`Sorter`]: sorts records by key; records of one key keep the order in which they were added.
//!
//! Runs of records are sorted in memory. With a temporary file, each run that reaches its maximum size is
//! written to it. All runs are merged at the end, in several rounds if there are many.
//!
//! ```text
//! record on a disk = u64 key, u32 word, bytes
//! word             = the number of bytes; of a record without bytes, any number
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::sync::Arc;

use varvite_store::{Scratch, Tape, TapeReader, Task};

use crate::error::{GraphError, Result};

/// The memory for one run is the memory limit divided by this.
const SHARE: usize = 16;
/// The least memory for one run in bytes, whatever the memory limit.
const RUN_LEAST: usize = 8 << 10;
/// The maximum number of runs that are merged at once.
const RUNS: usize = 64;
/// The minimum and the maximum size, in bytes, of the buffer of one run while runs are merged.
const PIECE: (usize, usize) = (512, 64 << 10);
/// The size, in bytes, of a record's header on disk.
pub(super) const HEAD: usize = 12;
/// The number of records between two checks for cancellation.
const LOOK: u32 = 1 << 16;

/// Collects records in any order, to be sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorter {
    scratch: Option<Arc<Scratch>>,
    run: Run,
    runs: Vec<Tape>,
}

/// Records in memory.
#[derive(Clone, Debug, Default)]
struct Run {
    /// For each record, its key and its index in the run.
    keys: Vec<(u64, u32)>,
    /// The end of each record's bytes.
    ends: Vec<usize>,
    bytes: Vec<u8>,
}

/// Records in sorted order. They can be read any number of times.
#[derive(Clone, Debug)]
pub(super) struct SortedRecords {
    run: Run,
    runs: Vec<Tape>,
}

impl Sorter {
    /// Creates an empty sorter. Its memory is a part of the memory limit of `scratch`.
    pub(super) fn new(scratch: Option<&Arc<Scratch>>) -> Self {
        Self { scratch: scratch.cloned(), ..Self::default() }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn push(&mut self, key: u64, bytes: &[u8]) -> Result<()> {
        self.run.push(key, bytes);
        let Some(scratch) = &self.scratch else { return Ok(()) };
        let room = (scratch.memory() / SHARE).max(RUN_LEAST);
        if self.run.heap_bytes() < room { Ok(()) } else { self.put_aside() }
    }

    /// Bytes of memory that the records take.
    pub(super) fn heap_bytes(&self) -> usize {
        self.run.heap_bytes()
    }

    /// Writes the records in memory to the temporary file, if there is one.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn put_aside(&mut self) -> Result<()> {
        if self.scratch.is_none() || self.run.keys.is_empty() {
            return Ok(());
        }
        let mut tape = self.tape();
        self.run.sort();
        (0..self.run.keys.len()).try_for_each(|at| write(&mut tape, self.run.get(at)))?;
        tape.settle()?;
        self.runs.push(tape);
        self.run = Run::default();
        Ok(())
    }

    /// Sorts all records.
    ///
    /// # Errors
    /// An error of the file system; [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    pub(super) fn sorted(mut self, task: &Task<'_>) -> Result<SortedRecords> {
        if self.runs.is_empty() {
            self.run.sort();
            return Ok(SortedRecords { run: self.run, runs: Vec::new() });
        }
        self.put_aside()?;
        while self.runs.len() > RUNS {
            let mut rest = std::mem::take(&mut self.runs);
            while !rest.is_empty() {
                let later = rest.split_off(rest.len().min(RUNS));
                let mut tape = self.tape();
                let (mut merge, mut bytes) = (Merge::of(&rest)?, Vec::new());
                while let Some(run) = merge.next()? {
                    write(&mut tape, run.record(&mut bytes)?)?;
                    check_at(merge.taken, task)?;
                }
                drop(merge);
                tape.settle()?;
                self.runs.push(tape);
                rest = later;
            }
        }
        Ok(SortedRecords { run: Run::default(), runs: self.runs })
    }

    fn tape(&self) -> Tape {
        let memory = self.scratch.as_ref().map_or(usize::MAX, |scratch| scratch.memory());
        Tape::new(self.scratch.as_ref(), (memory / SHARE / RUNS).clamp(PIECE.0, PIECE.1))
    }
}

impl SortedRecords {
    /// Calls `visit` with the key and the bytes of each record.
    ///
    /// # Errors
    /// An error of the file system; the errors of `visit`;
    /// [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    pub(super) fn for_each<E: From<GraphError>>(
        &self,
        task: &Task<'_>,
        mut visit: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut records = self.reader()?;
        while let Some((key, bytes)) = records.next()? {
            visit(key, bytes)?;
            check_at(records.taken, task)?;
        }
        Ok(())
    }

    /// A reader that starts at the first record.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn reader(&self) -> Result<RecordReader<'_>> {
        let merge = if self.runs.is_empty() { None } else { Some(Merge::of(&self.runs)?) };
        Ok(RecordReader { run: &self.run, merge, bytes: Vec::new(), taken: 0 })
    }
}

/// A reader of records, one after another.
pub(super) struct RecordReader<'r> {
    run: &'r Run,
    merge: Option<Merge<'r>>,
    /// The bytes of the current record of the merge.
    bytes: Vec<u8>,
    taken: u32,
}

impl RecordReader<'_> {
    /// The key and the bytes of the next record.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &[u8])>> {
        let at = self.taken as usize;
        self.taken = self.taken.wrapping_add(1);
        match &mut self.merge {
            None => Ok((at < self.run.keys.len()).then(|| self.run.get(at))),
            Some(merge) => {
                let Some(run) = merge.next()? else { return Ok(None) };
                Ok(Some(run.record(&mut self.bytes)?))
            }
        }
    }
}

/// Checks for cancellation once per 65,536 records.
pub(super) fn check_at(taken: u32, task: &Task<'_>) -> Result<()> {
    if taken.is_multiple_of(LOOK) { Ok(task.check()?) } else { Ok(()) }
}

impl Run {
    fn push(&mut self, key: u64, bytes: &[u8]) {
        self.keys.push((key, self.keys.len() as u32));
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len());
    }

    fn heap_bytes(&self) -> usize {
        size_of_val(&*self.keys) + size_of_val(&*self.ends) + self.bytes.len()
    }

    fn sort(&mut self) {
        if !self.keys.is_sorted() {
            self.keys.sort_unstable();
        }
    }

    /// The record at an index, once the records are sorted by key.
    fn get(&self, at: usize) -> (u64, &[u8]) {
        let (key, index) = self.keys[at];
        let start = (index as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        (key, &self.bytes[start..self.ends[index as usize]])
    }
}

fn write(tape: &mut Tape, (key, bytes): (u64, &[u8])) -> Result<()> {
    write_head(tape, key, bytes.len() as u32)?;
    Ok(tape.write(bytes)?)
}

/// Writes the header of a record.
///
/// # Errors
/// An error of the file system.
#[inline]
pub(super) fn write_head(tape: &mut Tape, key: u64, word: u32) -> Result<()> {
    let mut head = [0; HEAD];
    head[..8].copy_from_slice(&key.to_le_bytes());
    head[8..].copy_from_slice(&word.to_le_bytes());
    Ok(tape.write(&head)?)
}

/// Reads the key and the word of the next record.
///
/// # Errors
/// An error of the file system.
#[inline]
pub(super) fn read_head(tape: &mut TapeReader<'_>) -> Result<Option<(u64, u32)>> {
    let Some([key @ .., a, b, c, d]) = tape.read_item::<HEAD>()? else { return Ok(None) };
    Ok(Some((u64::from_le_bytes(key), u32::from_le_bytes([a, b, c, d]))))
}

/// A merge of sorted runs on disk. Memory holds the header of each run's next record but not the record's
/// bytes, because they may be many. Records with equal keys are in the order of their runs.
pub(super) struct Merge<'r> {
    runs: Vec<RunReader<'r>>,
    /// For each run that has a next record: the key of that record, and the run.
    heads: BinaryHeap<Reverse<(u64, usize)>>,
    /// The run of the current record. This run's next header is not read yet.
    last: Option<usize>,
    /// The number of records taken so far, modulo 2^32.
    pub(super) taken: u32,
}

/// A reader of a run, positioned before the bytes of its current record.
pub(super) struct RunReader<'r> {
    tape: TapeReader<'r>,
    pub(super) key: u64,
    pub(super) word: u32,
}

impl<'r> Merge<'r> {
    /// A merge of runs, in the order in which they were written.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn of(tapes: &'r [Tape]) -> Result<Self> {
        let (mut runs, mut heads) = (Vec::with_capacity(tapes.len()), BinaryHeap::new());
        for (number, tape) in tapes.iter().enumerate() {
            let mut run = RunReader { tape: tape.reader(), key: 0, word: 0 };
            if run.advance()? {
                heads.push(Reverse((run.key, number)));
            }
            runs.push(run);
        }
        Ok(Self { runs, heads, last: None, taken: 0 })
    }

    /// The run whose current record is the next one of the merge. The bytes of the previous record, if it has
    /// any, must have been read.
    ///
    /// # Errors
    /// An error of the file system.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<&mut RunReader<'r>>> {
        if let Some(last) = self.last
            && let Some(mut head) = self.heads.peek_mut()
        {
            let run = &mut self.runs[last];
            match run.advance()? {
                true => head.0.0 = run.key,
                false => _ = PeekMut::pop(head),
            }
        }
        self.last = self.heads.peek().map(|Reverse((_, run))| *run);
        self.taken = self.taken.wrapping_add(1);
        Ok(self.last.map(|last| &mut self.runs[last]))
    }
}

impl RunReader<'_> {
    /// Reads the header of the next record; returns false at the end.
    fn advance(&mut self) -> Result<bool> {
        let Some((key, word)) = read_head(&mut self.tape)? else { return Ok(false) };
        (self.key, self.word) = (key, word);
        Ok(true)
    }

    /// Reads the bytes of the current record into `bytes`; returns the record's key and its bytes.
    #[inline]
    fn record<'b>(&mut self, bytes: &'b mut Vec<u8>) -> Result<(u64, &'b [u8])> {
        bytes.resize(self.word as usize, 0);
        let read = self.tape.read(bytes)?;
        debug_assert_eq!(read, bytes.len(), "whole records were written");
        Ok((self.key, bytes))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use varvite_testing::vfs::MemoryVfs;

    use super::*;

    fn records(count: u32, scratch: Option<&Arc<Scratch>>) -> Vec<(u64, Vec<u8>)> {
        let mut sorter = Sorter::new(scratch);
        for number in 0..count {
            let text = format!("{number}").repeat(number as usize % 4);
            sorter.push(u64::from(number * 7919 % 601), text.as_bytes()).unwrap();
        }
        let (sorted, mut records) = (sorter.sorted(&Task::new()).unwrap(), [Vec::new(), Vec::new()]);
        for records in &mut records {
            let visit = |key, bytes: &[u8]| {
                records.push((key, bytes.to_vec()));
                Ok::<(), GraphError>(())
            };
            sorted.for_each(&Task::new(), visit).unwrap();
        }
        let [first, again] = records;
        assert!(first == again);
        first
    }

    #[test]
    fn records_come_back_by_key_and_in_the_order_in_which_they_came() {
        let scratch = Scratch::beside(Arc::new(MemoryVfs::new()), Path::new("file"), 1).unwrap();
        let scratch = Arc::new(scratch);
        // The last count makes more runs than can be merged at once.
        for count in [0, 1, 300, 5_000, 40_000] {
            let mut expected: Vec<(u64, Vec<u8>)> = (0..count)
                .map(|number: u32| {
                    let text = format!("{number}").repeat(number as usize % 4);
                    (u64::from(number * 7919 % 601), text.into_bytes())
                })
                .collect();
            expected.sort_by_key(|(key, _)| *key);
            assert!(records(count, None) == expected);
            assert!(records(count, Some(&scratch)) == expected);
        }
        assert!(scratch.written() > 0);
    }
}
