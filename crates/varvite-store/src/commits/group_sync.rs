//! [`GroupSync`]: syncs that threads share.
//!
//! A thread that needs a write durable while no sync runs syncs everything that was written until then. Other
//! threads wait for the end of that sync, and a thread syncs again only if that sync began before its write.

use std::sync::PoisonError;

use crate::error::Result;
use crate::sync::{AtomicU64, Condvar, Mutex, MutexGuard, Ordering};

/// The end of durable writes, and whether a thread is syncing.
#[derive(Debug, Default)]
pub(crate) struct GroupSync {
    state: Mutex<State>,
    ended: Condvar,
    /// The same as in the state, for reading without the lock.
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
    /// The error of `sync`, if this thread called it. Threads that waited meanwhile call `sync` themselves.
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
