//! [`Task`]: how long work is done: on how many threads, who may cancel it, and who is told how far it is.

use std::fmt;
use std::sync::Arc;
use std::thread::available_parallelism;

use crate::work::cancel::{Cancel, Cancelled};

/// How long work is done, such as a check of a whole file: on a thread for each processor, unless told otherwise.
///
/// ```
/// use varvite_store::{Cancel, Task};
///
/// let cancel = Cancel::default();
/// let task = Task::new().threads(4).cancel(&cancel).progress(|progress| eprintln!("{progress}"));
/// // Elsewhere, on any thread: the work ends soon, with an error of the code CANCELLED.
/// cancel.cancel();
/// assert!(task.check().is_err());
/// ```
#[derive(Clone, Default)]
pub struct Task<'a> {
    threads: Option<usize>,
    cancel: Cancel,
    progress: Option<Arc<Listener<'a>>>,
}

/// Who is told how far work is.
type Listener<'a> = dyn Fn(&Progress<'_>) + Send + Sync + 'a;

/// How far work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// What is being done.
    pub step: &'a str,
    /// How much is done.
    pub done: u64,
    /// How much there is to do.
    pub total: u64,
    /// What both count.
    pub unit: ProgressUnit,
}

/// What progress is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgressUnit {
    /// Steps, which may take very different times.
    Steps,
    /// Bytes of the file.
    Bytes,
}

impl fmt::Display for Progress<'_> {
    /// Such as `CFG: 7 of 83`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.unit == ProgressUnit::Bytes { " bytes" } else { "" };
        write!(formatter, "{}: {} of {}{unit}", self.step, self.done, self.total)
    }
}

impl<'a> Task<'a> {
    /// On all processors, never cancelled, and nobody is told.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses so many threads, the calling one included; 0 stands for 1.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Ends soon after `cancel` is set, from whatever thread.
    #[must_use]
    pub fn cancel(self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self }
    }

    /// Calls `progress` now and then, from any thread of the work and from one at a time or several. It should be quick.
    #[must_use]
    pub fn progress(self, progress: impl Fn(&Progress<'_>) + Send + Sync + 'a) -> Self {
        Self { progress: Some(Arc::new(progress)), ..self }
    }

    /// How many threads work.
    pub fn thread_count(&self) -> usize {
        self.threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from))
    }

    /// The flag that cancels.
    pub fn flag(&self) -> &Cancel {
        &self.cancel
    }

    /// A look at the flag.
    ///
    /// # Errors
    /// It was cancelled.
    pub fn check(&self) -> Result<(), Cancelled> {
        self.cancel.check()
    }

    /// The same work, if `done` of `total` steps are done and `step` is next: tells so.
    pub fn step(&self, step: &str, done: usize, total: usize) {
        let (done, total) = (done as u64, total as u64);
        self.tell(&Progress { step, done, total, unit: ProgressUnit::Steps });
    }

    /// Tells that `done` of `total` bytes are done.
    pub fn bytes(&self, step: &str, done: u64, total: u64) {
        self.tell(&Progress { step, done, total, unit: ProgressUnit::Bytes });
    }

    fn tell(&self, progress: &Progress<'_>) {
        if let Some(listener) = &self.progress {
            listener(progress);
        }
    }
}

impl fmt::Debug for Task<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { threads, cancel, progress: _ } = self;
        formatter
            .debug_struct("Task")
            .field("threads", threads)
            .field("cancel", cancel)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn progress_says_what_is_counted() {
        let told = Mutex::new(Vec::new());
        let task =
            Task::new().threads(3).progress(|progress| told.lock().unwrap().push(progress.to_string()));
        assert_eq!(task.thread_count(), 3);
        task.step("CFG", 7, 83);
        task.bytes("blocks", 1, 2);
        drop(task);
        assert_eq!(told.into_inner().unwrap(), ["CFG: 7 of 83", "blocks: 1 of 2 bytes"]);
    }
}
