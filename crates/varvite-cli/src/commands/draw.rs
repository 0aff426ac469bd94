//! `varvite draw`: draws a part of a graph.

use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use varvite::{Budget, Graph};
use varvite_cpg::{Part, PartLimits};
use varvite_draw::{DrawError, Drawing, roots_at};

use super::new_file::NewFileArgs;
use super::part_word::PartWord;
use crate::arguments::{GraphArgs, MemoryArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{counted, note, stdout};

/// The most nodes of a drawing, and the smaller numbers for nodes with too many edges to place.
const NODES: usize = 500;
const FEWER: [usize; 3] = [200, 60, 20];

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
    /// Draw at most N nodes [default: 500; in SVG 200, 60 or 20 if their edges are too many to place]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
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
    let (drawing, text) = args.drawn(graph, format)?;
    if drawing.cut > 0 {
        note(&format!("{} not drawn; raise --limit", counted(drawing.cut as u64, "more node")));
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
    /// The drawing and its text. Without `--limit` a drawing with too many edges has fewer nodes.
    fn drawn(&self, graph: &Graph, format: DrawingFormat) -> Result<(Drawing, Vec<u8>), Failure> {
        let task = self.memory.task(graph);
        let roots = roots_at(graph, &self.node, &Budget::of(&task))?;
        let mut fewer = FEWER.into_iter().filter(|_| self.limit.is_none());
        let mut nodes = self.limit.unwrap_or(NODES);
        loop {
            let budget = Budget::of(&task);
            let limits = PartLimits { nodes, budget: &budget, cancel: task.flag() };
            let part = Part::of(graph, self.view.into(), &roots, limits)?;
            let drawing = Drawing::of(graph, &part, &self.node)?;
            let error = match self.text_of(&drawing, format) {
                Ok(text) => return Ok((drawing, text)),
                Err(error) => error,
            };
            match (error, fewer.next()) {
                (DrawError::TooDense { .. }, Some(next)) => {
                    note(&format!("{nodes} nodes have too many edges to place: at most {next} are drawn"));
                    nodes = next;
                }
                (error, _) => return Err(error.into()),
            }
        }
    }

    fn text_of(&self, drawing: &Drawing, format: DrawingFormat) -> Result<Vec<u8>, DrawError> {
        let mut text = Vec::new();
        match format {
            DrawingFormat::Svg => drawing.write_svg(&self.links, &mut text)?,
            DrawingFormat::Mermaid => drawing.write_mermaid(&mut text)?,
            DrawingFormat::Dot => drawing.write_dot(&mut text)?,
        }
        Ok(text)
    }

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
