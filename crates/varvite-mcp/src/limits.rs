//! [`Limits`]: the memory and the time that a call of a tool may take.

use std::time::Duration;

use varvite::pipeline::Options;
use varvite::{Budget, Cancel, Graph, Task};

/// The limits of each call of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The memory in bytes, decoded columns included; `None` for a quarter of the usable memory.
    pub memory: Option<usize>,
    /// The time.
    pub deadline: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: None, deadline: Duration::from_secs(20) }
    }
}

/// The limits of one call that has begun.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    task: Task<'static>,
}

impl Call {
    /// Begins a call. Setting `cancel` ends its work soon.
    pub(crate) fn begin(limits: Limits, cancel: &Cancel) -> Self {
        let task = Task::new().threads(1).time_max(limits.deadline).cancel(cancel);
        Self { task: limits.memory.into_iter().fold(task, Task::memory) }
    }

    /// The task of work on a graph: its memory is what the graph leaves.
    pub(crate) fn task(&self, graph: &Graph) -> Task<'static> {
        graph.task_beside(self.task.clone())
    }

    pub(crate) fn options(&self, graph: &Graph) -> Options {
        Options::from(self.task(graph))
    }

    pub(crate) fn budget(&self, graph: &Graph) -> Budget {
        Budget::of(&self.task(graph))
    }
}
