//! A cursor of integers: it keeps the last decoded lane, so that the next value in that lane is cheap.
//!
//! The cursor returns the same values as plain reads, and accepts indexes in any order. It is faster than
//! plain reads if indexes rise in small steps, and about as fast otherwise.

use std::ops::Deref;

use super::Ints;
use crate::columns::codes::LANE;

/// A cursor of a column. After some successive reads in one lane, the lane is decoded and kept. Not for
/// relative columns.
#[derive(Debug)]
pub struct IntsCursor<'a, B> {
    ints: &'a Ints<B>,
    is_in_lanes: bool,
    /// The index of the first value in the lane of the last read.
    start: usize,
    /// The number of reads in the lane so far.
    reads: u32,
    /// The number of decoded values of the lane: all of them, or 0.
    decoded: usize,
    values: [i64; LANE],
}

/// The number of reads in a lane after which the whole lane is decoded. Decoding costs about as much as this
/// number of reads.
const READS: u32 = 8;

impl<'a, B: Deref<Target = [u8]> + Clone> IntsCursor<'a, B> {
    pub(crate) fn new(ints: &'a Ints<B>) -> Self {
        let is_in_lanes = ints.is_in_lanes();
        Self { ints, is_in_lanes, start: 0, reads: 0, decoded: 0, values: [0; LANE] }
    }

    /// Value number `index`. `None` past the end or if bytes are missing.
    #[inline]
    pub fn get(&mut self, index: usize) -> Option<i64> {
        if !self.is_in_lanes {
            return self.ints.get(index, 0);
        }
        let in_block = index.wrapping_sub(self.start);
        if in_block < self.decoded {
            return self.values.get(in_block).copied();
        }
        self.get_in_lane(index)
    }

    /// Value number `index`, which is not decoded yet, of a column in lanes.
    fn get_in_lane(&mut self, index: usize) -> Option<i64> {
        let start = index - index % LANE;
        if start != self.start {
            (self.start, self.reads, self.decoded) = (start, 0, 0);
        }
        self.reads += 1;
        if self.reads < READS {
            return self.ints.get(index, 0);
        }
        let len = self.ints.len().checked_sub(start)?.min(LANE);
        if self.ints.read(start, 0, &mut self.values[..len]).is_none() {
            // The missing bytes may belong to another value in the lane, so this value is read alone.
            self.reads = 0;
            return self.ints.get(index, 0);
        }
        self.decoded = len;
        self.values[..len].get(index - start).copied()
    }
}
