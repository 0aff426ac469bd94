//! The file to which stacks or a drawing are written.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use varvite::IfExists;
use varvite_store::{StagedFile, StagedStream, StoreError};

use crate::disk::{WriteArgs, is_same_file};
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Format, Summary, sized};

/// A file that a command may write.
#[derive(Debug, Args)]
pub(crate) struct NewFileArgs {
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
}

impl NewFileArgs {
    /// The path of the file, if one was requested.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Writes the file at `output`, which appears under its name when it is complete. Refuses to replace the
    /// input file `read`. The report of the new file ends with `note`.
    pub(crate) fn write(
        &self,
        output: &Path,
        read: &Path,
        note: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Outcome {
        if is_same_file(read, output) {
            return Err(Failure::Usage("--output names the graph itself; choose another file".to_owned()));
        }
        let if_exists = if self.force { IfExists::Replace } else { IfExists::Refuse };
        let mut file = StagedStream::from(StagedFile::create(self.write.disk(), output, if_exists)?);
        write(&mut file).map_err(of_store)?;
        let length = file.len();
        file.into_file().commit()?;
        let sentence = format!("{}: {}{note}", output.display(), sized(length));
        reported(output, Summary { sentence, fields: Vec::new() }.write(Format::Table))
    }
}

/// Converts an error of the stream that writes the incomplete file.
fn of_store(error: io::Error) -> Failure {
    match error.downcast::<StoreError>() {
        Ok(error) => error.into(),
        Err(error) => error.into(),
    }
}
