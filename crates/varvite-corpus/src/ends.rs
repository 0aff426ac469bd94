//! [`Ends`]: the ends of all files of a question: answered, without a name, or failed.

use std::path::{Path, PathBuf};

use crate::error::FileError;
use crate::visit::VisitError;

/// The effect that the failure of one file has on a question to all files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The question ends at once, such as when its answer can't be written.
    Final,
    /// The graph lacks a name of the question, and has no rows. This is an error if all graphs lack it.
    Lack,
    /// The question does not fit the graph: the file fails. If it fits no graph, this is one error.
    Misfit,
    /// The file fails, such as by damage.
    Fault,
}

/// A failure of a question in one file.
pub trait FileFailure: From<FileError> {
    /// The effect on the question to all files.
    fn kind(&self) -> FailureKind;

    /// The failure with the path of its file, if the message lacks it.
    #[must_use]
    fn of_file(self, path: &Path) -> Self;
}

/// The ends of the files of a question, in the order of the corpus.
///
/// **Memory**: a path and a failure for each file that failed, and counts of all others.
#[derive(Debug)]
pub struct Ends<F> {
    is_strict: bool,
    failed: Vec<(PathBuf, F)>,
    lacking: usize,
    lack: Option<F>,
    answered: usize,
}

impl<F: FileFailure> Ends<F> {
    /// No ends yet. If `is_strict`, the first file that fails ends the question.
    pub fn new(is_strict: bool) -> Self {
        Self { is_strict, failed: Vec::new(), lacking: 0, lack: None, answered: 0 }
    }

    /// Notes the end of a file.
    ///
    /// # Errors
    /// A failure that ends the question.
    pub fn take(&mut self, path: &Path, end: Result<(), VisitError<F>>) -> Result<(), F> {
        let failure = match end {
            Ok(()) => {
                self.answered += 1;
                return Ok(());
            }
            Err(VisitError::File(error)) => error.into(),
            Err(VisitError::Question(failure)) => failure,
        };
        match failure.kind() {
            FailureKind::Final => return Err(failure),
            FailureKind::Lack => {
                self.lacking += 1;
                self.lack.get_or_insert(failure);
            }
            _ if self.is_strict => return Err(failure.of_file(path)),
            _ => self.failed.push((path.to_owned(), failure)),
        }
        Ok(())
    }

    /// Ends the question. `unreadable` is the number of folders whose files are unknown: one of them might
    /// have a graph that fits.
    ///
    /// # Errors
    /// The failure of the first file, if the question fits no graph; or if every graph lacks a name. These
    /// ends then lack the failure.
    pub fn finish(&mut self, unreadable: usize) -> Result<(), F> {
        if self.answered + unreadable > 0 {
            return Ok(());
        }
        let is_misfit = |(_, failure): &(PathBuf, F)| failure.kind() == FailureKind::Misfit;
        if self.lacking == 0 && !self.failed.is_empty() && self.failed.iter().all(is_misfit) {
            return Err(self.failed.remove(0).1);
        }
        match self.lack.take_if(|_| self.failed.is_empty()) {
            Some(lack) => Err(lack),
            None => Ok(()),
        }
    }

    /// The files that failed, with the reasons, in the order of the corpus.
    pub fn failed(&self) -> &[(PathBuf, F)] {
        &self.failed
    }

    /// The number of graphs that lack a name.
    pub fn lacking(&self) -> usize {
        self.lacking
    }

    /// The reason of the first graph that lacks a name.
    pub fn lack(&self) -> Option<&F> {
        self.lack.as_ref()
    }
}
