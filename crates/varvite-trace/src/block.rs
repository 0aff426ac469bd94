//! A block of records, borrowed from the reader's buffers until the next block is read.

use crate::chunk::ChunkHeader;
use crate::marks::Marks;
use crate::schema::Schema;

/// A block: consecutive records of one thread, stored together.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    pub(crate) header: &'a ChunkHeader,
    pub(crate) schema: &'a Schema,
    pub(crate) number: u64,
    pub(crate) offset: u64,
    pub(crate) ordinal: u64,
    pub(crate) plain: &'a [u8],
    pub(crate) lengths: &'a [u8],
    pub(crate) marks: &'a [u8],
    /// The number of the block's records before the one that a seek looked for; 0 without a seek.
    pub(crate) from: usize,
}

impl<'a> Block<'a> {
    /// The header of this block.
    pub fn header(&self) -> &'a ChunkHeader {
        self.header
    }

    /// The number of the block in the trace, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The offset of the block in the trace.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The ordinal in the trace of the first of [`Block::records`]: the number of records before it, in the
    /// order in which blocks were written. This number includes records known to be lost.
    pub fn ordinal(&self) -> u64 {
        self.ordinal + self.from as u64
    }

    /// The ordinal in its thread of the first of [`Block::records`].
    pub fn ordinal_in_thread(&self) -> u64 {
        self.header.first_ordinal + self.from as u64
    }

    /// The number of [`Block::records`].
    pub fn len(&self) -> usize {
        self.header.records as usize - self.from
    }

    /// Whether there are no records. Readers never return such a block.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The records, without a copy. After a seek, they begin with the record that the seek looked for.
    pub fn records(&self) -> Records<'a> {
        match self.schema.fixed_len() {
            Some(len) => Records { plain: &self.plain[self.from * len..], len, lengths: [].iter() },
            None => {
                let (passed, lengths) = self.lengths.as_chunks::<4>().0.split_at(self.from);
                let start: usize = passed.iter().map(|length| u32::from_le_bytes(*length) as usize).sum();
                Records { plain: &self.plain[start..], len: 0, lengths: lengths.iter() }
            }
        }
    }

    /// The bytes of all records of the block, including those before the first of [`Block::records`].
    pub fn bytes(&self) -> &'a [u8] {
        self.plain
    }

    /// The changes of time, as pairs: a record's number in the whole block, and the time of the records from
    /// that record on. The first pair is record 0 with the block's first time.
    pub fn marks(&self) -> Marks<'a> {
        Marks::new(self.marks, self.header.first_time)
    }

    /// The records, each with its time.
    pub fn timed_records(&self) -> impl Iterator<Item = (u64, &'a [u8])> + 'a {
        let mut marks = self.marks().peekable();
        let mut time = self.header.first_time;
        (self.from as u64..).zip(self.records()).map(move |(record, bytes)| {
            while let Some((_, marked)) = marks.next_if(|(at, _)| *at <= record) {
                time = marked;
            }
            (time, bytes)
        })
    }
}

/// The records of a block.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    plain: &'a [u8],
    /// The length of each record; 0 if lengths vary.
    len: usize,
    lengths: std::slice::Iter<'a, [u8; 4]>,
}

impl<'a> Iterator for Records<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let len = match self.len {
            0 => u32::from_le_bytes(*self.lengths.next()?) as usize,
            len => len,
        };
        let (record, rest) = self.plain.split_at_checked(len)?;
        self.plain = rest;
        Some(record)
    }
}
