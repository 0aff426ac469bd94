//! [`Inquiry`]: a visit of all files whose events the caller takes one by one, instead of being called.

use std::io;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use varvite::error::Cancelled;
use varvite::{Cancel, Task};

use crate::corpus::Corpus;
use crate::visit::{Event, Send, Visit};

/// The number of events that wait for the caller, beside those of the visit.
const EVENTS_MAX: usize = 4;
/// The time between two checks of the task while the caller waits for an event.
const LOOK: Duration = Duration::from_millis(10);

/// An event and the number of its file.
type Next<T, E> = Result<(usize, Event<T, E>), Cancelled>;

/// The events of a visit of all files, in the order of [`Corpus::visit`]: an iterator that ends after the
/// last file, or after an error.
///
/// Threads of its own answer the question, and wait if the caller is slower than they are. Dropping the
/// inquiry cancels the question and waits until the threads have ended.
#[derive(Debug)]
pub struct Inquiry<T, E> {
    /// `None` after the end.
    events: Option<Receiver<(usize, Event<T, E>)>>,
    thread: Option<JoinHandle<Result<(), Cancelled>>>,
    task: Task<'static>,
    /// The flag that ends the threads when the inquiry is dropped. It does not set that of the task.
    is_dropped: Cancel,
}

impl Corpus {
    /// Begins to ask every file a question, as [`Corpus::visit`] does. The caller takes the events from the
    /// result.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn begin<T, E>(
        self: &Arc<Self>,
        task: &Task<'static>,
        question: impl Fn(&Visit<'_>, Send<'_, T>) -> Result<(), E> + Sync + std::marker::Send + 'static,
    ) -> io::Result<Inquiry<T, E>>
    where
        T: std::marker::Send + 'static,
        E: std::marker::Send + 'static,
    {
        let (send, events) = sync_channel(EVENTS_MAX);
        let is_dropped = Cancel::default();
        let limits = either(task, &is_dropped);
        let corpus = Arc::clone(self);
        let visit = move || {
            corpus.visit(&limits, question, |file, event| match send.send((file, event)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            })
        };
        let thread = Builder::new().name("varvite corpus".to_owned()).spawn(visit)?;
        Ok(Inquiry { events: Some(events), thread: Some(thread), task: task.clone(), is_dropped })
    }
}

/// The task, which also ends by another flag.
fn either(task: &Task<'static>, other: &Cancel) -> Task<'static> {
    let (one, other) = (task.flag().clone(), other.clone());
    task.clone().cancel(&Cancel::when(move || one.check().is_err() || other.is_cancelled()))
}

impl<T, E> Inquiry<T, E> {
    /// The next event, and the number of its file.
    fn wait(&mut self) -> Option<Next<T, E>> {
        loop {
            if self.task.check().is_err() {
                return Some(self.end().and(Err(Cancelled)));
            }
            match self.events.as_ref()?.recv_timeout(LOOK) {
                Ok(event) => return Some(Ok(event)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self.end().err().map(Err),
            }
        }
    }

    /// Ends the threads. The error is that of the visit.
    ///
    /// # Panics
    /// A panic of the question becomes one of the caller.
    fn end(&mut self) -> Result<(), Cancelled> {
        // Threads that wait for the caller get an error.
        self.events = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(visited)) => visited,
            Some(Err(panic)) => resume_unwind(panic),
            None => Ok(()),
        }
    }
}

impl<T, E> Iterator for Inquiry<T, E> {
    type Item = Next<T, E>;

    fn next(&mut self) -> Option<Self::Item> {
        self.events.as_ref()?;
        self.wait()
    }
}

impl<T, E> Drop for Inquiry<T, E> {
    fn drop(&mut self) {
        self.is_dropped.cancel();
        self.events = None;
        // The panic of a question whose answer nobody wants ends its own thread alone.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
