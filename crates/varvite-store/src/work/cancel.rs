//! [`Cancel`]: the flag that ends an operation from outside.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A flag that cancels an operation from any thread: a run, an import, a check of a whole file. Clones share
/// it.
///
/// Long work checks it at intervals: after some thousand rows, a block, or a megabyte of text.
#[derive(Clone, Default)]
pub struct Cancel {
    flag: Arc<Flag>,
    /// The time at which work with this clone of it has to end.
    end: Option<Instant>,
}

#[derive(Default)]
struct Flag {
    is_set: AtomicBool,
    ask: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl Cancel {
    /// A flag with a function: each check calls `ask`, and the work is cancelled if that returns true. For a
    /// deadline, or for a host that was interrupted.
    ///
    /// `ask` is called from all threads of the work, some thousand times a second, and has to be cheap.
    ///
    /// ```
    /// # extern crate varvite_store as varvite;
    /// use std::time::{Duration, Instant};
    /// use varvite::Cancel;
    ///
    /// let end = Instant::now() + Duration::from_secs(5);
    /// let cancel = Cancel::when(move || Instant::now() > end);
    /// assert!(cancel.check().is_ok());
    /// ```
    pub fn when(ask: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { flag: Arc::new(Flag { is_set: AtomicBool::new(false), ask: Some(Box::new(ask)) }), end: None }
    }

    /// The same flag for work that has to end at a time, if there is one.
    pub(crate) fn until(self, end: Option<Instant>) -> Self {
        Self { end, ..self }
    }

    /// The time at which work has to end.
    pub(crate) fn end(&self) -> Option<Instant> {
        self.end
    }

    /// Cancels: all work with this flag ends with an error, soon.
    pub fn cancel(&self) {
        self.flag.is_set.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.flag.is_set.load(Ordering::Relaxed)
    }

    /// A check of the flag, its function, and the clock.
    ///
    /// # Errors
    /// It was cancelled, or the [time](crate::Task::time_max) is over.
    #[inline]
    pub fn check(&self) -> Result<(), Cancelled> {
        if let Some(ask) = &self.flag.ask
            && ask()
        {
            self.cancel();
        }
        let is_over = self.is_cancelled() || self.end.is_some_and(|end| Instant::now() >= end);
        if is_over { Err(Cancelled) } else { Ok(()) }
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}

/// A thread set the flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;
