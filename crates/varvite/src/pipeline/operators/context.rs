//! What all operators of a run share: budget, cancelling, trails, sizes.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::path::Trails;
use super::side::Side;
use crate::budget::{Budget, OverBudget};
use crate::error::GraphError;
use crate::pipeline::plan::Lanes;

/// How to run a plan.
#[derive(Clone, Debug)]
pub struct Options {
    /// Most bytes that the run may hold beside its batches: visited sets (one for each thread), sorts, groups, stacks, paths.
    pub memory_bytes: usize,
    /// Rows of a batch, more or less.
    pub batch_rows: usize,
    /// Threads for searches, and for steps that treat each row for itself once these have taken longer than a thread takes to
    /// start; 1 for none but the caller's. The rows and their order are the same.
    pub threads: usize,
    /// The flag that cancels.
    pub cancel: Cancel,
    /// Whether to measure each step, for [`Run::profile`](crate::pipeline::Run::profile).
    pub profile: bool,
}

impl Default for Options {
    /// A quarter of the machine's memory ([`Budget::default_bytes`]), 2048 rows, a thread for each core.
    fn default() -> Self {
        Self {
            memory_bytes: Budget::default_bytes(),
            batch_rows: 2048,
            threads: crate::parallel::cores(),
            cancel: Cancel::default(),
            profile: false,
        }
    }
}

/// A flag that cancels a run from any thread. Clones share it.
///
/// Every operator looks at it: for each batch, and inside of every loop that may be long, after some thousand rows or a
/// megabyte of text.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Flag>);

#[derive(Default)]
struct Flag {
    is_set: AtomicBool,
    ask: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl Cancel {
    /// A flag that is also asked: where a run looks, it calls `ask`, and is cancelled if that says so. For a deadline, or
    /// for a host that has been interrupted.
    ///
    /// `ask` is called from all threads of the run, some thousand times a second, and has to be cheap.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    /// use varvite::pipeline::{Cancel, Options};
    ///
    /// let end = Instant::now() + Duration::from_secs(5);
    /// let options = Options { cancel: Cancel::when(move || Instant::now() > end), ..Options::default() };
    /// # let _ = options;
    /// ```
    pub fn when(ask: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(Flag { is_set: AtomicBool::new(false), ask: Some(Box::new(ask)) }))
    }

    /// Cancels: every run with this flag ends with an error, soon.
    pub fn cancel(&self) {
        self.0.is_set.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_set.load(Ordering::Relaxed)
    }

    /// A look at the flag.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Stop> {
        if let Some(ask) = &self.0.ask
            && ask()
        {
            self.cancel();
        }
        if self.is_cancelled() { Err(Stop::Cancelled) } else { Ok(()) }
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
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

impl From<OverBudget> for Stop {
    fn from(OverBudget { needed, .. }: OverBudget) -> Self {
        Self::OverBudget { needed }
    }
}

/// What all operators of a run share.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) budget: Budget,
    pub(crate) cancel: Cancel,
    pub(crate) lanes: Lanes,
    pub(crate) trails: Trails,
    /// Rows that `side` steps gave since the batch before, one for each step.
    pub(crate) sides: Vec<Side>,
    /// Rows of a batch, more or less.
    pub(crate) batch_rows: usize,
    pub(crate) threads: usize,
    /// How many nodes the graph has.
    pub(crate) nodes: u32,
    pub(crate) is_profiled: bool,
    /// Values that searches of columns have read.
    pub(crate) values_read: u64,
    /// Trails are forgotten when the first operator is asked for more: nobody keeps rows across its batches.
    pub(crate) forgets_trails: bool,
    ticks: usize,
}

/// Most rows of a batch: an operator may make one, and copy it, between two looks at the flag that cancels.
const BATCH_ROWS_MAX: usize = 1 << 15;
/// Turns of a loop between two looks at the flag that cancels.
const TICKS: usize = 1024;

impl Context {
    pub(crate) fn new(options: &Options, lanes: Lanes, nodes: u32) -> Self {
        Self {
            budget: Budget::new(options.memory_bytes),
            cancel: options.cancel.clone(),
            lanes,
            trails: Trails::default(),
            sides: Vec::new(),
            batch_rows: options.batch_rows.clamp(1, BATCH_ROWS_MAX),
            threads: options.threads.max(1),
            nodes,
            is_profiled: options.profile,
            values_read: 0,
            forgets_trails: false,
            ticks: 0,
        }
    }

    /// What a thread of the run has: the same budget, the same flag that cancels, and `is_closed`, which ends it too.
    pub(crate) fn of_thread(&self, is_closed: Arc<AtomicBool>) -> Self {
        let cancel = self.cancel.clone();
        Self {
            budget: self.budget.clone(),
            cancel: Cancel::when(move || is_closed.load(Ordering::Relaxed) || cancel.check().is_err()),
            trails: Trails::default(),
            sides: Vec::new(),
            threads: 1,
            values_read: 0,
            ticks: 0,
            ..*self
        }
    }

    /// One turn of a loop that may be long.
    #[inline]
    pub(crate) fn tick(&mut self) -> Result<(), Stop> {
        self.tick_by(1)
    }

    /// A turn that took as long as some.
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
