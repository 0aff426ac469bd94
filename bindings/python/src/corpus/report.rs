//! [`Report`]: the files of a corpus that have no answer, or not a whole one.

use std::path::Path;

use varvite::ErrorCode;
use varvite_corpus::{Ends, FailureKind, FileFailure};

use crate::failure::Failure;

/// The ends of all files.
pub(super) type Report = Ends<Failure>;

impl FileFailure for Failure {
    fn kind(&self) -> FailureKind {
        match self.code() {
            ErrorCode::Unknown | ErrorCode::NoSuchNode => FailureKind::Lack,
            ErrorCode::Plan | ErrorCode::WrongType | ErrorCode::Argument => FailureKind::Misfit,
            _ => FailureKind::Fault,
        }
    }

    fn of_file(self, path: &Path) -> Self {
        let path = path.display().to_string();
        match self.to_string().contains(&path) {
            true => self,
            false => Self::InFile { path, failure: Box::new(self) },
        }
    }
}
