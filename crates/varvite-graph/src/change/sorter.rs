//! [`Sorter`]: records in the order of their keys; those of one key come back in the order in which they
//! came.
//!
//! Runs of them are sorted in memory. Where there is a disk, a run that is as large as it may be goes there,
//! and all are merged in the end, in several rounds if there are many.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::sync::Arc;

use varvite_store::{Scratch, Tape, TapeReader, Task};

use crate::error::{GraphError, Result};

/// The share of the memory limit for one run.
const SHARE: usize = 16;
/// Least bytes of a run.
const RUN_LEAST: usize = 8 << 10;
/// Most runs that are merged at once.
const RUNS: usize = 64;
/// Bounds of the bytes of one run that are in memory while runs are merged.
const PIECE: (usize, usize) = (512, 64 << 10);
/// Bytes before those of a record on the disk: its key, and how many bytes it has.
const HEAD: usize = 12;
/// Records between two checks of the cancel flag.
const LOOK: u32 = 1 << 16;

/// Takes up records in any order.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorter {
    scratch: Option<Arc<Scratch>>,
    run: Run,
    runs: Vec<Tape>,
}

/// Records that are in memory.
#[derive(Clone, Debug, Default)]
struct Run {
    /// The key of each, and which of the run it is.
    keys: Vec<(u64, u32)>,
    /// The end of each one's bytes.
    ends: Vec<usize>,
    bytes: Vec<u8>,
}

/// Records in their order, to be read any number of times.
#[derive(Clone, Debug)]
pub(super) struct SortedRecords {
    run: Run,
    runs: Vec<Tape>,
}

impl Sorter {
    /// No records, within the memory of `scratch`.
    pub(super) fn new(scratch: Option<&Arc<Scratch>>) -> Self {
        Self { scratch: scratch.cloned(), ..Self::default() }
    }

    /// Takes up a record.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn push(&mut self, key: u64, bytes: &[u8]) -> Result<()> {
        self.run.push(key, bytes);
        let Some(scratch) = &self.scratch else { return Ok(()) };
        let room = (scratch.memory() / SHARE).max(RUN_LEAST);
        if self.run.heap_bytes() < room { Ok(()) } else { self.put_aside() }
    }

    /// Bytes of memory that records take.
    pub(super) fn heap_bytes(&self) -> usize {
        self.run.heap_bytes()
    }

    /// Puts the records that are in memory on the disk, if there is one.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn put_aside(&mut self) -> Result<()> {
        if self.scratch.is_none() || self.run.keys.is_empty() {
            return Ok(());
        }
        let mut tape = self.tape();
        self.run.sort();
        (0..self.run.keys.len()).try_for_each(|at| {
            let (key, bytes) = self.run.get(at);
            write(&mut tape, key, bytes)
        })?;
        tape.settle()?;
        self.runs.push(tape);
        self.run = Run::default();
        Ok(())
    }

    /// All records.
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
                let mut merge = Merge::of(&rest)?;
                while merge.advance()? {
                    task_check(merge.taken, task)?;
                    let (key, bytes) = merge.record();
                    write(&mut tape, key, bytes)?;
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
    /// Calls `visit` with the key of each record, and its bytes.
    ///
    /// # Errors
    /// An error of the file system; those of `visit`;
    /// [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    pub(super) fn for_each<E: From<GraphError>>(
        &self,
        task: &Task<'_>,
        mut visit: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut records = self.reader()?;
        while let Some((key, bytes)) = records.next()? {
            visit(key, bytes)?;
            task_check(records.taken, task)?;
        }
        Ok(())
    }

    /// Reads from the first record on.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn reader(&self) -> Result<RecordReader<'_>> {
        let merge = if self.runs.is_empty() { None } else { Some(Merge::of(&self.runs)?) };
        Ok(RecordReader { run: &self.run, merge, taken: 0 })
    }
}

/// Reads records one after another.
pub(super) struct RecordReader<'r> {
    run: &'r Run,
    merge: Option<Merge<'r>>,
    taken: u32,
}

impl RecordReader<'_> {
    /// The key of the next record, and its bytes.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &[u8])>> {
        let at = self.taken as usize;
        self.taken = self.taken.wrapping_add(1);
        match &mut self.merge {
            None => Ok((at < self.run.keys.len()).then(|| self.run.get(at))),
            Some(merge) => Ok(if merge.advance()? { Some(merge.record()) } else { None }),
        }
    }
}

fn task_check(taken: u32, task: &Task<'_>) -> Result<()> {
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

    /// A record by its place in the order of keys.
    fn get(&self, at: usize) -> (u64, &[u8]) {
        let (key, index) = self.keys[at];
        let start = (index as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        (key, &self.bytes[start..self.ends[index as usize]])
    }
}

fn write(tape: &mut Tape, key: u64, bytes: &[u8]) -> Result<()> {
    let mut head = [0; HEAD];
    head[..8].copy_from_slice(&key.to_le_bytes());
    head[8..].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
    tape.write(&head)?;
    Ok(tape.write(bytes)?)
}

/// Sorted runs on the disk, as one. Memory holds the next key of each run, and the bytes of only one record,
/// since records may be large.
struct Merge<'r> {
    runs: Vec<RunReader<'r>>,
    /// The key of the next record of each run that has one, and the run.
    heads: BinaryHeap<Reverse<(u64, usize)>>,
    /// The run of the record that was taken last: its next one is not read yet.
    last: Option<usize>,
    /// Its bytes.
    bytes: Vec<u8>,
    taken: u32,
}

/// A run, up to the bytes of its next record.
struct RunReader<'r> {
    tape: TapeReader<'r>,
    key: u64,
    len: usize,
}

impl<'r> Merge<'r> {
    fn of(tapes: &'r [Tape]) -> Result<Self> {
        let (mut runs, mut heads) = (Vec::with_capacity(tapes.len()), BinaryHeap::new());
        for (number, tape) in tapes.iter().enumerate() {
            let mut run = RunReader { tape: tape.reader(), key: 0, len: 0 };
            if run.advance()? {
                heads.push(Reverse((run.key, number)));
            }
            runs.push(run);
        }
        Ok(Self { runs, heads, last: None, bytes: Vec::new(), taken: 0 })
    }

    /// Goes on to the next record; false at the end.
    fn advance(&mut self) -> Result<bool> {
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
        if let Some(last) = self.last {
            self.runs[last].read(&mut self.bytes)?;
        }
        Ok(self.last.is_some())
    }

    /// The record that was gone on to.
    fn record(&self) -> (u64, &[u8]) {
        let run = &self.runs[self.last.expect("there is one")];
        (run.key, &self.bytes)
    }
}

impl RunReader<'_> {
    /// Goes on to the next record; false at the end.
    fn advance(&mut self) -> Result<bool> {
        let Some(head) = self.tape.read_item::<HEAD>()? else { return Ok(false) };
        let [key @ .., a, b, c, d] = head;
        self.key = u64::from_le_bytes(key);
        self.len = u32::from_le_bytes([a, b, c, d]) as usize;
        Ok(true)
    }

    /// Reads the bytes of the record, behind which the next one begins.
    fn read(&mut self, bytes: &mut Vec<u8>) -> Result<()> {
        bytes.resize(self.len, 0);
        let read = self.tape.read(bytes)?;
        debug_assert_eq!(read, self.len, "whole records were written");
        Ok(())
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
        // The last has more runs than are merged at once.
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
