//! The memory that a graph and its process leave to an operation.

use varvite_store::{MemoryState, PROCESS_MIN, ProcessMemory, Task};

use crate::graph::Graph;

/// The share of a process limit for texts that are decoded while an operation runs.
const TEXTS_SHARE: usize = 16;

impl Graph {
    /// The same task with its memory reduced by that of the graph: for an operation whose limit includes
    /// columns decoded before.
    ///
    /// A limit of the task of at least [`PROCESS_MIN`](crate::inspect::memory::PROCESS_MIN) is a limit for
    /// the whole process: the program's own memory is subtracted, but no more than half of the rest. Smaller
    /// limits and the default count results and decoded columns alone. Costs a read of `/proc` in the first
    /// case.
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
