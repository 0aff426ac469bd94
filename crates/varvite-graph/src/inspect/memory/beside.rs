//! Computes the memory that is left for an operation after the memory of the graph and of the process is
//! subtracted.

use varvite_store::{MemoryState, PROCESS_MIN, ProcessMemory, Task};

use crate::graph::Graph;

/// A process limit divided by this number is left for texts that are decoded while an operation runs.
const TEXTS_SHARE: usize = 16;

impl Graph {
    /// Returns `task` with its memory limit reduced by the memory of the graph, for an operation whose limit
    /// also covers columns that are already decoded.
    ///
    /// If the task has a limit of at least [`PROCESS_MIN`](crate::inspect::memory::PROCESS_MIN), this limit
    /// applies to the whole process: a sixteenth of it is left for texts, and the program's own memory is
    /// subtracted, but at most half of what is then left. This costs a read of `/proc`. A smaller limit, and
    /// the default limit, count only results and decoded columns.
    pub fn task_beside<'t>(&self, task: Task<'t>) -> Task<'t> {
        let (bytes, decoded) = (task.memory_bytes(), self.ledger().total(MemoryState::Decoded));
        let left = bytes.saturating_sub(as_size(decoded));
        if (bytes as u64) < PROCESS_MIN {
            return task.memory(left);
        }
        let process = task.memory_limit().and_then(|_| ProcessMemory::read());
        let anonymous = process.map_or(0, |memory| memory.anonymous);
        let left = left.saturating_sub(bytes / TEXTS_SHARE);
        task.memory(left.saturating_sub(as_size(anonymous.saturating_sub(decoded)).min(left / 2)))
    }
}

fn as_size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
