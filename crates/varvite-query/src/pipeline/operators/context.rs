//! [`Context`]: the data that all operators of a run share: budget, cancel flag, size settings, and the
//! trails of rows.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::stop::Stop;
use super::trails::{NONE, Trails};
use crate::pipeline::description::stack_bytes;
use crate::pipeline::options::Options;
use crate::pipeline::plan::Plan;
use crate::pipeline::rows::{Batch, Carried, TextPool};
use varvite_graph::Budget;
use varvite_store::Cancel;

/// The settings of a run, which stay the same throughout.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) budget: Budget,
    pub(crate) cancel: Cancel,
    /// The texts that the run computes.
    pub(crate) texts: Arc<TextPool>,
    carried: Carried,
    batch_rows: usize,
    threads: usize,
    eager_threads: bool,
    nodes: u32,
    pub(crate) is_profiled: bool,
    forgets_trails: bool,
    /// Whether batches are charged to the budget. They are if there are many operators.
    counts_batches: bool,
}

/// The state that the operators of a run share while a batch is made.
#[derive(Debug)]
pub(crate) struct Context<'r> {
    settings: &'r Settings,
    pub(crate) budget: &'r Budget,
    pub(crate) cancel: &'r Cancel,
    /// The texts that the run computes.
    pub(crate) texts: &'r TextPool,
    pub(crate) trails: &'r mut Trails,
    pub(crate) carried: Carried,
    /// The approximate number of rows in a batch.
    pub(crate) batch_rows: usize,
    pub(crate) threads: usize,
    /// Whether threads start even if that makes the run slower.
    pub(crate) eager_threads: bool,
    /// The number of nodes of the graph.
    pub(crate) nodes: u32,
    pub(crate) is_profiled: bool,
    /// The number of values that searches of columns have read.
    pub(crate) values_read: u64,
    /// Whether the first operator drops all trails when it makes its next batch. It may if no operator keeps
    /// rows from one of these batches to the next.
    pub(crate) forgets_trails: bool,
    /// Whether batches are charged to the budget.
    pub(crate) counts_batches: bool,
    /// Whether rows carry numbers in place of depths, because an inner pipeline runs for many rows at once.
    pub(crate) has_numbers: bool,
    /// The number of the row that a condition tests at present.
    pub(crate) number: u32,
    ticks: usize,
}

/// In a plan with at most this number of operators, batches are not charged to the budget.
const OPERATORS_FEW: usize = 200;
/// The maximum number of rows of a batch. An operator may make and copy a whole batch between two checks of
/// the cancel flag.
const BATCH_ROWS_MAX: usize = 1 << 15;
/// The approximate maximum number of cells in a batch: if rows have many columns, a batch has few rows.
const CELLS_MAX: usize = 1 << 18;
/// The number of loop turns between two checks of the cancel flag.
const TICKS: usize = 1024;

impl Settings {
    pub(crate) fn new(plan: &Plan, options: &Options) -> Self {
        let is_deep = stack_bytes(plan.extent).is_some();
        let budget = Budget::of(&options.task);
        Self {
            texts: Arc::new(TextPool::new(&budget)),
            budget,
            cancel: options.task.flag().clone(),
            carried: plan.carried,
            batch_rows: options.batch_rows.min(CELLS_MAX / plan.widest.max(1)).clamp(1, BATCH_ROWS_MAX),
            // A deeply nested plan needs a large stack, but the threads of a pool have stacks of the usual
            // size.
            threads: if is_deep { 1 } else { options.task.thread_count() },
            eager_threads: options.eager_threads && options.task.thread_count() > 1 && !is_deep,
            counts_batches: plan.operators > OPERATORS_FEW,
            nodes: plan.nodes,
            is_profiled: options.profile,
            forgets_trails: plan.forgets_trails(),
        }
    }

    /// The number of threads of the run.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Limits the run to its caller's thread.
    pub(crate) fn stay_alone(&mut self) {
        (self.threads, self.eager_threads) = (1, false);
    }

    /// Whether the run is limited to its caller's thread.
    pub(crate) fn is_alone(&self) -> bool {
        self.threads == 1
    }

    /// Makes the context of operators, with the trails of their rows.
    pub(crate) fn context<'r>(&'r self, trails: &'r mut Trails) -> Context<'r> {
        Context {
            settings: self,
            budget: &self.budget,
            cancel: &self.cancel,
            texts: &self.texts,
            trails,
            carried: self.carried,
            batch_rows: self.batch_rows,
            threads: self.threads,
            eager_threads: self.eager_threads,
            nodes: self.nodes,
            is_profiled: self.is_profiled,
            values_read: 0,
            forgets_trails: self.forgets_trails,
            counts_batches: self.counts_batches,
            has_numbers: false,
            number: 0,
            ticks: 0,
        }
    }
}

impl Context<'_> {
    /// The settings for a thread of the run, with the same budget and cancel flag. Setting `is_closed` also
    /// cancels the thread.
    pub(crate) fn of_thread(&self, is_closed: Arc<AtomicBool>) -> Settings {
        let cancel = self.cancel.clone();
        let cancel = Cancel::when(move || is_closed.load(Ordering::Relaxed) || cancel.check().is_err());
        Settings { cancel, threads: 1, eager_threads: false, carried: self.carried, ..self.settings.clone() }
    }

    /// Sets the carried data (depth and trail) of the rows in `output` from `first` on, which came from row
    /// `row` of another batch. A row gets the depth of that row, and the trail of that row, extended by the
    /// element of the new row.
    #[inline]
    pub(crate) fn extend_carried(
        &mut self,
        output: &mut Batch,
        first: usize,
        from: &Batch,
        row: usize,
    ) -> Result<(), Stop> {
        if self.carried.trail {
            let before = self.trails.without_value(from.trail.get(row).copied().unwrap_or(NONE));
            for index in first..output.rows() {
                if let Some(element) = output.element(index) {
                    output.trail.push(self.trails.push(element, before, self.budget)?);
                }
            }
        }
        if self.carried.depth {
            let depth = from.depth.get(row).copied().unwrap_or(0);
            output.depth.resize(output.rows(), depth);
        }
        Ok(())
    }

    /// The number of a row in a run for many rows; 0 outside of such a run.
    #[inline]
    pub(crate) fn number_of(&self, input: &Batch, row: usize) -> u32 {
        if self.has_numbers { input.depth.get(row).copied().unwrap_or(0) } else { 0 }
    }

    /// Runs `work` with input batches of full size, even if the caller requests only few rows of output. For
    /// work that needs all rows of its input in any case.
    pub(crate) fn in_whole_batches<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let asked = std::mem::replace(&mut self.batch_rows, self.settings.batch_rows);
        let done = work(self);
        self.batch_rows = asked;
        done
    }

    /// Counts one turn of a loop that may be long, and checks the cancel flag every [`TICKS`] turns.
    #[inline]
    pub(crate) fn tick(&mut self) -> Result<(), Stop> {
        self.tick_by(1)
    }

    /// The same as [`Context::tick`], for a turn that takes as long as `turns` usual turns.
    #[inline]
    pub(crate) fn tick_by(&mut self, turns: usize) -> Result<(), Stop> {
        self.ticks = self.ticks.saturating_add(turns);
        if self.ticks >= TICKS {
            self.ticks = 0;
            self.cancel.check()?;
        }
        Ok(())
    }
}
