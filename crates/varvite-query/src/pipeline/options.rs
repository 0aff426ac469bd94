//! [`Options`]: how to run a plan.

use varvite_store::Task;

/// Options of a run. A [`Task`] converts to options that have the task's limits.
///
/// - The task's threads run searches. They also run steps that treat each row independently, once such a step
///   has run for longer than a thread takes to start. If the task has one thread, the run uses only the
///   caller's thread. The results and their order do not depend on the number of threads.
/// - The task's memory limit is the most bytes that the run may hold, not counting batches: for visited sets
///   (one for each thread), sorts, groups, stacks and paths.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads, memory, time limit and cancel flag. A run does not report progress, since the caller sees the
    /// rows that it returns.
    pub task: Task<'static>,
    /// The approximate number of rows in a batch.
    pub batch_rows: usize,
    /// Whether threads start with the first rows, even if they make the run slower. This is for tests, whose
    /// graphs are small.
    pub eager_threads: bool,
    /// Whether to measure each step, for [`Run::profile`](crate::pipeline::Run::profile).
    pub profile: bool,
}

impl Default for Options {
    /// The default: a task without limits, and batches of 2048 rows.
    fn default() -> Self {
        Task::new().into()
    }
}

impl From<Task<'static>> for Options {
    fn from(task: Task<'static>) -> Self {
        Self { task, batch_rows: 2048, eager_threads: false, profile: false }
    }
}
