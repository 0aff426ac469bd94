//! `varvite tree`: the syntax tree below a node.

use clap::Args;
use serde_json::Value as Json;
use varvite::{Graph, Labels, Property};

use crate::arguments::{GraphArgs, OutputArgs};
use crate::failure::{Failure, Outcome};
use crate::names::{nodes_at, optional};
use crate::output::{Column, Format, Rows, all_of};
use crate::tree_walk::TreeWalk;

/// Arguments of `varvite tree`.
#[derive(Debug, Args)]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// The node at the top: its id, or LABEL:NAME as in METHOD:inflate; all trees, if several have that name
    #[arg(value_name = "NODE")]
    node: String,
    /// Show so many levels below it
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows the tree, a node on each line.
pub(crate) fn run(args: &TreeArgs) -> Outcome {
    args.graph.ask(|graph| answer(args, graph))
}

fn answer(args: &TreeArgs, graph: &Graph) -> Outcome {
    let tops = nodes_at(graph, &args.node)?;
    let view = View::of(graph)?;
    let mut rows = Rows::begin(args.format.format, View::columns(graph, args.format.format))?;
    for top in tops {
        for (node, depth) in TreeWalk::new(graph, top, args.depth.unwrap_or(usize::MAX))? {
            rows.push(view.cells(graph, node, depth, args.format.format))?;
        }
    }
    rows.finish()
}

/// What is shown of a node.
struct View {
    labels: Labels,
    properties: [Option<Property>; 4],
}

impl View {
    const PROPERTIES: [&'static str; 4] = ["ORDER", "LINE_NUMBER", "NAME", "CODE"];

    fn of(graph: &Graph) -> Result<Self, Failure> {
        let mut properties = [const { None }; 4];
        for (property, name) in properties.iter_mut().zip(Self::PROPERTIES) {
            *property = optional(graph.property(name))?;
        }
        Ok(Self { labels: graph.label_sets()?, properties })
    }

    /// People see the depth as indentation.
    fn columns(graph: &Graph, format: Format) -> Vec<Column> {
        let depth = (format != Format::Table).then(|| Column::number("depth"));
        let [order, line, name, code] = Self::PROPERTIES;
        let mut columns = vec![Column::node(graph)];
        columns.extend(depth);
        columns.extend([Column::text("label"), Column::number(order), Column::number(line)]);
        columns.extend([Column::text(name), Column::text(code)]);
        columns
    }

    fn cells(&self, graph: &Graph, node: u32, depth: usize, format: Format) -> Vec<Json> {
        let names = self.labels.of(node).filter_map(|label| graph.labels().get(label.0 as usize));
        let label = names.map(|label| label.name.as_str()).collect::<Vec<_>>().join("+");
        let values = self.properties.iter();
        let values =
            values.map(|property| property.as_ref().map_or(Json::Null, |values| all_of(values, node)));
        let place = match format {
            Format::Table => {
                vec![format!("{:indent$}{label}", "", indent = 2 * depth.min(INDENTED_MAX)).into()]
            }
            _ => vec![depth.into(), label.into()],
        };
        std::iter::once(node.into()).chain(place).chain(values).collect()
    }
}

/// Deeper nodes are not moved further to the right.
const INDENTED_MAX: usize = 30;
