//! [`Corpus::visit`]: a question to every file, on several threads, with the results in the order of the
//! files.
//!
//! Threads take the files in order. Each file has a short queue of results, and the queues wait in a line
//! whose length is limited too, so memory stays bounded: a thread that is ahead waits until the caller has
//! taken the results of earlier files.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::scope;

use varvite::error::Cancelled;
use varvite::{Cancel, Graph, Task};
use varvite_store::threads::start_in;

use crate::corpus::Corpus;
use crate::error::FileError;

/// The number of results of one file that wait for the caller.
const RESULTS_MAX: usize = 8;
/// The number of files with waiting results, for each thread.
const FILES_OF_THREAD: usize = 4;
/// The divisor of a task's memory: half of it is for runs, and the other half for what they find.
const SHARE: usize = 2;

/// A visit of one file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Visit<'a> {
    /// The number of the file in the corpus.
    pub file: usize,
    /// The path of the file.
    pub path: &'a Path,
    /// The open graph.
    pub graph: &'a Graph,
    /// The limits of the question in this file: one thread, a share of the memory, the time and the flag of
    /// the whole.
    pub task: Task<'static>,
    /// The size in bytes up to which waiting results keep within the memory of the whole. A question that
    /// sends rows sends them in batches of at most this size.
    pub result_bytes: usize,
}

/// An event of [`Corpus::visit`]: a result of a file, or its end.
#[derive(Debug)]
pub enum Event<T, E> {
    /// A result.
    Result(T),
    /// The file has no more results. After an error, the results before it are incomplete.
    End(Result<(), VisitError<E>>),
}

/// The reason why a file has no whole answer.
#[derive(Debug)]
pub enum VisitError<E> {
    /// The file can't be opened, or a read found damage.
    File(FileError),
    /// The question failed.
    Question(E),
}

/// Passes a result on. Returns false if no more results are wanted.
pub type Send<'a, T> = &'a dyn Fn(T) -> bool;

type Events<T, E> = Receiver<Event<T, E>>;

impl Corpus {
    /// Asks every file a question, on as many threads as the task allows, and passes the results to `receive`
    /// on the caller's thread: file by file, in the order of the corpus, and those of a file in the order in
    /// which the question sent them. A file that fails ends with an error, and the others are answered.
    /// `receive` ends the visit by [`ControlFlow::Break`].
    ///
    /// The question gets one thread and its share of the task's memory for each file. If it returned, the
    /// graph is checked for damage that its reads found.
    ///
    /// **Cost**: opening each file, and the question. At most a few results for each thread wait in memory.
    ///
    /// # Errors
    /// [`Cancelled`] if the task was cancelled, or its time is over. Files after the last event are then not
    /// answered.
    pub fn visit<T, E>(
        &self,
        task: &Task<'_>,
        question: impl Fn(&Visit<'_>, Send<'_, T>) -> Result<(), E> + Sync,
        mut receive: impl FnMut(usize, Event<T, E>) -> ControlFlow<()>,
    ) -> Result<(), Cancelled>
    where
        T: std::marker::Send,
        E: std::marker::Send,
    {
        let threads = task.thread_count().min(self.files().len()).max(1);
        let visits = Visits { corpus: self, limits: Limits::of(task, threads), question };
        if threads > 1 && visits.on_threads(threads, task, &mut receive)? {
            return Ok(());
        }
        visits.alone(task, receive)
    }
}

/// The limits that all visits share.
struct Limits {
    task: Task<'static>,
    result_bytes: usize,
    /// Whether the caller wants no more results.
    is_over: Arc<AtomicBool>,
}

impl Limits {
    fn of(task: &Task<'_>, threads: usize) -> Self {
        let (is_over, flag) = (Arc::new(AtomicBool::new(false)), task.flag().clone());
        let told = Arc::clone(&is_over);
        let cancel = Cancel::when(move || told.load(Ordering::Relaxed) || flag.check().is_err());
        let share = task.memory_bytes() / SHARE;
        // Files in the line have a full queue each, and each thread holds one more result.
        let results = RESULTS_MAX * (FILES_OF_THREAD + 1) * threads + threads;
        let task = Task::new().threads(1).memory(share / threads).cancel(&cancel);
        Self { task, result_bytes: share / results, is_over }
    }
}

struct Visits<'c, Q> {
    corpus: &'c Corpus,
    limits: Limits,
    question: Q,
}

impl<Q> Visits<'_, Q> {
    /// Answers one file.
    fn answer<T, E>(&self, file: usize, send: Send<'_, T>) -> Result<(), VisitError<E>>
    where
        Q: Fn(&Visit<'_>, Send<'_, T>) -> Result<(), E>,
    {
        let graph = self.corpus.graph(file).map_err(VisitError::File)?;
        let path = self.corpus.files().get(file).map_or(Path::new(""), |file| file.path());
        let Limits { task, result_bytes, .. } = &self.limits;
        let visit = Visit { file, path, graph: &graph, task: task.clone(), result_bytes: *result_bytes };
        let answer = (self.question)(&visit, send);
        if let Err(damage) = graph.check() {
            self.corpus.forget(file);
            return Err(VisitError::File(damage.into()));
        }
        answer.map_err(VisitError::Question)
    }

    /// Answers all files on the caller's thread.
    fn alone<T, E>(
        &self,
        task: &Task<'_>,
        receive: impl FnMut(usize, Event<T, E>) -> ControlFlow<()>,
    ) -> Result<(), Cancelled>
    where
        Q: Fn(&Visit<'_>, Send<'_, T>) -> Result<(), E>,
    {
        let receive = RefCell::new(receive);
        for file in 0..self.corpus.files().len() {
            task.check()?;
            let is_wanted = std::cell::Cell::new(true);
            let send = |result| {
                let flow = if is_wanted.get() {
                    (receive.borrow_mut())(file, Event::Result(result))
                } else {
                    ControlFlow::Break(())
                };
                is_wanted.set(flow.is_continue());
                is_wanted.get()
            };
            let end = self.answer(file, &send);
            if !is_wanted.get() {
                return Ok(());
            }
            task.check()?;
            if (receive.borrow_mut())(file, Event::End(end)).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Answers all files on threads. Returns false, with nothing done, if the system gives no thread.
    fn on_threads<T, E>(
        &self,
        threads: usize,
        task: &Task<'_>,
        receive: &mut impl FnMut(usize, Event<T, E>) -> ControlFlow<()>,
    ) -> Result<bool, Cancelled>
    where
        T: std::marker::Send,
        E: std::marker::Send,
        Q: Fn(&Visit<'_>, Send<'_, T>) -> Result<(), E> + Sync,
    {
        let (line, waiting) = sync_channel::<(usize, Events<T, E>)>(FILES_OF_THREAD * threads);
        let next = Mutex::new(0);
        scope(|scope| {
            let work = |line: SyncSender<_>| {
                while let Some((file, events)) = self.begin(&next, &line) {
                    let send = |result| events.send(Event::Result(result)).is_ok();
                    let end = self.answer(file, &send);
                    // The caller may have stopped, and then wants no end.
                    let _ = events.send(Event::End(end));
                }
            };
            let started = (0..threads).map_while(|_| {
                let line = line.clone();
                start_in(scope, move || work(line))
            });
            let started = started.count();
            drop(line);
            if started == 0 {
                return Ok(false);
            }
            let taken = take_all(waiting, task, receive);
            self.limits.is_over.store(true, Ordering::Relaxed);
            taken.map(|()| true)
        })
    }

    /// Takes the next file, and puts the queue of its results into the line. `None` after the last file, or
    /// if the caller has stopped.
    fn begin<T, E>(
        &self,
        next: &Mutex<usize>,
        line: &SyncSender<(usize, Events<T, E>)>,
    ) -> Option<(usize, SyncSender<Event<T, E>>)> {
        // The lock is held until the queue is in the line, so that the line is in the order of files.
        let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
        let file = *next;
        if file >= self.corpus.files().len() {
            return None;
        }
        let (events, results) = sync_channel(RESULTS_MAX);
        line.send((file, results)).ok()?;
        *next += 1;
        Some((file, events))
    }
}

/// Passes the events of all files on, in the order of the line.
fn take_all<T, E>(
    line: Receiver<(usize, Events<T, E>)>,
    task: &Task<'_>,
    receive: &mut impl FnMut(usize, Event<T, E>) -> ControlFlow<()>,
) -> Result<(), Cancelled> {
    for (file, events) in line {
        for event in events {
            task.check()?;
            if receive(file, event).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}
