//! [`Options`]: how to run a plan.

use varvite_store::Task;

/// Options of a run. A [`Task`] converts to options with its limits.
///
/// - Threads of the task: for searches, and for steps that treat each row independently once they have taken
///   longer than a thread takes to start. With 1, only the caller's thread is used. The results and their
///   order do not depend on the number of threads.
/// - Memory of the task: the most bytes that the run may hold, not counting batches: visited sets (one for
///   each thread), sorts, groups, stacks, paths.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads, memory, time limit and cancel flag. A run does not report progress, since its rows show it.
    pub task: Task<'static>,
    /// The approximate number of rows in a batch.
    pub batch_rows: usize,
    /// Whether threads start with the first rows, even if they do not pay. For tests, whose graphs are small.
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
