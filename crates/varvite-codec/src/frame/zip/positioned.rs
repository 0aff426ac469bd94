//! A reader of bytes at offsets, which the directory and all open components share.

use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom};

use rawzip::ReaderAt;

/// The caller's reader, read at given offsets. Each call seeks first.
pub(super) struct Positioned<R>(RefCell<R>);

impl<R> Positioned<R> {
    pub(super) fn new(read: R) -> Self {
        Self(RefCell::new(read))
    }
}

impl<R: Read + Seek> ReaderAt for Positioned<R> {
    fn read_at(&self, output: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut read = self.0.borrow_mut();
        read.seek(SeekFrom::Start(offset))?;
        read.read(output)
    }
}
