//! [`Cancel`]: the flag by which another thread ends an operation.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A flag by which any thread cancels an operation, such as a run, an import or a check of a whole file.
/// Clones share the flag.
///
/// Long work checks the flag at intervals: after a few thousand rows, a block, or a megabyte of text.
#[derive(Clone, Default)]
pub struct Cancel {
    flag: Arc<Flag>,
    /// The time at which work with this clone has to end; `None` if the time is unlimited.
    end: Option<Instant>,
}

#[derive(Default)]
struct Flag {
    is_set: AtomicBool,
    ask: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl Cancel {
    /// Makes a flag that asks a function: each check calls `ask`, and the work is cancelled if `ask` returns
    /// true. The function may check, for example, a deadline, or whether the host program was interrupted.
    ///
    /// `ask` is called from all threads of the work, a few thousand times a second, and has to be cheap.
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

    /// The same flag, for work that has to end at the time `end`; `None` means no limit.
    pub(crate) fn until(self, end: Option<Instant>) -> Self {
        Self { end, ..self }
    }

    /// The time at which work has to end; `None` if the time is unlimited.
    pub(crate) fn end(&self) -> Option<Instant> {
        self.end
    }

    /// Sets the flag: all work that checks it soon ends with an error.
    pub fn cancel(&self) {
        self.flag.is_set.store(true, Ordering::Relaxed);
    }

    /// Whether the flag was set.
    pub fn is_cancelled(&self) -> bool {
        self.flag.is_set.load(Ordering::Relaxed)
    }

    /// Checks the flag, its function, and the clock.
    ///
    /// # Errors
    /// [`Cancelled`] if the flag was set, its function returned true, or the [time](crate::Task::time_max) is
    /// over.
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

/// The error of cancelled work: a thread set the flag, or the time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;
