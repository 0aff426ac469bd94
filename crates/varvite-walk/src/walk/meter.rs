//! [`Meter`]: checks the time limit of a walk, and the flag that cancels the walk.

use std::time::{Duration, Instant};

use varvite_store::Cancel;

use super::error::{WalkError, WalkResult};

/// The number of edges between two checks of the flag and the clock.
const TICKS: u32 = 1 << 12;

/// Checks the flag and the clock after every few thousand edges.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    ticks: u32,
    cancel: Option<Cancel>,
    /// The time at which the walk must end, and the time limit.
    end: Option<(Instant, Duration)>,
}

impl Meter {
    pub(crate) fn new(cancel: Option<Cancel>, time_max: Option<Duration>) -> Self {
        let end = time_max.and_then(|limit| Some((Instant::now().checked_add(limit)?, limit)));
        Self { ticks: 0, cancel, end }
    }

    /// Counts edges; every [`TICKS`] edges, checks the flag and the clock.
    #[inline]
    pub(crate) fn tick(&mut self, edges: u32) -> WalkResult<()> {
        self.ticks = self.ticks.saturating_add(edges);
        if self.ticks < TICKS { Ok(()) } else { self.look() }
    }

    /// Checks the flag and the clock.
    #[cold]
    #[inline(never)]
    pub(crate) fn look(&mut self) -> WalkResult<()> {
        self.ticks = 0;
        if let Some(cancel) = &self.cancel {
            cancel.check().map_err(|_| WalkError::Cancelled)?;
        }
        match self.end {
            Some((end, limit)) if Instant::now() >= end => Err(Box::new(WalkError::TimedOut { limit })),
            _ => Ok(()),
        }
    }
}
