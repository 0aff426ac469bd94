//! [`Target`]: the new file, which gets its name when it is complete.

use std::io;

use varvite::error::StoreError;
use varvite_store::StagedFile;

use crate::flatgraph::FlatgraphSink;

/// An incomplete flatgraph file. Dropping it without [`Target::commit`] removes it.
#[derive(Debug)]
pub(super) struct Target {
    staged: StagedFile,
    len: u64,
}

impl Target {
    pub(super) fn over(staged: StagedFile) -> Self {
        Self { staged, len: 0 }
    }

    /// Gives the file its name, durably, and returns its length in bytes.
    pub(super) fn commit(self) -> Result<u64, StoreError> {
        self.staged.commit()?;
        Ok(self.len)
    }
}

/// The methods return [`StoreError`]s wrapped in `io::Error`; [`ExportError`](super::ExportError) unwraps
/// them.
impl FlatgraphSink for Target {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.staged.write_all_at(self.len, bytes).map_err(io::Error::other)?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    fn write_header(&mut self, header: &[u8; 16]) -> io::Result<()> {
        self.staged.write_all_at(0, header).map_err(io::Error::other)
    }
}
