//! [`ProfileFormat`]: which tool's form a file has.

use std::io::Read;

use crate::{Limits, Profile, ProfileError, collapsed, heaptrack, perf, pprof, speedscope};

/// Which tool's form a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileFormat {
    /// heaptrack, interpreted.
    Heaptrack,
    /// A line for each stack, as FlameGraph, inferno and async-profiler write them.
    Collapsed,
    /// The text of `perf script`.
    Perf,
    /// pprof: a message of protocol buffers.
    Pprof,
    /// speedscope: a JSON document.
    Speedscope,
}

impl ProfileFormat {
    /// What the first plain bytes of a file say.
    pub fn of_bytes(head: &[u8]) -> Option<Self> {
        match () {
            () if heaptrack::may_be(head) => Some(Self::Heaptrack),
            () if pprof::may_be(head) => Some(Self::Pprof),
            () if speedscope::may_be(head) => Some(Self::Speedscope),
            () if perf::may_be(head) => Some(Self::Perf),
            () if collapsed::may_be(head) => Some(Self::Collapsed),
            () => None,
        }
    }

    /// Reads a profile of this form from a stream, front to back.
    ///
    /// # Errors
    /// [`ProfileError`]
    pub fn read(self, source: impl Read + Send, limits: &Limits) -> Result<Profile, ProfileError> {
        match self {
            Self::Heaptrack => heaptrack::read(source, limits),
            Self::Collapsed => collapsed::read(source, limits),
            Self::Perf => perf::read(source, limits),
            Self::Pprof => pprof::read(source, limits),
            Self::Speedscope => speedscope::read(source, limits),
        }
    }
}
