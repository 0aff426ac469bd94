//! Recovery after damage: finds the next whole chunk, and counts the losses.

use super::{Ending, Reader};
use crate::chunk::{ChunkHeader, Kind, SYNC};
use crate::error::{Result, TraceError};
use crate::source::Source;

/// The number of bytes that a search reads at a time.
const WINDOW: usize = 64 << 10;

impl<S: Source> Reader<S> {
    /// Skips the damage at which [`Reader::next_block`] stopped with `error`, and counts the losses.
    ///
    /// # Errors
    /// Returns `error` itself if it is not damage, or if the source is a pipe and the next chunk can't be
    /// found in it. [`TraceError::Io`] if a read fails.
    pub fn pass(&mut self, error: TraceError) -> Result<()> {
        if !error.is_damage() {
            return Err(error);
        }
        self.passed_damage = true;
        let before = self.at;
        match self.sound_header.filter(|(offset, _)| *offset == before) {
            Some((_, chunk)) => self.pass_content(&chunk),
            // A pipe can't be read again from the offset at which the next chunk may begin.
            None if self.chunks.byte_len().is_none() => return Err(error),
            None => self.at = self.find_chunk(before + 1)?,
        }
        self.losses.places += 1;
        self.losses.bytes += self.at - before;
        Ok(())
    }

    /// Skips a chunk with a valid header and damaged content.
    fn pass_content(&mut self, chunk: &ChunkHeader) {
        if chunk.kind == Kind::Records && self.threads.check(chunk, true).is_ok() {
            self.losses.records += u64::from(chunk.records);
            self.ordinal += u64::from(chunk.records);
            self.threads.pass(chunk);
        }
        self.block += u64::from(chunk.kind == Kind::Records);
        self.at += chunk.chunk_len();
    }

    /// The first offset, from `from` on, at which a whole chunk begins; the end of the trace if no whole
    /// chunk follows.
    fn find_chunk(&mut self, mut from: u64) -> Result<u64> {
        let mut window = vec![0; WINDOW];
        loop {
            let read = self.chunks.read_at(from, &mut window)?;
            let candidates = window[..read].windows(SYNC.len()).enumerate();
            let candidates: Vec<u64> =
                candidates.filter(|(_, word)| *word == SYNC).map(|(at, _)| from + at as u64).collect();
            for candidate in candidates {
                if self.chunks.is_chunk(candidate)? {
                    return Ok(candidate);
                }
            }
            if read < window.len() {
                let end = from + read as u64;
                self.ending = Some(Ending::Cut { offset: end, partial_bytes: 0 });
                return Ok(end);
            }
            from += (WINDOW - SYNC.len() + 1) as u64;
        }
    }
}
