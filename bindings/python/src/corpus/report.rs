//! [`Report`]: the files of a corpus that have no answer, or not a whole one.

use std::ffi::OsString;
use std::path::Path;

use varvite::ErrorCode;
use varvite_corpus::VisitError;

use crate::failure::{Failure, Result};

/// The ends of all files: those that failed, those that lack a name, and those that were answered.
#[derive(Default)]
pub(super) struct Report {
    /// Whether the first failure ends the question.
    is_strict: bool,
    pub(super) failed: Vec<(OsString, Failure)>,
    /// The number of graphs that lack a name, and the first reason.
    pub(super) lacking: usize,
    pub(super) lack: Option<Failure>,
    answered: usize,
}

impl Report {
    pub(super) fn new(is_strict: bool) -> Self {
        Self { is_strict, ..Self::default() }
    }

    /// Notes the end of a file. A failure that ends the question is returned.
    pub(super) fn end(
        &mut self,
        path: &Path,
        end: std::result::Result<(), VisitError<Failure>>,
    ) -> Result<()> {
        let failure = match end {
            Ok(()) => {
                self.answered += 1;
                return Ok(());
            }
            Err(VisitError::File(error)) => error.into(),
            Err(VisitError::Question(failure)) => failure,
        };
        match failure.code() {
            ErrorCode::Unknown | ErrorCode::NoSuchNode => {
                self.lacking += 1;
                self.lack.get_or_insert(failure);
                Ok(())
            }
            _ if self.is_strict => Err(failure.in_file(path)),
            _ => {
                self.failed.push((path.as_os_str().to_owned(), failure));
                Ok(())
            }
        }
    }

    /// Ends the question: it fails if it fits no graph, or if every graph lacks a name.
    pub(super) fn finish(&mut self) -> Result<()> {
        let is_wrong = |code| matches!(code, ErrorCode::Plan | ErrorCode::WrongType | ErrorCode::Argument);
        let is_wrong_for_all = self.failed.iter().all(|(_, failure)| is_wrong(failure.code()));
        if is_wrong_for_all && self.answered + self.lacking == 0 && !self.failed.is_empty() {
            return Err(self.failed.swap_remove(0).1);
        }
        match self.lack.take_if(|_| self.answered == 0 && self.failed.is_empty()) {
            Some(lack) => Err(lack),
            None => Ok(()),
        }
    }
}

impl Failure {
    /// The failure with the path of the file, if the message lacks it.
    pub(super) fn in_file(self, path: &Path) -> Self {
        let path = path.display().to_string();
        match self.to_string().contains(&path) {
            true => self,
            false => Self::InFile { path, failure: Box::new(self) },
        }
    }
}
