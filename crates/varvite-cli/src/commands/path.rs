//! `varvite path`: shows the shortest paths from one node to another.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use varvite::walk::{PathEdges, PathOptions, PathStep, ShortestPaths};
use varvite::{Graph, Task};
use varvite_cpg::{WayRound, path_edges};
use varvite_show::{EdgeLabels, Listing, Namesakes, PathNode, Selection, node_at};

use crate::arguments::{ColumnArgs, GraphArgs, MemoryArgs, OutputArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{note, note_places, sink};

/// Arguments of `varvite path`.
#[derive(Debug, Args)]
pub(crate) struct PathArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// First node of the path: its id, the NAME or FULL_NAME of a METHOD, LABEL:NAME as in
    /// TYPE_DECL:z_stream, or a line: inflate.c:500 for the METHOD around it, CALL:inflate.c:917 for the CALL
    /// on it. The words must select exactly one node
    #[arg(value_name = "FROM")]
    source: String,
    /// Last node of the path, in the same forms
    #[arg(value_name = "TO")]
    target: String,
    /// Follow edges of these labels [default: every label]. CALL follows calls: from a METHOD to the CALLs
    /// that it contains, and from a CALL to the METHODs that it may reach
    #[arg(long, value_name = "LABEL,..", value_delimiter = ',')]
    along: Vec<String>,
    /// Direction in which the path follows edges
    #[arg(long, value_name = "DIRECTION", default_value = "out", value_parser = ways())]
    direction: WayRound,
    /// Longest path to show, in edges
    #[arg(long, value_name = "N")]
    max_length: Option<u32>,
    /// Show every shortest path, not only the first one; there may be very many
    #[arg(long)]
    all: bool,
    /// Show at most N shortest paths
    #[arg(long, value_name = "N", conflicts_with = "all")]
    limit: Option<usize>,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    columns: ColumnArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// The words for directions, each with its meaning.
fn ways() -> impl TypedValueParser<Value = WayRound> {
    let meaning = |way| match way {
        WayRound::Out => "From source to target",
        WayRound::In => "From target to source",
        WayRound::Both => "In both directions",
    };
    let words = WayRound::ALL.map(|way| PossibleValue::new(way.name()).help(meaning(way)));
    PossibleValuesParser::new(words).map(|word| WayRound::named(&word).unwrap_or_default())
}

/// Shows the paths, with a row for each node.
pub(crate) fn run(args: &PathArgs) -> Outcome {
    args.graph.ask_within(&args.memory, |graph| answer(args, graph))
}

fn answer(args: &PathArgs, graph: &Graph) -> Outcome {
    let (source, target) = (node_of(graph, &args.source)?, node_of(graph, &args.target)?);
    let length_max = args.max_length.unwrap_or(u32::MAX);
    let (edges, labels, format) = (args.edges(graph)?, EdgeLabels::of(graph), args.format.format);
    let mut layout = PathNode::layout(graph, format);
    let options = PathOptions { task: args.memory.task(graph), length_max };
    let found = ShortestPaths::find(&edges, &[source], &[target], &options)?;
    let (length, seen) = (found.length(), found.seen());
    let mut listing = Listing::begin(sink(), &mut layout, args.selection())?;
    for (number, path) in (1u64..).zip(found.take(args.count())) {
        for (step, PathStep { node, edge, .. }) in path?.into_iter().enumerate() {
            let edge = edge.map(|(label, direction)| (labels.name(label), direction));
            PathNode { path: number, step, node, edge }.push(&mut listing, format)?;
        }
    }
    note_places(listing.finish()?);
    match length {
        Some(_) => Ok(()),
        None => Err(Failure::NoPath { between: args.between(source, target), seen }),
    }
}

/// Finds the node that `words` describe, and writes a note if others have the same NAME.
fn node_of(graph: &Graph, words: &str) -> Result<u32, Failure> {
    let node = node_at(graph, words)?;
    if let Some(namesakes) = Namesakes::of(graph, words, node)? {
        note(&namesakes.to_string());
    }
    Ok(node)
}

impl PathArgs {
    fn count(&self) -> usize {
        if self.all { usize::MAX } else { self.limit.unwrap_or(1) }
    }

    fn selection(&self) -> Selection<'_> {
        Selection {
            format: self.format.format,
            columns: &self.columns.columns,
            has_root: self.columns.root,
            order_by: &[],
            descending: false,
            limit: None,
            task: Task::new().threads(1),
        }
    }

    /// The edges that a path may follow.
    fn edges(&self, graph: &Graph) -> Result<PathEdges, Failure> {
        Ok(path_edges(graph, &self.along, self.direction.directions())?)
    }

    /// Describes the two ends and the edges that a path between them may follow, for messages.
    fn between(&self, source: u32, target: u32) -> String {
        let node = |words: &str, node: u32| match words.trim_start_matches('#') == node.to_string() {
            true => format!("#{node}"),
            false => format!("{words} (#{node})"),
        };
        let along =
            if self.along.is_empty() { "edges of any label".to_owned() } else { self.along.join(", ") };
        let direction = match self.direction {
            WayRound::Out => "",
            WayRound::In => ", from target to source",
            WayRound::Both => ", in either direction",
        };
        let length = self.max_length.map(|length| format!(", of at most {length} edges")).unwrap_or_default();
        let (source, target) = (node(&self.source, source), node(&self.target, target));
        format!("from {source} to {target} along {along}{direction}{length}")
    }
}
