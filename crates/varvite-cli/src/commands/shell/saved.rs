//! [`save`]: writes an answer to a file, which appears under its name when it is whole.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use varvite::pipeline::Run;
use varvite_show::{Format, Shown, Sink};
use varvite_store::vfs::RealVfs;
use varvite_store::{IfExists, StagedFile, StagedStream};
use varvite_text::AnswerOutput;

use crate::failure::{Failure, reported};
use crate::output::{Summary, note_places, sized};

/// The format that the ending of a file's name stands for.
pub(super) fn format_of_ending(file: &Path) -> Option<Format> {
    file.extension().and_then(|ending| Format::of_name(ending.to_str()?))
}

/// Writes what `answer` writes to a file. An existing file is replaced once the new one is whole; if `answer`
/// fails, it stays as it was.
pub(super) fn save(
    file: &Path,
    answer: impl FnOnce(&dyn AnswerOutput) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let staged = StagedFile::create(Arc::new(RealVfs), file, IfExists::Replace)?;
    let output = ToFile(RefCell::new(StagedStream::from(staged)));
    answer(&output)?;
    let stream = output.0.into_inner();
    let length = stream.len();
    stream.into_file().commit()?;
    let sentence = format!("{}: {}", file.display(), sized(length));
    reported(file, Summary { sentence, fields: Vec::new() }.write(Format::Table))
}

/// Writes answers to an unfinished file.
struct ToFile(RefCell<StagedStream>);

impl AnswerOutput for ToFile {
    fn rows(&self) -> Sink<'_> {
        Sink::new(self)
    }

    fn value(&self, text: &str) -> io::Result<()> {
        writeln!(self.0.borrow_mut(), "{text}")
    }

    fn end_of_rows(&self, _: &Run, shown: Option<Shown>) {
        shown.into_iter().for_each(note_places);
    }
}

impl Write for &ToFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}
