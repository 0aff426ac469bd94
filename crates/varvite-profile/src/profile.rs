//! [`Profile`]: a tree of calls, with the calls' places in the source and their counts.

use std::ops::Range;

use crate::events::EventTable;
use crate::measure::{Counts, Kind, Measures, Sampling};
use crate::texts::{TextId, Texts};
use crate::timeline::Timeline;

/// A profile of one run of a program.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The tool and the program, and how the profile was recorded.
    pub recording: Recording,
    /// The kind of the profile.
    pub kind: Kind,
    /// The measures of the counts.
    pub measures: Measures,
    /// The sampling from which the counts were estimated; `None` if they were counted exactly.
    pub sampling: Option<Sampling>,
    /// All texts of the profile.
    pub texts: Texts,
    /// Places in the code. Steps refer to a location by its index.
    pub locations: Vec<Location>,
    /// The frames of all locations, in the order of the locations.
    pub frames: Vec<Frame>,
    /// The tree of calls. Each step comes after its caller.
    pub steps: Vec<Step>,
    /// The steps that have counts, in the order of the file.
    pub sites: Vec<Site>,
    /// Sums over the whole run.
    pub totals: Totals,
    /// Memory in use over time; empty if the profile has no times.
    pub timeline: Timeline,
    /// The kinds and the number of the profile's events; `None` if events were not read.
    pub events: Option<EventTable>,
    /// The number of lines of the text, without empty lines and comments; 0 for formats that are not text.
    pub lines: u64,
    /// Irregularities of the profile.
    pub noticed: Noticed,
}

/// The tool and the program of a profile, and how it was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Name of the tool.
    pub tool: String,
    /// Version of the tool.
    pub version: String,
    /// The command line of the program.
    pub command: String,
    /// Size of a memory page in bytes.
    pub page_size: u64,
    /// Whether the tool attached to a program that was already running.
    pub is_attached: bool,
    /// The beginning of the run, in nanoseconds since 1970; 0 if it is not known.
    pub began_unix_ns: i64,
    /// The duration of the run in nanoseconds; 0 if it is not known in nanoseconds.
    pub duration_ns: i64,
    /// The name of the measure that the tool shows first; empty if the profile does not state it.
    pub default_measure: String,
}

/// A location in the code: an address, with its module and its functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The address in the process.
    pub address: u64,
    /// The file of the machine code: a program or a library.
    pub module: TextId,
    /// The frames of the location, as a range in [`Profile::frames`]. First comes the function in whose
    /// source the code was written, then the functions into which it was inlined. Empty if there are no
    /// symbols.
    pub frames: Range<u32>,
}

/// A function at a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The function's name, as the tool recorded it.
    pub function: TextId,
    /// The source file.
    pub file: TextId,
    /// The line; 0 if it is not known.
    pub line: u32,
}

/// A step of the tree of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the calling step; `None` for an outermost step.
    pub parent: Option<u32>,
    /// The number of the location; `None` if the file refers to a location that does not exist.
    pub location: Option<u32>,
}

/// A step with its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The number of the step; `None` if the file refers to a step that does not exist.
    pub step: Option<u32>,
    /// The own counts of the step.
    pub counts: Counts,
}

/// Sums over a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The sums of all measures. heaptrack's leaked bytes exclude the suppressed ones.
    pub counts: Counts,
    /// Leaked bytes that the tool or the program suppresses.
    pub suppressed_bytes: i64,
    /// The number of milliseconds for which the program ran; 0 if this is not known.
    pub runtime_ms: u64,
    /// The maximum resident memory of the process, including that of the tool; 0 if it is not known.
    pub peak_resident_bytes: u64,
}

/// Irregularities of a profile that could be read nevertheless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noticed {
    /// Whether the profile is truncated, because the program or the tool was killed. The part before the cut
    /// was read.
    pub is_cut_off: bool,
    /// The number of lines that are invalid, or refer to items that do not exist. They were left out.
    pub bad_lines: u64,
    /// The number of the first invalid line; 0 if there is none.
    pub first_bad_line: u64,
    /// In formats that are not text, the number of samples and events that are invalid, or refer to items
    /// that do not exist.
    pub bad_samples: u64,
    /// The number of stacks that were deeper than the maximum depth. The counts of deeper calls were added to
    /// the call at the maximum depth.
    pub deep_stacks: u64,
    /// The number of measures that were left out, because there are more than the maximum.
    pub measures_left_out: u64,
    /// The number of programs in the profile, if the profile has this information.
    pub programs: u64,
    /// The number of events that the tool lost during the recording, as the tool reports it.
    pub lost_events: u64,
    /// The number of nanoseconds in which no function was running. They are not included in any sum.
    pub idle_ns: i64,
    /// The number of values that were rounded to six decimals.
    pub rounded_values: u64,
    /// The number of samples that had labels. Labels are dropped.
    pub labelled_samples: u64,
    /// Whether any values are negative, as in a difference of two profiles.
    pub has_negative: bool,
    /// Whether any sum exceeded 64 bits, and was limited to the range of 64 bits.
    pub is_saturated: bool,
}

impl Noticed {
    /// Notes that a line is invalid.
    pub(crate) fn bad_line(&mut self, number: u64) {
        self.bad_lines += 1;
        if self.first_bad_line == 0 {
            self.first_bad_line = number;
        }
    }
}

impl Profile {
    /// The frames of a step, starting with the function in whose source the code was written; empty if no
    /// function is known.
    pub fn frames_of(&self, step: u32) -> &[Frame] {
        let location = self.location_of(step);
        location.map_or(&[], |location| {
            self.frames.get(location.frames.start as usize..location.frames.end as usize).unwrap_or(&[])
        })
    }

    /// The location of a step.
    pub fn location_of(&self, step: u32) -> Option<&Location> {
        self.locations.get(self.steps.get(step as usize)?.location? as usize)
    }

    /// A step and its callers, from the step outwards. Parents that do not come before their children are
    /// ignored, so the iteration always ends.
    pub fn stack(&self, step: u32) -> impl Iterator<Item = u32> + '_ {
        let parent = |step: &u32| self.steps.get(*step as usize)?.parent.filter(|parent| parent < step);
        std::iter::successors(Some(step).filter(|step| (*step as usize) < self.steps.len()), parent)
    }
}
