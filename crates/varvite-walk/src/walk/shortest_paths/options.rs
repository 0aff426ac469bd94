//! [`PathOptions`]: limits of a search.

use varvite_store::Task;

/// Limits of a search. A [`Task`] converts to the options of a search for paths of any length.
#[derive(Clone, Debug)]
pub struct PathOptions {
    /// Memory, time limit and the flag that cancels. A search works on the caller's thread.
    pub task: Task<'static>,
    /// The most edges of a path.
    pub length_max: u32,
}

impl Default for PathOptions {
    /// A task without limits of its own, and paths of any length.
    fn default() -> Self {
        Task::new().into()
    }
}

impl From<Task<'static>> for PathOptions {
    fn from(task: Task<'static>) -> Self {
        Self { task, length_max: u32::MAX }
    }
}
