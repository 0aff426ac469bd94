//! [`GroupSync`]: syncs that threads share.
//!
//! Whoever needs something durable while nobody syncs does so for everything that was written until then. Others wait for
//! the end of that, and only those sync whom it came too early for.

use std::sync::PoisonError;

use crate::error::Result;
use crate::sync::{AtomicU64, Condvar, Mutex, MutexGuard, Ordering};

/// How far writes are durable, and whether somebody is at it.
#[derive(Debug, Default)]
pub(crate) struct GroupSync {
    state: Mutex<State>,
    ended: Condvar,
    /// The same as in the state, for those who only ask.
    durable: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    durable: u64,
    is_syncing: bool,
}

/// The turn of one thread, which ends even if that panics.
struct Turn<'a>(&'a GroupSync);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.lock().is_syncing = false;
        self.0.ended.notify_all();
    }
}

impl GroupSync {
    /// The last write that is durable.
    pub(crate) fn durable(&self) -> u64 {
        self.durable.load(Ordering::Acquire)
    }

    /// Returns once write `number` is durable. `sync` returns the last write that there was before it synced.
    ///
    /// # Errors
    /// That of `sync`, if this thread called it. Who waited meanwhile calls it again.
    pub(crate) fn reach(&self, number: u64, sync: impl FnOnce() -> Result<u64>) -> Result<()> {
        let mut state = self.lock();
        while state.is_syncing && state.durable < number {
            state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.durable >= number {
            return Ok(());
        }
        state.is_syncing = true;
        drop(state);
        let _turn = Turn(self);
        let last = sync()?;
        self.lock().durable = last;
        self.durable.store(last, Ordering::Release);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
