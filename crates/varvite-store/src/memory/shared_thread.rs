//! [`SharedThread`]: one thread that serves all members in a process. It starts with the first member and
//! ends with the last.
//!
//! There are two locks. A caller that joins or leaves holds the lock `running`, so that a new thread never
//! starts before the previous one has ended. The thread holds the lock `state` during a turn, and callers
//! hold it to change the members. So the thread never serves a member after [`SharedThread::leave`], and a
//! member that has joined is served by a thread, unless the system refuses to start one.

use std::fmt;
use std::sync::PoisonError;
use std::time::Duration;

use crate::sync::{Condvar, Mutex, MutexGuard};

/// A function that waits for the end of the running thread.
pub(crate) type Running = Box<dyn FnOnce() + Send>;

/// The work of the thread.
pub(crate) trait Service<M> {
    /// Serves all members once; callers that join or leave wait meanwhile. Returns the longest time until the
    /// next turn; the turn comes sooner if a member joins or leaves.
    fn turn(&mut self, members: &mut M) -> Duration;

    /// Does work that follows a turn and takes too long to make members wait for it.
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
    /// A value without members and without a thread.
    pub(crate) fn new() -> Self {
        Self { running: Mutex::new(None), state: Mutex::new(State::default()), changed: Condvar::new() }
    }
}

impl<M> SharedThread<M> {
    /// Adds a member. If no thread is running, `start` starts one, which calls [`SharedThread::serve`]. If
    /// the system refuses a thread, `start` returns `None`, and the next member tries again.
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

    /// Removes a member. After the last member, waits for the end of the thread.
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

    /// Calls `visit` with the members, between two turns of the thread.
    pub(crate) fn visit<T>(&self, visit: impl FnOnce(&mut M) -> T) -> T {
        visit(&mut self.state().members)
    }

    /// Runs in the thread: serves the members, turn by turn, until there are none.
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
