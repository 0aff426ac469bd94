//! Marks of time: the records of a block at which the time changes, and by how much.
//!
//! A mark is two varints: the number of records since the previous mark (or since the block's first record),
//! and the time since that mark. A record without a mark has the same time as the record before it.
//! Differences are unsigned, so time can't go backwards inside a block.

use crate::bytes::{VARINT_MAX, put_varint, take_varint};

/// The length of the longest mark, in bytes.
pub(crate) const MARK_MAX: usize = 2 * VARINT_MAX;

/// The state of a writer of marks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Marker {
    pub(crate) len: usize,
    record: u64,
    time: u64,
}

impl Marker {
    /// Begins a block whose first record has this time.
    pub(crate) fn begin(time: u64) -> Self {
        Self { len: 0, record: 0, time }
    }

    /// The time of the last mark.
    pub(crate) fn time(&self) -> u64 {
        self.time
    }

    /// Writes a mark: record number `record` of the block and the records after it have the time `time`,
    /// which must not be earlier than that of the last mark.
    ///
    /// # Panics
    /// If fewer than [`MARK_MAX`] bytes are left.
    pub(crate) fn mark(&mut self, record: u64, time: u64, output: &mut [u8]) {
        self.len += put_varint(record - self.record, &mut output[self.len..]);
        self.len += put_varint(time - self.time, &mut output[self.len..]);
        (self.record, self.time) = (record, time);
    }
}

/// An iterator over the marks of a block, as pairs: the number of a record in the block, and the time of the
/// records from that record on.
#[derive(Clone, Debug)]
pub struct Marks<'a> {
    bytes: &'a [u8],
    record: u64,
    time: u64,
    begun: bool,
}

impl<'a> Marks<'a> {
    pub(crate) fn new(bytes: &'a [u8], first_time: u64) -> Self {
        Self { bytes, record: 0, time: first_time, begun: false }
    }

    /// Whether these bytes are valid marks for a block with this number of records, this first time and this
    /// last time. Reads all marks.
    pub(crate) fn are_sound(bytes: &'a [u8], records: u64, first_time: u64, last_time: u64) -> bool {
        let mut marks = Self::new(bytes, first_time);
        let mut before = None;
        for (record, _) in marks.by_ref() {
            if record >= records || before.is_some_and(|before| record <= before) && record > 0 {
                return false;
            }
            before = Some(record);
        }
        marks.bytes.is_empty() && marks.time == last_time
    }
}

impl Iterator for Marks<'_> {
    type Item = (u64, u64);

    /// The first item is record 0 with the block's first time; the marks follow. The iterator ends at invalid
    /// bytes.
    fn next(&mut self) -> Option<(u64, u64)> {
        if !self.begun {
            self.begun = true;
            return Some((0, self.time));
        }
        let mut rest = self.bytes;
        let record = self.record.checked_add(take_varint(&mut rest)?)?;
        let time = self.time.checked_add(take_varint(&mut rest)?)?;
        (self.bytes, self.record, self.time) = (rest, record, time);
        Some((record, time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_come_back_with_the_first_time_in_front() {
        let mut bytes = [0; 64];
        let mut marker = Marker::begin(1000);
        marker.mark(3, 1001, &mut bytes);
        marker.mark(200, 500_000, &mut bytes);
        let bytes = &bytes[..marker.len];
        let marks: Vec<_> = Marks::new(bytes, 1000).collect();
        assert_eq!(marks, [(0, 1000), (3, 1001), (200, 500_000)]);
        assert!(Marks::are_sound(bytes, 201, 1000, 500_000));
        assert!(!Marks::are_sound(bytes, 200, 1000, 500_000), "a mark beyond the last record");
        assert!(!Marks::are_sound(bytes, 201, 1000, 500_001), "another time at the end");
        assert!(!Marks::are_sound(&bytes[..marker.len - 1], 201, 1000, 1001), "cut short");
    }
}
