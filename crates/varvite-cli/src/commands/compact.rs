//! `varvite compact`: a file without what earlier changes left in it.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use varvite::IfExists;
use varvite::write::{compact, compact_to};

use crate::arguments::OutputArgs;
use crate::disk::{WriteArgs, is_same_file};
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Summary, megabytes};
use crate::progress::Progress;

/// Arguments of `varvite compact`.
#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    /// The graph, a .varvite file. A new file is written beside it, which then takes its name; who has the old one open keeps it
    file: PathBuf,
    /// Leave the graph as it is, and write the new file here
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file at --output if it exists
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Writes the graph anew, and says how much smaller it is.
pub(crate) fn run(args: &CompactArgs) -> Outcome {
    let began = Instant::now();
    let before = std::fs::metadata(&args.file).map_or(0, |data| data.len());
    let (target, file_len) = args.write_anew().map_err(|error| error.of(&args.file))?;
    let seconds = began.elapsed().as_secs_f64();
    let file = target.to_string_lossy();
    let sentence = format!("{file}: {} of {}, {seconds:.2} s", megabytes(file_len), megabytes(before));
    let fields = vec![
        ("file", file.into()),
        ("bytes_before", before.into()),
        ("file_bytes", file_len.into()),
        ("seconds", seconds.into()),
    ];
    reported(target, Summary { sentence, fields }.write(args.format.format))
}

impl CompactArgs {
    fn write_anew(&self) -> Result<(&Path, u64), Failure> {
        let bar = Progress::steps();
        let task = varvite::Task::new().threads(1).progress(|progress| bar.show(progress));
        let disk = self.write.disk();
        let Some(output) = &self.output else {
            return Ok((&self.file, compact(disk, &self.file, &task)?));
        };
        if is_same_file(&self.file, output) {
            let text = "the new file would replace the graph; leave --output out for that";
            return Err(Failure::Usage(text.to_owned()));
        }
        let if_exists = if self.force { IfExists::Replace } else { IfExists::Refuse };
        Ok((output, compact_to(disk, &self.file, output, if_exists, &task)?))
    }
}
