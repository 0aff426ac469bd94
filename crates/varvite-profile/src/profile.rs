//! [`Profile`]: who called whom, what it is called in the source, and what was counted.

use std::ops::Range;

use crate::texts::{TextId, Texts};
use crate::timeline::Timeline;

/// A profile of one run of a program.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// What made it, of what.
    pub origin: Origin,
    /// All texts.
    pub texts: Texts,
    /// Places in the code, by their number.
    pub locations: Vec<Location>,
    /// Frames of all locations, those of one behind those of the one before.
    pub frames: Vec<Frame>,
    /// The tree of calls: each step comes behind the one that called it.
    pub steps: Vec<Step>,
    /// Where memory was allocated, in the order in which the profile names them.
    pub sites: Vec<Site>,
    /// Sums over the whole run.
    pub totals: Totals,
    /// What was in use as time went by; empty where the profile tells no time.
    pub timeline: Timeline,
    /// What was odd.
    pub noticed: Noticed,
}

/// What made a profile, of what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Name of the tool.
    pub tool: &'static str,
    /// Its version.
    pub version: String,
    /// The command line of the program.
    pub command: String,
    /// Bytes of a page.
    pub page_size: u64,
    /// The tool joined a program that was running already.
    pub is_attached: bool,
}

/// A place in the code: an address, and what is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The address in the process.
    pub address: u64,
    /// The file of the code.
    pub module: TextId,
    /// Its frames, as places in [`Profile::frames`]: the function that the code was written in first, then those that it was
    /// inlined into. None where there are no symbols.
    pub frames: Range<u32>,
}

/// A function at a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// A step that allocates, with what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The number of the step; none where the profile gives one that there is not.
    pub step: Option<u32>,
    /// What was counted.
    pub counts: Counts,
}

/// What is counted of allocations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls of functions that allocate.
    pub calls: i64,
    /// Those of which the memory was given back before the next call.
    pub temporary: i64,
    /// Bytes that were not given back.
    pub leaked_bytes: i64,
    /// Bytes that were in use when the whole program used most, for the first time.
    pub peak_bytes: i64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.temporary = self.temporary.saturating_add(other.temporary);
        self.leaked_bytes = self.leaked_bytes.saturating_add(other.leaked_bytes);
        self.peak_bytes = self.peak_bytes.saturating_add(other.peak_bytes);
    }
}

/// Sums over a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Calls of functions that allocate.
    pub calls: i64,
    /// Those of which the memory was given back before the next call.
    pub temporary: i64,
    /// Most bytes that were in use at a time.
    pub peak_bytes: i64,
    /// Bytes that were not given back, those that are suppressed left out.
    pub leaked_bytes: i64,
    /// Bytes that were not given back and that the tool, or the program, says not to tell.
    pub suppressed_bytes: i64,
    /// Milliseconds that the program ran.
    pub runtime_ms: u64,
    /// Most memory that the process had, with what the tool took.
    pub peak_resident_bytes: u64,
}

/// What was odd in a profile that was read all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noticed {
    /// The profile ends in the middle: the program, or the tool, was killed. What came before counts.
    pub is_cut_off: bool,
    /// Lines that make no sense, or name what there is not; they were left out.
    pub bad_lines: u64,
    /// The number of the first of them; 0 if there is none.
    pub first_bad_line: u64,
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

    /// A step and those that called it, outwards. A parent comes before its children, so that this ends whatever the file says.
    pub fn stack(&self, step: u32) -> impl Iterator<Item = u32> + '_ {
        let parent = |step: &u32| self.steps.get(*step as usize)?.parent.filter(|parent| parent < step);
        std::iter::successors(Some(step).filter(|step| (*step as usize) < self.steps.len()), parent)
    }
}
