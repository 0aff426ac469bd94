//! [`Failures`]: the files of a corpus that have no answer, or not a whole one.

use std::path::{Path, PathBuf};

use varvite_corpus::{Corpus, CorpusError, FileError, VisitError};

use crate::corpus_failure::CorpusFailure;
use crate::failure::{Failure, Outcome};
use crate::output::{complain, counted, escaped, note, thousands};

/// The exit code of a name that a graph lacks.
const NO_SUCH_NAME: u8 = 4;
/// The exit code of arguments that do not fit a graph, or none.
const WRONG_ARGUMENTS: u8 = 2;

/// The files that failed, in the order of the corpus, and those that lack a name.
#[derive(Debug)]
pub(crate) struct Failures {
    /// Whether the first failure ends the command.
    is_strict: bool,
    failed: Vec<(PathBuf, Failure)>,
    /// The number of graphs that lack a name, and the first reason.
    lacking: usize,
    lack: Option<Failure>,
    answered: usize,
}

impl Failures {
    /// Begins with the folders that could not be read.
    pub(crate) fn new(is_strict: bool) -> Self {
        Self { is_strict, failed: Vec::new(), lacking: 0, lack: None, answered: 0 }
    }

    /// Notes the end of a file. A failure that ends the command is returned.
    pub(crate) fn end(&mut self, path: &Path, end: Result<(), VisitError<Failure>>) -> Outcome {
        let failure = match end {
            Ok(()) => {
                self.answered += 1;
                return Ok(());
            }
            Err(VisitError::File(error)) => error.into(),
            Err(VisitError::Question(failure)) => failure,
        };
        match failure.exit_code() {
            _ if matches!(failure, Failure::Output(_)) => Err(failure),
            NO_SUCH_NAME => {
                self.lacking += 1;
                self.lack.get_or_insert(failure);
                Ok(())
            }
            WRONG_ARGUMENTS if self.is_strict => {
                Err(Failure::OfFile { file: path.to_owned(), source: Box::new(failure) })
            }
            _ if self.is_strict => Err(failure.of(path)),
            _ => {
                self.failed.push((path.to_owned(), failure));
                Ok(())
            }
        }
    }

    /// Names the files that failed on standard error. Fails if there is one, or if every graph lacks a name.
    /// Arguments that fit no graph are one failure.
    pub(crate) fn report(mut self, corpus: &Corpus) -> Outcome {
        let files = corpus.files().len();
        if self.is_wrong_for_all(corpus)
            && let Some((_, failure)) = self.failed.drain(..).next()
        {
            return Err(failure);
        }
        if let [first, ..] = corpus.other_names() {
            let names = counted(corpus.other_names().len() as u64, "further name");
            let (name, of) = (first.name.display(), first.of.display());
            note(&format!("{names} of files left out, such as {name}, which is {of}"));
        }
        let failed = self.failed.len() + corpus.unreadable().len();
        match self.lack {
            Some(lack) if self.answered == 0 && failed == 0 => return Err(lack),
            Some(lack) => note(&format!(
                "{} of {} graphs have no rows: {lack}",
                thousands(self.lacking as u64),
                thousands(files as u64)
            )),
            None => {}
        }
        for folder in corpus.unreadable() {
            complain(&format!(
                "cannot read the folder {}: {}\n",
                escaped(&folder.path.display().to_string()),
                folder.error
            ));
        }
        for (path, failure) in self.failed {
            let (path, message) = (path.display().to_string(), failure.to_string());
            let line = if message.contains(&path) { message } else { format!("{path}: {message}") };
            complain(&format!("{}{}\n", escaped(&line), failure.advice()));
        }
        if failed == 0 { Ok(()) } else { Err(CorpusFailure::Unanswered { failed, files }.into()) }
    }

    fn is_wrong_for_all(&self, corpus: &Corpus) -> bool {
        let is_wrong = |(_, failure): &(PathBuf, Failure)| failure.exit_code() == WRONG_ARGUMENTS;
        self.answered + self.lacking + corpus.unreadable().len() == 0 && self.failed.iter().all(is_wrong)
    }
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
