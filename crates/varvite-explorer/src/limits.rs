//! [`Limits`]: the memory and the time that a question may take.

use std::time::Duration;

use varvite::pipeline::Options;
use varvite::{Budget, Cancel, Task};

/// The limits of each question.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The memory in bytes.
    pub memory: usize,
    /// The time.
    pub deadline: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 256 << 20, deadline: Duration::from_secs(10) }
    }
}

/// The limits of one question that has begun.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    task: Task<'static>,
    /// The same task for work that later questions use too: it goes on if the client leaves.
    lasting: Task<'static>,
}

impl Work {
    /// Begins a question. Setting `cancel` ends its work soon.
    pub(crate) fn begin(limits: Limits, cancel: &Cancel) -> Self {
        let lasting = Task::new().threads(1).memory(limits.memory).time_max(limits.deadline);
        Self { task: lasting.clone().cancel(cancel), lasting }
    }

    /// The task of work on a graph.
    pub(crate) fn task(&self) -> Task<'static> {
        self.task.clone()
    }

    /// The options of a run.
    pub(crate) fn options(&self) -> Options {
        Options::from(self.task())
    }

    /// A budget for the rest of the question.
    pub(crate) fn budget(&self) -> Budget {
        Budget::of(&self.task)
    }

    /// Fails once the question is cancelled or its time is over.
    pub(crate) fn check(&self) -> varvite::Result<()> {
        Ok(self.task.check()?)
    }

    /// Fails once the time of the question is over, even if its client has left.
    pub(crate) fn check_time(&self) -> varvite::Result<()> {
        Ok(self.lasting.check()?)
    }
}
