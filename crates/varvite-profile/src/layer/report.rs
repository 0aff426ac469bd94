//! [`HeapReport`]: what came of an import.

use super::placement::MatchClass;
use crate::profile::{Counts, Noticed, Totals};

/// What came of an import.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HeapReport {
    /// The layer.
    pub layer: String,
    /// Sums over the whole run, as the tool says them.
    pub totals: Totals,
    /// Distinct places of calls, steps of the tree of calls, and METHODs and CALLs that have counts.
    pub places: usize,
    /// Steps of the tree.
    pub steps: usize,
    /// METHODs with counts.
    pub methods: usize,
    /// CALLs with counts.
    pub calls: usize,
    /// What was allocated in code of each class, by [`MatchClass::ALL`].
    pub by_class: [(MatchClass, Counts); MatchClass::ALL.len()],
    /// What was allocated in code that the graph lacks, by steps below one of its METHODs.
    pub for_methods: Counts,
    /// What each module allocated, most calls first.
    pub modules: Vec<ModuleReport>,
    /// What was odd in the profile.
    pub noticed: Noticed,
    /// Size of the graph's file in bytes.
    pub file_len: u64,
}

/// What a module allocated.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModuleReport {
    /// Its path, as the profile has it; empty where it is not known.
    pub path: String,
    /// What its code allocated.
    pub counts: Counts,
    /// Of this, in METHODs of the graph.
    pub placed: Counts,
}

impl HeapReport {
    /// What was allocated in METHODs of the graph.
    pub fn placed(&self) -> Counts {
        let mut placed = Counts::default();
        let known =
            self.by_class.iter().filter(|(class, _)| matches!(class, MatchClass::Exact | MatchClass::Name));
        known.for_each(|(_, counts)| placed += *counts);
        placed
    }
}
