//! Which thread the entries of a file belong to, from the first one on.
//!
//! A file names its thread a few entries after its beginning; those before wait until then. In a trace by cores the threads that
//! take turns on a core are not taken apart: the file is one stream, and keeps its own words on who runs.

use varvite_trace::Sink;

use super::DrmemtraceError;
use crate::reference::{Reference, References};

type Result<T> = std::result::Result<T, DrmemtraceError>;

/// Most entries before the first thread is named.
const WAITING_MAX: usize = 256;
/// Microseconds from 1601, where the times of drmemtrace begin, to 1970.
const MICROSECONDS_TO_1970: u64 = 11_644_473_600_000_000;

/// Where entries go.
#[derive(Debug, Default)]
pub(super) struct Placement {
    shard: u64,
    by_cores: bool,
    is_placed: bool,
    waiting: Vec<Reference>,
    time: u64,
    /// Entries so far.
    pub(super) entries: u64,
}

impl Placement {
    pub(super) fn new(shard: u64) -> Self {
        Self { shard, ..Self::default() }
    }

    /// All entries of the file belong to its core.
    pub(super) fn place_by_cores<S: Sink>(&mut self, target: &mut References<'_, S>) -> Result<()> {
        self.by_cores = true;
        self.place(self.shard, target)
    }

    /// Entries from here on belong to a thread.
    pub(super) fn switch<S: Sink>(&mut self, thread: u64, target: &mut References<'_, S>) -> Result<()> {
        if self.by_cores { Ok(()) } else { self.place(thread, target) }
    }

    fn place<S: Sink>(&mut self, thread: u64, target: &mut References<'_, S>) -> Result<()> {
        target.switch(thread)?;
        self.is_placed = true;
        self.waiting.drain(..).try_for_each(|reference| target.push(reference))?;
        Ok(())
    }

    /// It is now `microseconds` since 1601. On a core, turns of threads may overlap, and the latest time holds.
    pub(super) fn set_time<S: Sink>(
        &mut self,
        microseconds: u64,
        target: &mut References<'_, S>,
    ) -> Result<()> {
        let time = microseconds.saturating_sub(MICROSECONDS_TO_1970);
        self.time = if self.by_cores { self.time.max(time) } else { time };
        if self.is_placed { Ok(target.set_time(self.time)?) } else { Ok(()) }
    }

    pub(super) fn push<S: Sink>(
        &mut self,
        reference: Reference,
        target: &mut References<'_, S>,
    ) -> Result<()> {
        self.entries += 1;
        if self.is_placed {
            return Ok(target.push(reference)?);
        }
        if self.waiting.len() == WAITING_MAX {
            let found = self.waiting.len() as u64 + 1;
            let expected = WAITING_MAX as u64;
            return Err(DrmemtraceError::Entry {
                entry: self.entries - 1,
                what: "entries before the first thread",
                expected,
                found,
            });
        }
        self.waiting.push(reference);
        Ok(())
    }

    /// Places what still waits in a file that ends before it names a thread.
    pub(super) fn finish<S: Sink>(&mut self, target: &mut References<'_, S>) -> Result<()> {
        if self.is_placed { Ok(()) } else { self.place(self.shard, target) }
    }

    pub(super) fn damaged(&self, what: &'static str, expected: u64, found: u64) -> DrmemtraceError {
        DrmemtraceError::Entry { entry: self.entries, what, expected, found }
    }
}
