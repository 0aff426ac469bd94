//! [`Tape`]: bytes that are written once, in order, and read from the beginning.

use std::sync::Arc;

use crate::error::Result;
use crate::writing::scratch::{Extent, Scratch};

/// A sequence of bytes. With a [`Scratch`], only the last bytes are in memory; the earlier ones are in its
/// temporary file. Clones share the bytes.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    scratch: Option<Arc<Scratch>>,
    /// The largest number of bytes that are kept in memory.
    room: usize,
    extents: Vec<Arc<Extent>>,
    tail: Vec<u8>,
    len: u64,
}

impl Tape {
    /// An empty tape. With a `scratch`, about `room` bytes of the tape stay in memory.
    pub fn new(scratch: Option<&Arc<Scratch>>, room: usize) -> Self {
        Self { scratch: scratch.cloned(), room: room.max(1), ..Self::default() }
    }

    /// The number of bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the tape has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Allocates memory for those of the next `bytes` bytes that will stay in memory.
    pub fn reserve(&mut self, bytes: u64) {
        let kept = if self.scratch.is_some() { (self.room as u64).min(bytes) } else { bytes };
        self.tail.reserve_exact(usize::try_from(kept).unwrap_or(0));
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// An error of the file system; after it the tape can't be used any more.
    #[inline]
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.tail.extend_from_slice(bytes);
        self.len += bytes.len() as u64;
        if self.tail.len() < self.room { Ok(()) } else { self.put_aside() }
    }

    fn put_aside(&mut self) -> Result<()> {
        let Some(scratch) = &self.scratch else { return Ok(()) };
        self.extents.push(Arc::new(scratch.put(&self.tail)?));
        self.tail.clear();
        Ok(())
    }

    /// Writes the bytes in memory to the temporary file and frees the memory; does nothing without a
    /// [`Scratch`].
    ///
    /// # Errors
    /// As [`Tape::write`].
    pub fn settle(&mut self) -> Result<()> {
        if self.scratch.is_some() {
            if !self.tail.is_empty() {
                self.put_aside()?;
            }
            self.tail = Vec::new();
        }
        Ok(())
    }

    /// Removes all bytes from number `len` on.
    ///
    /// # Panics
    /// If some of these bytes are in the temporary file.
    pub fn truncate(&mut self, len: u64) {
        let tail = self.tail.len() as u64;
        let forgotten = self.len.saturating_sub(len);
        assert!(forgotten <= tail, "only what is in memory is forgotten");
        self.tail.truncate((tail - forgotten) as usize);
        self.len -= forgotten;
    }

    /// All bytes; `None` if some of them are in the temporary file.
    pub fn in_memory(&self) -> Option<&[u8]> {
        self.extents.is_empty().then_some(&self.tail)
    }

    /// A reader that begins at the first byte.
    pub fn reader(&self) -> TapeReader<'_> {
        TapeReader { tape: self, next: 0, buffer: Vec::new(), at: 0 }
    }
}

/// Reads a [`Tape`] piece by piece. A piece is an extent of the temporary file, or the bytes in memory.
#[derive(Debug)]
pub struct TapeReader<'t> {
    tape: &'t Tape,
    /// The number of the piece after the current one; the last piece is the tail.
    next: usize,
    buffer: Vec<u8>,
    at: usize,
}

impl TapeReader<'_> {
    /// Reads the next `N` bytes; `None` at the end.
    ///
    /// # Errors
    /// An error of the file system.
    ///
    /// # Panics
    /// If fewer than `N` bytes are left.
    #[inline]
    pub fn read_item<const N: usize>(&mut self) -> Result<Option<[u8; N]>> {
        if let Some(bytes) = self.piece().get(self.at..).and_then(<[u8]>::first_chunk) {
            let bytes = *bytes;
            self.at += N;
            return Ok(Some(bytes));
        }
        let mut bytes = [0; N];
        match self.read(&mut bytes)? {
            0 => Ok(None),
            read => {
                assert_eq!(read, N, "whole items were written");
                Ok(Some(bytes))
            }
        }
    }

    /// Fills as much of `output` as there are bytes left, and returns their number.
    ///
    /// # Errors
    /// An error of the file system.
    pub fn read(&mut self, output: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while filled < output.len() {
            let piece = &self.piece()[self.at..];
            if piece.is_empty() {
                if !self.turn()? {
                    break;
                }
                continue;
            }
            let count = piece.len().min(output.len() - filled);
            output[filled..filled + count].copy_from_slice(&piece[..count]);
            (filled, self.at) = (filled + count, self.at + count);
        }
        Ok(filled)
    }

    /// The current piece.
    fn piece(&self) -> &[u8] {
        match self.next > self.tape.extents.len() {
            true => &self.tape.tail,
            false => &self.buffer,
        }
    }

    /// Moves to the next piece; returns false at the end.
    fn turn(&mut self) -> Result<bool> {
        let is_over = self.next > self.tape.extents.len();
        if is_over {
            return Ok(false);
        }
        if let Some(extent) = self.tape.extents.get(self.next) {
            extent.read(&mut self.buffer)?;
        }
        (self.next, self.at) = (self.next + 1, 0);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vfs::RealVfs;

    fn all(tape: &Tape) -> Vec<u8> {
        let mut bytes = vec![0; tape.len() as usize + 1];
        let read = tape.reader().read(&mut bytes).unwrap();
        bytes.truncate(read);
        bytes
    }

    #[test]
    fn what_is_written_comes_back_wherever_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::beside(Arc::new(RealVfs), &folder.path().join("file"), 0).unwrap();
        let scratch = Arc::new(scratch);
        for room in [1, 2, 3, 7, 1000] {
            for scratch in [None, Some(&scratch)] {
                let mut tape = Tape::new(scratch, room);
                assert_eq!(all(&tape), b"");
                for byte in 0..50u8 {
                    tape.write(&[byte, 7]).unwrap();
                    if byte % 20 == 19 {
                        tape.settle().unwrap();
                        assert_eq!(tape.tail.is_empty(), scratch.is_some());
                        assert!(scratch.is_none() || tape.tail.capacity() == 0, "the memory is given back");
                    }
                }
                assert_eq!(all(&tape), (0..50).flat_map(|byte| [byte, 7]).collect::<Vec<u8>>());
                let mut reader = tape.reader();
                for first in (0..50).step_by(2) {
                    assert_eq!(reader.read_item().unwrap(), Some([first, 7, first + 1, 7]));
                }
                assert_eq!(reader.read_item::<4>().unwrap(), None);
            }
        }
    }

    #[test]
    fn the_last_bytes_in_memory_are_forgotten() {
        let mut tape = Tape::new(None, 1);
        tape.write(b"12345").unwrap();
        tape.truncate(3);
        tape.truncate(4);
        tape.write(b"67").unwrap();
        assert_eq!((all(&tape), tape.len()), (b"12367".to_vec(), 5));
        assert_eq!(tape.in_memory(), Some(&b"12367"[..]));
    }
}
