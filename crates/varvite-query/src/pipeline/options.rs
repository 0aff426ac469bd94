//! [`Options`]: how to run a plan.

use varvite_store::Task;

/// Options of a run. A [`Task`] alone converts to options with its limits.
///
/// - Threads of the task: for searches, and for steps that treat each row for itself once these have taken
///   longer than a thread takes to start; 1 for none but the caller's. The rows and their order are the same.
/// - Memory of the task: most bytes that the run may hold beside its batches: visited sets (one for each
///   thread), sorts, groups, stacks, paths.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads, memory, time and the flag that cancels. A run reports no progress: its rows show that.
    pub task: Task<'static>,
    /// Rows of a batch, more or less.
    pub batch_rows: usize,
    /// Threads start with the first rows, whether they pay or not: for tests, whose graphs are small.
    pub eager_threads: bool,
    /// Whether to measure each step, for [`Run::profile`](crate::pipeline::Run::profile).
    pub profile: bool,
}

impl Default for Options {
    /// A task without limits of its own, and 2048 rows.
    fn default() -> Self {
        Task::new().into()
    }
}

impl From<Task<'static>> for Options {
    fn from(task: Task<'static>) -> Self {
        Self { task, batch_rows: 2048, eager_threads: false, profile: false }
    }
}
