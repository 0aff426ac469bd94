//! [`ScanArgs`]: a trace that a command reads as a whole, in limited memory.

use std::path::PathBuf;

use clap::Args;
use varvite::{Budget, Task};
use varvite_memtrace::usage::UsageError;
use varvite_trace::{FileSource, Reader};

use super::{note_missing, open};
use crate::arguments::parse_size;
use crate::failure::Failure;
use crate::progress::Progress;

/// The trace, and how it is read.
#[derive(Debug, Args)]
pub(super) struct ScanArgs {
    /// The trace, a .vtrace file
    pub(super) file: PathBuf,
    /// Memory limit, such as 64M or 2G, for counts [default: a quarter of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<usize>,
    /// Skip damaged blocks and report their number, instead of stopping
    #[arg(long)]
    skip_damaged: bool,
}

impl ScanArgs {
    /// Calls `read` with the trace, the memory limit and a task that shows progress. Afterwards, notes on
    /// standard error name the parts of the trace that are missing.
    pub(super) fn read<T>(
        &self,
        read: impl FnOnce(&mut Reader<FileSource>, usize, &Task<'_>) -> Result<T, UsageError>,
    ) -> Result<(T, Reader<FileSource>), Failure> {
        let mut reader = open(&self.file)?;
        if self.skip_damaged {
            reader.skip_damaged();
        }
        let answer = {
            let bar = Progress::bytes("counting");
            let task = Task::new().progress(|progress| bar.show(progress));
            read(&mut reader, self.memory.unwrap_or_else(Budget::default_bytes), &task)
        };
        let answer = answer.map_err(|source| Failure::TraceUsage { file: self.file.clone(), source })?;
        note_missing(&self.file, &mut reader);
        Ok((answer, reader))
    }
}
