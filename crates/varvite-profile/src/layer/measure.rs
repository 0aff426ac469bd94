//! [`Measure`]: which of the counts is asked about.

use crate::profile::Counts;

/// Which of the counts is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Calls of functions that allocate.
    #[default]
    Calls,
    /// Those of which the memory was given back before the next call.
    Temporary,
    /// Bytes that were not given back.
    LeakedBytes,
    /// Bytes in use when the whole program used most.
    PeakBytes,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Calls, Self::Temporary, Self::LeakedBytes, Self::PeakBytes];

    /// What was counted of it.
    pub fn of(self, counts: &Counts) -> i64 {
        match self {
            Self::Calls => counts.calls,
            Self::Temporary => counts.temporary,
            Self::LeakedBytes => counts.leaked_bytes,
            Self::PeakBytes => counts.peak_bytes,
        }
    }

    /// Its name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Temporary => "temporary",
            Self::LeakedBytes => "leaked_bytes",
            Self::PeakBytes => "peak_bytes",
        }
    }
}
