//! [`Profile`]: a tree of calls, their places in the source, and their counts.

use std::ops::Range;

use crate::events::EventTable;
use crate::measure::{Counts, Kind, Measures, Sampling};
use crate::texts::{TextId, Texts};
use crate::timeline::Timeline;

/// A profile of one run of a program.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The tool and the program of the profile.
    pub recording: Recording,
    /// The kind of the profile.
    pub kind: Kind,
    /// The measures of its counts.
    pub measures: Measures,
    /// The sampling that estimated them; none if they were counted.
    pub sampling: Option<Sampling>,
    /// All texts.
    pub texts: Texts,
    /// Places in the code, by their number.
    pub locations: Vec<Location>,
    /// Frames of all locations, those of one behind those of the one before.
    pub frames: Vec<Frame>,
    /// The tree of calls: each step comes behind the one that called it.
    pub steps: Vec<Step>,
    /// The places that have counts, in the order of the profile.
    pub sites: Vec<Site>,
    /// Sums over the whole run.
    pub totals: Totals,
    /// Memory in use over time; empty if the profile has no times.
    pub timeline: Timeline,
    /// The kinds of its events, if they were kept.
    pub events: Option<EventTable>,
    /// Lines that its text has, without empty ones and comments; 0 of forms that are no text.
    pub lines: u64,
    /// Oddities of the profile.
    pub noticed: Noticed,
}

/// The tool and the program of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Name of the tool.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// The command line of the program.
    pub command: String,
    /// Bytes of a page.
    pub page_size: u64,
    /// The tool joined a program that was running already.
    pub is_attached: bool,
    /// Its beginning, in nanoseconds since 1970; 0 if it is not known.
    pub began_unix_ns: i64,
    /// Nanoseconds that it lasted; 0 where that is not known so exactly.
    pub duration_ns: i64,
    /// The measure that its tool shows first; empty if the profile does not say.
    pub default_measure: String,
}

/// A place in the code: an address with its module and functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The address in the process.
    pub address: u64,
    /// The file of the code.
    pub module: TextId,
    /// Its frames, as places in [`Profile::frames`]: the function that the code was written in first, then
    /// those that it was inlined into. None where there are no symbols.
    pub frames: Range<u32>,
}

/// A function at a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The name, as the tool gives it.
    pub function: TextId,
    /// The source file.
    pub file: TextId,
    /// The line; 0 where it is not known.
    pub line: u32,
}

/// A step of the tree of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the step that called this one; none of outermost ones.
    pub parent: Option<u32>,
    /// The number of its location; none where the profile gives one that there is not.
    pub location: Option<u32>,
}

/// A step with its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The number of the step; none where the profile gives one that there is not.
    pub step: Option<u32>,
    /// The counts.
    pub counts: Counts,
}

/// Sums over a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The sums of all measures; heaptrack's leaked bytes without the suppressed ones.
    pub counts: Counts,
    /// Leaked bytes that the tool or the program suppresses.
    pub suppressed_bytes: i64,
    /// Milliseconds that the program ran, or 0 where that is not known.
    pub runtime_ms: u64,
    /// The most memory of the process, with that of the tool; 0 if it is not known.
    pub peak_resident_bytes: u64,
}

/// Oddities of a profile that was read all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noticed {
    /// The profile ends in the middle: the program, or the tool, was killed. The part before counts.
    pub is_cut_off: bool,
    /// Lines that are invalid, or refer to missing things; they were left out.
    pub bad_lines: u64,
    /// The number of the first of them; 0 if there is none.
    pub first_bad_line: u64,
    /// Samples and events that are invalid, or refer to missing things, in profiles without lines.
    pub bad_samples: u64,
    /// Stacks beyond the largest depth: the calls below count for the last one kept.
    pub deep_stacks: u64,
    /// Measures beyond the largest number.
    pub measures_left_out: u64,
    /// Programs of the profile, if it names their number.
    pub programs: u64,
    /// Events that the tool lost during its recording, by its own count.
    pub lost_events: u64,
    /// Nanoseconds in which nothing was called. They are no part of any sum.
    pub idle_ns: i64,
    /// Values that have more decimals than are kept: six.
    pub rounded_values: u64,
    /// Samples with labels, which are not kept.
    pub labelled_samples: u64,
    /// Some values are less than nothing, as in a difference of profiles.
    pub has_negative: bool,
    /// Some sum has more than 64 bits: it is the most that these hold.
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
    /// The frames of a step, the function that the code was written in first; none where nothing is known.
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

    /// A step and its callers, outwards. A parent comes before its children, so that this ends for every
    /// file.
    pub fn stack(&self, step: u32) -> impl Iterator<Item = u32> + '_ {
        let parent = |step: &u32| self.steps.get(*step as usize)?.parent.filter(|parent| parent < step);
        std::iter::successors(Some(step).filter(|step| (*step as usize) < self.steps.len()), parent)
    }
}
