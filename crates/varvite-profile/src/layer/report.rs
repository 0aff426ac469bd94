//! [`HeapReport`]: the result of an import.

use super::coverage::Coverage;
use crate::measure::{Measures, Sampling};
use crate::profile::{Noticed, Totals};

/// The result of an import.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HeapReport {
    /// The name of the layer.
    pub layer: String,
    /// The measures of the counts.
    pub measures: Measures,
    /// The sampling from which the counts were estimated; `None` if they were counted exactly.
    pub sampling: Option<Sampling>,
    /// Sums over the whole run, as the tool reports them.
    pub totals: Totals,
    /// The number of distinct places of calls.
    pub places: usize,
    /// The number of steps of the tree of calls.
    pub steps: usize,
    /// The number of METHODs with counts.
    pub methods: usize,
    /// The number of CALLs with counts.
    pub calls: usize,
    /// The number of events in the layer; `None` if it has only sums.
    pub events: Option<u64>,
    /// The share of the profile that was joined to the code.
    pub coverage: Coverage,
    /// Whether Go calls C in the program (cgo). The C code then ran on a stack of its own, and a profiler
    /// records it as a second stack that begins in C: its values do not count for the Go code that called it.
    pub has_split_stacks: bool,
    /// Oddities of the profile, such as invalid lines.
    pub noticed: Noticed,
    /// Size of the graph's file in bytes.
    pub file_len: u64,
}
