//! [`Options`]: how to run a plan.

use varvite_graph::Budget;
use varvite_store::Cancel;

/// How to run a plan.
#[derive(Clone, Debug)]
pub struct Options {
    /// Most bytes that the run may hold beside its batches: visited sets (one for each thread), sorts, groups, stacks, paths.
    pub memory_bytes: usize,
    /// Rows of a batch, more or less.
    pub batch_rows: usize,
    /// Threads for searches, and for steps that treat each row for itself once these have taken longer than a thread takes to
    /// start; 1 for none but the caller's. The rows and their order are the same.
    pub threads: usize,
    /// Threads start with the first rows, whether they pay or not: for tests, whose graphs are small.
    pub eager_threads: bool,
    /// The flag that cancels.
    pub cancel: Cancel,
    /// Whether to measure each step, for [`Run::profile`](crate::pipeline::Run::profile).
    pub profile: bool,
}

impl Default for Options {
    /// A quarter of the machine's memory ([`Budget::default_bytes`]), 2048 rows, a thread for each core.
    fn default() -> Self {
        Self {
            memory_bytes: Budget::default_bytes(),
            batch_rows: 2048,
            threads: varvite_graph::cores(),
            eager_threads: false,
            cancel: Cancel::default(),
            profile: false,
        }
    }
}
