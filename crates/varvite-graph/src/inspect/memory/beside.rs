//! The memory that a graph and its process leave to an operation.

use varvite_store::{MemoryState, PROCESS_MIN, ProcessMemory, Task};

use crate::graph::Graph;

/// Of a limit for the process, this share is left to texts that are decoded while an operation runs.
const TEXTS_SHARE: usize = 16;

impl Graph {
    /// The same task with as much of its memory as the graph leaves: for an operation whose limit counts
    /// columns that are decoded by now, too.
    ///
    /// From [`PROCESS_MIN`](crate::inspect::memory::PROCESS_MIN) on, a limit of the task's own holds for all
    /// that the process has in memory: the program takes a part of it, but no more than half of what is left.
    /// Smaller ones and the default are for what is remembered and decoded alone. Costs a read of `/proc` in
    /// the first case.
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
