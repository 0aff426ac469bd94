//! [`Task`]: the limits of an operation (threads, memory, time), the flag that cancels it, and the listener
//! for its progress.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::work::cancel::{Cancel, Cancelled};
use crate::work::machine_memory::default_memory;
use crate::work::threads::processors;

/// The limits of an operation, such as a run of a plan, a search, an algorithm, an import or a check of a
/// whole file.
///
/// By default an operation has a thread for each processor, a quarter of the memory that the process may use,
/// and unlimited time. Clones share the cancel flag and the end time, so that one task limits several
/// operations in a row.
///
/// ```
/// # extern crate varvite_store as varvite;
/// use std::time::Duration;
/// use varvite::{Cancel, Task};
///
/// let cancel = Cancel::default();
/// let task = Task::new().threads(4).memory(64 << 20).time_max(Duration::from_secs(60)).cancel(&cancel);
/// let task = task.progress(|progress| eprintln!("{progress}"));
/// // Elsewhere, on any thread: the operation ends soon, with an error of the code CANCELLED.
/// cancel.cancel();
/// assert!(task.check().is_err());
/// ```
#[derive(Clone, Default)]
pub struct Task<'a> {
    threads: Option<usize>,
    memory: Option<usize>,
    cancel: Cancel,
    progress: Option<Arc<Listener<'a>>>,
}

/// A function that gets each report of progress.
type Listener<'a> = dyn Fn(&Progress<'_>) + Send + Sync + 'a;

/// A report of the progress of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The name of the current step.
    pub step: &'a str,
    /// The amount of finished work.
    pub done: u64,
    /// The total amount of work.
    pub total: u64,
    /// The unit of `done` and `total`.
    pub unit: ProgressUnit,
}

/// The unit of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgressUnit {
    /// Steps, which may take very different times.
    Steps,
    /// Bytes of the file.
    Bytes,
}

impl fmt::Display for Progress<'_> {
    /// Formats the report, for example as `CFG: 7 of 83`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.unit == ProgressUnit::Bytes { " bytes" } else { "" };
        write!(formatter, "{}: {} of {}{unit}", self.step, self.done, self.total)
    }
}

impl<'a> Task<'a> {
    /// A task with all processors, a quarter of the usable memory, unlimited time, and no reports of
    /// progress.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of threads, the calling thread included; 0 stands for 1.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads: Some(threads.max(1)), ..self }
    }

    /// Limits the memory of the operation in bytes. Columns of graphs and whole buffers of input and output
    /// are not counted.
    #[must_use]
    pub fn memory(self, bytes: usize) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// Ends the operation with an error once `limit` has passed since this call. The clock is read together
    /// with the cancel flag: after a few thousand rows, a block, or a megabyte of text.
    #[must_use]
    pub fn time_max(self, limit: Duration) -> Self {
        Self { cancel: self.cancel.until(Instant::now().checked_add(limit)), ..self }
    }

    /// Ends the operation soon after any thread has set `cancel`. The time limit of the task is kept.
    #[must_use]
    pub fn cancel(self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone().until(self.cancel.end()), ..self }
    }

    /// Calls `progress` at intervals, from any thread of the operation and possibly from several threads at
    /// once. The function should return quickly.
    #[must_use]
    pub fn progress(self, progress: impl Fn(&Progress<'_>) + Send + Sync + 'a) -> Self {
        Self { progress: Some(Arc::new(progress)), ..self }
    }

    /// The number of threads.
    pub fn thread_count(&self) -> usize {
        self.threads.unwrap_or_else(processors)
    }

    /// The memory limit in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.memory.unwrap_or_else(default_memory)
    }

    /// The memory limit in bytes; `None` if the task uses the default.
    pub fn memory_limit(&self) -> Option<usize> {
        self.memory
    }

    /// The cancel flag, which includes the time limit.
    pub fn flag(&self) -> &Cancel {
        &self.cancel
    }

    /// Checks the cancel flag and the clock.
    ///
    /// # Errors
    /// The task was cancelled, or its time is over.
    pub fn check(&self) -> Result<(), Cancelled> {
        self.cancel.check()
    }

    /// Reports that `done` of `total` steps are done and that `step` is next.
    pub fn step(&self, step: &str, done: usize, total: usize) {
        let (done, total) = (done as u64, total as u64);
        self.tell(&Progress { step, done, total, unit: ProgressUnit::Steps });
    }

    /// Reports that `done` of `total` bytes are done.
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
        let Self { threads, memory, cancel, progress: _ } = self;
        formatter
            .debug_struct("Task")
            .field("threads", threads)
            .field("memory", memory)
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

    #[test]
    fn a_task_ends_with_its_time_whatever_is_said_first() {
        let (cancel, no_time) = (Cancel::default(), Duration::ZERO);
        let tasks =
            [Task::new().cancel(&cancel).time_max(no_time), Task::new().time_max(no_time).cancel(&cancel)];
        for task in tasks {
            assert!(task.check().is_err() && task.clone().threads(2).check().is_err());
        }
        // Running out of time does not set the flag, because other tasks may share the flag.
        assert!(cancel.check().is_ok());
        let task = Task::new().time_max(Duration::MAX).cancel(&cancel);
        assert!(task.check().is_ok());
        cancel.cancel();
        assert!(task.check().is_err());
    }

    #[test]
    fn memory_is_a_quarter_of_what_there_is_unless_a_task_has_its_own() {
        let task = Task::new();
        assert_eq!((task.memory_limit(), task.memory_bytes()), (None, default_memory()));
        assert_eq!((task.clone().memory(7).memory_limit(), task.memory(7).memory_bytes()), (Some(7), 7));
    }
}
