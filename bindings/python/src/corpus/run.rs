//! [`CorpusRun`]: one reading of the answers of all files.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use pyo3::prelude::*;
use pyo3::types::PyList;
use varvite::Cancel;
use varvite::arrow::RecordBatch;

use super::answers::Answers;
use super::open::Corpus;
use super::report::Report;
use super::rows::rows_to_python;
use crate::failure::{Failure, Result};
use crate::interrupt::on_worker;

/// One reading of the answers of all files, and the files that failed so far.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct CorpusRun {
    corpus: Py<Corpus>,
    /// `None` after the end, and if a stream reads the answers.
    answers: Arc<Mutex<Option<Answers>>>,
    report: Arc<Mutex<Report>>,
    left_out: Arc<Mutex<BTreeSet<String>>>,
    cancel: Cancel,
}

/// The report of a question, and the columns that its stream left out.
pub(super) struct Notes {
    pub(super) report: Arc<Mutex<Report>>,
    pub(super) left_out: Arc<Mutex<BTreeSet<String>>>,
}

impl Notes {
    pub(super) fn new(is_strict: bool) -> Self {
        Self { report: Arc::new(Mutex::new(Report::new(is_strict))), left_out: Arc::default() }
    }
}

impl CorpusRun {
    /// A run whose rows Python takes, or, without answers, one whose rows a stream takes.
    pub(super) fn new(corpus: Py<Corpus>, answers: Option<Answers>, notes: Notes, cancel: Cancel) -> Self {
        let Notes { report, left_out } = notes;
        let answers = Arc::new(Mutex::new(answers));
        Self { corpus, answers, report, left_out, cancel }
    }

    fn report(&self) -> MutexGuard<'_, Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl CorpusRun {
    /// The next rows, as dictionaries; `None` after the last file.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Py<PyList>>> {
        self.corpus.get().open()?;
        let answers = Arc::clone(&self.answers);
        let next = on_worker(py, &self.cancel, move || {
            let mut answers = taken(&answers)?;
            next_of(&mut answers)
        })?;
        next.map(|(path, batch)| rows_to_python(py, &path, &batch)).transpose()
    }

    /// Ends the run, whose rows nobody wants any more.
    fn close(&self, py: Python<'_>) {
        self.cancel.cancel();
        if let Ok(mut answers) = taken(&self.answers) {
            let answers = answers.take();
            // This waits until the threads of the run have ended.
            py.detach(|| drop(answers));
        }
    }

    /// The files that failed so far, each with its exception.
    fn failures(&self, py: Python<'_>) -> PyResult<Vec<(OsString, Py<PyAny>)>> {
        let exception = |(path, failure): &(PathBuf, Failure)| {
            let error = failure.exception(py)?;
            Ok((path.clone().into_os_string(), error.into_value(py).into_any()))
        };
        self.report().failed().iter().map(exception).collect()
    }

    /// The number of graphs so far that lack a name of the question, and the first reason.
    fn lacking(&self) -> (usize, Option<String>) {
        let report = self.report();
        (report.lacking(), report.lack().map(Failure::to_string))
    }

    /// The names of columns that some graphs have, and the stream lacks.
    fn left_out(&self) -> Vec<String> {
        self.left_out.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// The next rows and the path of their graph. After the last ones, and after an error, the answers are
/// dropped.
fn next_of(answers: &mut Option<Answers>) -> Result<Option<(PathBuf, RecordBatch)>> {
    let Some(open) = answers else { return Ok(None) };
    let next = open.next().map(|next| next.map(|(file, batch)| (open.path(file).to_owned(), batch)));
    if !matches!(next, Ok(Some(_))) {
        *answers = None;
    }
    next
}

/// The answers, if no other thread takes them.
fn taken(answers: &Mutex<Option<Answers>>) -> Result<MutexGuard<'_, Option<Answers>>> {
    match answers.try_lock() {
        Ok(answers) => Ok(answers),
        Err(TryLockError::WouldBlock) => Err(Failure::RunInUse),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
    }
}
