//! [`AlgorithmOptions`]: the limits of algorithms.

use varvite_store::Task;

/// Options of the algorithms over one [`Subgraph`](super::Subgraph). A [`Task`] alone converts to options
/// with its limits.
#[derive(Clone, Debug)]
pub struct AlgorithmOptions {
    /// Threads, memory, time and the flag that cancels. Results count as memory until they are returned, and
    /// are the same, bit for bit, on any number of threads.
    pub task: Task<'static>,
    /// Bytes of the memory for decoded lists, and for nothing else: a half by default. With none, lists are
    /// read from columns each time.
    pub list_bytes: Option<usize>,
}

impl Default for AlgorithmOptions {
    /// A task without limits of its own; half of the memory is for lists.
    fn default() -> Self {
        Task::new().into()
    }
}

impl From<Task<'static>> for AlgorithmOptions {
    fn from(task: Task<'static>) -> Self {
        Self { task, list_bytes: None }
    }
}
