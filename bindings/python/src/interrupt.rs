//! Long work without Python's lock, which Ctrl-C ends.
//!
//! Python calls the handlers of signals on its main thread only, and only while that thread has the lock. So
//! if the main thread calls for long work, another thread does it, and the main thread looks for signals
//! every few milliseconds. If a handler raises an exception, as that of Ctrl-C does, the work is cancelled.
//! Batches come in great number, and the start of a thread takes longer than many a batch: one thread stays,
//! and does one batch after the other. Work that often checks the flag of its task needs no other thread: the
//! check looks for signals.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, ThreadId, scope};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use varvite::{Cancel, Task};

use crate::failure::{Failure, Result};

/// The time between two looks for signals.
const LOOK: Duration = Duration::from_millis(10);
/// The number of items that are collected between two checks of the flag.
const ITEMS_OF_LOOK: usize = 1 << 16;

/// The number of checks of flags that look for signals if 10 ms have passed.
static CHECKS: AtomicU64 = AtomicU64::new(0);

/// The number of times that this process has checked whether it is time to look for signals. Tests use it to
/// assert that long work checks often.
#[pyfunction]
pub(crate) fn signal_checks() -> u64 {
    CHECKS.load(Ordering::Relaxed)
}

/// Does work without Python's lock. `cancel` is the flag that ends the work early.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    match is_main_thread(py)? {
        true => py.detach(|| on_another_thread(cancel, work)),
        false => py.detach(work),
    }
}

/// Does work that owns its data, as [`interruptible`] does, on a thread that stays.
pub(crate) fn on_worker<T: Send + 'static>(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    match is_main_thread(py)? {
        true => py.detach(|| given_to_worker(cancel, work)),
        false => py.detach(work),
    }
}

/// Does short work on the calling thread, without Python's lock. Work that checks the flag of its task is
/// ended by Ctrl-C all the same, and saves the start of a thread.
pub(crate) fn on_this_thread<T: Send>(
    py: Python<'_>,
    task: Task<'static>,
    work: impl FnOnce(&Task<'_>) -> Result<T> + Send,
) -> Result<T> {
    if !is_main_thread(py)? {
        return py.detach(|| work(&task));
    }
    let raised = Arc::new(Mutex::new(None));
    let (looks, keep) = (Looks::new(), Arc::clone(&raised));
    let task = task.cancel(&Cancel::when(move || {
        let error = looks.raised();
        let is_interrupted = error.is_some();
        if is_interrupted {
            *keep.lock().unwrap_or_else(PoisonError::into_inner) = error;
        }
        is_interrupted
    }));
    let result = py.detach(|| work(&task));
    match raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(Failure::Python(error)),
        None => result,
    }
}

/// The task of a stream, whose reader asks for batches without Python. On the main thread, checks of the
/// task's flag look for signals. After Ctrl-C the reader gets an error, and the signal is sent again, so that
/// Python raises `KeyboardInterrupt` as soon as the reader returns.
pub(crate) fn of_stream(py: Python<'_>, task: Task<'static>) -> PyResult<Task<'static>> {
    if !is_main_thread(py)? {
        return Ok(task);
    }
    let looks = Looks::new();
    Ok(task.cancel(&Cancel::when(move || match looks.raised() {
        Some(error) => {
            Python::attach(|py| raise_again(py, error));
            true
        }
        None => false,
    })))
}

/// Sends Ctrl-C again if the exception of a handler is that of Ctrl-C. Prints any other exception.
fn raise_again(py: Python<'_>, error: PyErr) {
    if !error.is_instance_of::<PyKeyboardInterrupt>(py) {
        return error.write_unraisable(py, None);
    }
    let sent = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
    if let Err(failure) = sent {
        failure.write_unraisable(py, None);
    }
}

/// All items, with a check of the flag after some thousands of them.
pub(crate) fn collected<T>(mut items: impl Iterator<Item = T>, task: &Task<'_>) -> Result<Vec<T>> {
    let mut found = Vec::with_capacity(items.size_hint().0);
    while let Some(item) = items.next() {
        found.push(item);
        found.extend(items.by_ref().take(ITEMS_OF_LOOK));
        task.check()?;
    }
    Ok(found)
}

/// The looks for signals of work that checks its flag on the main thread.
struct Looks {
    main: ThreadId,
    last: Mutex<Instant>,
}

impl Looks {
    /// Looks for the calling thread, which is the main thread.
    fn new() -> Self {
        Self { main: std::thread::current().id(), last: Mutex::new(Instant::now()) }
    }

    /// If it is time for a look, looks, and returns the exception that a handler raised.
    fn raised(&self) -> Option<PyErr> {
        CHECKS.fetch_add(1, Ordering::Relaxed);
        if std::thread::current().id() != self.main {
            return None;
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < LOOK {
            return None;
        }
        *last = Instant::now();
        Python::attach(|py| py.check_signals()).err()
    }
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let main: u64 = threading.call_method0("main_thread")?.getattr("ident")?.extract()?;
    Ok(threading.call_method0("get_ident")?.extract::<u64>()? == main)
}

fn on_another_thread<T: Send>(cancel: &Cancel, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    scope(|scope| {
        let (done, is_done) = channel();
        let worker = move || {
            let result = work();
            let _ = done.send(());
            result
        };
        let worker = Builder::new().spawn_scoped(scope, worker).map_err(Failure::Thread)?;
        let interrupted = look_for_signals(&is_done, cancel);
        let result = worker.join().unwrap_or_else(|panic| Err(panicked(&*panic)));
        interrupted?;
        result
    })
}

/// A thread that does the work of the main thread, one piece after the other.
struct Worker {
    /// The process that started the thread: a fork of it has no such thread.
    process: u32,
    jobs: Sender<Job>,
}

type Job = Box<dyn FnOnce() + Send>;

static WORKER: Mutex<Option<Worker>> = Mutex::new(None);

fn given_to_worker<T: Send + 'static>(
    cancel: &Cancel,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let (done, is_done) = channel();
    let (result, is_finished) = channel();
    let job = move || {
        let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked(&*panic)));
        let _ = result.send(outcome);
        let _ = done.send(());
    };
    give(Box::new(job))?;
    let interrupted = look_for_signals(&is_done, cancel);
    let result = is_finished.recv().unwrap_or_else(|_| Err(Failure::Panic("a worker ended".to_owned())));
    interrupted?;
    result
}

/// Gives a job to the worker, which is started if there is none in this process.
fn give(job: Job) -> Result<()> {
    let mut worker = WORKER.lock().unwrap_or_else(PoisonError::into_inner);
    let here = std::process::id();
    let job = match worker.as_ref().filter(|worker| worker.process == here) {
        Some(worker) => match worker.jobs.send(job) {
            Ok(()) => return Ok(()),
            Err(unsent) => unsent.0,
        },
        None => job,
    };
    let (jobs, received) = channel::<Job>();
    let _ = jobs.send(job);
    let body = move || received.into_iter().for_each(|job| job());
    Builder::new().name("varvite".to_owned()).spawn(body).map_err(Failure::Thread)?;
    *worker = Some(Worker { process: here, jobs });
    Ok(())
}

/// Waits for the end of the work. If a handler of a signal raises an exception, cancels the work and still
/// waits for its end.
fn look_for_signals(is_done: &Receiver<()>, cancel: &Cancel) -> Result<()> {
    let mut outcome = Ok(());
    while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(LOOK) {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            cancel.cancel();
            outcome = Err(error.into());
        }
    }
    outcome
}

fn panicked(panic: &(dyn Any + Send)) -> Failure {
    Failure::Panic(varvite_arrow::panic_text(panic).to_owned())
}
