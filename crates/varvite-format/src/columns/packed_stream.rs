//! [`PackedStream`]: the writer of a packed column. Values are added one by one, and are never all in memory.

use crate::columns::column::ColumnRow;
use crate::columns::packed::{BLOCK, PADDING, SLOPED_HEADER, header_size, pack_block};
use crate::{EncodedColumn, Encoding, Result};

/// Packs values as they are added. For every 1024 values, 48 bytes stay in memory (64 with slopes).
#[derive(Debug)]
pub struct PackedStream {
    sloped: bool,
    headers: Vec<u8>,
    /// The values of the unfinished block.
    block: Vec<u32>,
    count: u64,
    /// Packed data that the caller has not taken yet.
    data: Vec<u8>,
    /// The number of bytes of data that the caller has taken.
    taken: usize,
}

/// The row, headers and last data of a packed column.
#[derive(Debug)]
pub struct PackedEnd {
    /// The row, without the number of its segment.
    pub row: ColumnRow,
    /// The beginning of the segment; all packed data comes after it.
    pub headers: Vec<u8>,
    /// The data that the caller has not taken yet.
    pub data: Vec<u8>,
}

impl PackedStream {
    /// A column without values.
    pub fn new(sloped: bool) -> Self {
        Self {
            sloped,
            headers: Vec::new(),
            block: Vec::with_capacity(BLOCK),
            count: 0,
            data: Vec::new(),
            taken: 0,
        }
    }

    /// Adds the next value, from which the caller has subtracted the base of the column. Returns the number
    /// of bytes of data that can be taken.
    ///
    /// # Errors
    /// [`FormatError::TooLarge`](crate::FormatError::TooLarge) if the data exceeds 32 GiB.
    #[inline]
    pub fn push(&mut self, value: u32) -> Result<usize> {
        self.block.push(value);
        if self.block.len() == BLOCK {
            self.pack()?;
        }
        Ok(self.data.len())
    }

    /// Calls `take` with the bytes that were packed since the previous call of this method.
    pub fn take_data(&mut self, take: impl FnOnce(&[u8])) {
        self.taken += self.data.len();
        take(&self.data);
        self.data.clear();
    }

    /// Ends the column. Readers add `base` to its values and, if `relative`, their key.
    ///
    /// # Errors
    /// As for [`PackedStream::push`].
    pub fn finish(mut self, base: i64, relative: bool) -> Result<PackedEnd> {
        if !self.block.is_empty() {
            self.pack()?;
        }
        self.data.resize(self.data.len() + PADDING, 0);
        let mut row = EncodedColumn::leaf(Encoding::Packed, self.count).row;
        (row.base, row.relative, row.sloped) = (base, relative, self.sloped);
        Ok(PackedEnd { row, headers: self.headers, data: self.data })
    }

    fn pack(&mut self) -> Result<()> {
        let units = (self.taken + self.data.len()) / 8;
        let header: [u8; SLOPED_HEADER] = pack_block(&self.block, self.sloped, units, &mut self.data)?;
        self.headers.extend_from_slice(&header[..header_size(self.sloped)]);
        self.count += self.block.len() as u64;
        self.block.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::packed::pack;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_that_come_one_by_one_are_packed_as_those_that_come_at_once(
            values in proptest::collection::vec(prop_oneof![0u32..9, any::<u32>()], 0..3000),
            sloped in any::<bool>(),
            room in 1usize..5000,
        ) {
            let (mut stream, mut data) = (PackedStream::new(sloped), Vec::new());
            for value in &values {
                if stream.push(*value).unwrap() >= room {
                    stream.take_data(|bytes| data.extend_from_slice(bytes));
                }
            }
            let end = stream.finish(0, false).unwrap();
            prop_assert_eq!(end.row.count, values.len() as u64);
            prop_assert_eq!([end.headers, data, end.data].concat(), pack(&values, sloped).unwrap());
        }
    }
}
