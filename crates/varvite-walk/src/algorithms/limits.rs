//! [`Limits`]: the limits on memory, threads and time for algorithms over one subgraph.

use varvite_store::{Cancel, Task};

use super::error::AlgorithmError;
use super::options::AlgorithmOptions;
use crate::walk::Meter;
use varvite_graph::Budget;
use varvite_graph::internal::Damage;

/// The limits for algorithms. Clones share the budgets.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// The budget for decoded lists.
    pub(super) lists: Budget,
    /// The budget for all other memory.
    pub(super) work: Budget,
    pub(super) threads: usize,
    cancel: Cancel,
    /// `None` for edges that the caller supplied.
    damage: Option<Damage>,
}

impl Limits {
    pub(super) fn new(options: &AlgorithmOptions, damage: Option<&Damage>) -> Self {
        let AlgorithmOptions { task, list_bytes } = options;
        let memory = task.memory_bytes();
        let lists = list_bytes.unwrap_or(memory / 2).min(memory);
        Self {
            lists: Budget::new(lists),
            work: Budget::new(memory - lists),
            threads: task.thread_count(),
            cancel: task.flag().clone(),
            damage: damage.cloned(),
        }
    }

    /// Fails if the algorithm was cancelled.
    pub(super) fn check(&self) -> Result<(), AlgorithmError> {
        Ok(self.cancel.check()?)
    }

    /// Fails if any read found damage; called before an answer is returned.
    pub(super) fn check_damage(&self) -> Result<(), AlgorithmError> {
        self.damage.as_ref().map_or(Ok(()), |damage| Ok(damage.check()?))
    }

    /// The same budgets, with the threads and the cancellation flag of a task.
    pub(super) fn with_task(&self, task: &Task<'_>) -> Self {
        Self { threads: task.thread_count(), cancel: task.flag().clone(), ..self.clone() }
    }

    /// A counter of edges for one thread, which checks for cancellation at intervals.
    pub(super) fn meter(&self) -> Meter {
        Meter::new(Some(self.cancel.clone()), None)
    }
}
