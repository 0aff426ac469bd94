//! [`Cancel`]: the flag that ends an operation from outside.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that cancels an operation from any thread: a run, an import, a check of a whole file. Clones share it.
///
/// Work looks at it wherever it may take long: after some thousand rows, a block, or a megabyte of text.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Flag>);

#[derive(Default)]
struct Flag {
    is_set: AtomicBool,
    ask: Option<Box<dyn Fn() -> bool + Send + Sync>>,
}

impl Cancel {
    /// A flag that is also asked: where work looks, it calls `ask`, and is cancelled if that says so. For a deadline, or
    /// for a host that has been interrupted.
    ///
    /// `ask` is called from all threads of the work, some thousand times a second, and has to be cheap.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    /// use varvite_store::Cancel;
    ///
    /// let end = Instant::now() + Duration::from_secs(5);
    /// let cancel = Cancel::when(move || Instant::now() > end);
    /// assert!(cancel.check().is_ok());
    /// ```
    pub fn when(ask: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(Flag { is_set: AtomicBool::new(false), ask: Some(Box::new(ask)) }))
    }

    /// Cancels: all work with this flag ends with an error, soon.
    pub fn cancel(&self) {
        self.0.is_set.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_set.load(Ordering::Relaxed)
    }

    /// A look at the flag, which asks whoever is to be asked.
    ///
    /// # Errors
    /// It was cancelled.
    #[inline]
    pub fn check(&self) -> Result<(), Cancelled> {
        if let Some(ask) = &self.0.ask
            && ask()
        {
            self.cancel();
        }
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}

/// Somebody set the flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;
