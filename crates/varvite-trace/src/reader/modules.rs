//! The modules of a trace. They come from the chain of chunks that begins at the trace's end or, if the trace
//! has no end, from a scan of all headers. In a pipe, they come from the chunks that were read.

use super::{Reader, Step};
use crate::chunk::{ChunkHeader, Kind};
use crate::error::Result;
use crate::module::{self, MODULES_MAX, Module};
use crate::source::Source;

/// The modules known so far.
#[derive(Debug, Default)]
pub(super) struct Modules {
    known: Vec<Module>,
    /// The number of the first chunk of modules that was not read yet.
    next_chunk: u64,
    are_all_known: bool,
}

impl<S: Source> Reader<S> {
    /// The modules of the trace, in the order in which they were recorded. If the source is a pipe, only the
    /// modules that were read so far.
    ///
    /// **Cost**: the first call reads the modules' chunks and, if the trace has no end, the header of every
    /// block.
    ///
    /// # Errors
    /// Damage, unless the reader skips damage; [`TraceError::Io`](crate::TraceError::Io).
    pub fn modules(&mut self) -> Result<&[Module]> {
        if let Some(len) = self.chunks.byte_len().filter(|_| !self.modules.are_all_known) {
            self.modules = match self.read_module_chain(len)? {
                Some(known) => Modules { known, next_chunk: u64::MAX, are_all_known: true },
                None => self.scan_modules()?,
            };
        }
        Ok(&self.modules.known)
    }

    /// Adds the modules of the chunk at `self.at` and moves to the next chunk; for a reader that reads
    /// blocks.
    pub(super) fn step_over_modules(&mut self, chunk: &ChunkHeader) -> Result<Step> {
        if !self.read_content(chunk)? {
            return Ok(Step::End);
        }
        self.take_modules(chunk)?;
        self.at += chunk.chunk_len();
        Ok(Step::Other)
    }

    /// Adds the modules of the chunk at `self.at`, if it has any; for a scan of headers.
    pub(super) fn scan_module_chunk(&mut self, chunk: &ChunkHeader) -> Result<()> {
        let is_new = chunk.kind == Kind::Modules && self.modules.next_chunk <= chunk.number;
        if is_new && self.read_content(chunk)? {
            self.take_modules(chunk)?;
        }
        Ok(())
    }

    /// Adds the modules in the buffer of stored bytes.
    fn take_modules(&mut self, chunk: &ChunkHeader) -> Result<()> {
        let Some((_, modules)) = module::parse(self.chunks.stored()) else {
            return Err(self.damaged("bytes of modules", 0, chunk.stored_len.into()));
        };
        if chunk.number < self.modules.next_chunk {
            return Ok(());
        }
        let found = self.modules.known.len() + modules.len();
        if found > MODULES_MAX {
            return Err(self.damaged("number of modules", MODULES_MAX as u64, found as u64));
        }
        self.modules.next_chunk = chunk.number.saturating_add(1);
        self.modules.known.extend(modules);
        Ok(())
    }

    /// Reads the modules of all chunks, backwards from the last chunk. `None` if the trace has no end, or a
    /// chunk is missing.
    fn read_module_chain(&mut self, len: u64) -> Result<Option<Vec<Module>>> {
        let Some(end) = self.read_end(len)? else { return Ok(None) };
        let (mut chunks, mut at, mut count) = (Vec::new(), end.modules, 0);
        while at != 0 {
            let Some(content) = self.chunks.read_table(at, Kind::Modules)? else { return Ok(None) };
            let Some((before, modules)) = module::parse(&content) else { return Ok(None) };
            count += modules.len();
            if before >= at || modules.is_empty() || count > MODULES_MAX {
                return Ok(None);
            }
            chunks.push(modules);
            at = before;
        }
        Ok(Some(chunks.into_iter().rev().flatten().collect()))
    }

    /// Finds the modules of all chunks by a scan of all headers.
    fn scan_modules(&mut self) -> Result<Modules> {
        self.modules = Modules::default();
        self.scan()?;
        Ok(Modules { are_all_known: true, next_chunk: u64::MAX, ..std::mem::take(&mut self.modules) })
    }
}
