//! [`GraphNames`]: the indexes of the names in a graph. A thread makes them while the page is loaded, so that
//! the first search need not.
//!
//! A search that comes earlier waits for its index within its own time. The work on an index ends if the
//! server ends, or if the file is opened anew.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use varvite::error::optional;
use varvite::{Budget, Cancel, Graph, Task};

use super::name_index::{Making, NameIndex};
use crate::fault::{Fault, Result};
use crate::limits::Work;

/// The labels whose names are searched, the most important first, and those whose full names are.
const GROUPS: [&[&str]; 3] = [
    &["METHOD", "TYPE_DECL", "FILE"],
    &["MEMBER", "NAMESPACE_BLOCK", "NAMESPACE"],
    &["METHOD_PARAMETER_IN", "LOCAL"],
];
const FULL_GROUPS: [&[&str]; 1] = [&["METHOD", "TYPE_DECL", "NAMESPACE_BLOCK"]];
/// The time after which a search that waits looks at its clock.
const WAIT: Duration = Duration::from_millis(20);

/// A kind of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    Name,
    FullName,
}

/// The indexes of the names in a graph.
#[derive(Debug, Default)]
pub(crate) struct GraphNames {
    state: Mutex<State>,
    changed: Condvar,
    cancel: Cancel,
    /// The nodes that are in an index, and those that belong into one.
    done: AtomicU64,
    total: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    is_begun: bool,
    names: Option<Arc<NameIndex>>,
    full_names: Option<Arc<NameIndex>>,
    fault: Option<Fault>,
}

impl NameKind {
    const ALL: [Self; 2] = [Self::Name, Self::FullName];

    fn property(self) -> &'static str {
        match self {
            Self::Name => "NAME",
            Self::FullName => "FULL_NAME",
        }
    }

    fn groups(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Name => &GROUPS,
            Self::FullName => &FULL_GROUPS,
        }
    }
}

impl State {
    fn index(&mut self, kind: NameKind) -> &mut Option<Arc<NameIndex>> {
        match kind {
            NameKind::Name => &mut self.names,
            NameKind::FullName => &mut self.full_names,
        }
    }
}

impl GraphNames {
    /// Whether the caller has to call [`GraphNames::make`]: true once.
    pub(crate) fn begin(&self) -> bool {
        !std::mem::replace(&mut self.state().is_begun, true)
    }

    /// Makes the indexes, each within `memory` bytes.
    pub(crate) fn make(&self, graph: &Graph, memory: usize) {
        let unfinished = Unfinished(self);
        let outcome = self.make_all(graph, memory);
        std::mem::forget(unfinished);
        if let Err(fault) = outcome {
            self.fail(fault);
        }
    }

    /// Ends the work on the indexes soon.
    pub(crate) fn cancel(&self) {
        self.cancel.cancel();
    }

    /// An index, once it is made.
    ///
    /// # Errors
    /// The fault of the thread that makes it, or the end of the question's time.
    pub(crate) fn get(&self, kind: NameKind, work: &Work) -> Result<Arc<NameIndex>> {
        let mut state = self.state();
        loop {
            if let Some(index) = state.index(kind) {
                return Ok(Arc::clone(index));
            }
            if let Some(fault) = &state.fault {
                return Err(fault.clone());
            }
            if work.check().is_err() {
                return Err(self.unmade());
            }
            let waited = self.changed.wait_timeout(state, WAIT);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn make_all(&self, graph: &Graph, memory: usize) -> Result<()> {
        let mut total = 0;
        for label in NameKind::ALL.iter().flat_map(|kind| kind.groups().concat()) {
            total += optional(graph.nodes(label))?.map_or(0, |nodes| u64::from(nodes.len()));
        }
        self.total.store(total, Ordering::Relaxed);
        let task = Task::new().threads(1).memory(memory).cancel(&self.cancel);
        for kind in NameKind::ALL {
            let making = Making { task: &task, budget: &Budget::of(&task), done: &self.done };
            let index = match optional(graph.property(kind.property()))? {
                Some(property) => NameIndex::of(graph, &property, kind.groups(), &making)?,
                None => NameIndex::default(),
            };
            graph.check()?;
            *self.state().index(kind) = Some(Arc::new(index));
            self.changed.notify_all();
        }
        Ok(())
    }

    fn fail(&self, fault: Fault) {
        self.state().fault = Some(fault);
        self.changed.notify_all();
    }

    /// The fault of a search whose time is over before its index is made.
    fn unmade(&self) -> Fault {
        let [done, total] = [&self.done, &self.total].map(|count| count.load(Ordering::Relaxed));
        let percent = (done.saturating_mul(100)).checked_div(total).unwrap_or(0).min(99);
        let message = format!("the index of names is being made: {percent} % are done, search again soon");
        Fault::new(StatusCode::SERVICE_UNAVAILABLE, "indexing", &message)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells searches that the thread ended by a panic: they would wait for it in vain.
struct Unfinished<'n>(&'n GraphNames);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        let message = "the index of names could not be made: this is a fault of the server";
        self.0.fail(Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "fault", message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_waits_for_the_index_within_its_time() {
        let names = GraphNames::default();
        assert!(names.begin() && !names.begin());
        names.total.store(200, Ordering::Relaxed);
        names.done.store(74, Ordering::Relaxed);
        let late = names.get(NameKind::Name, &Work::of_milliseconds(50)).unwrap_err();
        assert!(late.message().contains("is being made: 37 %"), "{late:?}");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                *names.state().index(NameKind::Name) = Some(Arc::default());
                names.changed.notify_all();
            });
            assert!(names.get(NameKind::Name, &Work::of_milliseconds(60_000)).is_ok());
        });
    }

    #[test]
    fn a_search_gets_the_fault_of_the_thread_that_makes_the_index() {
        let names = GraphNames::default();
        let panicked = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let _unfinished = Unfinished(&names);
                std::panic::resume_unwind(Box::new("planted"));
            });
            thread.join().is_err()
        });
        assert!(panicked);
        let fault = names.get(NameKind::FullName, &Work::of_milliseconds(60_000)).unwrap_err();
        assert!(fault.message().contains("could not be made"), "{fault:?}");
    }
}
