//! `varvite export`: writes a graph, or a part of it, in a foreign format.

mod functions;
#[cfg(feature = "parquet")]
mod parquet;
mod part;

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use varvite::{Graph, IfExists};
use varvite_cpg::source::{CONTENT_LINES, LAYER};
use varvite_draw::Drawing;
use varvite_import::graphml::GraphmlExport;
use varvite_import::{Export, ExportReport, ExportSettings};
use varvite_store::{StagedFile, StagedStream};

use self::part::{Chosen, PartArgs};
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
    /// The file to write; for parquet, the folder
    #[arg(short, long, value_name = "FILE", value_parser = named_file())]
    output: PathBuf,
    /// Format of the file
    #[arg(long, value_enum)]
    format: ForeignFormat,
    #[command(flatten)]
    part: PartArgs,
    /// Export the sources of the program too, as CONTENT of FILE nodes, if the graph has the layer `source`
    #[arg(long)]
    with_source: bool,
    /// Replace the file if it exists; a folder is replaced only if an export made all of its content
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ForeignFormat {
    /// Joern's cpg.bin, for flatgraph 0.1.15
    Flatgraph,
    /// GraphML, for NetworkX, igraph, Neo4j's APOC and Apache TinkerPop
    Graphml,
    /// DOT, for drawings by Graphviz; only a part of a graph
    Dot,
    /// A line of JSON for each METHOD, with its nodes and the edges between them, for machine learning
    FunctionsJsonl,
    /// Apache Parquet, a file for each label of nodes and of edges, for DuckDB, Polars, Spark and others
    #[cfg(feature = "parquet")]
    Parquet,
}

/// Refuses the word for standard output, since an exported file appears whole or not at all.
fn named_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => {
            Err("an export can't go to standard output, because it appears whole or not at all: name a file")
        }
        false => Ok(path),
    })
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
    let chosen = args.part.choose(graph, args.format, &args.memory)?;
    let written = {
        let bar = Progress::steps();
        match args.format {
            ForeignFormat::Flatgraph => args.write_flatgraph(graph, &bar)?,
            ForeignFormat::Graphml => args.write_graphml(graph, chosen, &bar)?,
            ForeignFormat::Dot => args.write_dot(graph, chosen)?,
            ForeignFormat::FunctionsJsonl => args.write_functions(graph, chosen)?,
            #[cfg(feature = "parquet")]
            ForeignFormat::Parquet => args.write_parquet(graph, &bar)?,
        }
    };
    let sentence = format!(
        "{}: {}, {}, {}, {:.2} s",
        args.output.display(),
        counted(written.nodes.into(), "node"),
        counted(written.edges, "edge"),
        sized(written.file_len),
        began.elapsed().as_secs_f64(),
    );
    reported(&args.output, Summary { sentence, fields: Vec::new() }.write(Format::Table))
}

/// The contents of the new file.
struct Written {
    nodes: u32,
    edges: u64,
    file_len: u64,
}

impl From<ExportReport> for Written {
    fn from(report: ExportReport) -> Self {
        Self { nodes: report.nodes, edges: report.edges, file_len: report.file_len }
    }
}

impl ExportArgs {
    fn if_exists(&self) -> IfExists {
        if self.force { IfExists::Replace } else { IfExists::Refuse }
    }

    /// The settings of the export: the layers that it leaves out, its target and its task.
    fn settings<'a>(&self, bar: &'a Progress) -> ExportSettings<'a> {
        let task = self.threads.task().progress(|progress| bar.show(progress));
        let settings = ExportSettings::new().if_exists(self.if_exists()).vfs(self.write.disk()).task(task);
        match self.with_source {
            true => settings.without_property(CONTENT_LINES),
            false => settings.without_layer(LAYER),
        }
    }

    fn in_graph(&self, failure: impl Into<Failure>) -> Failure {
        failure.into().of(&self.graph.file)
    }

    fn write_flatgraph(&self, graph: &Graph, bar: &Progress) -> Result<Written, Failure> {
        let export = Export::new(graph).settings(self.settings(bar));
        Ok(export.write_to(&self.output).map_err(|error| self.in_graph(error))?.into())
    }

    fn write_graphml(
        &self,
        graph: &Graph,
        chosen: Option<Chosen>,
        bar: &Progress,
    ) -> Result<Written, Failure> {
        let export = GraphmlExport::new(graph).settings(self.settings(bar));
        let export = match chosen {
            Some(Chosen { part, labels, .. }) => export.part(part.nodes, labels),
            None => export,
        };
        Ok(export.write_to(&self.output).map_err(|error| self.in_graph(error))?.into())
    }

    fn write_dot(&self, graph: &Graph, chosen: Option<Chosen>) -> Result<Written, Failure> {
        let Some(Chosen { part, name, .. }) = chosen else {
            return Err(Failure::Usage(
                "--format dot draws a part: give --part and --of, or --plan".to_owned(),
            ));
        };
        let file_len = self.write_staged(|out| Ok(Drawing::of(graph, &part, &name)?.write_dot(out)?))?;
        Ok(Written { nodes: part.nodes.len() as u32, edges: part.edges.len() as u64, file_len })
    }

    /// Writes the file, which appears under its name when it is complete. Returns its length.
    fn write_staged(&self, write: impl FnOnce(&mut dyn Write) -> Outcome) -> Result<u64, Failure> {
        let staged = StagedFile::create(self.write.disk(), &self.output, self.if_exists())?;
        let mut out = BufWriter::new(StagedStream::from(staged));
        write(&mut out)?;
        let stream = out.into_inner().map_err(|error| Failure::from(error.into_error()))?;
        let file_len = stream.len();
        stream.into_file().commit()?;
        Ok(file_len)
    }
}
