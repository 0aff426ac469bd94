//! [`ProfileFormat`]: the format of a profile file, named after the tool that writes it.

use std::io::Read;

use crate::bytes::understood::Understood;
use crate::{ForeignForm, Limits, Profile, ProfileError, collapsed, heaptrack, perf, pprof, speedscope};

/// The format of a profile file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileFormat {
    /// The output of `heaptrack_interpret`.
    Heaptrack,
    /// A text with a line for each stack, which FlameGraph, inferno and async-profiler write.
    Collapsed,
    /// The text output of `perf script`.
    Perf,
    /// pprof's protocol buffers message.
    Pprof,
    /// speedscope's JSON document.
    Speedscope,
}

impl ProfileFormat {
    /// The format of a file whose first plain bytes are `head`. For a text format, nine of ten lines must
    /// fit. `None` if the format is unknown, or known but not read by this crate.
    ///
    /// **Cost**: linear in the bytes.
    pub fn of_bytes(head: &[u8]) -> Option<Self> {
        match () {
            () if heaptrack::may_be(head) => Some(Self::Heaptrack),
            () if ForeignForm::of_bytes(head).is_some() => None,
            () if pprof::may_be(head) => Some(Self::Pprof),
            () if speedscope::may_be(head) => Some(Self::Speedscope),
            () if perf::may_be(head) => Some(Self::Perf),
            () if collapsed::may_be(head) => Some(Self::Collapsed),
            () => None,
        }
    }

    /// The name of the format in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Heaptrack => "heaptrack",
            Self::Collapsed => "collapsed",
            Self::Perf => "perf",
            Self::Pprof => "pprof",
            Self::Speedscope => "speedscope",
        }
    }

    /// The name of a file with this format, in words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Heaptrack => "a heaptrack profile",
            Self::Collapsed => "collapsed stacks",
            Self::Perf => "the output of `perf script`",
            Self::Pprof => "a pprof profile",
            Self::Speedscope => "a speedscope document",
        }
    }

    /// The error for a file whose format this crate does not read. It names the format that a file with the
    /// first plain bytes `head` probably has.
    pub(crate) fn why_not(head: &[u8]) -> ProfileError {
        if let Some(ForeignForm { name, advice }) = ForeignForm::of_bytes(head) {
            return ProfileError::Foreign { name, advice };
        }
        let parts = [(Self::Perf, perf::understood(head)), (Self::Collapsed, collapsed::understood(head))];
        let likely = parts.into_iter().filter_map(|(form, part)| Some((form, part?)));
        match likely.filter(|(_, part)| part.known > 0).max_by_key(|(_, part)| part.known) {
            Some((form, lines)) if lines.is_enough() => {
                ProfileError::Ambiguous { form: form.name(), title: form.title() }
            }
            Some((form, lines)) => form.doubtful(lines),
            None => ProfileError::Unknown { found: ProfileError::shown(head) },
        }
    }

    /// The error for a file in which too few lines fit this format.
    pub(crate) fn doubtful(self, Understood { known, lines }: Understood) -> ProfileError {
        ProfileError::Doubtful { form: self.name(), title: self.title(), known, lines }
    }

    /// Reads a profile of this format from a stream, from front to back.
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
