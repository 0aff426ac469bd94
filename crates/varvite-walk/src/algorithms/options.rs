//! [`AlgorithmOptions`]: the limits of algorithms.

use varvite_store::Task;

/// Options of the algorithms over one [`Subgraph`](super::Subgraph). A [`Task`] can be converted to options
/// that have its limits.
#[derive(Clone, Debug)]
pub struct AlgorithmOptions {
    /// Threads, memory, time limit and the flag that cancels. The memory limit includes results until they
    /// are returned. Results are the same, bit for bit, on any number of threads.
    pub task: Task<'static>,
    /// The part of the memory, in bytes, that is reserved for decoded lists; by default, half of the memory.
    /// With 0 bytes, lists are read from columns each time.
    pub list_bytes: Option<usize>,
}

impl Default for AlgorithmOptions {
    /// The options of a new [`Task`], with half of the memory for decoded lists.
    fn default() -> Self {
        Task::new().into()
    }
}

impl From<Task<'static>> for AlgorithmOptions {
    fn from(task: Task<'static>) -> Self {
        Self { task, list_bytes: None }
    }
}
