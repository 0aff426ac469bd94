//! [`Answers`]: the answers of all files of a corpus, taken batch by batch in the order of the files.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use varvite::Task;
use varvite::arrow::{Field, RecordBatch};
use varvite_corpus::{Corpus, Event, Inquiry, VisitError};

use super::question::{Part, Question};
use super::report::Report;
use crate::failure::{Failure, Result};

/// The title of the first column: the path of the graph. The title `file` belongs to files of source code.
const GRAPH: &str = "graph";
/// The title of the first column if the rows have a column `graph` of their own.
const GRAPH_FILE: &str = "graph_file";

/// The answers of all files. Threads of their own find them.
pub(super) struct Answers {
    corpus: Arc<Corpus>,
    inquiry: Inquiry<Part, Failure>,
    report: Arc<Mutex<Report>>,
    /// The columns of the first answer that came.
    fields: Option<Arc<[Field]>>,
    /// The file whose further rows are left out, since some of them failed.
    left_out: Option<usize>,
}

impl Answers {
    /// Begins to ask all graphs.
    pub(super) fn begin(
        corpus: Arc<Corpus>,
        question: &Arc<Question>,
        task: &Task<'static>,
        batch_rows: Option<usize>,
        report: Arc<Mutex<Report>>,
    ) -> Result<Self> {
        let question = Arc::clone(question);
        let ask = move |visit: &varvite_corpus::Visit<'_>, send: varvite_corpus::Send<'_, Part>| {
            question.ask(visit, batch_rows, send)
        };
        let inquiry = corpus.begin(task, ask).map_err(Failure::Thread)?;
        Ok(Self { corpus, inquiry, report, fields: None, left_out: None })
    }

    /// The next rows, with the number of their file. `None` after the last file.
    pub(super) fn next(&mut self) -> Result<Option<(usize, RecordBatch)>> {
        loop {
            match self.inquiry.next().transpose()? {
                None => {
                    self.report().finish(self.corpus.unreadable().len())?;
                    return Ok(None);
                }
                Some((_, Event::Result(Part::Fields(fields)))) => {
                    self.fields.get_or_insert(fields);
                }
                Some((file, Event::Result(Part::Rows(batch)))) if self.left_out != Some(file) => {
                    return Ok(Some((file, batch)));
                }
                Some((_, Event::Result(Part::Rows(_)))) => {}
                // The failure for which a file is left out has been noted.
                Some((file, Event::End(_))) if self.left_out == Some(file) => {}
                Some((file, Event::End(end))) => self.end(file, end)?,
            }
        }
    }

    /// Leaves out the further rows of a file, since it failed.
    pub(super) fn leave_out(&mut self, file: usize, failure: Failure) -> Result<()> {
        self.left_out = Some(file);
        self.end(file, Err(VisitError::Question(failure)))
    }

    /// The columns of the first answer that came.
    pub(super) fn fields(&self) -> Option<&Arc<[Field]>> {
        self.fields.as_ref()
    }

    /// The path of a file.
    pub(super) fn path(&self, file: usize) -> &Path {
        self.corpus.files().get(file).map_or(Path::new(""), |file| file.path())
    }

    fn end(&self, file: usize, end: std::result::Result<(), VisitError<Failure>>) -> Result<()> {
        self.report().take(self.path(file), end)
    }

    fn report(&self) -> MutexGuard<'_, Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The title of the column with the path of the graph, beside these columns.
pub(super) fn title_beside(fields: &[Field]) -> &'static str {
    let is_taken = fields.iter().any(|field| field.name == GRAPH);
    if is_taken { GRAPH_FILE } else { GRAPH }
}
