//! Long work without Python's lock, which Ctrl-C ends.
//!
//! Python calls the handlers of signals on its main thread only, and only while that thread has the lock. So
//! if the main thread calls for long work, another thread does it, and the main thread looks for signals
//! every few milliseconds. If a handler raises an exception, as that of Ctrl-C does, the work is cancelled.

use std::any::Any;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, scope};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use varvite::{Cancel, Task};

use crate::failure::{Failure, Result};

/// The time between two looks for signals.
const LOOK: Duration = Duration::from_millis(10);

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
    let looks = Looks { raised: Arc::clone(&raised), last: Mutex::new(Instant::now()) };
    let task = task.cancel(&Cancel::when(move || looks.is_interrupted()));
    let result = py.detach(|| work(&task));
    match raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(Failure::Python(error)),
        None => result,
    }
}

/// The looks for signals of work that checks its flag.
struct Looks {
    /// The exception that a handler has raised.
    raised: Arc<Mutex<Option<PyErr>>>,
    last: Mutex<Instant>,
}

impl Looks {
    fn is_interrupted(&self) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < LOOK {
            return false;
        }
        *last = Instant::now();
        let Err(error) = Python::attach(|py| py.check_signals()) else { return false };
        *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        true
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
