//! [`AlgorithmOptions`]: what algorithms may take.

use varvite_store::Cancel;

use varvite_graph::{Budget, cores};

/// What algorithms over one [`Subgraph`](super::Subgraph) may take.
#[derive(Clone, Debug)]
pub struct AlgorithmOptions {
    /// Most bytes that are held. Results count until they are given.
    pub memory_bytes: usize,
    /// How many of them are for decoded lists, and for nothing else: a half unless this says otherwise. With none, lists
    /// are read from columns each time.
    pub list_bytes: Option<usize>,
    /// Most threads that work. Results are the same, bit for bit, whatever their number.
    pub threads: usize,
    /// The flag that cancels.
    pub cancel: Cancel,
}

impl Default for AlgorithmOptions {
    /// A quarter of the machine's memory ([`Budget::default_bytes`]), and all cores.
    fn default() -> Self {
        let memory_bytes = Budget::default_bytes();
        Self { memory_bytes, list_bytes: None, threads: cores(), cancel: Cancel::default() }
    }
}
