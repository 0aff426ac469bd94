//! `varvite heap flame`: a profile for viewers: collapsed stacks, or a drawing of them.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use varvite::IfExists;
use varvite_profile::layer::{FlameTree, HeapLayer};
use varvite_store::{StagedFile, StagedStream, StoreError};

use super::asked::{MeasureWord, ProfileArgs};
use crate::disk::{WriteArgs, is_same_file};
use crate::failure::{Failure, Outcome, reported};
use crate::output::Format as ReportFormat;
use crate::output::{Summary, megabytes, write_bytes};

/// Arguments of `varvite heap flame`.
#[derive(Debug, Args)]
pub(crate) struct FlameArgs {
    #[command(flatten)]
    profile: ProfileArgs,
    /// What frames are as wide as
    #[arg(long, value_enum, default_value_t)]
    sort: MeasureWord,
    /// What is written [default: what the name of the file says, else collapsed]
    #[arg(long, value_enum)]
    format: Option<FlameFormat>,
    /// The new file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the new file if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FlameFormat {
    /// A line for each stack, as flamegraph.pl, inferno and speedscope read it
    Collapsed,
    /// A drawing, with titles
    Svg,
    /// A page that needs nothing else, in which frames can be widened and marked
    Html,
    /// A document for speedscope, with all that is counted
    Speedscope,
    /// A message for pprof, with all that is counted
    Pprof,
}

/// Writes the stacks.
pub(super) fn run(args: &FlameArgs) -> Outcome {
    args.profile.ask(|_, layer| answer(args, layer))
}

fn answer(args: &FlameArgs, layer: &HeapLayer) -> Outcome {
    let flame = FlameTree::of(layer, args.sort.into());
    let format = args.format.unwrap_or_else(|| FlameFormat::of(args.output.as_deref()));
    let title = format!("{}: {} {}", layer.command, flame.total, flame.measure.name());
    let write = |out: &mut dyn Write| {
        let mut out = BufWriter::new(out);
        match format {
            FlameFormat::Collapsed => flame.write_collapsed(&mut out)?,
            FlameFormat::Svg => flame.write_svg(&title, &mut out)?,
            FlameFormat::Html => flame.write_html(&title, &mut out)?,
            FlameFormat::Speedscope => layer.write_speedscope(flame.measure, &mut out)?,
            FlameFormat::Pprof => layer.write_pprof(flame.measure, &mut out)?,
        }
        out.flush()
    };
    let Some(output) = &args.output else {
        let mut text = Vec::new();
        write(&mut text)?;
        return Ok(write_bytes(&text)?);
    };
    if is_same_file(args.profile.file(), output) {
        return Err(Failure::Usage(
            "the new file would replace the graph; choose another --output".to_owned(),
        ));
    }
    let if_exists = if args.force { IfExists::Replace } else { IfExists::Refuse };
    let mut file = StagedStream::from(StagedFile::create(args.write.disk(), output, if_exists)?);
    write(&mut file).map_err(of_store)?;
    let length = file.len();
    file.into_file().commit()?;
    let sentence = format!("{}: {}", output.display(), megabytes(length));
    reported(output, Summary { sentence, fields: Vec::new() }.write(ReportFormat::Table))
}

impl FlameFormat {
    /// What the name of a file says.
    fn of(path: Option<&Path>) -> Self {
        match path.and_then(Path::extension).and_then(|ending| ending.to_str()) {
            Some("svg") => Self::Svg,
            Some("html" | "htm") => Self::Html,
            Some("json") => Self::Speedscope,
            Some("gz" | "pb" | "pprof") => Self::Pprof,
            _ => Self::Collapsed,
        }
    }
}

/// The error of a stream that is a file in the making.
fn of_store(error: io::Error) -> Failure {
    match error.downcast::<StoreError>() {
        Ok(error) => error.into(),
        Err(error) => error.into(),
    }
}
