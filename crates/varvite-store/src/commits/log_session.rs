//! [`LogSession`]: a state and its log, under one lock, so that both can be replaced together.
//!
//! A thread that appends a record releases the lock before the record is synced, so that other threads can
//! append meanwhile. The thread keeps a reference to the log that it appended to, because a large commit may
//! have replaced that log by the time of the sync.

use std::fmt::Debug;
use std::sync::{Arc, PoisonError};

use crate::commits::log_writer::LogWriter;
use crate::error::{Result, StoreError};
use crate::sync::{Mutex, MutexGuard};

/// A state that has a log.
pub trait Logged {
    /// The log to which records are appended now.
    fn log(&self) -> &Arc<LogWriter>;
}

/// A state that threads change one after another.
#[derive(Debug)]
pub struct LogSession<S> {
    state: Mutex<S>,
}

impl<S: Logged + Debug> LogSession<S> {
    /// Begins a session with this state.
    pub fn new(state: S) -> Self {
        Self { state: Mutex::new(state) }
    }

    /// Changes the state with `work`, unless a write or sync has failed before. Returns the result of `work`,
    /// and the log of the changed state.
    ///
    /// # Errors
    /// [`StoreError::Poisoned`]; the errors of `work`.
    pub fn change<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&mut S) -> std::result::Result<T, E>,
    ) -> std::result::Result<(T, Arc<LogWriter>), E> {
        let mut state = self.lock();
        state.log().check()?;
        let done = work(&mut state)?;
        Ok((done, Arc::clone(state.log())))
    }

    /// Makes all appended records durable.
    ///
    /// # Errors
    /// [`StoreError::Poisoned`]; an error of the file system.
    pub fn sync(&self) -> Result<()> {
        let (last, log) = self.change(|state| Result::Ok(state.log().records()))?;
        log.sync(last)
    }

    /// The number of records of the log.
    pub fn records(&self) -> u64 {
        self.lock().log().records()
    }

    fn lock(&self) -> MutexGuard<'_, S> {
        // A thread that panicked left a state that cannot be trusted.
        self.state.lock().unwrap_or_else(|poisoned| {
            let state = PoisonError::into_inner(poisoned);
            state.log().fail(&StoreError::Cancelled);
            state
        })
    }
}
