//! [`PathOptions`]: limits of a search for shortest paths.

use varvite_store::Task;

/// Limits of a search for shortest paths. A [`Task`] can be converted to options for paths of any length.
#[derive(Clone, Debug)]
pub struct PathOptions {
    /// Memory, time limit and the flag that cancels. A search runs on the caller's thread.
    pub task: Task<'static>,
    /// The maximum number of edges in a path.
    pub length_max: u32,
}

impl Default for PathOptions {
    /// The options of a new [`Task`], and paths of any length.
    fn default() -> Self {
        Task::new().into()
    }
}

impl From<Task<'static>> for PathOptions {
    fn from(task: Task<'static>) -> Self {
        Self { task, length_max: u32::MAX }
    }
}
