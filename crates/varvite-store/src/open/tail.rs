//! [`Tail`]: what a large commit would append to a file, in memory.
//!
//! A log is read as the commit that would replace it: its columns and segments get the numbers and places that they would
//! have in the file. So all that reads segments goes on as before, and whoever commits next writes these bytes first.

use std::sync::Arc;

use crate::error::{Result, StoreError};
use crate::forward_to;
use crate::vfs::VfsFile;

/// Bytes that begin at an offset of a file and are not in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tail {
    start: u64,
    bytes: Vec<u8>,
}

impl Tail {
    pub(crate) fn new(start: u64) -> Self {
        Self { start, ..Self::default() }
    }

    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    pub(crate) fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Puts bytes at `offset`, which is not before the end, with zeros between them.
    pub(crate) fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let gap = offset.saturating_sub(self.end()) as usize;
        let needed = gap + bytes.len();
        let too_large = |_| StoreError::OutOfMemory { bytes: needed as u64 };
        self.bytes.try_reserve(needed).map_err(too_large)?;
        self.bytes.resize(self.bytes.len() + gap, 0);
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }
}

/// A file with a tail, for those who read segments.
#[derive(Debug)]
pub(crate) struct WithTail {
    pub(crate) file: Arc<dyn VfsFile>,
    pub(crate) tail: Arc<Tail>,
}

impl VfsFile for WithTail {
    forward_to! { file: len write_all_at sync map attributes set_attributes is_at name_count try_lock unlock }

    /// Segments lie in the file or in the tail, and none in both.
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let part = offset.checked_sub(self.tail.start).and_then(|at| {
            let at = usize::try_from(at).ok()?;
            self.tail.bytes.get(at..)?.get(..buffer.len())
        });
        match part {
            Some(part) => {
                buffer.copy_from_slice(part);
                Ok(())
            }
            None => self.file.read_exact_at(offset, buffer),
        }
    }
}
