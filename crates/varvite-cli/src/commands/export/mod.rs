//! `varvite export`: writes a graph in a foreign format.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use varvite::{Graph, IfExists};
use varvite_cpg::source::{CONTENT_LINES, LAYER};
use varvite_import::Export;
use varvite_import::graphml::GraphmlExport;

use crate::arguments::{GraphArgs, MemoryArgs, ThreadArgs};
use crate::disk::{WriteArgs, is_same_file};
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Format, Summary, counted, sized};
use crate::progress::Progress;

/// Arguments of `varvite export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Format of the file
    #[arg(long, value_enum)]
    format: ForeignFormat,
    /// Export the sources of the program too, as CONTENT of FILE nodes, if the graph has the layer `source`
    #[arg(long)]
    with_source: bool,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ForeignFormat {
    /// Joern's cpg.bin, for flatgraph 0.1.15
    Flatgraph,
    /// GraphML, for NetworkX, igraph, Neo4j's APOC and Apache TinkerPop
    Graphml,
}

/// Exports the graph, and reports the result.
pub(crate) fn run(args: &ExportArgs) -> Outcome {
    args.graph.for_copy().ask_within(&args.memory, |graph| answer(args, graph))
}

fn answer(args: &ExportArgs, graph: &Graph) -> Outcome {
    if is_same_file(&args.graph.file, &args.output) {
        return Err(Failure::Usage("--output names the graph itself; choose another file".to_owned()));
    }
    let began = Instant::now();
    let if_exists = if args.force { IfExists::Replace } else { IfExists::Refuse };
    let in_graph = |failure: Failure| failure.of(&args.graph.file);
    let (nodes, edges, file_len) = {
        let bar = Progress::steps();
        match args.format {
            ForeignFormat::Flatgraph => {
                let export = Export::new(graph).if_exists(if_exists);
                let export = match args.with_source {
                    true => export.without_property(CONTENT_LINES),
                    false => export.without_layer(LAYER),
                };
                let export = export
                    .vfs(args.write.disk())
                    .task(args.threads.task().progress(|progress| bar.show(progress)));
                let report = export.write_to(&args.output).map_err(|error| in_graph(error.into()))?;
                (report.nodes, report.edges, report.file_len)
            }
            ForeignFormat::Graphml => {
                let export = GraphmlExport::new(graph).if_exists(if_exists);
                let export = match args.with_source {
                    true => export.without_property(CONTENT_LINES),
                    false => export.without_layer(LAYER),
                };
                let export = export
                    .vfs(args.write.disk())
                    .task(args.threads.task().progress(|progress| bar.show(progress)));
                let report = export.write_to(&args.output).map_err(|error| in_graph(error.into()))?;
                (report.nodes, report.edges, report.file_len)
            }
        }
    };
    let sentence = format!(
        "{}: {}, {}, {}, {:.2} s",
        args.output.display(),
        counted(nodes.into(), "node"),
        counted(edges, "edge"),
        sized(file_len),
        began.elapsed().as_secs_f64(),
    );
    reported(&args.output, Summary { sentence, fields: Vec::new() }.write(Format::Table))
}
