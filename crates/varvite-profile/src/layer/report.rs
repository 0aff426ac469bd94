//! [`HeapReport`]: the result of an import.

use super::coverage::Coverage;
use crate::measure::{Measures, Sampling};
use crate::profile::{Noticed, Totals};

/// The result of an import.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HeapReport {
    /// The layer.
    pub layer: String,
    /// The measures.
    pub measures: Measures,
    /// The sampling that estimated it; none if it was counted.
    pub sampling: Option<Sampling>,
    /// Sums over the whole run, as the tool reports them.
    pub totals: Totals,
    /// Distinct places of calls, steps of the tree of calls, and METHODs and CALLs that have counts.
    pub places: usize,
    /// Steps of the tree.
    pub steps: usize,
    /// METHODs with counts.
    pub methods: usize,
    /// CALLs with counts.
    pub calls: usize,
    /// Events that the layer has; none where it has sums alone.
    pub events: Option<u64>,
    /// The part that was joined to the code.
    pub coverage: Coverage,
    /// Whether Go calls C in the program (cgo). The C code then ran on a stack of its own, and a profiler
    /// records it as a second stack that begins in C: its values do not count for the Go code that called it.
    pub has_split_stacks: bool,
    /// Oddities of the profile.
    pub noticed: Noticed,
    /// Size of the graph's file in bytes.
    pub file_len: u64,
}
