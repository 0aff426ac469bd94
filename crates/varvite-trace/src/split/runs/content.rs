//! [`RunBlock`]: the parts of a block of runs, before they are compressed.

use super::super::references::{spread, spread_heads};
use super::LENGTHS;
use crate::schema::REFERENCE_LEN;

/// Runs of one thread that fill a block of a trace; [`Stream::write_runs`](crate::Stream::write_runs) writes
/// it.
#[derive(Debug, Default)]
pub struct RunBlock {
    pub(super) records: usize,
    pub(super) sizes: Vec<u8>,
    pub(super) heads: Vec<[u8; 4]>,
    pub(super) forms: Vec<u8>,
    pub(super) literals: Vec<u8>,
    pub(super) runs: Vec<u8>,
    pub(super) numbers: Vec<u16>,
    pub(super) codes: Vec<u8>,
    pub(super) differences: Vec<[u8; 8]>,
    /// The number of bytes of the planes of differences.
    pub(super) differences_len: usize,
    /// The changes of time. The first number is that of the first record after the change.
    pub(super) times: Vec<(usize, u64)>,
}

/// The most that a block may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunLimits {
    /// Bytes of records.
    pub(crate) plain: usize,
    /// Bytes before compression, without marks of time.
    pub(crate) split: usize,
    /// Changes of time.
    pub(crate) times: usize,
}

impl RunBlock {
    /// The number of records.
    pub fn records(&self) -> usize {
        self.records
    }

    /// Whether there are no runs.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// Removes the runs, and keeps the memory for others.
    pub fn clear(&mut self) {
        self.records = 0;
        self.sizes.clear();
        self.heads.clear();
        self.forms.clear();
        self.literals.clear();
        self.runs.clear();
        self.numbers.clear();
        self.codes.clear();
        self.differences.clear();
        self.differences_len = 0;
        self.times.clear();
    }

    /// The number of bytes of the block before compression, without marks.
    pub(super) fn split_len(&self) -> usize {
        let described = self.sizes.len() + 5 * self.forms.len() + self.literals.len();
        let run = self.runs.len() + 2 * self.numbers.len() + self.codes.len();
        4 * LENGTHS + described + run + self.differences_len
    }

    /// A limit that the block exceeds: the number in the block, and the limit.
    pub(crate) fn exceeded(&self, limits: &RunLimits) -> Option<(usize, usize)> {
        let numbers = [
            (self.records * REFERENCE_LEN, limits.plain),
            (self.split_len(), limits.split),
            (self.times.len(), limits.times),
        ];
        numbers.into_iter().find(|(found, limit)| found > limit)
    }

    /// The changes of time: a record's number, and the time from that record on.
    pub(crate) fn times(&self) -> &[(usize, u64)] {
        &self.times
    }

    /// Writes the parts into `output`, which has room for them. Returns the number of bytes written.
    /// Overwrites the differences.
    pub(crate) fn write(&mut self, output: &mut [u8]) -> usize {
        let lengths = [
            self.sizes.len(),
            self.forms.len(),
            self.literals.len(),
            self.runs.len(),
            self.numbers.len(),
            self.codes.len(),
        ];
        let mut rest = output;
        for length in lengths {
            put(&mut rest, &(length as u32).to_le_bytes());
        }
        put(&mut rest, &self.sizes);
        spread_heads(&self.heads, take(&mut rest, 4 * self.heads.len()));
        put(&mut rest, &self.forms);
        put(&mut rest, &self.literals);
        put(&mut rest, &self.runs);
        let (low, high) = take(&mut rest, 2 * self.numbers.len()).split_at_mut(self.numbers.len());
        for ((low, high), number) in low.iter_mut().zip(high).zip(&self.numbers) {
            [*low, *high] = number.to_le_bytes();
        }
        put(&mut rest, &self.codes);
        let len = self.split_len();
        spread(&mut self.differences, rest);
        len
    }
}

fn take<'a>(rest: &mut &'a mut [u8], len: usize) -> &'a mut [u8] {
    let (taken, after) = std::mem::take(rest).split_at_mut(len);
    *rest = after;
    taken
}

fn put(rest: &mut &mut [u8], bytes: &[u8]) {
    take(rest, bytes.len()).copy_from_slice(bytes);
}
