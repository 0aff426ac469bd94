//! [`CommonBatches`]: the rows of all graphs as one Arrow stream.
//!
//! A stream has one list of columns, which the first rows decide. Columns that a later graph lacks are null,
//! and columns that it has beside them are left out and named.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, ThreadId, current};

use pyo3::prelude::*;
use varvite::ErrorCode;
use varvite::arrow::{CommonFields, Field, RecordBatch};
use varvite_arrow::StreamError;

use super::answers::{Answers, title_beside};
use crate::failure::{Failure, Result};

/// The batches of all graphs, with common columns.
pub(super) struct CommonBatches {
    answers: Answers,
    common: CommonFields,
    /// The first rows, which decided the columns.
    first: Option<(usize, RecordBatch)>,
    left_out: Arc<Mutex<BTreeSet<String>>>,
    at_end: Option<AtEnd>,
}

/// A function of Python that is called after the last row.
pub(super) struct AtEnd {
    function: Py<PyAny>,
    maker: ThreadId,
}

impl CommonBatches {
    /// Waits for the first rows, which decide the columns. `left_out` gets the names of columns that are left
    /// out, and `at_end` is called after the last row.
    pub(super) fn begin(
        mut answers: Answers,
        left_out: Arc<Mutex<BTreeSet<String>>>,
        at_end: AtEnd,
    ) -> Result<Self> {
        let first = answers.next()?;
        let of_rows = first.as_ref().map(|(_, batch)| batch.fields());
        let fields: &[Field] = of_rows.or(answers.fields()).map_or(&[], |fields| fields.as_ref());
        let common = CommonFields::new(title_beside(fields), fields);
        Ok(Self { answers, common, first, left_out, at_end: Some(at_end) })
    }

    /// The columns of all batches.
    pub(super) fn fields(&self) -> &Arc<[Field]> {
        self.common.fields()
    }

    fn take(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            let next = match self.first.take() {
                Some(first) => Some(first),
                None => self.answers.next()?,
            };
            let Some((file, batch)) = next else { return Ok(None) };
            let path = self.answers.path(file).to_string_lossy().into_owned();
            match self.common.fit(&path, &batch) {
                Ok(fitted) => {
                    self.note_left_out(batch.fields());
                    return Ok(Some(fitted));
                }
                Err(misfit) => self.answers.leave_out(file, misfit.into())?,
            }
        }
    }

    fn note_left_out(&self, fields: &[Field]) {
        let mut lacking = self.common.lacking(fields).peekable();
        if lacking.peek().is_some() {
            let mut left_out = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
            left_out.extend(lacking.map(str::to_owned));
        }
    }
}

impl Iterator for CommonBatches {
    type Item = std::result::Result<RecordBatch, StreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        let taken = self.take();
        if let Ok(None) = taken
            && let Some(at_end) = self.at_end.take()
        {
            at_end.call();
        }
        taken.map_err(StreamError::from).transpose()
    }
}

impl From<Failure> for StreamError {
    fn from(failure: Failure) -> Self {
        let message = failure.to_string();
        match failure.code() {
            ErrorCode::Cancelled => Self::Cancelled(message),
            ErrorCode::OverBudget | ErrorCode::OutOfMemory => Self::OutOfMemory(message),
            ErrorCode::Argument | ErrorCode::Plan | ErrorCode::WrongType | ErrorCode::Unknown => {
                Self::Argument(message)
            }
            _ => Self::Io(message),
        }
    }
}

impl AtEnd {
    pub(super) fn new(function: Py<PyAny>) -> Self {
        Self { function, maker: current().id() }
    }

    /// Calls the function. A reader may keep Python's lock in one thread while another one reads, so any
    /// other thread than the maker's leaves the call to a thread that nobody waits for.
    fn call(self) {
        let Self { function, maker } = self;
        let call = move || {
            Python::attach(|py| {
                if let Err(error) = function.call0(py) {
                    error.write_unraisable(py, None);
                }
            });
        };
        if current().id() == maker {
            call();
        } else {
            // Without a thread, the failed files are still in the attribute of the rows.
            let _ = Builder::new().name("varvite".to_owned()).spawn(call);
        }
    }
}
