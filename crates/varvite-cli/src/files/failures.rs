//! [`Failures`]: the files of a corpus that have no answer, or not a whole one, on standard error.

use std::path::Path;

use varvite_corpus::{Corpus, CorpusError, Ends, FailureKind, FileError, FileFailure, VisitError};

use crate::corpus_failure::CorpusFailure;
use crate::failure::{Failure, Outcome};
use crate::output::{complain, counted, escaped, note, thousands};

/// The exit code of a name that a graph lacks.
const NO_SUCH_NAME: u8 = 4;
/// The exit code of arguments that do not fit a graph, or none.
const WRONG_ARGUMENTS: u8 = 2;

/// The ends of all files, and the report of those that failed.
#[derive(Debug)]
pub(crate) struct Failures(Ends<Failure>);

impl FileFailure for Failure {
    fn kind(&self) -> FailureKind {
        match self.exit_code() {
            _ if matches!(self, Self::Output(_)) => FailureKind::Final,
            NO_SUCH_NAME => FailureKind::Lack,
            WRONG_ARGUMENTS => FailureKind::Misfit,
            _ => FailureKind::Fault,
        }
    }

    fn of_file(self, path: &Path) -> Self {
        match self.kind() {
            FailureKind::Misfit => Self::OfFile { file: path.to_owned(), source: Box::new(self) },
            _ => self.of(path),
        }
    }
}

impl Failures {
    /// No ends yet. If `is_strict`, the first failure ends the command.
    pub(crate) fn new(is_strict: bool) -> Self {
        Self(Ends::new(is_strict))
    }

    /// Notes the end of a file. A failure that ends the command is returned.
    pub(crate) fn end(&mut self, path: &Path, end: Result<(), VisitError<Failure>>) -> Outcome {
        self.0.take(path, end)
    }

    /// Names the files that failed on standard error. Fails if there is one, or if every graph lacks a name.
    /// Arguments that fit no graph are one failure.
    pub(crate) fn report(mut self, corpus: &Corpus) -> Outcome {
        let finished = self.0.finish(corpus.unreadable().len());
        if !matches!(&finished, Err(failure) if failure.kind() == FailureKind::Misfit) {
            note_other_names(corpus);
        }
        finished?;
        let (files, failed) = (corpus.files().len(), self.0.failed().len() + corpus.unreadable().len());
        if let Some(lack) = self.0.lack() {
            let (lacking, files) = (thousands(self.0.lacking() as u64), thousands(files as u64));
            note(&format!("{lacking} of {files} graphs have no rows: {lack}"));
        }
        name_unreadable(corpus);
        self.0.failed().iter().for_each(|(path, failure)| name_failed(path, failure));
        if failed == 0 { Ok(()) } else { Err(CorpusFailure::Unanswered { failed, files }.into()) }
    }
}

fn note_other_names(corpus: &Corpus) {
    if let [first, ..] = corpus.other_names() {
        let names = counted(corpus.other_names().len() as u64, "further name");
        let (name, of) = (first.name.display(), first.of.display());
        note(&format!("{names} of files left out, such as {name}, which is {of}"));
    }
}

fn name_unreadable(corpus: &Corpus) {
    for folder in corpus.unreadable() {
        let path = folder.path.display().to_string();
        complain(&format!("cannot read the folder {}: {}\n", escaped(&path), folder.error));
    }
}

fn name_failed(path: &Path, failure: &Failure) {
    let (path, message) = (path.display().to_string(), failure.to_string());
    let line = if message.contains(&path) { message } else { format!("{path}: {message}") };
    complain(&format!("{}{}\n", escaped(&line), failure.advice()));
}

impl From<CorpusError> for Failure {
    fn from(error: CorpusError) -> Self {
        match error {
            CorpusError::Graph(error) => Self::Graph(error),
            CorpusError::Write(error) => error.into(),
            error => Self::Corpus(error.into()),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Graph(error) => Self::Graph(error),
            FileError::Code(error) => error.into(),
            error => Self::Corpus(error.into()),
        }
    }
}
