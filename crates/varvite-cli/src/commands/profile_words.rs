//! Words for the measures and the format of a profile.

use clap::ValueEnum;
use varvite_profile::{Measure, Measures, ProfileFormat, Roots, Sampling, Slot, heaptrack};

use crate::output::thousands;

/// The measures that a sentence about a profile mentions.
pub(super) fn foremost(measures: &Measures) -> Vec<(Slot, &Measure)> {
    match *measures == heaptrack::measures() {
        true => measures
            .iter()
            .filter(|(slot, _)| [heaptrack::CALLS, heaptrack::PEAK_BYTES].contains(slot))
            .collect(),
        false => measures.iter().take(2).collect(),
    }
}

/// A phrase that says that the values of a profile are estimates.
pub(super) fn estimated(sampling: &Sampling) -> String {
    let Sampling { period, unit, .. } = sampling;
    match period {
        1.. => format!("sampled, once in {} {unit}: its values are estimates", thousands(*period as u64)),
        _ => "sampled: its values are estimates".to_owned(),
    }
}

/// A profile format, as it is named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ProfileWord {
    /// An interpreted heaptrack profile
    Heaptrack,
    /// Collapsed stacks, one per line
    Collapsed,
    /// The output of perf script
    Perf,
    /// A pprof profile
    Pprof,
    /// A speedscope document
    Speedscope,
}

impl ProfileWord {
    /// The format that the word means.
    pub(super) fn format(self) -> ProfileFormat {
        match self {
            Self::Heaptrack => ProfileFormat::Heaptrack,
            Self::Collapsed => ProfileFormat::Collapsed,
            Self::Perf => ProfileFormat::Perf,
            Self::Pprof => ProfileFormat::Pprof,
            Self::Speedscope => ProfileFormat::Speedscope,
        }
    }
}

/// The roots to show above the outermost calls of a profile, as they are named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RootsWord {
    /// Processes
    Process,
    /// Processes, and their threads below them
    Thread,
}

impl RootsWord {
    /// The roots that the word means; [`Roots::None`] if there is no word.
    pub(super) fn roots(word: Option<Self>) -> Roots {
        match word {
            None => Roots::None,
            Some(Self::Process) => Roots::Process,
            Some(Self::Thread) => Roots::Thread,
        }
    }
}
