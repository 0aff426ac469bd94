//! [`CorpusQuestion`]: a question to all graphs of a corpus, which may be asked any number of times.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use varvite::pipeline::Template;
use varvite_arrow::OwnedStream;

use super::answers::Answers;
use super::open::Corpus;
use super::question::Question;
use super::run::{CorpusRun, Notes};
use super::stream::{AtEnd, CommonBatches};
use crate::failure::{Failure, Result};
use crate::interrupt::{interruptible, of_stream};
use crate::options::Limits;

/// A question to all graphs.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct CorpusQuestion {
    corpus: Py<Corpus>,
    question: Arc<Question>,
}

#[pymethods]
impl Corpus {
    /// A question in the language of Joern.
    fn ask(slf: Py<Self>, py: Python<'_>, query: &str) -> PyResult<CorpusQuestion> {
        slf.get().open()?;
        let translated = py.detach(|| varvite_text::translate(query));
        let translated = translated.map_err(|error| Failure::Text(error.pointed(query)))?;
        Ok(CorpusQuestion { corpus: slf, question: Arc::new(Question::Text(translated)) })
    }

    /// A plan, in the form of JSON. The values of its parameters are in the form of texts, with a pair for
    /// each item of a list.
    fn query(
        slf: Py<Self>,
        py: Python<'_>,
        plan: &str,
        limits: Limits,
        values: Vec<(String, String)>,
    ) -> PyResult<CorpusQuestion> {
        slf.get().open()?;
        let budget = limits.plan_budget()?;
        let pipeline = py.detach(|| -> Result<_> {
            let values = values.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            Ok(Template::from_json_within(plan, &budget)?.bind_texts(values)?)
        })?;
        Ok(CorpusQuestion { corpus: slf, question: Arc::new(Question::Plan(pipeline)) })
    }
}

#[pymethods]
impl CorpusQuestion {
    /// Begins to ask all graphs.
    fn run(&self, py: Python<'_>, limits: Limits) -> PyResult<CorpusRun> {
        let (task, notes) = (limits.task()?, self.notes());
        let answers = self.begin(&task, limits, &notes)?;
        Ok(CorpusRun::new(self.corpus.clone_ref(py), Some(answers), notes, task.flag().clone()))
    }

    /// A new stream of the rows of all graphs, and the run that has its failures. Waits for the first rows,
    /// which decide the columns. `at_end` is called after the last row.
    fn stream<'py>(
        &self,
        py: Python<'py>,
        limits: Limits,
        at_end: Py<PyAny>,
    ) -> PyResult<(CorpusRun, Bound<'py, PyCapsule>)> {
        let (task, notes) = (of_stream(py, limits.task()?)?, self.notes());
        let (answers, at_end) = (self.begin(&task, limits, &notes)?, AtEnd::new(at_end));
        let (cancel, left_out) = (task.flag().clone(), Arc::clone(&notes.left_out));
        let batches = interruptible(py, &cancel, || CommonBatches::begin(answers, left_out, at_end))?;
        let run = CorpusRun::new(self.corpus.clone_ref(py), None, notes, cancel);
        let stream = OwnedStream::of_batches(Arc::clone(batches.fields()), Box::new(batches));
        Ok((run, PyCapsule::new_with_value(py, stream, c"arrow_array_stream")?))
    }
}

impl CorpusQuestion {
    fn notes(&self) -> Notes {
        Notes::new(self.corpus.get().is_strict)
    }

    fn begin(&self, task: &varvite::Task<'static>, limits: Limits, notes: &Notes) -> Result<Answers> {
        let corpus = self.corpus.get().open()?;
        let batch_rows = limits.batch_rows()?;
        Answers::begin(corpus, &self.question, task, batch_rows, Arc::clone(&notes.report))
    }
}
