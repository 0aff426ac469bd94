//! What all operators of a run share: budget, cancelling, trails, sizes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::path::Trails;
use crate::error::GraphError;
use crate::pipeline::plan::Lanes;

/// How to run a plan.
#[derive(Clone, Debug)]
pub struct Options {
    /// Most bytes that the run may hold beside its batches: visited sets, sorts, groups, stacks, paths.
    pub memory_bytes: usize,
    /// Rows of a batch, more or less.
    pub batch_rows: usize,
    /// Threads for work on whole columns and dictionaries.
    pub threads: usize,
    /// The flag that cancels.
    pub cancel: Cancel,
    /// Whether to measure each step, for [`Run::profile`](super::Run::profile).
    pub profile: bool,
}

impl Default for Options {
    /// 1 GiB, 2048 rows, a thread for each core.
    fn default() -> Self {
        Self {
            memory_bytes: 1 << 30,
            batch_rows: 2048,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            cancel: Cancel::default(),
            profile: false,
        }
    }
}

/// A flag that cancels a run from any thread. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Cancels: every run with this flag ends with an error, soon.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn check(&self) -> Result<(), Stop> {
        if self.is_cancelled() { Err(Stop::Cancelled) } else { Ok(()) }
    }
}

/// Why an operator can't go on.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    Cancelled,
    OverBudget {
        needed: usize,
    },
    Endless {
        depth: u32,
    },
    Overflow,
    Graph(Box<GraphError>),
    /// In a step inside a step, which the error names.
    Inside(Box<super::super::error::PipelineError>),
}

/// The memory that a run may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) limit: usize,
    pub(crate) held: usize,
    pub(crate) most: usize,
}

impl Budget {
    /// Takes some bytes.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), Stop> {
        let needed = self.held.saturating_add(bytes);
        if needed > self.limit {
            return Err(Stop::OverBudget { needed });
        }
        self.held = needed;
        self.most = self.most.max(needed);
        Ok(())
    }

    /// Makes what an operator holds `bytes`.
    pub(crate) fn hold(&mut self, held: &mut usize, bytes: usize) -> Result<(), Stop> {
        if bytes > *held {
            self.take(bytes - *held)?;
        } else {
            self.held -= *held - bytes;
        }
        *held = bytes;
        Ok(())
    }
}

/// What all operators of a run share.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) budget: Budget,
    pub(crate) cancel: Cancel,
    pub(crate) lanes: Lanes,
    pub(crate) trails: Trails,
    /// Rows of a batch, more or less.
    pub(crate) batch_rows: usize,
    pub(crate) threads: usize,
    /// How many nodes the graph has.
    pub(crate) nodes: u32,
    pub(crate) is_profiled: bool,
    /// Trails are forgotten when the first operator is asked for more: nobody keeps rows across its batches.
    pub(crate) forgets_trails: bool,
    ticks: u32,
}

/// Turns of a loop between two looks at the flag that cancels.
const TICKS: u32 = 1024;

impl Context {
    pub(crate) fn new(options: &Options, lanes: Lanes, nodes: u32) -> Self {
        Self {
            budget: Budget { limit: options.memory_bytes, held: 0, most: 0 },
            cancel: options.cancel.clone(),
            lanes,
            trails: Trails::default(),
            batch_rows: options.batch_rows.clamp(1, 1 << 20),
            threads: options.threads.max(1),
            nodes,
            is_profiled: options.profile,
            forgets_trails: false,
            ticks: 0,
        }
    }

    /// One turn of a loop that may be long.
    #[inline]
    pub(crate) fn tick(&mut self) -> Result<(), Stop> {
        self.ticks += 1;
        if self.ticks >= TICKS {
            self.ticks = 0;
            self.cancel.check()?;
        }
        Ok(())
    }
}
