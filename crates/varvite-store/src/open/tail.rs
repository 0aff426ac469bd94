//! [`Tail`]: bytes in memory that a large commit would append to a file.
//!
//! The changes of a log are turned into the commit that would replace the log. The columns and segments of
//! that commit get the numbers and offsets that they would have in the file. So readers of segments need no
//! code for logs, and the next commit begins by writing these bytes.
//!
//! The bytes are in immutable pieces. A reopened store shares pieces of the store that it was reopened from.
//! The checksums of a shared segment were computed with its earlier offset and number, so a tail with shared
//! pieces is never written to a file.

use std::sync::Arc;

use crate::error::{Result, StoreError};
use crate::forward_to;
use crate::memory::aligned_bytes::AlignedBytes;
use crate::memory::pinned::Pinned;
use crate::vfs::VfsFile;

/// Bytes that are not in the file but have file offsets, from `start` on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tail {
    start: u64,
    /// The start offset of each piece, ascending, and its bytes.
    pieces: Vec<(u64, Pinned)>,
    /// The start offset of `open`, the bytes that are not in a piece yet.
    open_at: u64,
    open: Vec<u8>,
    is_shared: bool,
}

impl Tail {
    pub(crate) fn new(start: u64) -> Self {
        Self { start, open_at: start, ..Self::default() }
    }

    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    pub(crate) fn end(&self) -> u64 {
        self.open_at + self.open.len() as u64
    }

    /// The start offset of each piece, and its bytes.
    pub(crate) fn pieces(&self) -> &[(u64, Pinned)] {
        &self.pieces
    }

    /// Whether the tail has pieces of another tail, so that it can't be written to a file.
    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// The number of bytes in memory.
    pub(crate) fn heap_bytes(&self) -> u64 {
        let pieces = self.pieces.iter().map(|(_, bytes)| bytes.len() as u64);
        pieces.sum::<u64>() + self.open.len() as u64
    }

    /// The `len` bytes at an offset; `None` if no piece contains all of them.
    pub(crate) fn get(&self, offset: u64, len: usize) -> Option<Pinned> {
        if len == 0 {
            return Some(Pinned::from_static(&[]));
        }
        let number = self.pieces.partition_point(|(start, _)| *start <= offset).checked_sub(1)?;
        let (start, bytes) = &self.pieces[number];
        let at = usize::try_from(offset - start).ok()?;
        bytes.slice(at..at.checked_add(len)?)
    }

    /// Appends bytes at `offset`, which is not before the end, and fills the gap with zeros.
    pub(crate) fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        if self.open.is_empty() {
            // The first segment of a piece is aligned to words, in the file and in memory.
            self.open_at = offset;
        }
        let gap = offset.saturating_sub(self.end()) as usize;
        let needed = gap + bytes.len();
        let too_large = |_| StoreError::OutOfMemory { bytes: needed as u64 };
        self.open.try_reserve(needed).map_err(too_large)?;
        self.open.resize(self.open.len() + gap, 0);
        self.open.extend_from_slice(bytes);
        Ok(())
    }

    /// Turns the bytes written since the last piece into a new piece.
    pub(crate) fn close_piece(&mut self) -> Result<()> {
        if !self.open.is_empty() {
            let mut piece = AlignedBytes::zeroed(self.open.len())?;
            piece.as_mut_bytes().copy_from_slice(&self.open);
            self.pieces.push((self.open_at, Pinned::from(piece)));
            self.open_at = self.end();
            self.open = Vec::new();
        }
        Ok(())
    }

    /// Adds bytes of another tail as a piece, at an offset that is not before the end.
    pub(crate) fn share(&mut self, offset: u64, bytes: Pinned) -> Result<()> {
        self.close_piece()?;
        self.open_at = offset + bytes.len() as u64;
        self.pieces.push((offset, bytes));
        self.is_shared = true;
        Ok(())
    }
}

/// A file and its tail as one file, for readers of segments.
#[derive(Debug)]
pub(crate) struct WithTail {
    pub(crate) file: Arc<dyn VfsFile>,
    pub(crate) tail: Arc<Tail>,
}

impl VfsFile for WithTail {
    forward_to! { file: len write_all_at sync map attributes set_attributes is_at name_count try_lock unlock }

    /// Reads from the tail if it contains the whole range, otherwise from the file. No segment lies partly in
    /// both.
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        match self.tail.get(offset, buffer.len()) {
            Some(part) => {
                buffer.copy_from_slice(&part);
                Ok(())
            }
            None => self.file.read_exact_at(offset, buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back_where_they_were_put_and_where_they_are_shared() {
        let mut tail = Tail::new(4096);
        tail.write_all_at(4096, &[1; 10]).unwrap();
        tail.write_all_at(4160, &[2; 5]).unwrap();
        tail.close_piece().unwrap();
        tail.close_piece().unwrap();
        tail.write_all_at(4224, &[3; 3]).unwrap();
        assert_eq!((tail.end(), tail.heap_bytes(), tail.get(4224, 3).is_some()), (4227, 72, false));
        tail.close_piece().unwrap();
        assert_eq!(
            tail.pieces().iter().map(|(at, bytes)| (*at, bytes.len())).collect::<Vec<_>>(),
            [(4096, 69), (4224, 3)]
        );
        let get = |tail: &Tail, at, len| tail.get(at, len).map(|bytes| bytes.to_vec());
        assert_eq!((get(&tail, 4160, 5), get(&tail, 4224, 3)), (Some(vec![2; 5]), Some(vec![3; 3])));
        for (at, len) in [(4095, 1), (4160, 6), (4224, 4), (4300, 1)] {
            assert_eq!(get(&tail, at, len), None);
        }
        assert_eq!((get(&tail, 4300, 0), tail.is_shared()), (Some(vec![]), false));
        let mut other = Tail::new(8192);
        other.share(8192, tail.get(4160, 5).unwrap()).unwrap();
        other.write_all_at(8256, &[4; 2]).unwrap();
        other.close_piece().unwrap();
        assert_eq!((get(&other, 8192, 5), get(&other, 8256, 2)), (Some(vec![2; 5]), Some(vec![4; 2])));
        assert_eq!((other.end(), other.is_shared()), (8258, true));
    }
}
