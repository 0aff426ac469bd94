//! [`SharedThread`]: one thread that looks after all members of a process: begun with the first, ended with
//! the last.
//!
//! There are two locks. A caller that joins or leaves holds the thread's lock, so that one thread never
//! begins before the last one has ended. The thread holds the members' lock for a turn, and callers hold it
//! to change them. So after [`SharedThread::leave`] the thread no longer serves the member, and a member that
//! has joined has a thread, if the system gives any.

use std::fmt;
use std::sync::PoisonError;
use std::time::Duration;

use crate::sync::{Condvar, Mutex, MutexGuard};

/// Ends when the thread has ended.
pub(crate) type Running = Box<dyn FnOnce() + Send>;

/// The thread's own work.
pub(crate) trait Service<M> {
    /// Serves all members, which wait meanwhile. Returns how long the next turn may wait; it comes sooner
    /// after a change.
    fn turn(&mut self, members: &mut M) -> Duration;

    /// Work after each turn that is too long for members to wait.
    fn between(&mut self) {}
}

/// Members, and the thread for them.
pub(crate) struct SharedThread<M> {
    running: Mutex<Option<Running>>,
    state: Mutex<State<M>>,
    changed: Condvar,
}

#[derive(Default)]
struct State<M> {
    members: M,
    count: usize,
}

impl<M: Default> SharedThread<M> {
    /// No members, and no thread.
    pub(crate) fn new() -> Self {
        Self { running: Mutex::new(None), state: Mutex::new(State::default()), changed: Condvar::new() }
    }
}

impl<M> SharedThread<M> {
    /// Adds a member. Where no thread runs, `start` begins one, which calls [`SharedThread::serve`]; none if
    /// the system gives none: then the next member tries again.
    pub(crate) fn join<T>(
        &self,
        add: impl FnOnce(&mut M) -> T,
        start: impl FnOnce() -> Option<Running>,
    ) -> T {
        let mut running = self.running();
        let mut state = self.state();
        let added = add(&mut state.members);
        state.count += 1;
        drop(state);
        if running.is_none() {
            *running = start();
        }
        self.changed.notify_all();
        added
    }

    /// Takes a member out; with the last one the thread ends, and this waits for that.
    pub(crate) fn leave<T>(&self, remove: impl FnOnce(&mut M) -> T) -> T {
        let mut running = self.running();
        let mut state = self.state();
        let removed = remove(&mut state.members);
        state.count -= 1;
        let is_last = state.count == 0;
        drop(state);
        if is_last {
            self.changed.notify_all();
            running.take().into_iter().for_each(|wait| wait());
        }
        removed
    }

    /// The work of the thread: serves the members, turn by turn, until there is none.
    pub(crate) fn serve(&self, service: &mut impl Service<M>) {
        let mut state = self.state();
        while state.count > 0 {
            let pause = service.turn(&mut state.members);
            drop(state);
            service.between();
            state = self.state();
            if state.count == 0 {
                return;
            }
            (state, _) = self.changed.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner);
        }
    }

    #[cfg(test)]
    pub(crate) fn is_running(&self) -> bool {
        self.running().is_some()
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State<M>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: fmt::Debug> fmt::Debug for SharedThread<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state().members.fmt(formatter)
    }
}
