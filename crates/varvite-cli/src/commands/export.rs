//! `varvite export`: a `.varvite` file becomes a foreign graph again.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use varvite::IfExists;
use varvite_import::flatgraph::{self, ExportOptions};
use varvite_store::vfs::RealVfs;

use super::import::is_same_file;
use crate::arguments::{GraphArgs, ThreadArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{Format, Summary, counted, megabytes};
use crate::progress::Progress;

/// Arguments of `varvite export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// The new foreign file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What the new file is for
    #[arg(long, value_enum)]
    format: ForeignFormat,
    /// Replace the new file if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ForeignFormat {
    /// Joern's cpg.bin, as flatgraph 0.1.15 reads it
    Flatgraph,
}

/// Exports, and says what came of it.
pub(crate) fn run(args: &ExportArgs) -> Outcome {
    let graph = args.graph.open()?;
    if is_same_file(&args.graph.file, &args.output) {
        return Err(Failure::Usage(
            "the new file would replace the graph; choose another --output".to_owned(),
        ));
    }
    let began = Instant::now();
    let if_exists = if args.force { IfExists::Replace } else { IfExists::Refuse };
    let options = ExportOptions { if_exists, threads: args.threads.count() };
    let ForeignFormat::Flatgraph = args.format;
    let report = {
        let progress = Progress::steps();
        let show = |step: flatgraph::Step<'_>| progress.step(step.name, step.done, step.total);
        flatgraph::export(Arc::new(RealVfs), &graph, &args.output, &options, &show)?
    };
    let sentence = format!(
        "{}: {}, {}, {}, {:.2} s",
        args.output.display(),
        counted(report.nodes.into(), "node"),
        counted(report.edges, "edge"),
        megabytes(report.file_len),
        began.elapsed().as_secs_f64(),
    );
    Summary { sentence, fields: Vec::new() }.write(Format::Table)
}
