//! `varvite tree`: shows the syntax tree below a node.

use clap::Args;
use varvite::{Graph, Task};
use varvite_cpg::TreeWalk;
use varvite_show::{Field, LabelNames, Layout, Listing, Selection, nodes_at};

use crate::arguments::{ColumnArgs, GraphArgs, OutputArgs};
use crate::failure::Outcome;
use crate::output::{Cell, Column, Format, note_places, sink};

/// Arguments of `varvite tree`.
#[derive(Debug, Args)]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// Root of the tree: its id, the FULL_NAME or NAME of a METHOD, LABEL:NAME as in TYPE_DECL:z_stream, or a
    /// line: inflate.c:500 for the METHOD around it, RETURN:inflate.c:1149 for the RETURNs on it. If several
    /// nodes fit, all their trees are shown; for METHODs, only those of definitions
    #[arg(value_name = "NODE")]
    node: String,
    /// Show at most N levels below the root
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Show at most the first N nodes
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    #[command(flatten)]
    columns: ColumnArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Maximum indentation of nodes, in levels.
const INDENTED_MAX: usize = 30;

/// Shows the tree, with a line for each node.
pub(crate) fn run(args: &TreeArgs) -> Outcome {
    args.graph.ask(|graph| answer(args, graph))
}

fn answer(args: &TreeArgs, graph: &Graph) -> Outcome {
    let tops = nodes_at(graph, &args.node)?;
    let format = args.format.format;
    let labels = LabelNames::of(graph)?;
    let mut layout = layout(graph, format);
    let mut listing = Listing::begin(sink(), &mut layout, args.selection())?;
    for top in tops {
        for (node, depth) in TreeWalk::new(graph, top, args.depth.unwrap_or(usize::MAX))? {
            if listing.is_full() {
                break;
            }
            listing.push(&[Some(node)], |_| match format {
                Format::Table => indented(labels.of_node(node), depth),
                _ => depth.into(),
            })?;
        }
    }
    Ok(listing.finish().map(note_places)?)
}

impl TreeArgs {
    fn selection(&self) -> Selection<'_> {
        Selection {
            format: self.format.format,
            columns: &self.columns.columns,
            has_root: self.columns.root,
            order_by: &[],
            descending: false,
            limit: self.limit,
            task: Task::new().threads(1),
        }
    }
}

/// In a table, the indentation of the label shows the depth.
fn layout(graph: &Graph, format: Format) -> Layout<'_> {
    let layout = Layout::new(graph, &[""]).lead_with_field(0, Field::Node);
    match format {
        Format::Table => {
            let layout = layout.lead_with(Column::text("label").whole()).show_properties(0, &["ORDER"]);
            layout.show_fields(0, &[Field::Location]).show_properties(0, &["NAME", "CODE"])
        }
        _ => {
            let layout = layout.lead_with(Column::number("depth")).lead_with_field(0, Field::Label);
            layout.show_properties(0, &["ORDER", "LINE_NUMBER", "NAME", "CODE"]).show_site(0, format)
        }
    }
}

fn indented(label: &str, depth: usize) -> Cell<'static> {
    format!("{:indent$}{label}", "", indent = 2 * depth.min(INDENTED_MAX)).into()
}
