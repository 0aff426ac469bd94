//! [`Codes`]: the label set of each appended node, in the order of node ids.

use std::sync::Arc;

use varvite_format::{ColumnId, ColumnRow, Encoding};
use varvite_store::{Scratch, StoreWriter, Tape};

use super::large_lists::LARGE;
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::write::Encoder;

/// Bytes of a code.
const CODE: usize = 4;
/// The memory for the last codes is the memory limit divided by this.
const SHARE: usize = 64;
/// The least memory for the last codes in bytes, whatever the memory limit.
const LEAST: usize = 4 << 10;

/// The code (the number of the label set) of each appended node. With a [`Scratch`], only the last codes are
/// in memory; the earlier ones are in its temporary file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codes {
    tape: Tape,
}

impl Codes {
    /// Creates an empty list of codes. Its memory is a part of the memory limit of `scratch`.
    pub(super) fn new(scratch: Option<&Arc<Scratch>>) -> Self {
        let room = scratch.map_or(0, |scratch| (scratch.memory() / SHARE).max(LEAST));
        Self { tape: Tape::new(scratch, room / CODE * CODE) }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> u32 {
        (self.tape.len() / CODE as u64) as u32
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tape.is_empty()
    }

    /// Appends the code of the next node.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn push(&mut self, code: u32) -> Result<()> {
        Ok(self.tape.write(&code.to_le_bytes())?)
    }

    /// Keeps only the first `len` codes. None of the removed codes may be on disk.
    pub(super) fn truncate(&mut self, len: u32) {
        self.tape.truncate(u64::from(len) * CODE as u64);
    }

    fn for_each(&self, mut visit: impl FnMut(u32)) -> Result<()> {
        let mut reader = self.tape.reader();
        while let Some(code) = reader.read_item()? {
            visit(u32::from_le_bytes(code));
        }
        Ok(())
    }

    /// Writes the column. The codes of a million nodes or more are written as plain bytes in every profile,
    /// because trying encodings would need all codes in memory.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn write(&self, encoder: &Encoder, writer: &mut StoreWriter) -> Result<ColumnId, ChangeError> {
        if self.len() < LARGE {
            let mut codes = Vec::with_capacity(self.len() as usize);
            self.for_each(|code| codes.push(code))?;
            return Ok(writer.add(encoder.codes(&codes)?)?);
        }
        let mut most = 0;
        self.for_each(|code| most = most.max(code))?;
        let width: u8 = match most {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            _ => 4,
        };
        let count = u64::from(self.len());
        let row = ColumnRow { width, ..ColumnRow::empty(Encoding::Plain, count) };
        let (mut codes, len) = (self.tape.reader(), count * u64::from(width));
        Ok(writer.add_streamed(row, len, |part| {
            // Whatever the width of a value, a block of the column holds a whole number of values.
            for place in part.chunks_mut(width.into()) {
                let code: [u8; CODE] = codes.read_item()?.unwrap_or_default();
                place.copy_from_slice(&code[..place.len()]);
            }
            Ok(())
        })?)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use varvite_testing::vfs::MemoryVfs;

    use super::*;

    #[test]
    fn codes_come_back_from_the_disk_in_their_order() {
        let scratch = Arc::new(Scratch::beside(Arc::new(MemoryVfs::new()), Path::new("file"), 0).unwrap());
        for scratch in [None, Some(&scratch)] {
            let (mut codes, mut found) = (Codes::new(scratch), Vec::new());
            (0..5_000).for_each(|number| codes.push(number * 7).unwrap());
            codes.for_each(|code| found.push(code)).unwrap();
            assert_eq!(codes.len(), 5_000);
            assert!(found.into_iter().eq((0..5_000).map(|number| number * 7)));
        }
        assert!(scratch.written() > 0);
    }
}
