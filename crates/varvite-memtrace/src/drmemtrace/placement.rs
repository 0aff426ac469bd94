//! [`Placement`]: assigns each entry of a file to a thread, including the entries before the one that names
//! the first thread.
//!
//! A file names its thread a few entries after its beginning; the entries before are held in memory until
//! then. On a core, threads take turns. Each turn names its thread, and a thread's first turn begins with a
//! header, as a file does. Entries between turns, while the core is idle, are assigned to the previous
//! thread.

use varvite_trace::Sink;

use super::DrmemtraceError;
use crate::reference::{Reference, References};

type Result<T> = std::result::Result<T, DrmemtraceError>;

/// Maximum number of entries before the one that names the first thread.
const WAITING_MAX: usize = 256;
/// Microseconds from 1601, the epoch of drmemtrace's times, to 1970.
const MICROSECONDS_TO_1970: u64 = 11_644_473_600_000_000;

/// Assigns entries to threads.
#[derive(Debug, Default)]
pub(super) struct Placement {
    shard: u64,
    pub(super) by_cores: bool,
    is_placed: bool,
    waiting: Vec<Reference>,
    time: u64,
    /// The number of entries so far.
    pub(super) entries: u64,
}

impl Placement {
    pub(super) fn new(shard: u64) -> Self {
        Self { shard, ..Self::default() }
    }

    /// Begins a thread; a later entry will name it.
    pub(super) fn begin(&mut self) {
        self.is_placed = false;
    }

    /// Assigns the following entries to a thread.
    pub(super) fn switch<S: Sink>(&mut self, thread: u64, target: &mut References<'_, S>) -> Result<()> {
        target.switch(thread)?;
        if self.by_cores {
            target.advance_time(self.time);
        }
        self.is_placed = true;
        self.waiting.drain(..).try_for_each(|reference| target.push(reference))?;
        Ok(())
    }

    /// Sets the time to `microseconds` since 1601. On a core, the next thread's clock may be behind; in that
    /// case the time does not change.
    pub(super) fn set_time<S: Sink>(
        &mut self,
        microseconds: u64,
        target: &mut References<'_, S>,
    ) -> Result<()> {
        let time = microseconds.saturating_sub(MICROSECONDS_TO_1970);
        self.time = if self.by_cores { self.time.max(time) } else { time };
        match self.is_placed {
            true if self.by_cores => target.advance_time(self.time),
            true => target.set_time(self.time)?,
            false => {}
        }
        Ok(())
    }

    pub(super) fn push<S: Sink>(
        &mut self,
        reference: Reference,
        target: &mut References<'_, S>,
    ) -> Result<()> {
        self.entries += 1;
        if !self.is_placed && self.waiting.len() == WAITING_MAX {
            self.give_up_waiting(target)?;
        }
        if self.is_placed {
            return Ok(target.push(reference)?);
        }
        self.waiting.push(reference);
        Ok(())
    }

    /// Ends the wait for a thread's name when too many entries are held. A core may be idle for a long time
    /// before its first thread, so the held entries are assigned to the thread `shard`. The file of a thread
    /// must name the thread early; otherwise the file is damaged.
    fn give_up_waiting<S: Sink>(&mut self, target: &mut References<'_, S>) -> Result<()> {
        if self.by_cores {
            return self.switch(self.shard, target);
        }
        Err(DrmemtraceError::Entry {
            entry: self.entries - 1,
            what: "entries before the first thread",
            expected: WAITING_MAX as u64,
            found: WAITING_MAX as u64 + 1,
        })
    }

    /// Assigns the held entries at the end of a file that names no thread.
    pub(super) fn finish<S: Sink>(&mut self, target: &mut References<'_, S>) -> Result<()> {
        if self.is_placed { Ok(()) } else { self.switch(self.shard, target) }
    }

    pub(super) fn damaged(&self, what: &'static str, expected: u64, found: u64) -> DrmemtraceError {
        DrmemtraceError::Entry { entry: self.entries, what, expected, found }
    }
}
