//! [`AlgorithmOptions`]: what algorithms may take.

use varvite_store::Task;

/// What algorithms over one [`Subgraph`](super::Subgraph) may take. A [`Task`] alone stands for the options
/// with its limits.
#[derive(Clone, Debug)]
pub struct AlgorithmOptions {
    /// Threads, memory, time and the flag that cancels. Results count as memory until they are given, and are
    /// the same, bit for bit, whatever the number of threads.
    pub task: Task<'static>,
    /// Bytes of the memory for decoded lists, and for nothing else: a half unless this says otherwise. With
    /// none, lists are read from columns each time.
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
