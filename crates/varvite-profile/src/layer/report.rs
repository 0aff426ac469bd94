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
    /// The sums over the whole run, as the tool reports them.
    pub totals: Totals,
    /// The number of distinct places of calls.
    pub places: usize,
    /// The number of steps of the tree of calls.
    pub steps: usize,
    /// The number of METHODs that have counts.
    pub methods: usize,
    /// The number of CALLs that have counts.
    pub calls: usize,
    /// The number of events in the layer; `None` if it has only sums.
    pub events: Option<u64>,
    /// The share of the profile that was joined to the code.
    pub coverage: Coverage,
    /// Whether Go calls C in the program (cgo). The C code then ran on its own stack, and the profiler
    /// recorded this as a second stack, which begins in C. The values of this stack are not included in those
    /// of the Go code that called C.
    pub has_split_stacks: bool,
    /// Irregularities of the profile, such as invalid lines.
    pub noticed: Noticed,
    /// Size of the graph's file in bytes.
    pub file_len: u64,
}
