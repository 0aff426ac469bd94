//! Reports of the progress of long work to a function of Python.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use varvite::inspect::ProgressUnit;
use varvite::{Progress, Task};

/// The least time between two reports, so that they do not slow down the work.
const PAUSE: Duration = Duration::from_millis(50);

/// The task, which calls `listener` with the name of the step, the finished and the total amount, and whether
/// these are bytes.
pub(crate) fn told(task: Task<'static>, listener: Option<Py<PyAny>>) -> Task<'static> {
    let Some(listener) = listener else { return task };
    let last = Mutex::new(None);
    task.progress(move |progress| {
        if is_due(&last) || progress.done == progress.total {
            Python::attach(|py| tell(py, &listener, progress));
        }
    })
}

fn is_due(last: &Mutex<Option<Instant>>) -> bool {
    let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
    let is_due = last.is_none_or(|last: Instant| last.elapsed() >= PAUSE);
    if is_due {
        *last = Some(Instant::now());
    }
    is_due
}

/// Calls the listener. Its exceptions do not end the work: Python prints them.
fn tell(py: Python<'_>, listener: &Py<PyAny>, progress: &Progress<'_>) {
    let is_bytes = progress.unit == ProgressUnit::Bytes;
    let report = (progress.step, progress.done, progress.total, is_bytes);
    if let Err(error) = listener.call1(py, report) {
        error.write_unraisable(py, None);
    }
}
