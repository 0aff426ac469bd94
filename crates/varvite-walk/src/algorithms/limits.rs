//! [`Limits`]: the limits on memory, threads and time for algorithms over one subgraph.

use varvite_store::Cancel;

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
    damage: Damage,
}

impl Limits {
    pub(super) fn new(options: &AlgorithmOptions, damage: &Damage) -> Self {
        let AlgorithmOptions { task, list_bytes } = options;
        let memory = task.memory_bytes();
        let lists = list_bytes.unwrap_or(memory / 2).min(memory);
        Self {
            lists: Budget::new(lists),
            work: Budget::new(memory - lists),
            threads: task.thread_count(),
            cancel: task.flag().clone(),
            damage: damage.clone(),
        }
    }

    /// Fails if the algorithm was cancelled.
    pub(super) fn check(&self) -> Result<(), AlgorithmError> {
        Ok(self.cancel.check()?)
    }

    /// Fails if any read found damage; called before an answer is returned.
    pub(super) fn check_damage(&self) -> Result<(), AlgorithmError> {
        Ok(self.damage.check()?)
    }

    /// A counter of edges for one thread, which checks for cancellation at intervals.
    pub(super) fn meter(&self) -> Meter {
        Meter::new(Some(self.cancel.clone()), None)
    }
}
