//! `varvite draw`: draws a part of a graph.

use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use varvite::{Budget, Graph};
use varvite_cpg::{Part, PartLimits};
use varvite_draw::{Drawing, roots_at};

use super::new_file::NewFileArgs;
use super::part_word::PartWord;
use crate::arguments::{GraphArgs, MemoryArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{counted, note, stdout};

/// Arguments of `varvite draw`.
#[derive(Debug, Args)]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// Node to draw, such as main, inflate.c:500 or TYPE_DECL:z_stream, or a file, such as inflate.c, for all
    /// its METHODs
    #[arg(value_name = "NODE")]
    node: String,
    /// The part of the graph to draw
    #[arg(long, value_enum, value_name = "VIEW")]
    view: PartWord,
    /// Format of the drawing [default: by the end of FILE: .svg, .mmd, .dot or .gv; svg on standard output]
    #[arg(long, value_enum)]
    format: Option<DrawingFormat>,
    /// Draw at most N nodes
    #[arg(long, value_name = "N", default_value_t = 500)]
    limit: usize,
    /// Begin of the links to source lines in SVG, such as https://github.com/madler/zlib/blob/v1.3.1/
    #[arg(long, value_name = "URL", default_value = "", hide_default_value = true)]
    links: String,
    #[command(flatten)]
    new_file: NewFileArgs,
    #[command(flatten)]
    memory: MemoryArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DrawingFormat {
    /// A picture for browsers and documents
    Svg,
    /// A flowchart of Mermaid, for Markdown
    Mermaid,
    /// The language of Graphviz
    Dot,
}

/// Draws the part.
pub(crate) fn run(args: &DrawArgs) -> Outcome {
    args.graph.ask_within(&args.memory, |graph| answer(args, graph))
}

fn answer(args: &DrawArgs, graph: &Graph) -> Outcome {
    let format = args.format()?;
    let task = args.memory.task(graph);
    let budget = Budget::of(&task);
    let roots = roots_at(graph, &args.node, &budget)?;
    let limits = PartLimits { nodes: args.limit, budget: &budget, cancel: task.flag() };
    let part = Part::of(graph, args.view.into(), &roots, limits)?;
    if part.cut > 0 {
        note(&format!("{} not drawn; raise --limit", counted(part.cut as u64, "more node")));
    }
    let drawing = Drawing::of(graph, &part, &args.node)?;
    let mut text = Vec::new();
    match format {
        DrawingFormat::Svg => drawing.write_svg(&args.links, &mut text)?,
        DrawingFormat::Mermaid => drawing.write_mermaid(&mut text)?,
        DrawingFormat::Dot => drawing.write_dot(&mut text)?,
    }
    let Some(output) = args.new_file.path() else {
        let mut out = stdout();
        out.write_all(&text).and_then(|()| out.flush()).map_err(Failure::Output)?;
        return Ok(());
    };
    let counts = format!(
        ", {}, {}",
        counted(drawing.nodes.len() as u64, "node"),
        counted(drawing.edges.len() as u64, "edge")
    );
    args.new_file.write(output, &args.graph.file, &counts, |out| out.write_all(&text))
}

impl DrawArgs {
    fn format(&self) -> Result<DrawingFormat, Failure> {
        match (self.format, self.new_file.path()) {
            (Some(format), _) => Ok(format),
            (None, None) => Ok(DrawingFormat::Svg),
            (None, Some(path)) => DrawingFormat::of(path).ok_or_else(|| {
                let what = "give --format, or a name that ends with .svg, .mmd, .dot or .gv";
                Failure::Usage(format!("{}: {what}", path.display()))
            }),
        }
    }
}

impl DrawingFormat {
    /// The format that the extension of a file's name stands for.
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "svg" => Some(Self::Svg),
            "mmd" => Some(Self::Mermaid),
            "dot" | "gv" => Some(Self::Dot),
            _ => None,
        }
    }
}
