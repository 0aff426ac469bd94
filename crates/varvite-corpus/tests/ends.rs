//! The rules by which the ends of files become the end of a question.

use std::path::Path;

use varvite_corpus::{Ends, FailureKind, FileError, FileFailure, VisitError};

/// A failure of a question, by its kind.
#[derive(Debug, PartialEq, Eq)]
struct Fails(FailureKind, String);

impl From<FileError> for Fails {
    fn from(error: FileError) -> Self {
        Self(FailureKind::Fault, error.to_string())
    }
}

impl FileFailure for Fails {
    fn kind(&self) -> FailureKind {
        self.0
    }

    fn of_file(self, path: &Path) -> Self {
        Self(self.0, format!("{}: {}", path.display(), self.1))
    }
}

type End = Result<(), VisitError<Fails>>;

/// The end of a file: a letter for each kind.
fn end(letter: char, file: usize) -> End {
    let kind = match letter {
        'a' => return Ok(()),
        'o' => return Err(VisitError::File(FileError::NoSuchFile { file, files: 0 })),
        'f' => FailureKind::Final,
        'l' => FailureKind::Lack,
        'm' => FailureKind::Misfit,
        _ => FailureKind::Fault,
    };
    Err(VisitError::Question(Fails(kind, format!("{letter}{file}"))))
}

/// Takes the ends of files, one for each letter, and ends the question. The result is the error, or the
/// numbers of files that failed and that lack a name.
fn ended(letters: &str, is_strict: bool, unreadable: usize) -> Result<(usize, usize), String> {
    let mut ends = Ends::new(is_strict);
    for (file, letter) in letters.chars().enumerate() {
        ends.take(Path::new("x"), end(letter, file)).map_err(|failure| failure.1)?;
    }
    ends.finish(unreadable).map_err(|failure| failure.1)?;
    assert_eq!(ends.lack().is_some(), ends.lacking() > 0);
    Ok((ends.failed().len(), ends.lacking()))
}

#[test]
fn ends_of_files_become_one_end() {
    for (letters, expected) in [
        ("", Ok((0, 0))),
        ("aa", Ok((0, 0))),
        ("ada", Ok((1, 0))),
        ("dd", Ok((2, 0))),
        ("ao", Ok((1, 0))),
        // A name that all graphs lack is an error, but not if a file might have it.
        ("ll", Err("l0")),
        ("la", Ok((0, 1))),
        ("ld", Ok((1, 1))),
        ("lm", Ok((1, 1))),
        // A question that fits no graph is one error.
        ("mm", Err("m0")),
        ("ma", Ok((1, 0))),
        ("md", Ok((2, 0))),
        ("adf", Err("f2")),
    ] {
        assert_eq!(ended(letters, false, 0), expected.map_err(str::to_owned), "{letters}");
    }
}

#[test]
fn a_folder_that_could_not_be_read_might_have_a_graph_that_fits() {
    for letters in ["ll", "mm"] {
        assert!(ended(letters, false, 1).is_ok(), "{letters}");
    }
}

#[test]
fn the_first_file_that_fails_ends_a_strict_question() {
    assert_eq!(ended("ald", true, 0), Err("x: d2".to_owned()));
    assert_eq!(ended("am", true, 0), Err("x: m1".to_owned()));
    // A final failure is not one of the file.
    assert_eq!(ended("f", true, 0), Err("f0".to_owned()));
    assert_eq!(ended("al", true, 0), Ok((0, 1)));
}
