//! [`GroupSync`]: syncs that threads share.
//!
//! If no sync is running, a thread that needs its write to be durable syncs everything that was written so
//! far. Other threads wait for the end of that sync; a waiting thread then syncs again only if its write came
//! after the beginning of that sync.

use std::sync::PoisonError;

use crate::error::Result;
use crate::sync::{AtomicU64, Condvar, Mutex, MutexGuard, Ordering};

/// The number of the last durable write, and whether a thread is syncing.
#[derive(Debug, Default)]
pub(crate) struct GroupSync {
    state: Mutex<State>,
    ended: Condvar,
    /// A copy of `State::durable`, for reads without the lock.
    durable: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    durable: u64,
    is_syncing: bool,
}

/// Held by the thread that syncs. Dropping it, even by a panic, lets another thread sync.
struct Turn<'a>(&'a GroupSync);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.lock().is_syncing = false;
        self.0.ended.notify_all();
    }
}

impl GroupSync {
    /// The number of the last durable write.
    pub(crate) fn durable(&self) -> u64 {
        self.durable.load(Ordering::Acquire)
    }

    /// Waits until write `number` is durable, and calls `sync` if no other thread's sync has made the write
    /// durable. `sync` returns the number of the last write before it synced.
    ///
    /// # Errors
    /// The error of `sync`, if this thread called it. After such an error, the threads that waited for this
    /// sync call `sync` themselves.
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
